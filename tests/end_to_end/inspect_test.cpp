#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>

#include "end_to_end/program.h"

namespace dovetail::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;

class Inspect : public testing::Test {
 protected:
  Inspect() {
    const std::string label = " <http://www.w3.org/2000/01/rdf-schema#label> ";
    left = here.write("left.nt",
                      "<http://l/a> <http://x/p> <http://l/b> .\n<http://l/a> <http://x/p> <http://l/b> .\n"
                      "<http://l/a> <http://l/q> <http://l/c> .\n<http://l/a>" +
                          label +
                          "\"A\" .\n"
                          "<http://l/alone>" +
                          label + "\"alone\" .\n<http://l/a> <http://l/age> \"7\" .\n")
               .string();
    right = here.write("right.tsv", "A\thttp://x/p\tB\n").string();
    links = here.write("links.csv", "http://l/a,A\nhttp://l/b,B\nhttp://l/b,B\nhttp://l/c,none\n").string();
  }
  Workspace here;
  std::string left;
  std::string right;
  std::string links;
};

TEST_F(Inspect, GivesJson) {
  const Outcome run = dovetail({"inspect", left, right, "--links", links, "--json"});
  ASSERT_EQ(run.code, 0) << run.err;
  const json found = json::parse(run.out);
  EXPECT_EQ(found["format"], "files");
  const json& l = found["left"];
  EXPECT_EQ(l["entities"], 4);
  EXPECT_EQ(l["relations"], 2);
  EXPECT_EQ(l["triples"], 2);
  EXPECT_EQ(l["duplicate_triples"], 1);
  EXPECT_EQ(l["literals"], 3);
  EXPECT_EQ(l["labelled_entities"], 2);
  EXPECT_EQ(l["isolated_entities"], 1);
  EXPECT_EQ(l["linked_entities"], 2);
  EXPECT_EQ(l["degree"]["largest"], 2);
  EXPECT_EQ(l["degree"]["median"], 1);
  EXPECT_DOUBLE_EQ(l["degree"]["mean"].get<double>(), 1.0);
  EXPECT_EQ(l["degree"]["histogram_by_power_of_two"], json({1, 2, 1}));
  EXPECT_GT(l["edge_bytes"], 0);
  EXPECT_EQ(found["right"]["entities"], 2);
  EXPECT_EQ(found["shared_relations"], 1);
  EXPECT_EQ(found["links"]["train"], 2);
  EXPECT_EQ(found["links"]["test"], 0);
  EXPECT_EQ(found["links"]["unknown_entity"], 1);
  EXPECT_EQ(found["links"]["repeated"], 1);
  EXPECT_EQ(found["links"]["origin"], "links.csv, as given");
}

TEST_F(Inspect, GivesATableAndAHistogram) {
  const Outcome run = dovetail({"inspect", left, right, "--links", links});
  ASSERT_EQ(run.code, 0) << run.err;
  for (const char* line :
       {"entities +4 +2", "  with a label +2 +0", "  without triples +1 +0", "  in a link +50.0% +100.0%",
        "relations +2 +1", "triples +2 +1", "  repeated in the source +1 +0", "literals +3 +0",
        "links: 2 .links.csv, as given.", "  2 to learn from, 0 for development, 0 for testing",
        "  1 more name an unknown entity", "  1 more repeat another link"}) {
    EXPECT_THAT(run.out, testing::ContainsRegex(std::string("\n") + line + "\n"));
  }
  EXPECT_THAT(run.out, testing::ContainsRegex("\n +0  .* 1  .* 0\n +1  .* 2  .* 2\n +2-3  .* 1  .* 0\n"));
  EXPECT_LE(widest_line(run.out), 80U);
}

TEST_F(Inspect, DrawsASplitOnRequest) {
  const auto train = [&](const std::string& ratio) {
    return json::parse(dovetail({"inspect", left, right, "--links", links, "--json", "--seed-ratio", ratio})
                           .out)["links"]["train"]
        .get<int>();
  };
  EXPECT_EQ(train("0.5"), 1);
  EXPECT_EQ(train("0"), 0);
  EXPECT_EQ(train("1"), 2);
}

TEST_F(Inspect, TakesColumnsFormatsAndNames) {
  const std::string table = here.write("table", "x,b,p,a\nx,c,p,b\n").string();
  const std::string pairs = here.write("pairs", "0.5\tA\ta\n").string();
  const std::string names = here.write("names.json", "[[\"a\", \"name\"]]").string();
  const Outcome run = dovetail({"inspect", table, table, "--format", "csv", "--columns", "4,3,2", "--header",
                                "no", "--names", names, "--json"});
  ASSERT_EQ(run.code, 0) << run.err;
  const json found = json::parse(run.out);
  EXPECT_EQ(found["left"]["triples"], 2);
  EXPECT_EQ(found["left"]["labelled_entities"], 1);
  const Outcome linked = dovetail({"inspect", here.write("l.tsv", "a\tp\tb\n").string(), right, "--links",
                                   pairs, "--links-format", "links-tsv", "--links-columns", "3,2", "--json"});
  ASSERT_EQ(linked.code, 0) << linked.err;
  EXPECT_EQ(json::parse(linked.out)["links"]["train"], 1);
}

TEST_F(Inspect, WorksWithoutLinks) {
  const Outcome run = dovetail({"inspect", left, right});
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.out, HasSubstr("links: none given"));
}

TEST_F(Inspect, TakesFileNamesThatAreNotUtf8) {
  const std::string odd = here.write("links\xE9.csv", "http://l/a,A\n").string();
  const Outcome run = dovetail({"inspect", left, right, "--links", odd, "--json"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(json::parse(run.out)["links"]["train"], 1);
}

}  // namespace
}  // namespace dovetail::test

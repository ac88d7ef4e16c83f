#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "end_to_end/program.h"

namespace dovetail::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Convert : public testing::Test {
 protected:
  [[nodiscard]] std::string at(const std::string& name) const { return (here / name).string(); }
  Outcome convert(const std::vector<std::string>& inputs, const std::string& target,
                  const std::string& format, const std::vector<std::string>& options = {}) const {
    std::vector<std::string> arguments = {"convert"};
    for (const std::string& input : inputs) arguments.push_back(at(input));
    arguments.push_back(at(target));
    arguments.insert(arguments.end(), {"--to", format});
    arguments.insert(arguments.end(), options.begin(), options.end());
    Outcome run = dovetail(arguments);
    EXPECT_EQ(run.code, 0) << run.err;
    return run;
  }
  [[nodiscard]] LoadedPair pair_in(const std::string& name) const {
    Listener listener;
    LoadOptions options = keep_all();
    options.split.seed_ratio = 1;
    LoadedPair pair = load_folder(here / name, options, listener);
    EXPECT_THAT(listener.warnings, IsEmpty());
    return pair;
  }
  Workspace here;
};

const std::string kGraph =
    "<http://x/a> <http://x/p#q> <http://x/b> .\n<http://x/b> <http://x/p#q> _:n .\n"
    "<http://x/a> <http://www.w3.org/2000/01/rdf-schema#label> \"A \\\"quoted\\\"\\tname\"@en .\n"
    "<http://x/b> <http://x/p#age> \"7\"^^<http://www.w3.org/2001/XMLSchema#int> .\n";

TEST_F(Convert, TakesAGraphThroughEveryFormat) {
  here.write("0.nt", kGraph);
  const KnowledgeGraph expected = graph_in(here / "0.nt");
  std::string last = "0.nt";
  int step = 0;
  for (const std::string format : {"turtle", "csv", "rdfxml", "nquads", "tsv", "trig", "ntriples"}) {
    ++step;
    const std::string next =
        std::to_string(step) + format_info(format_from_name(format)).extension + (step % 2 == 0 ? ".gz" : "");
    const Outcome run = convert({last}, next, format);
    EXPECT_THAT(run.out, HasSubstr(next + ": 2 triples as " + format));
    const KnowledgeGraph graph = graph_in(here / next);
    EXPECT_EQ(triples_of(graph), triples_of(expected)) << format;
    EXPECT_EQ(literals_of(graph), literals_of(expected)) << format;
    EXPECT_EQ(labels_of(graph), labels_of(expected)) << format;
    last = next;
  }
}

TEST_F(Convert, TakesAPairThroughEveryFormat) {
  ASSERT_EQ(dovetail({"generate", at("0"), "-n", "300", "--seed-ratio", "0.3", "--valid-ratio", "0.1", "--to",
                      "openea"})
                .code,
            0);
  const LoadedPair expected = pair_in("0");
  std::string last = "0";
  for (const std::string format : {"turtle", "dbp15k", "csv", "rdfxml", "openea", "tsv", "trig", "ntriples",
                                   "dbp15k", "nquads", "openea"}) {
    const std::string next = last + "x";
    const Outcome run = convert({last}, next, format);
    EXPECT_THAT(run.err, IsEmpty());
    const LoadedPair pair = pair_in(next);
    EXPECT_EQ(triples_of(pair.graphs.left()), triples_of(expected.graphs.left())) << format;
    EXPECT_EQ(triples_of(pair.graphs.right()), triples_of(expected.graphs.right())) << format;
    EXPECT_EQ(labels_of(pair.graphs.right()), labels_of(expected.graphs.right())) << format;
    EXPECT_EQ(links_of(pair, pair.links.train), links_of(expected, expected.links.train)) << format;
    EXPECT_EQ(links_of(pair, pair.links.valid), links_of(expected, expected.links.valid)) << format;
    EXPECT_EQ(links_of(pair, pair.links.test), links_of(expected, expected.links.test)) << format;
    last = next;
  }
}

TEST_F(Convert, TakesTwoFilesAndLinksToAFolder) {
  here.write("left.nt", kGraph);
  here.write("right.tsv", "A\tp\tB\n");
  here.write("links.csv", "http://x/a,A\n");
  for (const std::string format : {"dbp15k", "openea", "tsv"}) {
    convert({"left.nt", "right.tsv"}, "out-" + format, format, {"--links", at("links.csv")});
    const LoadedPair pair = pair_in("out-" + format);
    EXPECT_EQ(pair.graphs.left().triple_count(), 2U);
    EXPECT_THAT(links_of(pair, pair.links.train), ElementsAre(Pair{"http://x/a", "A"}));
  }
}

TEST_F(Convert, KeepsLinksOfNamesThatAreNoUris) {
  here.folder("in", {{"rel_triples_1", "Deh Bonyad\tis in\tIran\n"},
                     {"rel_triples_2", "7\tp\tStar_Trek:_Voyager\n"},
                     {"ent_links", "Deh Bonyad\t7\nIran\tStar_Trek:_Voyager\n"}});
  for (const std::string format : {"ntriples", "turtle", "rdfxml"}) {
    convert({"in"}, format, format);
    EXPECT_EQ(pair_in(format).links.size(), 2U) << format;
  }
}

TEST_F(Convert, KeepsUndividedLinksUndivided) {
  ASSERT_EQ(dovetail({"generate", at("in"), "-n", "300", "--to", "dbp15k"}).code, 0);
  convert({"in"}, "openea", "openea");
  EXPECT_FALSE(std::filesystem::exists(here / "openea/721_5fold"));
  convert({"openea"}, "ids", "dbp15k");
  EXPECT_FALSE(std::filesystem::exists(here / "ids/sup_ent_ids"));
  convert({"openea"}, "divided", "dbp15k", {"--seed-ratio", "0.5"});
  EXPECT_TRUE(std::filesystem::exists(here / "divided/sup_ent_ids"));
}

TEST_F(Convert, KeepsTheBestNameWhereThereIsRoomForOne) {
  here.write("left.nt",
             "<http://x/a> <http://x/p> <http://x/b> .\n<http://x/a> <http://xmlns.com/foaf/0.1/name> "
             "\"second best\" .\n"
             "<http://x/a> <http://www.w3.org/2000/01/rdf-schema#label> \"best\" .\n");
  convert({"left.nt", "left.nt"}, "out", "dbp15k");
  EXPECT_EQ(labels_of(pair_in("out").graphs.left())["http://x/a"], "best");
}

TEST_F(Convert, SaysWhatItLeavesOut) {
  here.folder("in", {{"ent_ids_1", "0\ta\n1\tb\n2\talone\n"},
                     {"ent_ids_2", "3\tx\n"},
                     {"triples_1", "0\t0\t1\n"},
                     {"triples_2", "3\t0\t3\n"}});
  EXPECT_THAT(convert({"in"}, "tsv", "tsv").err,
              HasSubstr("warning: 1 entity without triples left out: tsv holds triples only"));
  here.write("left.nt", kGraph);
  EXPECT_THAT(convert({"left.nt", "left.nt"}, "ids", "dbp15k").err,
              HasSubstr("warning: 2 literals left out: dbp15k holds entities and names only"));
}

TEST_F(Convert, TakesLinksThroughEveryFormat) {
  here.write("0.tsv", "http://l/b\thttp://r/é\t0.25\nhttp://l/a?x=1&y=2\thttp://r/c\t1\n");
  const auto read = [&](const std::string& name) { return content_of(here / name); };
  std::string last = "0.tsv";
  int step = 0;
  for (const std::string format : {"links-csv", "sssom", "alignment-api", "links-tsv"}) {
    const std::string next = std::to_string(++step) + format_info(format_from_name(format)).extension;
    EXPECT_THAT(convert({last}, next, format).out, HasSubstr("2 links as " + format));
    last = next;
  }
  EXPECT_EQ(read(last),
            "left\tright\tscore\nhttp://l/b\thttp://r/é\t0.25\nhttp://l/a?x=1&y=2\thttp://r/c\t1\n");
  convert({last}, "s.nt", "sameas");
  convert({"s.nt"}, "end.csv", "links-csv");
  EXPECT_EQ(read("end.csv"), "left,right,score\nhttp://l/b,http://r/é,\nhttp://l/a?x=1&y=2,http://r/c,\n");
}

TEST_F(Convert, RefusesWhatAFormatCannotHold) {
  here.write("tab.csv", "\"a\tb\",p,c\n");
  here.write("blank.nt", "_:7 <http://x/p> <http://x/b> .\n");
  here.write("control.nt",
             "<http://x/a> <http://x/p> \"\\u0001\" .\n<http://x/a> <http://x/p> <http://x/b> .\n");
  here.write("relation.nt", "<http://x/a> <http://x/p/7> <http://x/b> .\n");
  const auto before = here.files();
  for (const auto& [input, format] : {std::pair{"tab.csv", "tsv"},
                                      {"blank.nt", "rdfxml"},
                                      {"control.nt", "rdfxml"},
                                      {"relation.nt", "rdfxml"}}) {
    const Outcome run = dovetail({"convert", at(input), at("out"), "--to", format});
    EXPECT_EQ(run.code, 2) << input;
    EXPECT_THAT(run.err, HasSubstr("choose ")) << input;
    EXPECT_EQ(here.files(), before);
  }
}

}  // namespace
}  // namespace dovetail::test

#include "formats/names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "formats/support.h"

namespace dovetail::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string kRdfs = "<http://www.w3.org/2000/01/rdf-schema#label>";
const std::string kSkos = "<http://www.w3.org/2004/02/skos/core#prefLabel>";
const std::string kFoaf = "<http://xmlns.com/foaf/0.1/name>";
const std::string kSchema = "<http://schema.org/name>";
const std::string kSchemas = "<https://schema.org/name>";

std::string name_in(const std::string& triples) {
  const auto graph = graph_from("a.nt", triples);
  return std::string(graph.name(*graph.find("http://x/a")));
}

TEST(Names, ComeFromTheUsualPredicates) {
  for (const std::string& predicate : {kRdfs, kSkos, kFoaf, kSchema, kSchemas}) {
    EXPECT_EQ(name_in("<http://x/a> " + predicate + " \"An \\u00C4pfel\\t\\\"A\\\"\"@en .\n"),
              "An Äpfel\t\"A\"")
        << predicate;
  }
}

TEST(Names, ComeFromTheBestOfThem) {
  std::string text;
  for (const auto& [predicate, name] :
       {std::pair{kSchema, "schema"}, {kFoaf, "foaf"}, {kSkos, "skos"}, {kRdfs, "rdfs"}}) {
    text += "<http://x/a> " + predicate + " \"" + name + "\" .\n";
    EXPECT_EQ(name_in(text), name);
  }
  EXPECT_EQ(name_in(text + "<http://x/a> " + kRdfs + " \"second\" .\n"), "rdfs");
}

TEST(Names, AreNoRelations) {
  const auto graph =
      graph_from("a.nt", "<http://x/a> " + kRdfs + " \"A\" .\n<http://x/a> <http://x/p> <http://x/b> .\n");
  EXPECT_EQ(graph.relation_count(), 1U);
  EXPECT_EQ(graph.triple_count(), 1U);
  EXPECT_EQ(graph.label_count(), 1U);
}

TEST(Names, AreElseTheLastPartOfTheUri) {
  EXPECT_EQ(name_in("<http://x/a> <http://x/p> <http://x/b> .\n"), "a");
  EXPECT_EQ(name_in("<http://x/a> " + kRdfs + " \"\" .\n"), "a");
}

TEST(NamesFile, GivesNamesToThoseThatHaveNone) {
  const Workspace here;
  LoadOptions options = keep_all();
  options.names =
      here.write("names.json.gz", compressed("[[\"http://x/b\", [\"B\", \"of x\"]], [\"http://x/c\", \"C\"], "
                                             "[\"http://x/unknown\", []], [\"http://x/a\", \"other\"]]",
                                             ".gz"));
  const auto graph = graph_from("a.nt",
                                "<http://x/a> <http://x/p> <http://x/b> .\n<http://x/a> " + kRdfs +
                                    " \"own\" .\n"
                                    "<http://x/c> <http://x/p> <http://x/b> .\n",
                                options);
  EXPECT_EQ(labels_of(graph), (std::map<std::string, std::string>{
                                  {"http://x/a", "own"}, {"http://x/b", "B of x"}, {"http://x/c", "C"}}));
}

TEST(NamesFile, TakesNumbersForEntities) {
  const Workspace here;
  const auto names = read_names(here.write("names.json", "[[7, [\"seven\"]], [\"8\", \"eight \\u00e9\"]]"));
  ASSERT_EQ(names.size(), 2U);
  EXPECT_EQ(names[0].entity, "7");
  EXPECT_EQ(names[0].name, "seven");
  EXPECT_EQ(names[1].entity, "8");
  EXPECT_EQ(names[1].name, "eight é");
}

TEST(NamesFile, SaysWhatIsWrong) {
  const Workspace here;
  const auto error = [&](const std::string& text) {
    const auto path = here.write("names.json", text);
    return error_of([&] { (void)read_names(path); });
  };
  EXPECT_THAT(error(""), HasSubstr("names.json: "));
  EXPECT_THAT(error("{\"a\": 1}"), HasSubstr("expected a JSON list of names"));
  EXPECT_THAT(error("[[1, [\"a\"]"), HasSubstr("expected a JSON list of names"));
  EXPECT_THAT(error("[[1, \"\xE9\"]]"), HasSubstr("UTF-8"));
  EXPECT_THAT(error("[[1, \"a\"], [2]]"),
              AllOf(HasSubstr("entry 2 is \"[2]\""), HasSubstr("expected [entity, name]")));
  EXPECT_THAT(error("[[1, \"a\"], [-2, \"b\"]]"), HasSubstr("entry 2 is"));
  EXPECT_THAT(error("[[1, \"a\"], [2, \"b\"], [3, [4]]]"), HasSubstr("entry 3 is"));
  EXPECT_THAT(error("[7]"), HasSubstr("entry 1 is"));
}

TEST(NamesFile, MayHaveAByteOrderMark) {
  const Workspace here;
  EXPECT_EQ(read_names(here.write("names.json", "\xEF\xBB\xBF[[1, \"a\"]]")).size(), 1U);
}

}  // namespace
}  // namespace dovetail::test

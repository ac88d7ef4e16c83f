#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "formats/support.h"

namespace dovetail::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

TEST(NTriples, IsOneTripleALine) {
  const auto graph = graph_from("a.nt",
                                "<http://x/a> <http://x/p> <http://x/b> .\n"
                                "<http://x/b>\t<http://x/q>\t<http://x/c>.\n"
                                "  <http://x/c><http://x/p><http://x/a> . # and a remark\n");
  EXPECT_THAT(triples_of(graph), ElementsAre(Row{"http://x/a", "http://x/p", "http://x/b"},
                                             Row{"http://x/b", "http://x/q", "http://x/c"},
                                             Row{"http://x/c", "http://x/p", "http://x/a"}));
}

TEST(NTriples, PassesOverCommentsAndEmptyLines) {
  const auto graph =
      graph_from("a.nt", "# a remark\n\n   \n<http://x/a> <http://x/p> <http://x/b> .\n#<a> <b> <c> .\n");
  EXPECT_EQ(graph.triple_count(), 1U);
}

TEST(NTriples, MayHaveCarriageReturnsAByteOrderMarkAndNoFinalLineEnd) {
  const auto graph = graph_from("a.nt",
                                "\xEF\xBB\xBF<http://x/a> <http://x/p> <http://x/b> .\r\n"
                                "<http://x/a> <http://x/p> \"v\" .\r\n"
                                "<http://x/b> <http://x/p> <http://x/c> .");
  EXPECT_THAT(entities_of(graph), ElementsAre("http://x/a", "http://x/b", "http://x/c"));
  EXPECT_THAT(literals_of(graph), ElementsAre(Row{"http://x/a", "http://x/p", "\"v\""}));
}

TEST(NTriples, ReplacesEscapesInIris) {
  const auto graph = graph_from("a.nt",
                                "<http://x/\\u00E9\\U0001F600> <http://x/p\\u002Dq> <http://x/%C3%A9> .\n"
                                "<http://x/é😀> <http://x/p-q> <http://x/%C3%A9> .\n");
  EXPECT_THAT(triples_of(graph), ElementsAre(Row{"http://x/é😀", "http://x/p-q", "http://x/%C3%A9"}));
  EXPECT_EQ(graph.duplicate_count(), 1U);
}

TEST(NTriples, KeepsBlankNodesUnderTheirLabels) {
  const auto graph = graph_from("a.nt",
                                "_:a <http://x/p> _:b.1 .\n"
                                "_:b.1 <http://x/p> _:ü-2.\n");
  EXPECT_THAT(entities_of(graph), ElementsAre("_:a", "_:b.1", "_:ü-2"));
}

TEST(NTriples, KeepsLiteralsAsTheyAreWritten) {
  const std::string a = "<http://x/a> <http://x/p> ";
  const auto graph = graph_from("a.nt", a + "\"plain\" .\n" + a + "\"tagged\"@en-GB .\n" + a +
                                            "\"7\"^^<http://www.w3.org/2001/XMLSchema#int> .\n" + a +
                                            "\"a \\\"quoted\\\" \\\\ word\\n\\u00E9\" .\n" + a + "\"\" .\n" +
                                            a + "\"a . <b> # c\".\n");
  EXPECT_EQ(graph.triple_count(), 0U);
  EXPECT_EQ(graph.literal_count(), 6U);
  std::set<std::string> values;
  for (const Row& row : literals_of(graph)) values.insert(row[2]);
  EXPECT_THAT(values,
              ElementsAre("\"\"", "\"7\"^^<http://www.w3.org/2001/XMLSchema#int>", "\"a . <b> # c\"",
                          "\"a \\\"quoted\\\" \\\\ word\\n\\u00E9\"", "\"plain\"", "\"tagged\"@en-GB"));
}

TEST(NTriples, LiteralsAreCountedWhenTheyAreNotKept) {
  const auto graph = graph_from("a.nt", "<http://x/a> <http://x/p> \"v\" .\n", LoadOptions{});
  EXPECT_EQ(graph.literal_count(), 1U);
  EXPECT_TRUE(graph.literals().empty());
  EXPECT_EQ(graph.entity_count(), 1U);
}

TEST(NQuads, LosesTheNamesOfItsGraphs) {
  const auto graph = graph_from("a.nq",
                                "<http://x/a> <http://x/p> <http://x/b> <http://x/g> .\n"
                                "<http://x/a> <http://x/p> <http://x/b> <http://x/h> .\n"
                                "<http://x/a> <http://x/p> \"v\"@en _:g .\n"
                                "<http://x/a> <http://x/p> <http://x/c> .\n");
  EXPECT_EQ(graph.triple_count(), 2U);
  EXPECT_EQ(graph.duplicate_count(), 1U);
  EXPECT_EQ(graph.literal_count(), 1U);
  EXPECT_THAT(entities_of(graph), ElementsAre("http://x/a", "http://x/b", "http://x/c"));
}

struct Broken {
  const char* line;
  const char* found;
  const char* expected;
};

class BrokenNTriples : public testing::TestWithParam<Broken> {};

TEST_P(BrokenNTriples, NamesLineColumnAndWhatWasExpected) {
  const std::string good = "<http://x/a> <http://x/p> <http://x/b> .\n";
  const std::string message = error_from("a.nt", good + "\n" + GetParam().line + "\n" + good);
  EXPECT_THAT(message, StartsWith("a.nt:3: found "));
  EXPECT_THAT(message, HasSubstr(GetParam().found));
  EXPECT_THAT(message, HasSubstr(std::string("; expected ") + GetParam().expected));
}

INSTANTIATE_TEST_SUITE_P(
    All, BrokenNTriples,
    testing::Values(
        Broken{"http://x/a <http://x/p> <http://x/b> .", "in column 1", "a subject"},
        Broken{"\"v\" <http://x/p> <http://x/b> .", "in column 1", "a subject"},
        Broken{"<http://x/a> _:p <http://x/b> .", "in column 14", "a predicate"},
        Broken{"<http://x/a> <http://x/p> x .", "\"x .\" in column 27", "an object"},
        Broken{"<http://x/a> <http://x/p> <http://x/b>", "the end of the line in column 39", "'.'"},
        Broken{"<http://x/a> <http://x/p> <http://x/b> <http://x/g> .", "in column 40", "'.'"},
        Broken{"<http://x/a> <http://x/p> <http://x/b> . more", "\"more\"", "the end of the line"},
        Broken{"<http://x/a b> <http://x/p> <http://x/b> .", "in column 12", "'>'"},
        Broken{"<http://x/a <http://x/p> <http://x/b> .", "in column 12", "'>'"},
        Broken{"<http://x/\\u12> <http://x/p> <http://x/b> .", "", "a valid \\uXXXX escape"},
        Broken{"<http://x/\\n> <http://x/p> <http://x/b> .", "", "a valid \\uXXXX escape"},
        Broken{"<http://x/\\uD800> <http://x/p> <http://x/b> .", "", "a valid \\uXXXX escape"},
        Broken{"<http://x/a> <http://x/p> \"never closed .", "the end of the line", "'\"'"},
        Broken{"<http://x/a> <http://x/p> \"ends in a slash\\", "the end of the line", "'\"'"},
        Broken{"<http://x/a> <http://x/p> \"no \\q escape\" .", "", "a valid escape"},
        Broken{"<http://x/a> <http://x/p> \"no \\u00 escape\" .", "", "a valid escape"},
        Broken{"<http://x/a> <http://x/p> \"v\"@ .", "\" .\" in column 31", "a language tag"},
        Broken{"<http://x/a> <http://x/p> \"v\"^^http://x/t .", "", "'.'"},
        Broken{"<http://x/a> <http://x/p> _: .", "", "a blank node"},
        Broken{"<http://x/a>", "the end of the line", "a predicate"},
        Broken{"<<http://x/a> <http://x/p> <http://x/b>> <http://x/p> <http://x/b> .", "",
               "a plain triple"}));

TEST(NTriples, ShowsNoControlCharactersInMessages) {
  const std::string message = error_from("a.nt",
                                         "\x1b[31mred\x07 \xC2\x9B"
                                         "2J\n");
  EXPECT_THAT(message, HasSubstr("\\x1B[31mred\\x07"));
  EXPECT_EQ(message.find('\x1b'), std::string::npos);
  EXPECT_EQ(message.find("\xC2\x9B"), std::string::npos) << "the one-character form of ESC [ acts as well";
}

}  // namespace
}  // namespace dovetail::test

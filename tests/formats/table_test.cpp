#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "formats/support.h"

namespace dovetail::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

LoadOptions with_columns(std::vector<std::string> columns, std::optional<bool> header = {}) {
  LoadOptions options = keep_all();
  options.graph_table = {std::move(columns), header};
  return options;
}

TEST(TsvGraph, IsHeadRelationTail) {
  const auto graph = graph_from("a.tsv", "Paris\tcapital of\tFrance\nFrance\tin\tEurope\r\n\n1\t2\t3");
  EXPECT_THAT(triples_of(graph), ElementsAre(Row{"1", "2", "3"}, Row{"France", "in", "Europe"},
                                             Row{"Paris", "capital of", "France"}));
}

TEST(TsvGraph, KnowsNoQuotes) {
  const auto graph = graph_from("a.tsv", "a\tp\tthe \"b\" of, c\n\"a\tp\tc\"d\"\n");
  EXPECT_THAT(triples_of(graph), ElementsAre(Row{"\"a", "p", "c\"d\""}, Row{"a", "p", "the \"b\" of, c"}));
}

TEST(TsvGraph, TakesTailsInRdfSyntaxForLiterals) {
  const auto graph = graph_from("a.tsv", "a\tp\t\"v\"@en\na\tp\t\"7\"^^<http://x/int>\na\tp\tb\n");
  EXPECT_EQ(graph.triple_count(), 1U);
  EXPECT_THAT(literals_of(graph),
              ElementsAre(Row{"a", "p", "\"7\"^^<http://x/int>"}, Row{"a", "p", "\"v\"@en"}));
}

TEST(TsvGraph, FindsColumnsByTheUsualNames) {
  const auto graph = graph_from("a.tsv", "Note\tObject\tPREDICATE\tsubject\nx\tb\tp\ta\n");
  EXPECT_THAT(triples_of(graph), ElementsAre(Row{"a", "p", "b"}));
}

TEST(TsvGraph, TakesColumnsByNameOrNumber) {
  const std::string named = "who\tnote\twhat\twhom\na\t-\tp\tb\n";
  EXPECT_THAT(triples_of(graph_from("a.tsv", named, with_columns({"who", "what", "whom"}))),
              ElementsAre(Row{"a", "p", "b"}));
  EXPECT_THAT(triples_of(graph_from("a.tsv", named, with_columns({"1", "3", "4"}, true))),
              ElementsAre(Row{"a", "p", "b"}));
  EXPECT_THAT(triples_of(graph_from("a.tsv", "x\ta\tp\tb\n", with_columns({"4", "3", "2"}))),
              ElementsAre(Row{"b", "p", "a"}));
}

TEST(TsvGraph, CanBeToldWhetherThereIsAHeader) {
  const std::string text = "head\trelation\ttail\na\tp\tb\n";
  EXPECT_EQ(graph_from("a.tsv", text).triple_count(), 1U);
  EXPECT_EQ(graph_from("a.tsv", text, with_columns({}, false)).triple_count(), 2U);
  EXPECT_EQ(graph_from("a.tsv", "a\tp\tb\nb\tp\tc\n", with_columns({}, true)).triple_count(), 1U);
}

TEST(TsvGraph, SaysWhichColumnsItMisses) {
  EXPECT_THAT(error_from("a.tsv", "a\tp\tb\n\na\tp\n"),
              AllOf(StartsWith("a.tsv:3: "), HasSubstr("found 2 columns; expected 3")));
  EXPECT_THAT(error_from("a.tsv", "a\tp\tb\tc\n"),
              AllOf(StartsWith("a.tsv:1: "), HasSubstr("found 4 columns; expected 3")));
  EXPECT_THAT(error_from("a.tsv", "a b c\n"),
              AllOf(StartsWith("a.tsv:1: "), HasSubstr("found 1 column; expected 3")));
  EXPECT_THAT(error_from("a.tsv", "a\tp\tb\na\t\tb\n"),
              AllOf(StartsWith("a.tsv:2: "), HasSubstr("relation is empty")));
  EXPECT_THAT(error_from("a.tsv", "a\tp\tb\n", with_columns({"who", "2", "3"})),
              AllOf(StartsWith("a.tsv:1: "), HasSubstr("\"who\"")));
  EXPECT_THAT(error_from("a.tsv", "a\tp\tb\n", with_columns({"1", "2", "4"})), HasSubstr("numbered \"4\""));
  EXPECT_THAT(error_from("a.tsv", "a\tp\tb\n", with_columns({"1", "2"})),
              HasSubstr("2 columns were chosen; expected 3"));
}

TEST(CsvGraph, UnquotesFields) {
  const auto graph = graph_from("a.csv",
                                "head,relation,tail\n"
                                "\"Paris, Texas\",p,\"a \"\"quoted\"\" word\"\n"
                                "x,\"\"\"\",\"two\nlines\"\r\n"
                                "y,p,\"z\"\r\n");
  EXPECT_THAT(triples_of(graph), ElementsAre(Row{"Paris, Texas", "p", "a \"quoted\" word"},
                                             Row{"x", "\"", "two\nlines"}, Row{"y", "p", "z"}));
}

TEST(CsvGraph, CountsLinesWithinFields) {
  const std::string text = "head,relation,tail\n\"a\nb\nc\",p,x\n\ny,p\n";
  EXPECT_THAT(error_from("a.csv", text), StartsWith("a.csv:6: "));
  EXPECT_THAT(error_from("a.csv", "a,p,b\n\"a\nb\" c,p,x\n"),
              AllOf(StartsWith("a.csv:3: "), HasSubstr("after a closing quotation mark")));
  EXPECT_THAT(error_from("a.csv", "a,p,b\nx,\"p,c\nd,e,f\n"),
              AllOf(StartsWith("a.csv:2: "), HasSubstr("never closed")));
}

// Fields, rows and doubled quotation marks lie across the ends of the blocks a file is read in, wherever
// those are: each length of the first row shifts all that follows by one byte.
TEST(CsvGraph, QuotedFieldsMayCrossBlocks) {
  for (const std::size_t shift : {0, 1, 2, 3, 5, 8, 13}) {
    std::string text = "head,relation,tail\n" + std::string(1 + shift, 'x') + ",p,y\n";
    std::set<Row> expected = {{std::string(1 + shift, 'x'), "p", "y"}};
    for (int i = 0; text.size() < (5 << 19); ++i) {
      const std::string n = std::to_string(i);
      const std::string lines = i % 1000 == 7 ? std::string(3000, '\n') : "\n";
      text += "\"a" + n + lines + "b\",p,\"\"\"c\"\"" + "\r\n" + "d" + n + "\"\n";
      expected.insert({"a" + n + lines + "b", "p", "\"c\"\r\nd" + n});
    }
    const auto graph = graph_from("a.csv", text);
    ASSERT_EQ(graph.triple_count(), expected.size());
    ASSERT_EQ(triples_of(graph), expected);
  }
}

TEST(CsvGraph, KnowsLinesBehindFieldsThatCrossBlocks) {
  std::string text = "head,relation,tail\n";
  std::uint64_t line = 2;
  while (text.size() < (3 << 20)) {
    text += "\"a\n\n\nb\",p,c\n";
    line += 4;
  }
  EXPECT_THAT(error_from("a.csv", text + "one,two\n"),
              StartsWith("a.csv:" + std::to_string(line) + ": found 2 columns"));
}

TEST(CsvGraph, FindsAnOpenQuotationMarkInALargeFileSoon) {
  std::string text = "a,p,b\nx,\"p,c\n";
  while (text.size() < (20 << 20)) text += "some entity,some relation,another entity\n";
  EXPECT_THAT(error_from("a.csv", text), AllOf(StartsWith("a.csv:2: "), HasSubstr("never closed")));
}

}  // namespace
}  // namespace dovetail::test

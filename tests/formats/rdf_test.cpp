#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "formats/support.h"

namespace dovetail::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::SizeIs;
using testing::StartsWith;

const std::string kInt = "^^<http://www.w3.org/2001/XMLSchema#integer>";

TEST(Turtle, KnowsPrefixesBaseListsOfPredicatesAndObjects) {
  const auto graph = graph_from("a.ttl",
                                "@base <http://x/> .\n"
                                "@prefix p: <http://p/> .\n"
                                "PREFIX : <http://empty/>\n"
                                "<a> p:q <b> , :c ;\n"
                                "    a p:T .\n");
  EXPECT_THAT(
      triples_of(graph),
      ElementsAre(Row{"http://x/a", "http://p/q", "http://empty/c"},
                  Row{"http://x/a", "http://p/q", "http://x/b"},
                  Row{"http://x/a", "http://www.w3.org/1999/02/22-rdf-syntax-ns#type", "http://p/T"}));
}

TEST(Turtle, GivesTheNamelessBlankNodesOfBracketsNamesOfTheirOwn) {
  const auto graph = graph_from("a.ttl",
                                "@prefix : <http://x/> .\n"
                                ":a :p [ :q :b ; :r [ :s :c ] ] .\n"
                                "_:b1 :p _:named .\n");
  EXPECT_EQ(graph.triple_count(), 5U);
  EXPECT_EQ(graph.entity_count(), 7U);
  EXPECT_TRUE(graph.find("_:named"));
  EXPECT_TRUE(graph.find("_:b1")) << "a label of the file's own stays";
}

TEST(Turtle, SpellsOutLists) {
  const auto graph = graph_from("a.ttl", "@prefix : <http://x/> .\n:a :p ( :b :c ) .\n");
  EXPECT_EQ(graph.triple_count(), 5U);  // the list's head, two firsts, two rests
  EXPECT_TRUE(graph.find("http://www.w3.org/1999/02/22-rdf-syntax-ns#nil"));
}

TEST(Turtle, KeepsLiteralsInOneSyntax) {
  const auto graph = graph_from("a.ttl",
                                "@prefix : <http://x/> .\n"
                                ":a :p \"plain\" , 'single'@fr , 7 , \"\"\"two\nlines \"quoted\" \"\"\" , "
                                "\"t\"^^:type , \"tab\\tbed\" .\n");
  std::set<std::string> values;
  for (const Row& row : literals_of(graph)) values.insert(row[2]);
  EXPECT_THAT(values, ElementsAre("\"7\"" + kInt, "\"plain\"", "\"single\"@fr", "\"t\"^^<http://x/type>",
                                  "\"tab\\tbed\"", "\"two\\nlines \\\"quoted\\\" \""));
}

TEST(Turtle, MayHaveCarriageReturnsAndAByteOrderMark) {
  const auto graph = graph_from("a.ttl", "\xEF\xBB\xBF@prefix : <http://x/> .\r\n:a :p :b .\r\n# end");
  EXPECT_THAT(triples_of(graph), ElementsAre(Row{"http://x/a", "http://x/p", "http://x/b"}));
}

TEST(Turtle, ResolvesRelativeNamesAgainstTheFile) {
  const auto graph = graph_from("a.ttl", "<> <http://x/p> <#b> .\n");
  EXPECT_THAT(*entities_of(graph).begin(), MatchesRegex("file:///.*/a.ttl"));
  EXPECT_THAT(*entities_of(graph).rbegin(), MatchesRegex("file:///.*/a.ttl#b"));
}

TEST(Turtle, NamesTheLineThatIsBroken) {
  const std::string head = "@prefix : <http://x/> .\n:a :p :b .\n";
  EXPECT_THAT(error_from("a.ttl", head + ":a :p .\n:c :d :e .\n"), StartsWith("a.ttl:3: "));
  EXPECT_THAT(error_from("a.ttl", head + ":a :p \"open\n:c :d :e .\n"), MatchesRegex("a.ttl:[34]: .*"));
  EXPECT_THAT(error_from("a.ttl", head + "\n\n:a undeclared:p :b .\n"),
              testing::AllOf(StartsWith("a.ttl:5: "), HasSubstr("undeclared:p")));
  EXPECT_THAT(error_from("a.ttl", head + ":a :p :b"), MatchesRegex("a.ttl:3: .*expected.*"));
  EXPECT_THAT(error_from("a.ttl", head + ":a :p"), MatchesRegex("a.ttl:3: .*expected.*"));
  EXPECT_THAT(error_from("a.ttl", "{\"json\": 1}\n"), StartsWith("a.ttl:1: "));
}

TEST(Turtle, CountsLinesInLargeFiles) {
  std::string text = "@prefix : <http://x/> .\n";
  for (int i = 0; i < 40'000; ++i) text += ":some_entity" + std::to_string(i) + " :relation :another .\n";
  EXPECT_THAT(error_from("a.ttl", text + ":a :b\n.\n"), MatchesRegex("a.ttl:4000[23]: .*"));
  EXPECT_EQ(graph_from("a.ttl", text).triple_count(), 40'000U);
}

TEST(TriG, LosesTheNamesOfItsGraphs) {
  const auto graph = graph_from("a.trig",
                                "@prefix : <http://x/> .\n"
                                ":a :p :b .\n"
                                ":g { :a :p :b . :a :p \"v\" }\n"
                                "GRAPH :h { :a :p :c }\n");
  EXPECT_EQ(graph.triple_count(), 2U);
  EXPECT_EQ(graph.duplicate_count(), 1U);
  EXPECT_EQ(graph.literal_count(), 1U);
}

const std::string kXmlHead =
    "<?xml version=\"1.0\"?>\n"
    "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:x=\"http://x/\">\n";

TEST(RdfXml, IsReadWithItsAbbreviations) {
  const auto graph = graph_from("a.rdf", kXmlHead +
                                             "<x:T rdf:about=\"http://x/a\" x:note=\"short\">\n"
                                             "  <x:p rdf:resource=\"http://x/b\"/>\n"
                                             "  <x:q><rdf:Description rdf:about=\"http://x/c\"/></x:q>\n"
                                             "  <x:name xml:lang=\"de\">Stra&#223;e &amp; Weg</x:name>\n"
                                             "  <x:age rdf:datatype=\"http://x/int\">7</x:age>\n"
                                             "  <x:r rdf:nodeID=\"n\"/>\n"
                                             "</x:T></rdf:RDF>\n");
  EXPECT_THAT(
      triples_of(graph),
      ElementsAre(Row{"http://x/a", "http://www.w3.org/1999/02/22-rdf-syntax-ns#type", "http://x/T"},
                  Row{"http://x/a", "http://x/p", "http://x/b"},
                  Row{"http://x/a", "http://x/q", "http://x/c"}, Row{"http://x/a", "http://x/r", "_:n"}));
  EXPECT_THAT(literals_of(graph), ElementsAre(Row{"http://x/a", "http://x/age", "\"7\"^^<http://x/int>"},
                                              Row{"http://x/a", "http://x/name", "\"Straße & Weg\"@de"},
                                              Row{"http://x/a", "http://x/note", "\"short\""}));
}

TEST(RdfXml, NamesTheLineThatIsBroken) {
  const std::string unclosed = kXmlHead + "<rdf:Description rdf:about=\"http://x/a\">\n<x:p>\n</rdf:RDF>\n";
  EXPECT_THAT(error_from("a.rdf", unclosed),
              testing::AllOf(StartsWith("a.rdf:5: "), HasSubstr("expected RDF/XML")));
  EXPECT_THAT(error_from("a.rdf", kXmlHead + "<rdf:Description>"),
              StartsWith("a.rdf:3: the text ends in the middle"));
  EXPECT_THAT(
      error_from("a.rdf",
                 kXmlHead + "\n<rdf:Description rdf:about=\"http://x/a\" rdf:nodeID=\"n\"/></rdf:RDF>"),
      StartsWith("a.rdf:4: "));
}

TEST(RdfXml, FetchesNothingOnBehalfOfTheFile) {
  const Workspace here;
  const auto secret = here.write("secret", "do not tell");
  const auto path = here.write(
      "a.rdf", "<?xml version=\"1.0\"?>\n<!DOCTYPE r [<!ENTITY s SYSTEM \"file://" + secret.string() +
                   "\">]>\n<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" "
                   "xmlns:x=\"http://x/\"><rdf:Description rdf:about=\"http://x/a\">"
                   "<x:p>&s;</x:p></rdf:Description></rdf:RDF>\n");
  std::string seen;
  (void)error_of([&] {
    const auto graph = graph_in(path);
    for (const Row& row : literals_of(graph)) seen += row[2];
  });
  EXPECT_EQ(seen.find("do not tell"), std::string::npos);
}

TEST(RdfXml, IsReadOnTwoThreadsAtOnce) {
  const Workspace here;
  std::string text = kXmlHead;
  for (int i = 0; i < 2000; ++i) {
    const std::string n = std::to_string(i);
    text += "<rdf:Description rdf:about=\"http://x/" + n + "\"><x:p rdf:resource=\"http://x/" + n +
            "b\"/></rdf:Description>\n";
  }
  text += "</rdf:RDF>\n";
  const auto left = here.write("left.rdf", text);
  const auto right = here.write("right.rdf", text);
  for (int round = 0; round < 10; ++round) {
    Listener listener;
    const LoadedPair pair = load_files(left, right, {}, LoadOptions{}, listener);
    ASSERT_EQ(pair.graphs.left().triple_count(), 2000U);
    ASSERT_EQ(pair.graphs.right().triple_count(), 2000U);
  }
}

}  // namespace
}  // namespace dovetail::test

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <tuple>

#include "formats/link_reader.h"
#include "formats/support.h"

namespace dovetail::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

using ScoredLink = std::tuple<std::string, std::string, std::optional<double>>;

std::vector<ScoredLink> links_in(const std::filesystem::path& path, Listener& listener,
                                 Format format = Format::automatic, const TableOptions& table = {}) {
  std::vector<ScoredLink> links;
  read_links(
      path, format, table,
      [&](const RawLink& link) {
        EXPECT_GT(link.line, 0U);
        links.emplace_back(link.left, link.right, link.score);
      },
      listener);
  return links;
}

std::vector<ScoredLink> links_from(const std::string& name, const std::string& text,
                                   Format format = Format::automatic, const TableOptions& table = {}) {
  const Workspace here;
  Listener listener;
  return links_in(here.write(name, text), listener, format, table);
}

std::string link_error(const std::string& name, const std::string& text) {
  const Workspace here;
  Listener listener;
  const auto path = here.write(name, text);
  std::string message = error_of([&] { (void)links_in(path, listener); });
  if (message.starts_with(here.path().string())) message.erase(0, here.path().string().size() + 1);
  return message;
}

const ScoredLink kAB = {"http://l/a", "http://r/b", std::nullopt};
const ScoredLink kCD = {"http://l/c", "http://r/d", std::nullopt};

TEST(TableLinks, AreTwoColumnsAndPerhapsAScore) {
  EXPECT_THAT(links_from("a.tsv", "http://l/a\thttp://r/b\r\nhttp://l/c\thttp://r/d"), ElementsAre(kAB, kCD));
  EXPECT_THAT(links_from("a.csv", "http://l/a,http://r/b,0.5\n\"x,y\",z,\n"),
              ElementsAre(ScoredLink{"http://l/a", "http://r/b", 0.5}, ScoredLink{"x,y", "z", std::nullopt}));
}

TEST(JsonLinks, AreAListOfObjects) {
  EXPECT_THAT(
      links_from("a.json",
                 R"([{"left": "http://l/a", "right": "http://r/b"}, {"score": 0.5, "why": [{}], "right":
                             "z\"", "left": "\u00e9"}, {"right": "r", "score": 9, "confidence": 1, "left": "l"}])"),
      ElementsAre(kAB, ScoredLink{"é", "z\"", 0.5}, ScoredLink{"l", "r", 1}));
  EXPECT_THAT(links_from("a.json", "[]", Format::links_json), IsEmpty());
}

TEST(JsonLinks, WhatIsNoneIsNamedWithItsLine) {
  EXPECT_THAT(link_error("a.json", "[\n{\"left\": \"a\", \"right\": \"b\"},\n{\"left\": \"a\"}]"),
              StartsWith("a.json:3: found an object without left or right"));
  EXPECT_THAT(link_error("a.json", "[\n{\"left\": \"a\", \"right\": 7}]"),
              StartsWith("a.json:2: found no link"));
  EXPECT_THAT(link_error("a.json", "[[\"a\", \"b\"]]"), StartsWith("a.json:1: found no link"));
  EXPECT_THAT(link_error("a.json", "[\n{\"left\": \"a\", \"right\": \"b\""), StartsWith("a.json:"));
  EXPECT_THAT(link_error("a.json", "[{\"left\": \"a\", \"right\": \"b\"}] []"),
              StartsWith("a.json:1: found more"));
}

TEST(TableLinks, MayHaveAHeader) {
  EXPECT_THAT(links_from("a.tsv", "confidence\ttarget\tsource\n0.25\thttp://r/b\thttp://l/a\n"),
              ElementsAre(ScoredLink{"http://l/a", "http://r/b", 0.25}));
  EXPECT_THAT(links_from("a.tsv", "left\tright\nhttp://l/a\thttp://r/b\n"), ElementsAre(kAB));
  EXPECT_THAT(links_from("a.tsv", "x\ty\nhttp://l/a\thttp://r/b\n", Format::automatic, {{}, true}),
              ElementsAre(kAB));
}

TEST(TableLinks, MayHaveTitlesThatNobodyKnows) {
  const ScoredLink numbers = {"65", "270", std::nullopt};
  for (const std::string text : {"D1|D2\n65|270\n", "idAbt%idBuy\n65%270\n", "mine;theirs\n65;270\n"}) {
    EXPECT_THAT(links_from("gt.csv", text), ElementsAre(numbers)) << text;
  }
  EXPECT_THAT(links_from("a.tsv", "this\tthat\nhttp://l/a\thttp://r/b\nhttp://l/c\thttp://r/d\n"),
              ElementsAre(kAB, kCD));
  // Names above names may be a link as well.
  EXPECT_THAT(links_from("a.tsv", "Rome\tRoma\nParis\tParigi\n").size(), 2U);
  EXPECT_THAT(links_from("a.tsv", "Rome\tRoma\nroom 1\taula 1\nroom 2\tcity\n").size(), 3U);
  EXPECT_THAT(links_from("a.tsv", "http://l/a\thttp://r/b\n1\t2\n").size(), 2U);
}

TEST(TableLinks, SayWhichTitlesTheyTakeForSuch) {
  const Workspace here;
  Listener listener;
  (void)links_in(here.write("a.csv", "D1|D2\n65|270\n"), listener);
  EXPECT_THAT(listener.notes, ElementsAre(HasSubstr("the first line (\"D1\", \"D2\") is taken for titles")));
}

TEST(TableLinks, HaveConfidencesWhereTheySaySo) {
  const auto confident = [](const std::string& name, const std::string& text) {
    const Workspace here;
    Listener listener;
    std::vector<std::optional<double>> found;
    for (const NamedLink& link : load_links(here.write(name, text), Format::automatic, {}, listener)) {
      found.push_back(link.confidence);
    }
    return found;
  };
  EXPECT_THAT(confident("a.tsv", "left\tright\tscore\tconfidence\na\tb\t7\t.5\n"), ElementsAre(0.5));
  EXPECT_THAT(confident("a.tsv", "left\tright\tscore\na\tb\t.5\n"), ElementsAre(std::nullopt));
  EXPECT_THAT(confident("a.tsv", "a\tb\t.5\n"), ElementsAre(std::nullopt));
  EXPECT_THAT(confident("a.json", R"([{"left":"a","right":"b","score":3},
                                      {"left":"c","right":"d","confidence":0.25}])"),
              ElementsAre(std::nullopt, 0.25));
}

TEST(TableLinks, HaveColumnsByNameOrNumber) {
  EXPECT_THAT(links_from("a.csv", "n,there,here\n1,http://r/b,http://l/a\n", Format::automatic,
                         {{"here", "there"}, {}}),
              ElementsAre(kAB));
  EXPECT_THAT(links_from("a.csv", "1,http://r/b,http://l/a,0.5\n", Format::automatic, {{"3", "2", "4"}, {}}),
              ElementsAre(ScoredLink{"http://l/a", "http://r/b", 0.5}));
}

TEST(TableLinks, SayWhatIsWrong) {
  EXPECT_THAT(link_error("a.tsv", "a\tb\nc\n"), StartsWith("a.tsv:2: found 1 column; expected 2"));
  EXPECT_THAT(link_error("a.tsv", "a b\n"), StartsWith("a.tsv:1: found 1 column; expected 2"));
  EXPECT_THAT(link_error("a.tsv", "a\tb\tc\td\n"), StartsWith("a.tsv:1: found 4 columns; expected 2"));
  EXPECT_THAT(link_error("a.tsv", "a\tb\t0.5\nc\td\thigh\n"),
              StartsWith("a.tsv:2: found \"high\" in column 3; expected a number"));
  EXPECT_THAT(link_error("a.tsv", "a\tb\n\td\n"), StartsWith("a.tsv:2: the left is empty"));
}

TEST(TableLinks, ExpandPrefixesDeclaredAbove) {
  const std::string head =
      "@prefix l: <http://l/> .\n@prefix r: <http://r/> .\n@prefix : <http://none/> .\n\n";
  EXPECT_THAT(links_from("gold.ttl", head + "l:a\tr:b\nl:c\thttp://r/d\n"), ElementsAre(kAB, kCD));
  EXPECT_THAT(links_from("gold.ttl", head + ":a\tl\n"),
              ElementsAre(ScoredLink{"http://none/a", "l", std::nullopt}));
  EXPECT_THAT(links_from("a.tsv", "l:a\tr:b\n"), ElementsAre(ScoredLink{"l:a", "r:b", std::nullopt}));
}

TEST(RdfLinks, AreSameAsAndExactMatchTriples) {
  const std::string text =
      "<http://l/a> <http://www.w3.org/2002/07/owl#sameAs> <http://r/b> .\n"
      "<http://l/a> <http://www.w3.org/2000/01/rdf-schema#label> \"a\" .\n"
      "<http://l/c> <http://www.w3.org/2004/02/skos/core#exactMatch> <http://r/d> .\n";
  EXPECT_THAT(links_from("a.nt", text), ElementsAre(kAB, kCD));
  EXPECT_THAT(links_from("a", text, Format::same_as), ElementsAre(kAB, kCD));
  EXPECT_THAT(
      links_from("a.ttl",
                 "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n<http://l/a> owl:sameAs <http://r/b> .\n"),
      ElementsAre(kAB));
}

TEST(RdfLinks, SayWhatIsWrong) {
  EXPECT_THAT(link_error("a.nt", "<http://l/a> <http://x/p> <http://r/b> .\n"),
              StartsWith("a.nt: no owl:sameAs"));
  EXPECT_THAT(link_error("a.nt", "\n<http://l/a> <http://www.w3.org/2002/07/owl#sameAs> \"b\" .\n"),
              StartsWith("a.nt:2: found the literal"));
}

TEST(Sssom, KnowsItsPrefixesAndLeavesOutOtherPredicates) {
  Listener listener;
  const auto links = links_in(std::filesystem::path(DOVETAIL_TEST_DATA) / "mappings.sssom.tsv", listener);
  EXPECT_THAT(
      links,
      ElementsAre(ScoredLink{"http://left.example/city/Paris", "http://right.example/place#p1", 0.95},
                  ScoredLink{"http://left.example/city/Lyon", "http://right.example/place#p2", std::nullopt},
                  ScoredLink{"http://left.example/city/Metz", "http://right.example/place#p5", 1.0}));
  EXPECT_THAT(listener.warnings, ElementsAre(HasSubstr("2 mappings with a predicate other than")));
}

TEST(Sssom, SaysWhatIsWrong) {
  const std::string header = "subject_id\tpredicate_id\tobject_id\tmapping_justification\tconfidence\n";
  EXPECT_THAT(link_error("a.sssom.tsv", header + "a\towl:sameAs\tb\tx\tsure\n"),
              StartsWith("a.sssom.tsv:2: found the confidence \"sure\""));
  EXPECT_THAT(link_error("a.sssom.tsv", header + "\na\towl:sameAs\tb\n"),
              StartsWith("a.sssom.tsv:3: found 3 columns; expected 5"));
  EXPECT_THAT(link_error("a.sssom.tsv", "#x: y\nsubject_id\tobject_id\n"),
              AllOf(StartsWith("a.sssom.tsv:2: "), HasSubstr("predicate_id")));
  EXPECT_THAT(link_error("a.sssom.tsv", "#x: y\n#curie_map: {a: [\n" + header),
              AllOf(StartsWith("a.sssom.tsv:"), HasSubstr("YAML")));
  EXPECT_THAT(link_error("a.sssom.tsv", "#x: y\n"), HasSubstr("no table"));
}

TEST(Sssom, MayBeginWithARemarkInsteadOfMetadata) {
  EXPECT_THAT(
      links_from("a.sssom.tsv",
                 "# made by hand\nsubject_id\tpredicate_id\tobject_id\nhttp://l/a\towl:sameAs\thttp://r/b\n"),
      ElementsAre(kAB));
}

TEST(Alignment, IsReadWithAndWithoutAHashInItsNamespace) {
  const auto path = std::filesystem::path(DOVETAIL_TEST_DATA) / "alignment.rdf";
  const auto paris = ScoredLink{"http://left.example/city/Paris", "http://right.example/place#p1", 0.95};
  const auto lyon =
      ScoredLink{"http://left.example/city/Lyon", "http://right.example/place#p2", std::nullopt};
  Listener listener;
  EXPECT_THAT(links_in(path, listener), ElementsAre(paris, lyon));
  std::string text = content_of(path);
  text.insert(text.find("alignment'") + 9, "#");
  EXPECT_THAT(links_from("a.rdf", text), ElementsAre(paris, lyon));
}

TEST(Alignment, KeepsTheOrderOfTheFile) {
  std::string text =
      "<rdf:RDF xmlns=\"http://knowledgeweb.semanticweb.org/heterogeneity/alignment\" "
      "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><Alignment>\n";
  for (int i = 0; i < 30; ++i) {
    const std::string n = std::to_string(i);
    text += "<map><Cell><entity1 rdf:resource=\"http://l/" + n + "\"/><entity2 rdf:resource=\"http://r/" + n +
            "\"/></Cell></map>\n";
  }
  const auto links = links_from("a.rdf", text + "</Alignment></rdf:RDF>\n");
  ASSERT_EQ(links.size(), 30U);
  for (std::size_t i = 0; i < 30; ++i) EXPECT_EQ(std::get<0>(links[i]), "http://l/" + std::to_string(i));
}

TEST(Alignment, SaysWhatIsWrong) {
  const std::string head =
      "<rdf:RDF xmlns=\"http://knowledgeweb.semanticweb.org/heterogeneity/alignment\" "
      "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><Alignment>\n<map><Cell>\n";
  const std::string tail = "</Cell></map></Alignment></rdf:RDF>\n";
  EXPECT_THAT(link_error("a.rdf", head + "<entity1 rdf:resource=\"http://l/1\"/>\n" + tail),
              HasSubstr("one entity only"));
  EXPECT_THAT(link_error("a.rdf", head + "<measure>much</measure>\n" + tail),
              AllOf(StartsWith("a.rdf:3: "), HasSubstr("\"much\"")));
}

class TwoGraphsAndLinks : public testing::Test {
 protected:
  LoadedPair load(const std::string& links, const LoadOptions& options = {}) {
    const auto left = here.write("left.tsv", "a\tp\tb\nb\tp\tc\nshared\tp\ta\n");
    const auto right = here.write("right.tsv", "x\tp\ty\ny\tp\tz\nshared\tp\tx\n");
    return load_files(left, right, here.write("links.tsv", links), options, listener);
  }
  std::string error(const std::string& links, const LoadOptions& options = {}) {
    return error_of([&] { (void)load(links, options); });
  }
  Workspace here;
  Listener listener;
};

TEST_F(TwoGraphsAndLinks, JoinTheTwo) {
  const LoadedPair pair = load("a\tx\nb\ty\nshared\tshared\n");
  EXPECT_THAT(links_of(pair, pair.links.train),
              ElementsAre(Pair{"a", "x"}, Pair{"b", "y"}, Pair{"shared", "shared"}));
  EXPECT_THAT(listener.warnings, IsEmpty());
}

TEST_F(TwoGraphsAndLinks, WithinOneGraphAreRefused) {
  EXPECT_THAT(error("a\tx\na\tb\n"), AllOf(HasSubstr("links.tsv:2: "),
                                           HasSubstr("two entities of the left graph, \"a\" and \"b\"")));
  EXPECT_THAT(error("z\ty\n"),
              AllOf(HasSubstr("links.tsv:1: "), HasSubstr("two entities of the right graph")));
  EXPECT_THAT(error("x\ta\n"), AllOf(HasSubstr("links.tsv:1: "), HasSubstr("swap")));
}

TEST_F(TwoGraphsAndLinks, OfUnknownEntitiesAreCounted) {
  const LoadedPair pair = load("a\tx\nb\tnobody\nnobody\ty\nnobody\tno one\nx\tnobody\nnobody\ta\n");
  EXPECT_EQ(pair.links.size(), 1U);
  EXPECT_EQ(pair.links.unknown, 5U);
  EXPECT_THAT(listener.warnings,
              ElementsAre(AllOf(HasSubstr("links.tsv: 5 of 6 links name an entity that is in neither graph"),
                                HasSubstr("\"nobody\" in line 2"))));
  LoadOptions strict;
  strict.strict = true;
  EXPECT_THAT(error("a\tx\nb\tnobody\n", strict),
              AllOf(HasSubstr("links.tsv:2: "), HasSubstr("\"nobody\""), HasSubstr("expected")));
}

TEST_F(TwoGraphsAndLinks, OfOneEntityTwiceAreRefused) {
  EXPECT_THAT(error("a\tx\n\na\ty\n"), AllOf(HasSubstr("links.tsv:3: "), HasSubstr("second link of \"a\"")));
  EXPECT_THAT(error("a\tx\nb\tx\n"), AllOf(HasSubstr("links.tsv:2: "), HasSubstr("second link of \"x\"")));
}

TEST_F(TwoGraphsAndLinks, RepeatedAreCountedOnce) {
  const LoadedPair pair = load("a\tx\na\tx\nb\ty\n");
  EXPECT_EQ(pair.links.size(), 2U);
  EXPECT_EQ(pair.links.repeated, 1U);
}

}  // namespace
}  // namespace dovetail::test

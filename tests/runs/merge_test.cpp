#include <dovetail/export.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "formats/support.h"

namespace dovetail::test {
namespace {

using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

const std::string kSameAs = "http://www.w3.org/2002/07/owl#sameAs";
const std::string kDerived = "http://www.w3.org/ns/prov#wasDerivedFrom";
const std::string kLabel = "http://www.w3.org/2000/01/rdf-schema#label";

std::string nt(const std::string& head, const std::string& relation, const std::string& tail) {
  const auto node = [](const std::string& text) {
    return text.starts_with('"') || text.starts_with("_:") ? text : "<" + text + ">";
  };
  return node(head) + " <" + relation + "> " + node(tail) + " .\n";
}

/// Paris and France in both graphs under other names, a city of each alone, and a blank node called alike.
class Merge : public testing::Test {
 protected:
  Merge() {
    here.write("left.nt", nt("http://l/paris", "http://p/in", "http://l/france") +
                              nt("http://l/lyon", "http://p/in", "http://l/france") +
                              nt("http://l/paris", "http://p/has", "_:x") +
                              nt("http://l/paris", kLabel, "\"Paris\"@fr") +
                              nt("http://l/paris", "http://p/size", "\"105\""));
    here.write("right.nt", nt("http://r/Paris", "http://p/in", "http://r/France") +
                               nt("http://r/Nice", "http://p/in", "http://r/France") +
                               nt("http://r/Nice", "http://p/has", "_:x") +
                               nt("http://r/Paris", kLabel, "\"Paris\"@fr") +
                               nt("http://r/Paris", kLabel, "\"Lutetia\"@la"));
    here.write("seeds.tsv", "http://l/france\thttp://r/France\n");
    Listener listener;
    const LoadedPair pair = load_files(here / "left.nt", here / "right.nt", here / "seeds.tsv", {}, listener);
    dovetail::Run run;
    const auto id = [&](Side side, const char* name) { return pair.graphs.graph(side).find(name).value(); };
    run.decisions.links = {
        {id(Side::left, "http://l/paris"), id(Side::right, "http://r/Paris"), 0.5F, 0.25F, 0.9}};
    save_run(run, pair, here / "run", {.report = false});
  }

  MergeCounts merge(const std::string& name, Format format, MergeOptions options = {}) {
    Listener listener;
    return merge_run(open_run(here / "run"), here / name, format, options, listener);
  }
  [[nodiscard]] std::string source(const std::string& name) const {
    return "file://" + (here / name).string();
  }

  Workspace here;
};

TEST_F(Merge, LinkedEntitiesAreOneAndTheirTriplesToo) {
  const MergeCounts counts = merge("m.nt", Format::ntriples);
  const KnowledgeGraph graph = graph_in(here / "m.nt");
  const std::string merged = "urn:dovetail:merged";
  EXPECT_EQ(triples_of(graph), (std::set<Row>{{"http://l/paris", "http://p/in", "http://l/france"},
                                              {"http://l/lyon", "http://p/in", "http://l/france"},
                                              {"http://l/paris", "http://p/has", "_:left_x"},
                                              {"http://r/Nice", "http://p/in", "http://l/france"},
                                              {"http://r/Nice", "http://p/has", "_:right_x"},
                                              {"http://l/paris", kSameAs, "http://r/Paris"},
                                              {"http://l/france", kSameAs, "http://r/France"},
                                              {merged, kDerived, source("left.nt")},
                                              {merged, kDerived, source("right.nt")},
                                              {merged, kDerived, source("run/links.tsv")}}));
  EXPECT_EQ(graph.duplicate_count(), 0U);
  const std::multiset<Row> literals = literals_of(graph);
  EXPECT_EQ(literals.size(), 4U);
  EXPECT_THAT(literals, IsSupersetOf({Row{"http://l/paris", kLabel, "\"Paris\"@fr"},
                                      Row{"http://l/paris", kLabel, "\"Lutetia\"@la"},
                                      Row{"http://l/paris", "http://p/size", "\"105\""}}));
  EXPECT_EQ(counts.links, 2U);
  EXPECT_EQ(counts.replaced, 2U);
  EXPECT_EQ(counts.triples, 14U);
}

TEST_F(Merge, EitherSidesNamesCanBeKept) {
  merge("m.nt", Format::ntriples, {.keep = Side::right});
  const std::set<Row> triples = triples_of(graph_in(here / "m.nt"));
  EXPECT_THAT(triples, IsSupersetOf({Row{"http://r/Paris", "http://p/in", "http://r/France"},
                                     Row{"http://l/lyon", "http://p/in", "http://r/France"},
                                     Row{"http://r/Paris", kSameAs, "http://l/paris"}}));
  EXPECT_THAT(content_of(here / "m.nt"), Not(HasSubstr("<http://l/france> <http://p/in>")));
}

TEST_F(Merge, DoubtfulLinksJoinNothing) {
  EXPECT_EQ(merge("m.nt", Format::ntriples, {.min_confidence = 0.95}).links, 1U) << "the seed";
  EXPECT_TRUE(
      triples_of(graph_in(here / "m.nt")).contains({"http://r/Paris", "http://p/in", "http://l/france"}));
}

TEST_F(Merge, NamedGraphsTellWhatComesFromWhere) {
  EXPECT_EQ(merge("m.nq", Format::nquads).triples, 16U);
  const std::string quads = content_of(here / "m.nq");
  for (const char* line : {"<http://l/paris> <http://p/in> <http://l/france> <urn:dovetail:left> .\n",
                           "<http://l/paris> <http://p/in> <http://l/france> <urn:dovetail:right> .\n",
                           "\"Paris\"@fr <urn:dovetail:left> .\n", "\"Lutetia\"@la <urn:dovetail:right> .\n",
                           "<http://l/paris> <http://www.w3.org/2002/07/owl#sameAs> <http://r/Paris> "
                           "<urn:dovetail:links> .\n"}) {
    EXPECT_THAT(quads, HasSubstr(line));
  }
  EXPECT_THAT(quads, HasSubstr("<urn:dovetail:left> <" + kDerived + "> <" + source("left.nt") + "> .\n"));
  merge("m.trig", Format::trig);
  EXPECT_EQ(triples_of(graph_in(here / "m.trig")), triples_of(graph_in(here / "m.nq")));
  EXPECT_THAT(content_of(here / "m.trig"), HasSubstr("<urn:dovetail:right> {"));
}

TEST_F(Merge, EveryFormatHoldsTheSame) {
  merge("m.nt", Format::ntriples);
  const KnowledgeGraph expected = graph_in(here / "m.nt");
  for (const Format format : {Format::turtle, Format::rdfxml}) {
    const std::string name = std::string("m") + format_info(format).extension;
    merge(name, format);
    // Blank nodes may be called otherwise.
    EXPECT_EQ(graph_in(here / name).triple_count(), expected.triple_count()) << name;
    EXPECT_EQ(literals_of(graph_in(here / name)), literals_of(expected)) << name;
  }
  merge("m.csv", Format::csv);
  EXPECT_EQ(graph_in(here / "m.csv").triple_count(), expected.triple_count() - 3) << "no note in tables";
}

TEST_F(Merge, ChangedLinksMustNameEntities) {
  here.write("run/links.tsv",
             "left\tright\tscore\tmargin\tconfidence\nhttp://l/paris\thttp://r/Pariss\t1\t1\t1\n");
  EXPECT_THAT(error_of([&] { merge("m.nt", Format::ntriples); }),
              HasSubstr("found \"http://r/Pariss\"; expected an entity of the right graph"));
  EXPECT_FALSE(std::filesystem::exists(here / "m.nt"));
}

}  // namespace
}  // namespace dovetail::test

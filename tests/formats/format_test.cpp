#include "formats/format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "formats/support.h"

namespace dovetail::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Format graph_format(const std::string& name, const std::string& text) {
  const Workspace here;
  return recognise_graph(here.write(name, text));
}

Format links_format(const std::string& name, const std::string& text) {
  const Workspace here;
  return recognise_links(here.write(name, text));
}

const std::string kTriple = "<http://x/a> <http://x/p> <http://x/b> .\n";

TEST(Formats, HaveNamesThatLeadBack) {
  EXPECT_EQ(formats().size(), 16U);
  for (const FormatInfo& info : formats()) {
    EXPECT_EQ(format_from_name(info.name), info.format);
    EXPECT_STREQ(format_info(info.format).name, info.name);
  }
  EXPECT_EQ(format_from_name("auto"), Format::automatic);
  EXPECT_THAT(error_of([] { (void)format_from_name("n-triples"); }),
              AllOf(HasSubstr("\"n-triples\""), HasSubstr("ntriples, nquads")));
}

TEST(RecogniseGraph, GoesByTheNameBehindACompression) {
  EXPECT_EQ(bare_extension("dir.nt/a.TTL.gz"), ".ttl");
  EXPECT_EQ(bare_extension("a.b.nq"), ".nq");
  EXPECT_EQ(bare_extension("triples_1"), "");
  EXPECT_EQ(graph_format("a.nt", kTriple), Format::ntriples);
  EXPECT_EQ(graph_format("a.NQ", kTriple), Format::nquads);
  EXPECT_EQ(graph_format("a.turtle", kTriple), Format::turtle);
  EXPECT_EQ(graph_format("a.trig", kTriple), Format::trig);
  EXPECT_EQ(graph_format("a.tsv", "a\tb\tc\n"), Format::tsv);
  EXPECT_EQ(graph_format("a.csv", "a,b,c\n"), Format::csv);
}

TEST(RecogniseGraph, GoesByContentWhereThereIsNoDoubt) {
  EXPECT_EQ(graph_format("a.ttl", "<?xml version=\"1.0\"?>\n<rdf:RDF/>\n"), Format::rdfxml);
  EXPECT_EQ(graph_format("a", "\xEF\xBB\xBF \n<rdf:RDF/>\n"), Format::rdfxml);
}

TEST(RecogniseGraph, GoesByTheFirstLineWhereTheNameSaysNothing) {
  EXPECT_EQ(graph_format("a", kTriple), Format::ntriples);
  EXPECT_EQ(graph_format("a.txt", "# remark\n\n_:a <http://x/p> \"v, w\\t\" .\r\n"), Format::ntriples);
  EXPECT_EQ(graph_format("a", "<http://x/a> <http://x/p> \"v\"^^<http://x/t> .\n"), Format::ntriples);
  EXPECT_EQ(graph_format("a", "<http://x/a> <http://x/p> <http://x/b> <http://x/g> .\n"), Format::nquads);
  EXPECT_EQ(graph_format("a", "<http://x/a> <http://x/p> \"v\" <http://x/g> .\n"), Format::nquads);
  EXPECT_EQ(graph_format("a", "<http://x/a> <http://x/p> \"v\"@en <http://x/g> .\n"), Format::nquads);
  EXPECT_EQ(graph_format("a", "<http://x/a> <http://x/p> \"v\"^^<http://x/t> _:g .\n"), Format::nquads);
  EXPECT_EQ(graph_format("a", "@prefix : <http://x/> .\n:a :p :b .\n"), Format::turtle);
  EXPECT_EQ(graph_format("a", "a\tb, c\td\n"), Format::tsv);
  EXPECT_EQ(graph_format("a", "a,b,c\n"), Format::csv);
  EXPECT_THAT(error_of([] { (void)graph_format("a", "# only\nsome words\n"); }),
              AllOf(HasSubstr("\"some words\""), HasSubstr("expected")));
}

TEST(RecogniseGraph, CanBeOverruled) {
  LoadOptions options = keep_all();
  options.graph_format = Format::tsv;
  EXPECT_THAT(triples_of(graph_from("a.nt", "a\tp\tb\n", options)), testing::ElementsAre(Row{"a", "p", "b"}));
  options.graph_format = Format::ntriples;
  EXPECT_EQ(graph_from("a.tsv", kTriple, options).triple_count(), 1U);
  options.graph_format = Format::turtle;
  EXPECT_THAT(error_from("a.csv", "a,b,c\n", options), HasSubstr("expected Turtle"));
}

TEST(RecogniseLinks, TellsTheirKindsApart) {
  EXPECT_EQ(links_format("a.tsv", "a\tb\n"), Format::links_tsv);
  EXPECT_EQ(links_format("ref_ent_ids", "1\t2\n"), Format::links_tsv);
  EXPECT_EQ(links_format("a", "a,b,0.5\n"), Format::links_csv);
  EXPECT_EQ(links_format("a.json", "[\n{\"left\": \"a\"}]"), Format::links_json);
  EXPECT_EQ(links_format("a.sssom.tsv", "#x: y\nsubject_id\tpredicate_id\tobject_id\n"), Format::sssom);
  EXPECT_EQ(links_format("a.tsv", "# x: y\nsubject_id\tpredicate_id\tobject_id\n"), Format::sssom);
  EXPECT_EQ(links_format("a.nt", kTriple), Format::ntriples);
  EXPECT_EQ(links_format("a.ttl", "@prefix : <http://x/> .\n:a :p :b .\n"), Format::turtle);
  EXPECT_EQ(links_format("gold.ttl", "@prefix a: <http://x/> .\na:1\ta:2\n"), Format::links_tsv);
  EXPECT_EQ(links_format("a.rdf", "<?xml version=\"1.0\"?><x/>\n"), Format::rdfxml);
  EXPECT_THAT(error_of([] { (void)links_format("a", "some words\n"); }), HasSubstr("expected links"));
}

}  // namespace
}  // namespace dovetail::test

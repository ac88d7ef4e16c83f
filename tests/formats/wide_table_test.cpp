#include "formats/wide_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "formats/support.h"
#include "formats/table_shape.h"
#include "graph/entity_types.h"
#include "graph/naming.h"

namespace dovetail::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

bool is_table(std::string_view text) {
  return is_wide(table_shape(text, ',').likeness);
}

TEST(WideTable, IsARowAnEntityWhateverTheSeparator) {
  for (const char separator : {',', ';', '\t', '|', '%', '#'}) {
    std::string text = "id,name,price\n7,Sony Turntable,99.5\n8,Bose System,\n";
    std::ranges::replace(text, ',', separator);
    const auto graph = graph_from(separator == '\t' ? "a.tsv" : "a.csv", text);
    EXPECT_THAT(entities_of(graph), ElementsAre("7", "8")) << separator;
    EXPECT_THAT(literals_of(graph),
                ElementsAre(Row{"7", "name", "\"Sony Turntable\""}, Row{"7", "price", "\"99.5\""},
                            Row{"8", "name", "\"Bose System\""}))
        << separator;
  }
}

TEST(WideTable, IsToldFromTriplesByContent) {
  EXPECT_TRUE(is_table("id,name\n1,a\n2,b\n"));
  EXPECT_TRUE(is_table("id,name,city\n1,a,x\n2,b,x\n"));
  EXPECT_TRUE(is_table("title,venue,year\nA,V,1999\nB,V,2000\n"));
  EXPECT_TRUE(is_table("id,name,city,zip\n1,a,x,3\n2,b,x,4\n"));
  EXPECT_FALSE(is_table("head,relation,tail\na,p,b\nb,p,c\n"));
  EXPECT_FALSE(is_table("Subject,Predicate,Object,note\na,p,b,x\n"));
  EXPECT_FALSE(is_table("a,p,b\na,q,c\nb,p,c\n"));
  EXPECT_FALSE(is_table("1,2,3\n4,5,6\n"));
  EXPECT_FALSE(is_table("<a>,<p>\n<b>,<p>\n"));
  // Short ones of three columns.
  EXPECT_TRUE(is_table("name,phone,city\nAnn,415-399,Rome\nBob,415-400,\n"));
  EXPECT_TRUE(is_table("title,authors,venue\nA,Ann Lee,VLDB\nB,Bob Ray,VLDB\n"));
  EXPECT_TRUE(is_table("name,code,city\nAnn,k1,Rome\nBob,k2,Oslo\nCy,k3,Rome\n"));
  EXPECT_TRUE(is_table(",name,price\n0,a,1.5\n1,b,2\n"));  // a column without a name
  EXPECT_TRUE(is_table("name,size,city\nAnn,,Rome\nBob,3,Oslo\n"));
  EXPECT_FALSE(is_table("ann,knows,bob\nbob,likes,cy\n"));
  EXPECT_FALSE(is_table("ann,knows,bob\ncy,knows,dan\n"));
  EXPECT_FALSE(is_table("ann,knows,bob\ncy,likes,dan\n"));
  EXPECT_EQ(table_shape("ann,knows,bob\ncy,likes,dan\n", ',').likeness, Likeness::rather_triples);
  EXPECT_EQ(table_shape("head,relation,tail\na,p,b\n", ',').likeness, Likeness::triples);
}

TEST(WideTable, WithoutAHeader) {
  LoadOptions options = keep_all();
  options.graph_table.header = false;
  const auto two = graph_from("a.csv", "k1,Ann\nk2,Bob\n", options);
  EXPECT_THAT(literals_of(two),
              ElementsAre(Row{"k1", "column 2", "\"Ann\""}, Row{"k2", "column 2", "\"Bob\""}));
  EXPECT_EQ(graph_from("a.csv", "a,p,b\nb,p,c\n", options).triple_count(), 2U);
  options.wide_table = {.form = TableForm::table,
                        .id_columns = {"2"},
                        .multi_value = "",
                        .relation_columns = {},
                        .iri_prefixes = {}};
  EXPECT_THAT(entities_of(graph_from("a.csv", "a,p,b\nb,q,c\n", options)), ElementsAre("p", "q"));
}

TEST(WideTable, MessagesNameTheForm) {
  LoadOptions options = keep_all();
  options.wide_table.form = TableForm::triples;
  EXPECT_THAT(error_from("a.csv", "a,b,c,d\n1,2,3,4\n", options), HasSubstr("--form table"));
  EXPECT_THAT(error_from("a.csv", "a,b,c\na,,c\n", options), HasSubstr("--form table"));
  EXPECT_THAT(error_from("a.csv", "id,name\n1,a\n1,b\n"), HasSubstr("--form triples"));
  EXPECT_THAT(error_from("a.csv", "id,name\n1,a\n1\n"), HasSubstr("--form"));
}

TEST(WideTable, TheUserDecides) {
  LoadOptions options = keep_all();
  options.wide_table.form = TableForm::triples;
  EXPECT_EQ(graph_from("a.csv", "id,name,city\n1,a,x\n", options).triple_count(), 2U);
  options.wide_table.form = TableForm::table;
  EXPECT_THAT(literals_of(graph_from("a.csv", "a,p,b\nx,q,y\n", options)), SizeIs(2));
}

TEST(WideTable, EmptyCellsSayNothing) {
  for (const char* cell : {"", "NULL", "null", "N/A", "n/a", "-", " "})
    EXPECT_TRUE(is_empty_cell(cell)) << cell;
  for (const char* cell : {"0", "no", "--", "none at all"}) EXPECT_FALSE(is_empty_cell(cell)) << cell;
}

TEST(WideTable, AnIdColumnIsFoundOrChosen) {
  EXPECT_THAT(entities_of(graph_from("a.csv", "kind,code,x,y\na,k1,1,2\na,k2,1,2\n")),
              ElementsAre("k1", "k2"));
  EXPECT_THAT(entities_of(graph_from("a.csv", "kind,x,y,z\na,1,2,3\na,1,2,3\n")), ElementsAre("1", "2"));
  LoadOptions options = keep_all();
  options.wide_table.id_columns = {"Code"};
  EXPECT_THAT(entities_of(graph_from("a.csv", "id,code,x,y\n1,k1,1,2\n2,k2,1,2\n", options)),
              ElementsAre("k1", "k2"));
  options.wide_table.id_columns = {"isbn"};
  EXPECT_THAT(error_from("a.csv", "id,code\n1,k1\n", options), HasSubstr("found no column \"isbn\""));
  EXPECT_THAT(error_from("a.csv", "id,code\n1,k1\n1,k2\n"),
              HasSubstr("a.csv:3: found the id \"1\" a second time"));
}

TEST(WideTable, SeveralValuesInACellAndIdsOfOthers) {
  LoadOptions options = keep_all();
  options.wide_table.multi_value = ";";
  options.wide_table.relation_columns = {"cites"};
  const auto graph = graph_from("a.csv", "id,tags,cites\n1,a; b,2\n2,,1;2\n", options);
  EXPECT_THAT(literals_of(graph), ElementsAre(Row{"1", "tags", "\"a\""}, Row{"1", "tags", "\"b\""}));
  EXPECT_THAT(triples_of(graph),
              ElementsAre(Row{"1", "cites", "2"}, Row{"2", "cites", "1"}, Row{"2", "cites", "2"}));
}

TEST(WideTable, ATitleThatTellsRowsApartIsEvidenceToo) {
  const auto graph = graph_from("a.csv", "title,venue,year\nOn Maps,V,1999\nOn Sets,V,2000\n");
  EXPECT_THAT(entities_of(graph), ElementsAre("On Maps", "On Sets"));
  EXPECT_TRUE(literals_of(graph).contains(Row{"On Maps", "title", "\"On Maps\""}));
}

TEST(WideTable, IdsOfEachSideAreInAColumnOfTheirOwn) {
  const Workspace here;
  Listener listener;
  const auto left = here.write("a.csv", "key,name,x,y\nk1,Ann,1,1\nk2,Bob,1,1\n");
  const auto right = here.write("b.csv", "name,code,x,y\nAnn,c1,1,1\nBob,c2,1,1\n");
  LoadOptions options = keep_all();
  options.wide_table.id_columns = {"key", "code"};
  const LoadedPair pair = load_files(left, right, {}, options, listener);
  EXPECT_THAT(entities_of(pair.graphs.left()), ElementsAre("k1", "k2"));
  EXPECT_THAT(entities_of(pair.graphs.right()), ElementsAre("c1", "c2"));
}

TEST(WideTable, RefersToOtherTables) {
  const Workspace here;
  Listener listener;
  const auto papers = here.write("l/papers.csv", "id,title,author\n1,On Maps,1;2\n2,On Sets,2;9\n");
  here.write("l/people.csv", "id,name,boss\n1,Ann,2\n2,Bob,\n");
  LoadOptions options = keep_all();
  options.wide_table.multi_value = ";";
  options.wide_table.relation_columns = {"author=people.csv", "boss"};
  const KnowledgeGraph graph = load_graph(papers, options, listener);
  EXPECT_THAT(entities_of(graph), ElementsAre("1", "2", "people/1", "people/2"));
  EXPECT_THAT(triples_of(graph),
              ElementsAre(Row{"1", "author", "people/1"}, Row{"1", "author", "people/2"},
                          Row{"2", "author", "people/2"}, Row{"people/1", "boss", "people/2"}));
  EXPECT_THAT(listener.warnings, ElementsAre(HasSubstr("1 id of other tables has no row there")));
  options.wide_table.relation_columns = {"author=persons.csv"};
  EXPECT_THAT(error_of([&] { (void)load_graph(papers, options, listener); }),
              HasSubstr("persons.csv: there is no such table"));
  options.wide_table.relation_columns = {"writer"};
  EXPECT_THAT(error_of([&] { (void)load_graph(papers, options, listener); }),
              HasSubstr("found no column \"writer\""));
}

TEST(WideTable, AFolderOfTablesIsOneGraph) {
  const Workspace here;
  const auto folder = here.folder("all", {{"papers.csv", "id,title,by\n1,On Maps,1\n"},
                                          {"people.tsv", "id\tname\n1\tAnn\n"},
                                          {"readme.txt", "nothing"}});
  LoadOptions options = keep_all();
  options.types_as_entities = false;
  options.wide_table.relation_columns = {"by=people.tsv"};
  const KnowledgeGraph graph = graph_in(folder, options);
  EXPECT_THAT(entities_of(graph), ElementsAre("papers/1", "people/1"));
  EXPECT_THAT(triples_of(graph), ElementsAre(Row{"papers/1", "by", "people/1"}));
  ASSERT_THAT(types_of(graph, *graph.find("people/1")), SizeIs(1));
  EXPECT_EQ(classes_of(graph)[types_of(graph, *graph.find("people/1"))[0]], "people");
  EXPECT_THAT(error_of([&] {
                (void)graph_in(here.folder("none", {{"a.txt", "x"}}), options);
              }),
              HasSubstr("found no table in this folder"));
}

TEST(WideTable, OptionsForTablesNeedATable) {
  for (const auto& set :
       std::vector<void (*)(WideTableOptions&)>{[](WideTableOptions& wide) { wide.id_columns = {"id"}; },
                                                [](WideTableOptions& wide) { wide.multi_value = ";"; },
                                                [](WideTableOptions& wide) { wide.relation_columns = {"x"}; },
                                                [](WideTableOptions& wide) {
                                                  wide.iri_prefixes = {"urn:a:", "urn:b:"};
                                                }}) {
    LoadOptions options = keep_all();
    set(options.wide_table);
    EXPECT_THAT(error_from("a.nt", "<a> <p> <b> .\n", options), HasSubstr("is for tables"));
  }
}

TEST(WideTable, EqualIdsOfTwoTablesAreTwoEntities) {
  const Workspace here;
  Listener listener;
  const auto left = here.write("a.csv", "id,name\n7,Ann\n8 %,Bob\n"),
             right = here.write("b.csv", "id,name\n7,Ann\n8 %,Bob\n");
  const LoadedPair pair = load_files(left, right, {}, keep_all(), listener);
  EXPECT_EQ(iri_prefix(pair.graphs.left()), "urn:dovetail:left:a/");
  EXPECT_EQ(iri_prefix(pair.graphs.right()), "urn:dovetail:right:b/");
  // Written as RDF and read again, with links that name entities by their IRIs.
  SeedLinks both;
  both.train = {{0, 0}, {1, 1}};
  save_pair(pair.graphs, both, here / "rdf", Format::ntriples, false, listener);
  const LoadedPair again = load_folder(here / "rdf", keep_all(), listener);
  EXPECT_THAT(entities_of(again.graphs.left()),
              ElementsAre("urn:dovetail:left:a/7", "urn:dovetail:left:a/8%20%25"));
  EXPECT_EQ(again.links.size(), 2U);
  const auto links = here.write("links.nt",
                                "<urn:dovetail:left:a/8%20%25> <http://www.w3.org/2002/07/owl#sameAs> "
                                "<urn:dovetail:right:b/8%20%25> .\n");
  EXPECT_EQ(links_of(pair, load_files(left, right, links, keep_all(), listener).links.train),
            (std::set<Pair>{{"8 %", "8 %"}}));
  EXPECT_THAT(error_of([&] { save_pair(pair.graphs, {}, here / "ids", Format::dbp15k, false, listener); }),
              HasSubstr("has no triples between entities"));
}

TEST(WideTable, OtherEncodingsAreRefusedWithTheCommandThatConverts) {
  EXPECT_THAT(error_from("a.csv", std::string_view("\xFF\xFEi\0d\0", 6)), HasSubstr("iconv -f UTF-16 "));
  EXPECT_THAT(error_from("a.csv", std::string_view("i\0d\0\n\0", 6)), HasSubstr("iconv -f UTF-16LE"));
  EXPECT_THAT(error_from("a.csv", std::string_view("\0i\0d\0\n", 6)), HasSubstr("iconv -f UTF-16BE"));
  EXPECT_THAT(
      error_from("a.csv", "id,name\n1,caf\xE9\n"),
      AllOf(HasSubstr("iconv -f WINDOWS-1252 -t UTF-8 "), HasSubstr("a.csv > "), HasSubstr("a-utf8.csv")));
}

TEST(WideTable, ARowOfAnotherWidthIsAnError) {
  LoadOptions options = keep_all();
  options.wide_table.form = TableForm::table;
  EXPECT_THAT(error_from("a.csv", "id,name\n1,a\n2\n", options),
              HasSubstr("a.csv:3: found 1 column; expected 2"));
}

TEST(TableLinks, OtherSeparatorsAndHeadersAreRecognised) {
  const Workspace here;
  Listener listener;
  for (const char* text : {"D1|D2\n206|216\n60|46\n", "D1%D2\n206%216\n60%46\n", "a;b\n206;216\n60;46\n",
                           "206|216\n60|46\n", "left,right\n206,216\n60,46\n"}) {
    const auto links = load_links(here.write("gt.csv", text), Format::automatic, {}, listener);
    ASSERT_THAT(links, SizeIs(2)) << text;
    EXPECT_EQ(links[0].left, "206");
    EXPECT_EQ(links[1].right, "46");
  }
}

}  // namespace
}  // namespace dovetail::test

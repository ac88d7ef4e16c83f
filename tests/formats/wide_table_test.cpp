#include "formats/wide_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "formats/support.h"
#include "formats/table_shape.h"

namespace dovetail::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

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
  EXPECT_TRUE(table_shape("id,name\n1,a\n2,b\n", ',').wide);
  EXPECT_TRUE(table_shape("id,name,city\n1,a,x\n2,b,x\n", ',').wide);
  EXPECT_TRUE(table_shape("title,venue,year\nA,V,1999\nB,V,2000\n", ',').wide);
  EXPECT_TRUE(table_shape("id,name,city,zip\n1,a,x,3\n2,b,x,4\n", ',').wide);
  EXPECT_FALSE(table_shape("head,relation,tail\na,p,b\nb,p,c\n", ',').wide);
  EXPECT_FALSE(table_shape("Subject,Predicate,Object,note\na,p,b,x\n", ',').wide);
  EXPECT_FALSE(table_shape("a,p,b\na,q,c\nb,p,c\n", ',').wide);
  EXPECT_FALSE(table_shape("1,2,3\n4,5,6\n", ',').wide);
  EXPECT_FALSE(table_shape("<a>,<p>\n<b>,<p>\n", ',').wide);
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
  options.wide_table.id_column = "Code";
  EXPECT_THAT(entities_of(graph_from("a.csv", "id,code,x,y\n1,k1,1,2\n2,k2,1,2\n", options)),
              ElementsAre("k1", "k2"));
  options.wide_table.id_column = "isbn";
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

TEST(WideTable, OtherEncodingsAreRefusedWithTheCommandThatConverts) {
  EXPECT_THAT(error_from("a.csv", std::string_view("\xFF\xFEi\0d\0", 6)), HasSubstr("iconv -f UTF-16"));
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

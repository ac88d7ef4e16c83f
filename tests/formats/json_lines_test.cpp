#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "formats/support.h"

namespace dovetail::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(JsonLines, AreRowsOfATable) {
  const auto graph = graph_from(
      "a.jsonl", R"({"id": 1, "name": "Ann", "tags": ["a", "b"], "at": {"city": "Rome", "zip": null}})"
                 "\n\n"
                 R"({"id": "k2", "old": true, "size": 1.5, "name": "N/A"})"
                 "\r\n");
  EXPECT_THAT(entities_of(graph), ElementsAre("1", "k2"));
  EXPECT_THAT(literals_of(graph), ElementsAre(Row{"1", "at.city", "\"Rome\""}, Row{"1", "name", "\"Ann\""},
                                              Row{"1", "tags", "\"a\""}, Row{"1", "tags", "\"b\""},
                                              Row{"k2", "old", "\"true\""}, Row{"k2", "size", "\"1.5\""}));
  EXPECT_THAT(entities_of(graph_from("a.ndjson", "{\"x\": 1}\n{\"x\": 2}\n")), ElementsAre("1", "2"));
  LoadOptions options = keep_all();
  options.wide_table.id_columns = {"key"};
  options.wide_table.relation_columns = {"knows"};
  const auto chosen =
      graph_from("a.jsonl", "{\"key\": \"a\", \"knows\": [\"b\", \"c\"]}\n{\"key\": \"b\"}\n", options);
  EXPECT_THAT(triples_of(chosen), ElementsAre(Row{"a", "knows", "b"}, Row{"a", "knows", "c"}));
  EXPECT_THAT(error_from("a.jsonl", "{\"id\": \"a\"}\n", options),
              HasSubstr("a.jsonl:1: found no key \"key\""));
}

TEST(JsonLines, OtherLinesAreErrors) {
  EXPECT_THAT(error_from("a.jsonl", "{\"id\": 1}\n[1]\n"), HasSubstr("a.jsonl:2: found \"[1]\""));
  EXPECT_THAT(error_from("a.jsonl", "{\"id\": 1}\n{\"id\": 1}\n"),
              HasSubstr("a.jsonl:2: found the id \"1\" a second time"));
  EXPECT_THAT(error_from("a.jsonl", "{\"id\": 1}\n{\"id\": \n"), HasSubstr("a.jsonl:2: "));
  std::string deep = "{\"id\": 1, \"a\": ";
  for (int n = 0; n < 100; ++n) deep += "{\"a\": ";
  deep += "1";
  for (int n = 0; n < 100; ++n) deep += "}";
  EXPECT_THAT(error_from("a.jsonl", deep + "}\n"), HasSubstr("deep"));
}

TEST(ForeignFormats, AreRefusedWithTheCommandThatConverts) {
  EXPECT_THAT(error_from("a.parquet", "PAR1\x15\x04"), HasSubstr("pandas.read_parquet"));
  EXPECT_THAT(error_from("a.xlsx", std::string("PK\x03\x04") + "rest"), HasSubstr("pandas.read_excel"));
  EXPECT_THAT(error_from("a.jsonld", R"({"@context": {}, "@id": "x"})"), HasSubstr("format='json-ld'"));
  EXPECT_THAT(error_from("a.json", R"([{"@id": "x"}])"), HasSubstr("format='json-ld'"));
  EXPECT_THAT(error_from("a.json", R"([{"id": 1}, {"id": 2}])"), HasSubstr("json.load"));
  EXPECT_THAT(error_from("a.json", "{\n  \"id\": 1\n}\n"), HasSubstr("json.load"));
  // TriG and Turtle have brackets, too.
  EXPECT_EQ(graph_from("a.trig", "{ <urn:a> <urn:p> <urn:b> . }\n").triple_count(), 1U);
  EXPECT_EQ(graph_from("a.ttl", "[ <urn:p> <urn:b> ] .\n").triple_count(), 1U);
}

}  // namespace
}  // namespace dovetail::test

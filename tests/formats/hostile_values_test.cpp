// Values that no honest source has: read without a crash, in time that grows with the bytes.
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "formats/support.h"
#include "values/value_table.h"

namespace dovetail::test {
namespace {

using testing::HasSubstr;

TEST(HostileValues, ALiteralOfFiftyMegabytes) {
  const std::string text(50 << 20, 'x');
  const auto graph = graph_from("a.nt", "<a> <p> \"" + text + "\" .\n<a> <p> \"short\" .\n<a> <q> <b> .\n");
  ASSERT_EQ(graph.literals().size(), 2U);
  EXPECT_EQ(graph.literal_values()[graph.literals()[0].value].size(), text.size() + 2);
  const ValueTable table(graph);
  EXPECT_EQ(table.count(*graph.find("a")), 2U);
  // As a name it is refused: names have a limit.
  EXPECT_THAT(error_from("b.nt", "<a> <http://www.w3.org/2000/01/rdf-schema#label> \"" + text + "\" .\n"),
              HasSubstr("b.nt:1: "));
}

TEST(HostileValues, AMillionValuesOfOneEntity) {
  std::string text;
  for (int n = 0; n < 1'000'000; ++n) text += "<a> <p> \"" + std::to_string(n) + "\" .\n";
  const auto graph = graph_from("a.nt", text);
  const ValueTable table(graph);
  EXPECT_EQ(table.count(*graph.find("a")), 1'000'000U);
  EXPECT_EQ(table.summary(0).distinct, 1'000'000U);
}

TEST(HostileValues, NumbersAndDatesThatAreNone) {
  const std::string xsd = "^^<http://www.w3.org/2001/XMLSchema#";
  const auto graph =
      graph_from("a.nt", "<a> <p> \"1e999\"" + xsd + "double> .\n<a> <p> \"NaN\"" + xsd +
                             "double> .\n<a> <p> \"0000-00-00\"" + xsd + "date> .\n<a> <p> \"+99999-01-01\"" +
                             xsd + "date> .\n<a> <p> \"words\"@en .\n<a> <p> \"true\" .\n");
  const ValueTable table(graph);
  ASSERT_EQ(table.count(*graph.find("a")), 6U);
  for (std::size_t n = 0; n < 6; ++n) {
    const TypedValue& typed = table.typed(table.value(*graph.find("a"), n).value);
    EXPECT_TRUE(!typed.quantity || std::isfinite(typed.quantity->value));
  }
  EXPECT_EQ(table.summary(0).kind, ValueKind::text);  // most of them are nothing else
}

TEST(HostileValues, AWideRowAndAWideTable) {
  std::string header = "id", row = "1";
  for (int n = 0; n < 5'000; ++n) {
    header += ",c" + std::to_string(n);
    row += ",\"a \"\"b\"\" c\"";
  }
  const auto graph = graph_from("a.csv", header + "\n" + row + "\n2" + row.substr(1) + "\n");
  EXPECT_EQ(graph.literals().size(), 10'000U);
  // A header that is wider than what is read at once.
  std::string wider = "id", cells;
  for (int n = 0; n < 50'000; ++n) {
    wider += ",column" + std::to_string(n);
    cells += ",x";
  }
  EXPECT_EQ(graph_from("b.csv", wider + "\n1" + cells + "\n2" + cells + "\n").literals().size(), 100'000U);
}

}  // namespace
}  // namespace dovetail::test

#include "values/typed_value.h"

#include <cmath>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <string>

#include "values/value_features.h"

namespace dovetail::test {
namespace {

double number(std::string_view text) {
  const auto quantity = parse_quantity(text);
  return quantity ? quantity->value : NAN;
}

TEST(TypedValue, NumbersInTheFormsThatPeopleWrite) {
  EXPECT_DOUBLE_EQ(number("12.5"), 12.5);
  EXPECT_DOUBLE_EQ(number("12,5"), 12.5);
  EXPECT_DOUBLE_EQ(number("1,234.50"), 1234.5);
  EXPECT_DOUBLE_EQ(number("1.234,50"), 1234.5);
  EXPECT_DOUBLE_EQ(number("1,234"), 1234);
  EXPECT_DOUBLE_EQ(number("0,234"), 0.234);
  EXPECT_DOUBLE_EQ(number("1.234.567"), 1234567);
  EXPECT_DOUBLE_EQ(number("$ 399"), 399);
  EXPECT_DOUBLE_EQ(number("-1e3"), -1000);
  EXPECT_DOUBLE_EQ(number("2 kg"), 2000);
  EXPECT_EQ(parse_quantity("2 kg")->dimension, parse_quantity("3 lb")->dimension);
  EXPECT_NE(parse_quantity("2 kg")->dimension, parse_quantity("3 cm")->dimension);
}

TEST(TypedValue, WhatIsNoNumber) {
  for (const char* text :
       {"", "NaN", "inf", "1e999", "007", "1,23,4", "1..2", "12 parsecs", "4153990499 x", "."}) {
    EXPECT_FALSE(parse_quantity(text)) << text;
  }
}

TEST(TypedValue, DatesAsPreciseAsTheyAre) {
  EXPECT_EQ(parse_date("1995-11-17"), (PartialDate{1995, 11, 17}));
  EXPECT_EQ(parse_date("1995-11"), (PartialDate{1995, 11, 0}));
  EXPECT_EQ(parse_date("1995"), (PartialDate{1995, 0, 0}));
  EXPECT_EQ(parse_date("19951117"), (PartialDate{1995, 11, 17}));
  EXPECT_EQ(parse_date("1995-11-17T10:00:00Z"), (PartialDate{1995, 11, 17}));
  EXPECT_EQ(parse_date("17.11.1995"), (PartialDate{1995, 11, 17}));
  EXPECT_EQ(parse_date("11/17/1995"), (PartialDate{1995, 11, 17}));
  EXPECT_EQ(parse_date("03/04/1995"), (PartialDate{1995, 0, 0}));  // March or April
  EXPECT_EQ(parse_date("+99999-01-01"), (PartialDate{99999, 1, 1}));
  EXPECT_EQ(parse_date("-0044-03-15"), (PartialDate{-44, 3, 15}));
  for (const char* text :
       {"0000-00-00", "1995-13-01", "1995-00-05", "1995-11-17x", "abcd", "99", "1995-1-1"}) {
    EXPECT_FALSE(parse_date(text)) << text;
  }
}

TEST(TypedValue, CoordinatesAndTheirDistance) {
  const auto paris = parse_coordinates("48.8566, 2.3522"), same = parse_coordinates("POINT(2.3522 48.8566)");
  ASSERT_TRUE(paris && same);
  EXPECT_NEAR(distance_km(*paris, *same), 0, 1e-9);
  EXPECT_NEAR(distance_km(*paris, *parse_coordinates("51.5074 -0.1278")), 343.5, 1);
  for (const char* text : {"1 2", "95.0, 2.0", "48.85", "48.85, x", "POINT(2.35 48.85"}) {
    EXPECT_FALSE(parse_coordinates(text)) << text;
  }
}

TEST(TypedValue, ADatatypeThatContradictsTheTextIsNotBelieved) {
  EXPECT_FALSE(parse_value("about ten", "http://www.w3.org/2001/XMLSchema#integer").quantity);
  EXPECT_FALSE(parse_value("1995", "http://www.w3.org/2001/XMLSchema#gYear").quantity);
  EXPECT_FALSE(parse_value("1995", "http://www.w3.org/2001/XMLSchema#integer").date);
  EXPECT_TRUE(*parse_value("1", "http://www.w3.org/2001/XMLSchema#boolean").boolean);
}

TEST(TypedValue, LevelsRiseWithLikeness) {
  const PartialDate day{1995, 11, 17};
  EXPECT_GT(date_level(day, day), date_level(day, {1995, 11, 0}));
  EXPECT_GT(date_level(day, {1995, 11, 0}), date_level(day, {1995, 0, 0}));
  EXPECT_EQ(date_level(day, {1995, 0, 0}), date_level(day, {1995, 1, 1}));  // many sources pad so
  EXPECT_GT(date_level(day, {1995, 0, 0}), date_level(day, {1995, 3, 2}));
  EXPECT_GT(date_level(day, {1995, 3, 2}), date_level(day, {1996, 11, 17}));
  EXPECT_GT(date_level(day, {1996, 11, 17}), date_level(day, {2010, 11, 17}));
  EXPECT_GT(number_level({100, 0}, {100, 0}), number_level({100, 0}, {101.5, 0}));
  EXPECT_GT(number_level({100, 0}, {101.5, 0}), number_level({100, 0}, {1000, 0}));
  EXPECT_EQ(number_level({1, 1}, {1, 2}), kNoLevel);
  EXPECT_EQ(number_level({1e308, 0}, {-1e308, 0}), 0);
  EXPECT_EQ(edit_level("415/399-0499", "415-399-0499"), level_count(Measure::edit) - 1);
  EXPECT_GT(edit_level("PSLX350H", "PSLX350"), edit_level("PSLX350H", "AM53BK"));
}

RC_GTEST_PROP(TypedValue, AnyTextIsReadOrNot, (const std::string& text)) {
  const TypedValue value = parse_value(text, "");
  if (value.quantity) RC_ASSERT(std::isfinite(value.quantity->value));
  if (value.date) RC_ASSERT(value.date->month <= 12 && value.date->day <= 31);
}

RC_GTEST_PROP(TypedValue, AWholeNumberSurvivesThousandsSeparators, (std::int32_t given)) {
  std::string digits = std::to_string(std::abs(std::int64_t{given}));
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  RC_ASSERT(number(digits) == static_cast<double>(std::abs(std::int64_t{given})));
}

}  // namespace
}  // namespace dovetail::test

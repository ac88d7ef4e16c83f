#include <dovetail/errors.h>
#include <dovetail/parameters.h>

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

namespace dovetail {
namespace {

using testing::HasSubstr;

TEST(Parameters, EveryOneCanBeReadBackFromItsText) {
  const AlignOptions from = gcn_align_options();
  AlignOptions to;
  ASSERT_NE(parameter_texts(from), parameter_texts(to));
  for (const auto& [name, text] : parameter_texts(from)) set_parameter(to, name, text);
  EXPECT_EQ(parameter_texts(from), parameter_texts(to));
  EXPECT_EQ(to.encoder.attention, Attention::symmetric);
  EXPECT_EQ(to.training.learning_rate, from.training.learning_rate);
  EXPECT_FALSE(to.training.tie_seeds);
}

TEST(Parameters, WhatMakesNoSenseIsRefusedWithWhatDoes) {
  const auto message = [](const char* name, const char* text) -> std::string {
    AlignOptions options;
    try {
      set_parameter(options, name, text);
    } catch (const ParameterError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(message("dimensions", "3"), HasSubstr("did you mean dimension?"));
  EXPECT_THAT(message("velocity", "3"), HasSubstr("dimension, depth"));
  EXPECT_THAT(message("attention", "some"), HasSubstr("none, by-relation, three-part, symmetric"));
  EXPECT_THAT(message("dimension", "-3"), HasSubstr("whole number"));
  EXPECT_THAT(message("dimension", "3x"), HasSubstr("whole number"));
  EXPECT_THAT(message("dropout", ""), HasSubstr("dropout is \"\"; expected a number from 0 to below 1"));
  EXPECT_THAT(message("memory", "8X"), HasSubstr("a size from 0 to 1024T"));
  EXPECT_THAT(message("compare", "maybe"), HasSubstr("yes or no"));
}

TEST(Parameters, EveryNumberHasAFiniteRangeThatHasItsDefault) {
  AlignOptions options;
  visit_parameters(options, [&](const char*, const char* name, auto& value, const char*, const Range& range) {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (kIsNumber<Value>) {
      EXPECT_LT(range.least, range.most) << name;
      EXPECT_TRUE(std::isfinite(range.most)) << name;
      EXPECT_TRUE(range.has(static_cast<double>(value))) << name;
    }
    if constexpr (std::is_floating_point_v<Value>) {
      // Also what no text was read for: the library's own users set the options themselves.
      const Value usual = value;
      for (const double wrong : {std::nan(""), HUGE_VAL, -HUGE_VAL, -1.0}) {
        value = wrong;
        EXPECT_THROW(check_options(options), ParameterError) << name << " " << wrong;
      }
      value = usual;
    }
  });
}

}  // namespace
}  // namespace dovetail

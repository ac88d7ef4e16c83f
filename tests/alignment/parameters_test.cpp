#include "alignment/parameters.h"

#include <dovetail/errors.h>

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
  EXPECT_THAT(message("dimensions", "3"), HasSubstr("dimension, depth"));
  EXPECT_THAT(message("attention", "some"), HasSubstr("none, by-relation, three-part, symmetric"));
  EXPECT_THAT(message("dimension", "-3"), HasSubstr("whole number"));
  EXPECT_THAT(message("dimension", "3x"), HasSubstr("whole number"));
  EXPECT_THAT(message("dropout", ""), HasSubstr("a number"));
  EXPECT_THAT(message("compare", "maybe"), HasSubstr("yes or no"));
}

}  // namespace
}  // namespace dovetail

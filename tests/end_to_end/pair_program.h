#pragma once

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "end_to_end/program.h"

namespace dovetail::test {

/// A small generated pair to run the program on.
class PairProgram : public testing::Test {
 protected:
  PairProgram() {
    EXPECT_EQ(dovetail({"generate", at("pair"), "--entities", "400", "--seed-ratio", "0.3", "--quiet"}).code,
              0);
  }

  [[nodiscard]] std::string at(const std::string& name) const { return (here / name).string(); }

  /// Aligns the pair into a folder of this name; small embeddings keep it short.
  [[nodiscard]] auto align(const std::string& out, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"align", at("pair"), "--out", at(out), "--dimension", "32"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return dovetail(arguments);
  }

  Workspace here;
};

}  // namespace dovetail::test

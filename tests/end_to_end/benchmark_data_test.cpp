#include <cstdlib>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>

#include "end_to_end/program.h"

namespace dovetail::test {
namespace {

using nlohmann::json;

/// The public benchmark folders, where DOVETAIL_DATA says they are.
class BenchmarkData : public testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("DOVETAIL_DATA");
    if (folder == nullptr || *folder == '\0') GTEST_SKIP() << "DOVETAIL_DATA is not set";
    data = folder;
  }
  [[nodiscard]] json inspect(const std::string& name) const {
    const Outcome run = dovetail({"inspect", (data / name).string(), "--json"});
    EXPECT_EQ(run.code, 0) << run.err;
    return json::parse(run.out);
  }
  std::filesystem::path data;
};

TEST_F(BenchmarkData, ChineseAndEnglish) {
  const json found = inspect("dbp15k/zh_en");
  EXPECT_EQ(found["left"]["entities"], 19'388);
  EXPECT_EQ(found["right"]["entities"], 19'572);
  EXPECT_EQ(found["left"]["triples"], 70'414);
  EXPECT_EQ(found["right"]["triples"], 95'142);
  EXPECT_EQ(found["links"]["train"], 4'500);
  EXPECT_EQ(found["links"]["test"], 10'500);
}

TEST_F(BenchmarkData, FrenchAndEnglishWithCarriageReturns) {
  const json found = inspect("srprs/fr_en");
  EXPECT_EQ(found["left"]["entities"], 15'000);
  EXPECT_EQ(found["right"]["entities"], 15'000);
  EXPECT_EQ(found["left"]["triples"], 36'508);
  EXPECT_EQ(found["right"]["triples"], 33'532);
  EXPECT_EQ(found["links"]["train"], 4'500);
  EXPECT_EQ(found["links"]["test"], 10'500);
}

TEST_F(BenchmarkData, DbpediaAndYago) {
  const json found = inspect("openea/D_Y_15K_V1");
  EXPECT_EQ(found["left"]["triples"], 30'291);
  EXPECT_EQ(found["right"]["triples"], 26'638);
  EXPECT_EQ(found["links"]["train"], 3'000);
  EXPECT_EQ(found["links"]["valid"], 1'500);
  EXPECT_EQ(found["links"]["test"], 10'500);
}

}  // namespace
}  // namespace dovetail::test

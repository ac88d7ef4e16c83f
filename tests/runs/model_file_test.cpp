#include "runs/model_file.h"

#include <dovetail/errors.h>

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>
#include <xxhash.h>

#include "formats/support.h"

namespace dovetail {
namespace {

class ModelFile : public testing::Test {
 protected:
  ModelFile() {
    model_.encoder.dimension = 3;
    model_.encoder.depth = 1;
    model_.encoder.attention = Attention::three_part;
    model_.encoder.reflection = Reflection::unit;
    model_.encoder.relation_feature = false;
    model_.encoder.transform = Transform::linear;
    model_.encoder.representation = Representation::residual;
    model_.encoder.self_loops = true;
    model_.seed = 42;
    model_.tied = {{1, 2}, {3, 0}};
    model_.entity_count = 2;
    model_.relation_rows = 2;
    model_.entities = {1, 2, 3, 4, 5, 6.5F};
    model_.relations = {-1, -2, -3, -4, -5, -6};
    model_.attention = {0.25F, 0, 1e-30F};
    model_.linear = {1, 0, 0, 0, 1, 0, 0, 0, -1};
    model_.entity_keys = {7, 3};
    model_.relation_keys = {1, 0};
    save_model(model_, path_);
  }

  [[nodiscard]] std::string bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }

  test::Workspace workspace_;
  std::filesystem::path path_ = workspace_ / "model.dovetail";
  Model model_;
};

TEST_F(ModelFile, GivesBackWhatWasWritten) {
  const Model read = load_model(path_);
  EXPECT_EQ(read.encoder.dimension, 3U);
  EXPECT_EQ(read.encoder.depth, 1U);
  EXPECT_EQ(read.encoder.entity_feature, EntityFeature::neighbour_mean);
  EXPECT_EQ(read.encoder.attention, Attention::three_part);
  EXPECT_EQ(read.encoder.reflection, Reflection::unit);
  EXPECT_FALSE(read.encoder.relation_feature);
  EXPECT_EQ(read.encoder.transform, Transform::linear);
  EXPECT_EQ(read.encoder.representation, Representation::residual);
  EXPECT_TRUE(read.encoder.self_loops);
  EXPECT_EQ(read.seed, 42U);
  EXPECT_EQ(read.tied, model_.tied);
  EXPECT_EQ(read.entity_count, 2U);
  EXPECT_EQ(read.entities, model_.entities);
  EXPECT_EQ(read.relations, model_.relations);
  EXPECT_EQ(read.attention, model_.attention);
  EXPECT_EQ(read.linear, model_.linear);
  EXPECT_EQ(read.entity_keys, model_.entity_keys);
  EXPECT_EQ(read.relation_keys, model_.relation_keys);
}

/// A file that align wrote when format 2 was the latest; it must be read for ever.
TEST(ModelFileOfOld, Format2) {
  const Model read = load_model(std::filesystem::path(DOVETAIL_TEST_DATA) / "model-2.dovetail");
  EXPECT_EQ(read.encoder.dimension, 2U);
  EXPECT_EQ(read.encoder.depth, 2U);
  EXPECT_EQ(read.encoder.attention, Attention::by_relation);
  EXPECT_EQ(read.encoder.representation, Representation::multi_hop);
  EXPECT_EQ(read.seed, 1U);
  EXPECT_EQ(read.entity_count, 6U);
  EXPECT_EQ(read.relation_rows, 6U);
  EXPECT_EQ(read.tied, (std::vector<Link>{{0, 2}}));
  ASSERT_EQ(read.entities.size(), 12U);
  EXPECT_FLOAT_EQ(read.entities[0], 0.013125733F);
  EXPECT_FLOAT_EQ(read.entities[11], 0.058528192F);
  ASSERT_EQ(read.relations.size(), 12U);
  ASSERT_EQ(read.attention.size(), 4U);
  EXPECT_TRUE(read.entity_keys.empty());  // so that they are the entities' numbers
}

/// As format 1 was written, before there were transforms.
TEST_F(ModelFile, ReadsTheFirstFormat) {
  nlohmann::json header = {{"dimension", 1},     {"depth", 1},
                           {"seed", 7},          {"entity_feature", "raw"},
                           {"entity_count", 1},  {"relation_feature", false},
                           {"relation_rows", 0}, {"attention_kind", "none"},
                           {"tied", 0},          {"reflection", "unit"},
                           {"entities", 1},      {"relations", 0},
                           {"attention", 0}};
  const std::string text = header.dump();
  const std::uint32_t version = 1, length = static_cast<std::uint32_t>(text.size());
  const float value = 2.5F;
  std::string file = "DOVETAIL MODEL\n";
  const auto add = [&](const auto& number) {
    file.append(reinterpret_cast<const char*>(&number), sizeof number);
  };
  add(version);
  add(length);
  file += text;
  add(value);
  const std::uint64_t checksum = XXH3_64bits(file.data(), file.size());
  add(checksum);
  write(file);
  const Model read = load_model(path_);
  EXPECT_EQ(read.encoder.transform, Transform::reflection);
  EXPECT_EQ(read.encoder.representation, Representation::multi_hop);
  EXPECT_FALSE(read.encoder.self_loops);
  EXPECT_EQ(read.entities, std::vector<float>{2.5F});
  EXPECT_TRUE(read.linear.empty());
}

TEST_F(ModelFile, RefusesEveryCutAndEveryChangedByte) {
  const std::string good = bytes();
  for (std::size_t i = 0; i < good.size(); ++i) {
    write(good.substr(0, i));
    EXPECT_THROW((void)load_model(path_), Error) << "cut to " << i;
    std::string changed = good;
    changed[i] = static_cast<char>(changed[i] ^ 0x20);
    write(changed);
    EXPECT_THROW((void)load_model(path_), Error) << "changed at " << i;
  }
}

/// The checksum is right in these: somebody made them so.
TEST_F(ModelFile, RefusesHeadersThatClaimTooMuch) {
  const std::string good = bytes();
  const std::size_t begin = std::string("DOVETAIL MODEL\n").size() + 2 * sizeof(std::uint32_t);
  const std::size_t end = good.rfind("}") + 1;
  const auto claim = [&](const char* what, const nlohmann::json& value) {
    nlohmann::json header = nlohmann::json::parse(good.substr(begin, end - begin));
    header[what] = value;
    const std::string text = header.dump();
    const auto length = static_cast<std::uint32_t>(text.size());
    std::string file = good.substr(0, begin - sizeof length);
    file.append(reinterpret_cast<const char*>(&length), sizeof length);
    file += text + good.substr(end, good.size() - end - sizeof(std::uint64_t));
    const std::uint64_t checksum = XXH3_64bits(file.data(), file.size());
    file.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
    write(file);
    return test::error_of([&] { (void)load_model(path_); });
  };
  EXPECT_EQ(claim("seed", 43), "") << "what is no claim is taken";
  // 2^32 relations, and counts that come out as small ones when they are multiplied.
  for (const std::uint64_t count : {std::uint64_t{1} << 32, std::uint64_t{1} << 62, UINT64_MAX}) {
    for (const char* what :
         {"tied", "entities", "relations", "attention", "linear", "entity_keys", "relation_keys"}) {
      EXPECT_NE(claim(what, count).find("claims more numbers than it holds"), std::string::npos) << what;
    }
    for (const char* what : {"entity_count", "relation_rows", "dimension"}) {
      EXPECT_NE(claim(what, count).find("contradict each other"), std::string::npos) << what;
    }
  }
  EXPECT_NE(claim("dimension", 0).find("contradict each other"), std::string::npos);
}

TEST_F(ModelFile, RefusesALaterVersionByName) {
  std::string later = bytes();
  later[std::string("DOVETAIL MODEL\n").size()] = 99;
  write(later);
  try {
    (void)load_model(path_);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("later version"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace dovetail

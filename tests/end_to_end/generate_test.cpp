#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>

#include "end_to_end/program.h"

namespace dovetail::test {
namespace {

using nlohmann::json;

class Generate : public testing::Test {
 protected:
  std::filesystem::path make(const std::string& name, std::vector<std::string> options) {
    const auto folder = here / name;
    options.insert(options.begin(), {"generate", folder.string()});
    const Outcome run = dovetail(options);
    EXPECT_EQ(run.code, 0) << run.err;
    return folder;
  }
  static json inspect(const std::filesystem::path& folder) {
    const Outcome run = dovetail({"inspect", folder.string(), "--json", "--strict"});
    EXPECT_EQ(run.code, 0) << run.err;
    return json::parse(run.out);
  }
  Workspace here;
};

TEST_F(Generate, GivesTheSameBytesForTheSameSeed) {
  for (const std::string format : {"ntriples", "dbp15k", "openea", "rdfxml"}) {
    const auto first = tree_of(make("first" + format, {"--entities", "300", "--seed", "7", "--to", format}));
    EXPECT_EQ(first, tree_of(make("second" + format, {"--entities", "300", "--seed", "7", "--to", format})))
        << format;
    EXPECT_NE(first, tree_of(make("third" + format, {"--entities", "300", "--seed", "8", "--to", format})))
        << format;
  }
}

TEST_F(Generate, LoadsTheSameFromEveryFormat) {
  const json expected = inspect(make("expected", {"--entities", "400", "--to", "dbp15k"}));
  EXPECT_EQ(expected["left"]["entities"], 400);
  EXPECT_EQ(expected["left"]["isolated_entities"], 0);
  EXPECT_NEAR(expected["left"]["triples"].get<double>(), 2000, 200);
  for (const FormatInfo& info : formats()) {
    if (info.kind == FormatKind::links || info.kind == FormatKind::table) continue;
    const json found = inspect(make(info.name, {"--entities", "400", "--to", info.name}));
    for (const char* side : {"left", "right"}) {
      for (const char* field : {"entities", "triples", "labelled_entities", "linked_entities", "degree"}) {
        EXPECT_EQ(found[side][field], expected[side][field]) << info.name << " " << side << " " << field;
      }
    }
  }
}

TEST_F(Generate, WritesSplits) {
  for (const std::string format : {"dbp15k", "openea", "turtle"}) {
    const json links = inspect(make(format, {"--entities", "400", "--to", format, "--seed-ratio", "0.2",
                                             "--valid-ratio", "0.1", "--dangling", "0"}))["links"];
    EXPECT_EQ(links["train"], 80);
    EXPECT_EQ(links["valid"], 40);
    EXPECT_EQ(links["test"], 280);
  }
}

TEST_F(Generate, ObeysItsOptions) {
  const json found = inspect(make("pair", {"-n", "500", "--triples", "4000", "--relations", "12",
                                           "--dangling", "0.4", "--no-labels", "--shared-relations"}));
  EXPECT_EQ(found["left"]["entities"], 500);
  EXPECT_NEAR(found["left"]["triples"].get<double>(), 4000, 200);
  EXPECT_LE(found["left"]["relations"], 12);
  EXPECT_GT(found["shared_relations"], 6);
  EXPECT_EQ(found["left"]["labelled_entities"], 0);
  EXPECT_EQ(found["left"]["linked_entities"], 300);
}

}  // namespace
}  // namespace dovetail::test

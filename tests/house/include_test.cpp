// Which room may include which: the one table of it, and every #include held against it.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

/// A room may include what stands here, a room or a public header, and all that these may include.
const std::map<std::string, Names> kDoors = {
    {"common",
     {"dovetail/errors.h", "dovetail/numbers.h", "dovetail/observer.h", "dovetail/phases.h",
      "dovetail/spelling.h", "dovetail/text.h", "dovetail/wrap.h"}},
    {"kernels", {"common"}},
    {"graph",
     {"common", "dovetail/graph_builder.h", "dovetail/judgements.h", "dovetail/links.h", "dovetail/literal.h",
      "dovetail/statistics.h"}},
    {"pairs", {"common", "graph"}},
    {"encoder", {"kernels", "graph", "dovetail/encoder.h"}},
    {"training", {"encoder", "pairs", "dovetail/training.h"}},
    {"matching", {"kernels", "pairs", "dovetail/matching.h"}},
    {"literal", {"kernels", "pairs", "dovetail/names.h"}},
    {"values", {"pairs", "dovetail/values.h"}},
    {"evidence", {"pairs", "dovetail/beliefs.h", "dovetail/evidence.h", "dovetail/rules.h"}},
    {"signals", {"matching", "literal", "values", "evidence", "dovetail/options.h", "dovetail/pools.h"}},
    {"evaluation", {"common", "dovetail/calibration.h", "dovetail/link_metrics.h"}},
    {"deciding", {"signals", "dovetail/calibration.h"}},
    {"formats",
     {"graph", "dovetail/files.h", "dovetail/io.h", "dovetail/limits.h", "dovetail/pair_writer.h",
      "dovetail/values.h", "dovetail/version.h"}},
    {"generator", {"graph", "dovetail/generate.h"}},
    {"alignment",
     {"deciding", "training", "formats", "dovetail/config.h", "dovetail/explainer.h", "dovetail/parameters.h",
      "dovetail/phases.h", "dovetail/plan.h", "dovetail/run.h"}},
    {"runs", {"alignment", "dovetail/align_job.h", "dovetail/export.h"}},
    {"report", {"common", "graph"}},
    {"session", {"runs", "report", "dovetail/review.h", "dovetail/session.h"}},
    {"study", {"session", "dovetail/study.h"}},
};

struct Include {
  std::string file;    ///< relative to the source folder
  std::size_t line;    ///< from 1
  std::string header;  ///< as it is written: room/header.h, dovetail/header.h
};

bool is_source(const fs::path& path) {
  return path.extension() == ".h" || path.extension() == ".cpp";
}

/// The project's own headers that the files below a folder include.
std::vector<Include> includes_below(const std::string& folder) {
  const fs::path source = DOVETAIL_SOURCE;
  std::vector<Include> found;
  if (!fs::exists(source / folder)) return found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(source / folder)) {
    if (!is_source(entry.path())) continue;
    std::ifstream file(entry.path());
    std::string line;
    for (std::size_t number = 1; std::getline(file, line); ++number) {
      const std::size_t at = line.find_first_not_of(" \t");
      if (at == std::string::npos || line.compare(at, 8, "#include") != 0) continue;
      const std::size_t open = line.find_first_of("\"<", at), close = line.find_first_of("\">", open + 1);
      if (open == std::string::npos || close == std::string::npos) continue;
      const std::string header = line.substr(open + 1, close - open - 1);
      if (line[open] == '<' && !header.starts_with("dovetail/")) continue;
      found.push_back({fs::relative(entry.path(), source).generic_string(), number, header});
    }
  }
  std::ranges::sort(found, {}, [](const Include& one) { return std::pair(one.file, one.line); });
  return found;
}

/// The public headers that each public header includes itself.
std::map<std::string, Names> public_headers() {
  std::map<std::string, Names> headers = {{"dovetail/version.h", {}}};  // made when the build is configured
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(DOVETAIL_SOURCE) / "include/dovetail")) {
    headers["dovetail/" + entry.path().filename().string()];
  }
  for (const Include& one : includes_below("include")) {
    headers["dovetail/" + fs::path(one.file).filename().string()].insert(one.header);
  }
  return headers;
}

/// Everything that can be reached from `start`, without it unless there is a way back.
Names reach(const std::map<std::string, Names>& doors, const std::string& start) {
  Names reached;
  std::vector<std::string> next(doors.at(start).begin(), doors.at(start).end());
  while (!next.empty()) {
    const std::string at = next.back();
    next.pop_back();
    if (!reached.insert(at).second) continue;
    const auto found = doors.find(at);
    if (found != doors.end()) next.insert(next.end(), found->second.begin(), found->second.end());
  }
  return reached;
}

std::map<std::string, Names> all_doors() {
  std::map<std::string, Names> doors = public_headers();
  doors.insert(kDoors.begin(), kDoors.end());
  return doors;
}

std::string room_of(const std::string& path) {
  return path.substr(0, path.find('/'));
}

TEST(House, NoRoomAndNoPublicHeaderIsReachedFromItself) {
  const auto doors = all_doors();
  for (const auto& [name, own] : doors) {
    EXPECT_FALSE(reach(doors, name).contains(name)) << name << " is part of a cycle";
    for (const std::string& door : own) {
      EXPECT_TRUE(doors.contains(door)) << name << " has a door to " << door << ", which does not exist";
    }
  }
}

TEST(House, EveryRoomStandsInTheTable) {
  Names rooms, listed;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(DOVETAIL_SOURCE) / "src")) {
    if (entry.is_directory()) rooms.insert(entry.path().filename().string());
  }
  for (const auto& [name, own] : kDoors) listed.insert(name);
  EXPECT_EQ(rooms, listed);
}

TEST(House, EveryIncludePointsTheRightWay) {
  const auto doors = all_doors();
  const std::vector<Include> all = includes_below("src");
  ASSERT_GT(all.size(), 500U) << "the files of the library were not found";
  for (const Include& one : all) {
    const std::string room = one.file.substr(4, one.file.find('/', 4) - 4);
    const bool is_public = one.header.starts_with("dovetail/");
    const std::string wanted = is_public ? one.header : room_of(one.header);
    EXPECT_TRUE(wanted == room || reach(doors, room).contains(wanted)) << fmt::format(
        "{}:{}: {} includes {}; it may include {}; move what it needs to a room below, or open a door in "
        "tests/house/include_test.cpp if that makes no cycle",
        one.file, one.line, room, one.header, fmt::join(reach(doors, room), ", "));
  }
}

TEST(House, PublicHeadersIncludePublicHeadersOnly) {
  for (const Include& one : includes_below("include")) {
    EXPECT_TRUE(one.header.starts_with("dovetail/"))
        << fmt::format("{}:{}: includes {}", one.file, one.line, one.header);
  }
}

/// Whether a program has the header itself, in its own folder.
bool is_own(const std::string& file, const std::string& header) {
  const fs::path source = DOVETAIL_SOURCE;
  for (fs::path folder = fs::path(file).parent_path(); !folder.empty(); folder = folder.parent_path()) {
    if (fs::exists(source / folder / header)) return true;
  }
  return false;
}

TEST(House, ProgramsUseThePublicHeadersOnly) {
  std::size_t found = 0;
  for (const char* const outside : {"apps", "python", "examples"}) {
    for (const Include& one : includes_below(outside)) {
      ++found;
      EXPECT_TRUE(one.header.starts_with("dovetail/") || is_own(one.file, one.header)) << fmt::format(
          "{}:{}: includes {}, which is private; use include/dovetail only", one.file, one.line, one.header);
    }
  }
  EXPECT_GT(found, 50U) << "the files of the programs were not found";
}

}  // namespace
}  // namespace dovetail

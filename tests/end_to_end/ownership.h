#pragma once

#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <string>
#include <vector>
#include <xxhash.h>

#include "end_to_end/program.h"

namespace dovetail::test {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;
using Sums = std::map<std::string, std::uint64_t>;

/// A verb that writes, told where to.
struct Verb {
  const char* name;
  bool folder;  ///< whether it writes a folder
  bool forced;  ///< whether it has --force
  std::function<Words(const fs::path& here, const std::string& target)> words;
};

inline Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

inline const Words kShort = {"--mode", "basic", "--epochs", "2", "--dimension", "16", "--threads", "1"};

/// Every verb; all of them read `top/pair`, or the run `top/run` that was made of it and of `top/more.tsv`.
inline const std::vector<Verb> kVerbs = {
    {"align", true, true,
     [](const fs::path& here, const std::string& target) {
       return with({"align", here / "top/pair", "-o", target, "--force"}, kShort);
     }},
    {"update", true, true,
     [](const fs::path& here, const std::string& target) {
       return Words{"update", here / "top/run", "--links", here / "top/more.tsv", "-o", target, "--force"};
     }},
    {"generate", true, true,
     [](const fs::path& /*here*/, const std::string& target) {
       return Words{"generate", target, "-n", "100", "--force"};
     }},
    {"convert", true, true,
     [](const fs::path& here, const std::string& target) {
       return Words{"convert", here / "top/pair", target, "--to", "openea", "--force"};
     }},
    {"convert a graph", false, true,
     [](const fs::path& here, const std::string& target) {
       return Words{"convert", here / "top/pair/left.nt", target, "--to", "turtle", "--force"};
     }},
    {"export embeddings", true, true,
     [](const fs::path& here, const std::string& target) {
       return Words{"export", here / "top/run", "--to", "npy", "-o", target, "--force"};
     }},
    {"export links", false, true,
     [](const fs::path& here, const std::string& target) {
       return Words{"export", here / "top/run", "--to", "tsv", "-o", target, "--force"};
     }},
    {"merge", false, true,
     [](const fs::path& here, const std::string& target) {
       return Words{"merge", here / "top/run", "--to", "ntriples", "-o", target, "--force"};
     }},
    {"study", true, false,
     [](const fs::path& here, const std::string& target) {
       return Words{"study", "runs",         here / "top/pair", "-o",      target,
                    "--set", "dimension=16", "--set",           "epochs=2"};
     }},
};

/// A generated pair with somebody's file in it, a run that was made of it, and links for an update.
class Ownership : public testing::Test {
 protected:
  Ownership() {
    fs::create_directory(here / "top");
    succeed({"generate", at("top/pair"), "-n", "200", "--seed-ratio", "0.3"});
    here.write("top/pair/thesis.tex", "years of work");
    succeed(align("top/run"));
    here.write("top/more.tsv", rows("top/run", 1, 2));
  }

  [[nodiscard]] std::string at(const std::string& name) const { return (here / name).string(); }
  [[nodiscard]] Words align(const std::string& out, const Words& more = {}) const {
    return with(with({"align", at("top/pair"), "-o", at(out)}, kShort), more);
  }
  /// Left and right of some links that a run found.
  [[nodiscard]] std::string rows(const std::string& run, int first, int count) const {
    std::istringstream lines(content_of(here / (run + "/links.tsv")));
    std::string line, text;
    for (int n = 0; std::getline(lines, line); ++n) {
      const std::size_t end = line.find('\t', line.find('\t') + 1);
      if (n >= first && n < first + count) text += line.substr(0, end) + "\n";
    }
    return text;
  }
  static Outcome succeed(const Words& words) {
    Outcome run = dovetail(words);
    EXPECT_EQ(run.code, 0) << run.err;
    return run;
  }
  /// A checksum of every file below a folder, and what every symbolic link says.
  static Sums sums(const fs::path& folder) {
    Sums all;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const std::string text = entry.is_symlink()        ? "-> " + fs::read_symlink(entry.path()).string()
                               : entry.is_regular_file() ? content_of(entry.path())
                                                         : std::string();
      all[entry.path().lexically_relative(folder).string()] = XXH3_64bits(text.data(), text.size());
    }
    return all;
  }
  /// A command that must be refused and change nothing.
  std::string refusal(const Words& words) const {
    const Sums before = sums(here.path());
    const Outcome run = dovetail(words);
    EXPECT_EQ(run.code, 2) << run.err;
    EXPECT_EQ(sums(here.path()), before);
    return run.err;
  }
  /// Every file that was there before is as it was, those below `written` aside.
  void expect_kept(const Sums& before, const std::string& written) const {
    const Sums after = sums(here.path());
    for (const auto& [name, sum] : before) {
      if (name == written || name.starts_with(written + "/")) continue;
      ASSERT_TRUE(after.contains(name)) << name;
      EXPECT_EQ(after.at(name), sum) << name;
    }
  }

  Workspace here;
};

}  // namespace dovetail::test

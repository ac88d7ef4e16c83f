// What Dovetail writes beside and into folders that it wrote before, also after a kill: reserved names,
// places of unfinished results, the runs that a study keeps.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <vector>

#include "end_to_end/ownership.h"
#include "formats/installation.h"
#include "formats/manifest.h"
#include "formats/output_file.h"
#include "formats/output_folder.h"
#include "graph/fingerprint.h"

namespace dovetail::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A folder that a killed process left, with files in it.
void leave_partial(const fs::path& partial, const fs::path& files) {
  fs::create_directory(partial);
  mark_as_dovetails(partial);
  fs::copy(files, staged_files(partial));
}

class OwnershipOfStudies : public Ownership {
 protected:
  OwnershipOfStudies() {
    succeed(study("first"));
    for (const auto& entry : fs::directory_iterator(here / "first/runs"))
      key = entry.path().filename().string();
    fs::create_directory(here / "runs");
  }
  [[nodiscard]] Words study(const std::string& out, const Words& more = {}) const {
    return with(
        {"study", "runs", at("top/pair"), "-o", at(out), "--set", "dimension=16", "--set", "epochs=2"}, more);
  }
  /// The study fails, and what is at the place of its run stays.
  void expect_kept_there(const std::string& content) const {
    const Outcome run = dovetail(study("second", {"--runs", at("runs")}));
    EXPECT_NE(run.code, 0);
    EXPECT_THAT(run.err, AllOf(HasSubstr(at("runs")), HasSubstr("Dovetail did not"))) << run.err;
    if (!content.empty()) {
      EXPECT_EQ(content_of(here / "runs" / key), content);
    }
    fs::remove_all(here / "second");
    fs::remove_all(here / "runs" / key);
  }

  std::string key;  ///< the name of the file that the run is kept in
};

TEST_F(OwnershipOfStudies, OnlyTheirOwnRunsAreReplaced) {
  here.write("runs/" + key, "years of work");
  expect_kept_there("years of work");
  here.write("runs/" + key, "{\"my\": \"notes\"}");
  expect_kept_there("{\"my\": \"notes\"}");
  here.write("precious", "years of work");
  fs::create_symlink(here / "precious", here / "runs" / key);
  expect_kept_there("years of work");
  EXPECT_EQ(content_of(here / "precious"), "years of work");
  fs::create_symlink(here / "nowhere", here / "runs" / key);
  expect_kept_there("");
  EXPECT_FALSE(fs::exists(here / "nowhere"));
  ASSERT_EQ(mkfifo((here / "runs" / key).c_str(), 0600), 0);
  expect_kept_there("");
  here.write("runs/" + key + "/thesis.tex", "years of work");
  expect_kept_there("");
  here.write("runs/" + key + ".partial", "years of work");
  expect_kept_there("");
  EXPECT_EQ(content_of(here / ("runs/" + key + ".partial")), "years of work");
  fs::remove(here / ("runs/" + key + ".partial"));
  // Damage to a record of Dovetail's is repaired.
  const std::string whole = content_of(here / "first/runs" / key);
  here.write("runs/" + key, whole.substr(0, whole.size() / 2));
  here.write("runs/" + key + ".partial", whole.substr(0, 40));
  succeed(study("second", {"--runs", at("runs")}));
  EXPECT_TRUE(nlohmann::json::parse(content_of(here / "runs" / key)).contains("figures"));
  EXPECT_EQ(tree_of(here / "runs").size(), 1U);
}

TEST_F(OwnershipOfStudies, RunsAreNotKeptInWhatIsRead) {
  for (const char* runs : {"top", "top/pair", "top/pair/", "top/pair/runs", "top/pair/left.nt"}) {
    EXPECT_THAT(refusal(study("second", {"--runs", at(runs)})), HasSubstr("this command reads")) << runs;
  }
  fs::create_symlink(here / "top/pair", here / "alias");
  EXPECT_THAT(refusal(study("second", {"--runs", at("alias")})), HasSubstr("this command reads"));
}

TEST_F(Ownership, NamesThatAFolderKeepsForItselfAreRefused) {
  succeed(align("closed", {"--pool", "test", "--no-report"}));
  ASSERT_FALSE(fs::exists(here / "closed/unmatched.tsv"));
  for (const std::string name :
       {"unmatched.tsv", "Unmatched.TSV", "report.html", "review.tsv", "review.tsv.gz", "review.json.zst",
        "REVIEW.jsonl", "given", "given/links.tsv", "Given/links.tsv", "links.tsv", kManifestName}) {
    EXPECT_THAT(refusal({"export", at("closed"), "--to", "tsv", "-o", at("closed/" + name), "--force"}),
                HasSubstr("closed"))
        << name;
    EXPECT_THAT(refusal({"merge", at("closed"), "--to", "ntriples", "-o", at("closed/" + name)}),
                HasSubstr("closed"))
        << name;
    for (const Verb& verb : kVerbs) {
      if (!verb.folder || name == "links.tsv") continue;
      EXPECT_THAT(refusal(verb.words(here.path(), at("closed/" + name))), HasSubstr("choose another"))
          << verb.name << " " << name;
    }
  }
  EXPECT_THAT(refusal({"export", at("closed"), "--to", "tsv", "-o", at("closed/unmatched.tsv")}),
              AllOf(HasSubstr("keeps this name for itself"), HasSubstr(at("closed-unmatched.tsv"))));
  // Of other folders of Dovetail's too.
  EXPECT_THAT(refusal({"export", at("top/run"), "--to", "tsv", "-o", at("top/pair/test_links")}),
              HasSubstr("which this command reads"));
  succeed({"generate", at("other"), "-n", "100"});
  EXPECT_THAT(refusal({"export", at("top/run"), "--to", "tsv", "-o", at("other/valid_links")}),
              HasSubstr("keeps this name for itself"));
  succeed({"export", at("closed"), "--to", "tsv", "-o", at("closed/found.tsv")});
}

TEST_F(Ownership, EveryFileThatAnOptionNamesIsAnInput) {
  const std::string owned = at("top/run/links.tsv");
  for (const char* option :
       {"--links", "--not-links", "--test-links", "--names", "--config", "--word-vectors"}) {
    const Words words = {"align", at("top/pair/left.nt"), at("top/pair/right.nt"),
                         "-o",    at("top/run"),          "--force"};
    const std::string file = option == std::string("--config") ? at("top/run/run.json") : owned;
    EXPECT_THAT(refusal(with(words, {option, file})), HasSubstr("this command reads")) << option;
  }
  for (const char* option : {"--links", "--not-links", "--test-links", "--names", "--left", "--right"}) {
    Words words = {"update", at("top/run"), option, owned};
    if (option == std::string("--names")) words = with(words, {"--left", at("top/pair/left.nt")});
    EXPECT_THAT(refusal(words), HasSubstr("this command reads")) << option;
  }
  for (const char* option : {"--links", "--names"}) {
    EXPECT_THAT(refusal({"convert", at("top/pair/left.nt"), at("top/pair/right.nt"), at("top/run"), "--to",
                         "openea", "--force", option, owned}),
                HasSubstr("this command reads"))
        << option;
  }
}

TEST_F(Ownership, EverythingThatARunWritesHasAReservedName) {
  succeed(align("full"));
  succeed({"update", at("full"), "--links", at("top/more.tsv")});
  const Manifest run = *read_manifest(here / "full"), pair = *read_manifest(here / "top/pair");
  for (const auto& [name, entry] : run.files) {
    EXPECT_TRUE(is_reserved(FolderKind::run, name)) << name;
  }
  for (const auto& [name, entry] : pair.files) {
    EXPECT_TRUE(is_reserved(FolderKind::pair, name)) << name;
  }
}

TEST_F(Ownership, PlacesOfUnfinishedResultsAreNoTargets) {
  for (const char* name : {"new.partial", "new.checkpoint", "top/run.partial"}) {
    for (const Verb& verb : kVerbs) {
      EXPECT_THAT(refusal(verb.words(here.path(), at(name))), HasSubstr("unfinished results"))
          << verb.name << " " << name;
    }
  }
}

TEST_F(Ownership, InputsInAnUnfinishedResultStay) {
  leave_partial(here / "new.partial", here / "top/pair");
  leave_partial(here / "top/run.partial", here / "top/pair");
  fs::copy(here / "top/more.tsv", here / "top/run.partial/files/more.tsv");
  const std::string files = at("new.partial/files");
  const Words run = with({"align", files, "-o", at("new"), "--force"}, kShort);
  EXPECT_THAT(refusal(run), HasSubstr("this command reads it, but its place is needed to write"));
  EXPECT_THAT(refusal({"convert", files, at("new"), "--to", "openea"}), HasSubstr("its place is needed"));
  EXPECT_THAT(refusal({"convert", files + "/left.nt", files + "/right.nt", at("new"), "--to", "openea"}),
              HasSubstr("its place is needed"));
  EXPECT_THAT(refusal({"study", "runs", files, "-o", at("new")}), HasSubstr("its place is needed"));
  EXPECT_THAT(refusal({"update", at("top/run"), "--links", at("top/run.partial/files/more.tsv")}),
              HasSubstr("its place is needed"));
  // Also those that only the run's record names.
  succeed(with({"align", files, "-o", at("other")}, kShort));
  EXPECT_THAT(refusal({"update", at("other"), "--links", at("top/more.tsv"), "-o", at("new")}),
              HasSubstr("its place is needed"));
  EXPECT_THAT(refusal({"export", at("other"), "--to", "npy", "-o", at("new")}),
              HasSubstr("its place is needed"));
  // Without such an input, what the killed process left makes room.
  succeed(with({"align", at("top/pair"), "-o", at("new")}, kShort));
  EXPECT_FALSE(fs::exists(here / "new.partial"));
}

TEST_F(Ownership, AnUnfinishedFileThatIsReadStays) {
  fs::copy(here / "top/pair/left.nt", here / "a.nt.partial");
  setxattr((here / "a.nt.partial").c_str(), "user.dovetail.partial", "1", 1, 0);  // as of a killed convert
  const std::string partial = at("a.nt.partial");
  EXPECT_THAT(refusal({"convert", partial, at("a.nt"), "--to", "ntriples"}),
              HasSubstr("its place is needed to write"));
  leave_partial(here / "p.partial", here / "top/pair");
  EXPECT_THAT(refusal({"convert", at("p.partial"), at("p"), "--to", "openea"}), HasSubstr("place is needed"));
}

/// As `cp -r` makes it after a kill, or while another process installs.
TEST_F(Ownership, ACopyOfAHalfInstalledFolderIsNotOpened) {
  succeed(align("new", {"--seed", "7"}));
  const fs::path partial = here / "top/run.partial";
  leave_partial(partial, here / "new");
  auto old = read_manifest(here / "top/run")->files;
  old.erase("relations.tsv");  // so that its new file finds a stranger's in its place, and all ends half way
  mark_as_complete(partial, old);
  EXPECT_THAT(error_of([&] { install(partial, here / "top/run", false); }), HasSubstr("relations.tsv"));
  fs::copy(here / "top/run", here / "copy", fs::copy_options::recursive);
  EXPECT_NE(content_of(here / "copy/links.tsv"), content_of(here / "copy/relations.tsv"));
  for (const Words& words :
       {Words{"export", at("copy"), "--to", "tsv"}, Words{"explain", at("copy"), "nobody"},
        Words{"report", at("copy")}, Words{"update", at("copy"), "--links", at("top/more.tsv")},
        align("copy", {"--force"}), Words{"export", at("new"), "--to", "tsv", "-o", at("copy/found.tsv")}}) {
    EXPECT_THAT(refusal(words), AllOf(HasSubstr("mixture"), HasSubstr(at("copy.partial")))) << words[0];
  }
  // Beside its .partial the original is made whole.
  fs::remove(here / "top/run/relations.tsv");
  succeed({"export", at("top/run"), "--to", "tsv", "-o", at("found.tsv")});
  EXPECT_EQ(tree_of(here / "top/run"), tree_of(here / "new"));
  EXPECT_FALSE(fs::exists(partial));
}

TEST_F(Ownership, AFileThatAppearsMeanwhileStaysAndTheResultIsKeptBesideIt) {
  for (const char* ending : {".new", ".new2"}) {
    OutputFile file(here / "a.tsv");
    file << "result";
    here.write("a.tsv", std::string("somebody's") + ending);
    EXPECT_THAT(error_of([&] { file.commit(); }), AllOf(HasSubstr("somebody wrote this file in the meantime"),
                                                        HasSubstr(at("a.tsv") + ending)));
    EXPECT_EQ(content_of(here / "a.tsv"), std::string("somebody's") + ending);
    EXPECT_EQ(content_of(here / (std::string("a.tsv") + ending)), "result");
    EXPECT_FALSE(fs::exists(here / "a.tsv.partial"));
    fs::remove(here / "a.tsv");
  }
}

TEST_F(Ownership, ReportWritesOnlyIntoARun) {
  here.write("file", "the user's");
  for (const char* target : {"top/pair", "top", "file", "nowhere"}) {
    EXPECT_THAT(refusal({"report", at(target)}), HasSubstr(target));
  }
  fs::create_symlink(here / "top/run", here / "link");
  const Sums before = sums(here.path());
  succeed({"report", at("link")});
  expect_kept(before, "top/run");
  EXPECT_TRUE(fs::is_symlink(here / "link"));
}

class Literals : public Ownership {
 protected:
  Literals() {
    fs::copy(here / "top/pair", here / "values", fs::copy_options::recursive);
    add("1.25");
    succeed({"align", at("values"), "-o", at("valued"), "--mode", "names"});
  }
  /// A value of an entity that has others already.
  void add(const std::string& value) const {
    const std::string text = content_of(here / "top/pair/left.nt");
    const std::string entity = text.substr(0, text.find(' '));
    here.write("values/left.nt", text + entity + " <http://x/height> \"" + value + "\" .\n");
  }
  /// What reads the inputs of the run again.
  [[nodiscard]] std::vector<Words> readers() const {
    return {{"merge", at("valued"), "--to", "ntriples", "-o", at("merged.nt"), "--force"},
            {"report", at("valued")},
            {"update", at("valued"), "--links", at("top/more.tsv"), "-o", at("updated")}};
  }
};

TEST_F(Literals, ThatChangedSinceTheRunAreNoticed) {
  add("1.26");
  for (const Words& words : readers()) {
    EXPECT_THAT(refusal(words), HasSubstr("found other graphs or links than those that")) << words[0];
  }
  add("1.25");
  for (const Words& words : readers()) succeed(words);
}

TEST_F(Literals, AreNotAskedForByRunsThatDidNotReadThem) {
  auto record = nlohmann::json::parse(content_of(here / "valued/run.json"));
  Observer quiet;
  LoadOptions options;
  options.keep_literals = true;
  const LoadedPair pair = load_folder(here / "values", options, quiet);
  ASSERT_EQ(record["inputs"]["fingerprint"], fingerprint(pair.graphs, pair.links, true));
  record["inputs"]["fingerprint"] = fingerprint(pair.graphs, pair.links, false);
  record["inputs"]["options"].erase("keep_literals");
  here.write("valued/run.json", record.dump());
  add("1.26");
  succeed(readers()[0]);
}

}  // namespace
}  // namespace dovetail::test

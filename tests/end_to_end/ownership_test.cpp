// No verb replaces, moves or removes a file that Dovetail did not write, or that somebody changed since.
#include "end_to_end/ownership.h"

#include <chrono>
#include <csignal>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "formats/installation.h"
#include "formats/manifest.h"
#include "formats/output_folder.h"

namespace dovetail::test {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_F(Ownership, NoVerbWritesToWhatItReads) {
  for (const Verb& verb : kVerbs) {
    SCOPED_TRACE(verb.name);
    const bool generates = verb.name == std::string("generate");
    if (verb.folder && !generates) {
      for (const char* target : {"top/pair", "top/pair/", "top/run", "top"}) {
        const bool reads =
            target != std::string("top/run") || verb.words(here.path(), "")[1] == at("top/run");
        if (reads && !(verb.name == std::string("update") && target == std::string("top/run"))) {
          EXPECT_THAT(refusal(verb.words(here.path(), at(target))), HasSubstr("this command reads"));
        }
      }
    } else if (!verb.folder) {
      EXPECT_THAT(refusal(verb.words(here.path(), at("top/pair/left.nt"))), HasSubstr("this command reads"));
      EXPECT_THAT(refusal(verb.words(here.path(), at("top/pair"))), HasSubstr("this is a folder"));
      if (verb.name == std::string("convert a graph")) continue;
      EXPECT_THAT(refusal(verb.words(here.path(), at("top/pair/thesis.tex"))),
                  HasSubstr("this command reads"));
      EXPECT_THAT(refusal(verb.words(here.path(), at("top/run/links.tsv"))),
                  HasSubstr("belongs to what Dovetail"));
    }
  }
}

TEST_F(Ownership, NoLinkHidesAnInput) {
  fs::create_symlink(here / "top/pair", here / "alias");
  EXPECT_THAT(refusal({"align", at("top/pair"), "-o", at("alias"), "--force"}),
              HasSubstr("this command reads"));
  EXPECT_THAT(refusal({"align", at("alias"), "-o", at("top/pair"), "--force"}),
              HasSubstr("this command reads"));
  // A pair of links to files of a folder that Dovetail wrote.
  fs::create_directory(here / "links");
  for (const char* name : {"left.nt", "right.nt"}) {
    fs::create_symlink(here / "top/pair" / name, here / "links" / name);
    fs::create_hard_link(here / "top/pair" / name, here / ("hard-" + std::string(name)));
  }
  EXPECT_THAT(refusal({"align", at("links"), "-o", at("top/pair"), "--force"}), HasSubstr("it holds"));
  EXPECT_THAT(refusal({"convert", at("hard-left.nt"), at("hard-right.nt"), at("top/pair"), "--to", "openea",
                       "--force"}),
              HasSubstr("this command reads the file and would replace it"));
  EXPECT_THAT(refusal({"convert", at("top/pair/left.nt"), at("hard-left.nt"), "--to", "turtle", "--force"}),
              HasSubstr("this command reads the file"));
}

TEST_F(Ownership, AFolderWithoutAManifestIsNotWrittenTo) {
  here.write("home/thesis.tex", "years of work");
  here.write("home/left.nt", "a graph of the user's");
  here.write("home/run.json", "{\"dovetail\": \"0.1.0\"}");
  here.write("home/links.tsv", "the user's\tlinks\n");
  for (const Verb& verb : kVerbs) {
    SCOPED_TRACE(verb.name);
    if (verb.folder) {
      EXPECT_THAT(refusal(verb.words(here.path(), at("home"))), HasSubstr("home: "));
    }
  }
}

TEST_F(Ownership, StrangersFilesStayAndAreNamed) {
  for (const Verb& verb : kVerbs) {
    if (!verb.folder) continue;
    SCOPED_TRACE(verb.name);
    const std::string out = std::string(verb.name).substr(0, 3);
    succeed(verb.words(here.path(), at(out)));
    here.write(out + "/thesis.tex", "years of work");
    here.write(out + "/notes/a.txt", "a note");
    here.write(out + "/review.tsv", "a\tb\tyes\n");
    const Outcome run = succeed(verb.words(here.path(), at(out)));
    if (verb.forced) {
      EXPECT_THAT(run.err, AllOf(HasSubstr("thesis.tex"), HasSubstr("notes/"), HasSubstr("review.tsv")));
    }
    EXPECT_EQ(content_of(here / (out + "/thesis.tex")), "years of work");
    EXPECT_EQ(content_of(here / (out + "/notes/a.txt")), "a note");
    EXPECT_EQ(content_of(here / (out + "/review.tsv")), "a\tb\tyes\n");
    EXPECT_FALSE(fs::exists(here / (out + ".partial")));
  }
  EXPECT_THAT(refusal({"export", at("top/run"), "--to", "tsv", "-o", at("ali/review.tsv"), "--force"}),
              HasSubstr("a review is never replaced"));
}

TEST_F(Ownership, ALinkToAFolderIsFollowedAndOneToNothingRefused) {
  for (const Verb& verb : kVerbs) {
    SCOPED_TRACE(verb.name);
    const std::string real = std::string("real-") + std::string(verb.name).substr(0, 3);
    fs::create_directory(here / real);
    fs::create_symlink(here / real, here / "link");
    const Words words = verb.words(here.path(), at("link"));
    if (verb.folder) {
      succeed(words);
      EXPECT_TRUE(fs::exists(here / real / kManifestName));
      EXPECT_TRUE(fs::is_symlink(here / "link"));
    } else {
      EXPECT_THAT(refusal(words), HasSubstr("this is a folder"));
    }
    fs::remove(here / "link");
    fs::remove_all(here / real);
    fs::create_symlink(here / real, here / "link");
    EXPECT_THAT(refusal(words), HasSubstr("a symbolic link to nothing"));
    fs::remove(here / "link");
  }
}

TEST_F(Ownership, AFileNeverBecomesAFolder) {
  here.write("file", "the user's");
  for (const Verb& verb : kVerbs) {
    SCOPED_TRACE(verb.name);
    if (verb.folder) {
      EXPECT_THAT(refusal(verb.words(here.path(), at("file"))), HasSubstr("this is a file"));
    }
    if (!verb.folder) {
      EXPECT_THAT(refusal(verb.words(here.path(), at("top"))), HasSubstr("this is a folder"));
    }
  }
}

TEST_F(Ownership, ANewFolderInAnInputFolderIsFine) {
  const Sums before = sums(here.path());
  succeed(align("top/pair/out"));
  expect_kept(before, "top/pair/out");
  EXPECT_THAT(refusal(align("top/pair/out", {"--force"})), HasSubstr("it exists already in"));
  succeed({"update", at("top/pair/out"), "--links", at("top/more.tsv")});
  succeed({"export", at("top/run"), "--to", "tsv", "-o", at("top/run/found.tsv")});
  succeed({"merge", at("top/run"), "--to", "ntriples", "-o", at("top/run/merged.nt")});
  expect_kept(before, "top/pair/out");
}

TEST_F(Ownership, WhatSomebodyChangedIsKept) {
  here.write("top/run/links.tsv", content_of(here / "top/run/links.tsv") + "my\tlink\t1\t1\t1\n");
  EXPECT_THAT(refusal(align("top/run", {"--force"})), HasSubstr("links.tsv: somebody changed this file"));
  EXPECT_THAT(refusal({"generate", at("top/run"), "-n", "100", "--force"}), HasSubstr("links.tsv"));
  succeed(align("second"));
  here.write("second/report.html", "my own page");
  EXPECT_THAT(refusal({"report", at("second")}), HasSubstr("report.html: somebody changed"));
  EXPECT_THAT(refusal({"update", at("second"), "--links", at("top/more.tsv")}), HasSubstr("report.html"));
}

TEST_F(Ownership, AStrangersFileOfANeededNameIsInTheWay) {
  succeed(align("out", {"--no-report"}));
  here.write("out/report.html", "my own page");
  EXPECT_THAT(refusal(align("out", {"--force"})), HasSubstr("out/report.html: Dovetail did not write this"));
  EXPECT_THAT(refusal({"report", at("out")}), HasSubstr("out/report.html: Dovetail did not write this"));
}

TEST_F(Ownership, ReportReplacesThePageAlone) {
  succeed(align("top/run", {"--force", "--no-report"}));
  here.write("top/run/thesis.tex", "years of work");
  const Sums before = sums(here.path());
  succeed({"report", at("top/run")});
  Sums after = sums(here.path());
  EXPECT_TRUE(after.erase("top/run/report.html"));
  const std::string manifest = std::string("top/run/") + kManifestName;
  EXPECT_NE(after.at(manifest), before.at(manifest));
  after[manifest] = before.at(manifest);
  EXPECT_EQ(after, before);
  succeed(align("top/run", {"--force"}));  // the page is Dovetail's again
}

TEST_F(Ownership, AFolderOfTheFirstVersionIsKnownByItsNames) {
  const std::set<std::string> names = {"evidence.jsonl", "links.tsv", "model.dovetail", "relations.tsv",
                                       "report.html",    "run.json",  "unmatched.tsv"};
  for (const auto& [name, content] : tree_of(here / "top/run")) {
    if (!names.contains(name)) fs::remove(here / "top/run" / name);  // also what later versions write
  }
  here.write("top/run/thesis.tex", "years of work");
  here.write("top/run/left.nt", "a graph of the user's");
  fs::copy(here / "top/run", here / "other");
  here.write("other/classes.tsv", "a table of the user's, which 0.1.0 did not write");
  static_cast<void>(dovetail(align("other", {"--force"})));  // it may be in the way
  EXPECT_EQ(content_of(here / "other/classes.tsv"), "a table of the user's, which 0.1.0 did not write");
  succeed({"report", at("top/run")});
  EXPECT_THAT(succeed(align("top/run", {"--force"})).err,
              AllOf(HasSubstr("thesis.tex"), HasSubstr("left.nt")));
  EXPECT_EQ(content_of(here / "top/run/thesis.tex"), "years of work");
  EXPECT_EQ(content_of(here / "top/run/left.nt"), "a graph of the user's");
}

TEST_F(Ownership, AManifestDoesNotReachOutOfItsFolder) {
  here.write("precious", "years of work");
  auto manifest = nlohmann::json::parse(content_of(here / "top/run" / kManifestName));
  const ManifestEntry entry = entry_of(here / "precious");
  manifest["files"]["../../precious"] = {{"size", entry.size},
                                         {"xxh3", fmt::format("{:016x}", entry.checksum)}};
  here.write(std::string("top/run/") + kManifestName, manifest.dump());
  EXPECT_THAT(refusal(align("top/run", {"--force"})), HasSubstr("not one of a file in this folder"));
  here.write(std::string("top/run/") + kManifestName, "{");
  EXPECT_THAT(refusal(align("top/run", {"--force"})), HasSubstr("damaged manifest"));
}

TEST_F(Ownership, AnUpdateKeepsWhatItWasGiven) {
  here.write("top/run/rev.tsv", rows("top/run", 4, 2));
  here.write("wrong.tsv", rows("top/run", 8, 1));
  here.write("new.nt", "<http://new/a> <http://new/p> <http://new/b> .\n");
  const Sums before = sums(here.path());
  succeed({"update", at("top/run"), "--links", at("top/run/rev.tsv"), "--not-links", at("wrong.tsv")});
  expect_kept({{"top/run/rev.tsv", before.at("top/run/rev.tsv")}}, "nothing");
  succeed({"update", at("top/run"), "--left", at("new.nt")});
  const auto copies = tree_of(here / "top/run/given");
  EXPECT_EQ(copies.size(), 3U);
  EXPECT_EQ(copies.at("1-rev.tsv"), content_of(here / "top/run/rev.tsv"));
  // The run stays whole without the user's files, in another place, and in a run that goes on from it.
  for (const char* name : {"top/run/rev.tsv", "wrong.tsv", "new.nt"}) fs::remove(here / name);
  fs::rename(here / "top/run", here / "moved");
  succeed({"merge", at("moved"), "--to", "ntriples", "-o", at("merged.nt")});
  succeed({"update", at("moved"), "--links", at("top/more.tsv"), "-o", at("next")});
  fs::remove_all(here / "moved");
  fs::remove(here / "top/more.tsv");
  succeed({"report", at("next")});
  EXPECT_EQ(tree_of(here / "next/given").size(), 4U);
  EXPECT_THAT(succeed(align("next", {"--force"})).err, HasSubstr("given/1-rev.tsv"));
  EXPECT_EQ(tree_of(here / "next/given").size(), 4U);
}

TEST_F(Ownership, AnUpdateIsNotGivenWhatItReplaces) {
  EXPECT_THAT(refusal({"update", at("top/run"), "--links", at("top/run/links.tsv")}),
              HasSubstr("links.tsv: this command reads the file and would replace it"));
}

TEST_F(Ownership, WhatIsBesideTheTargetIsNeitherTouchedNorFollowed) {
  here.write("precious/p", "years of work");
  for (const char* ending : {".partial", ".checkpoint"}) {
    fs::create_symlink(here / "precious", here / (std::string("o") + ending));
    EXPECT_THAT(refusal(align("o", {"--force"})), HasSubstr("Dovetail did not make this"));
    fs::remove(here / (std::string("o") + ending));
    fs::copy(here / "precious", here / (std::string("o") + ending));
    EXPECT_THAT(refusal(align("o", {"--force"})), HasSubstr("Dovetail did not make this"));
    fs::remove_all(here / (std::string("o") + ending));
    here.write(std::string("o") + ending, "a file");
    EXPECT_THAT(refusal(align("o", {"--force"})), HasSubstr("Dovetail did not make this"));
    fs::remove(here / (std::string("o") + ending));
  }
  fs::create_symlink(here / "precious/p", here / "o.tsv.partial");
  EXPECT_THAT(refusal({"export", at("top/run"), "--to", "tsv", "-o", at("o.tsv")}),
              HasSubstr("o.tsv.partial"));
  here.write("o.replaced/p", "years of work");
  const Sums before = sums(here.path());
  succeed(align("o"));
  succeed(align("o", {"--force"}));
  expect_kept(before, "o");
}

TEST_F(Ownership, AResumedRunKeepsWhatAppeared) {
  const pid_t child = start(with({"align", at("top/pair"), "-o", at("o"), "--checkpoint-every", "0.01"},
                                 {"--mode", "basic", "--epochs", "100000000", "--dimension", "16"}),
                            "/dev/null", at("err"));
  for (int i = 0; i < 1000 && !fs::exists(here / "o.checkpoint/checkpoint.3"); ++i)
    std::this_thread::sleep_for(10ms);
  kill(child, SIGTERM);
  waitpid(child, nullptr, 0);
  const Words resume = {"align", "--resume", at("o")};
  here.write("o", "a file");
  EXPECT_THAT(refusal(resume), HasSubstr("this is a file"));
  fs::remove(here / "o");
  here.write("o/thesis.tex", "years of work");
  EXPECT_THAT(refusal(resume), HasSubstr("something is there already"));
  fs::remove_all(here / "o");
  fs::create_symlink(here / "nowhere", here / "o");
  EXPECT_THAT(refusal(resume), HasSubstr("symbolic link to nothing"));
}

/// A process that is killed while it installs leaves this: some files moved, the rest and the manifest not.
TEST_F(Ownership, AnInstallationThatWasKilledIsFinishedByTheNextCommand) {
  succeed(align("new", {"--seed", "7"}));
  const auto old = read_manifest(here / "top/run");
  here.write("top/run/thesis.tex", "years of work");
  const fs::path partial = here / "top/run.partial";
  fs::create_directory(partial);
  fs::copy(here / "new", staged_files(partial));
  mark_as_dovetails(partial);
  mark_as_complete(partial, old->files);
  fs::rename(staged_files(partial) / "links.tsv", here / "top/run/links.tsv");
  fs::remove(here / "top/run/evidence.jsonl");
  // Somebody's change in between is noticed, and nothing lost.
  const std::string record = content_of(here / "top/run/run.json");
  here.write("top/run/run.json", "mine");
  EXPECT_THAT(refusal({"explain", at("top/run"), "nobody"}),
              HasSubstr("run.json: somebody changed this file"));
  here.write("top/run/run.json", record);
  const Outcome run = dovetail({"export", at("top/run"), "--to", "tsv"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out, dovetail({"export", at("new"), "--to", "tsv"}).out);
  auto found = tree_of(here / "top/run");
  EXPECT_EQ(found.at("thesis.tex"), "years of work");
  found.erase("thesis.tex");
  EXPECT_EQ(found, tree_of(here / "new"));
  EXPECT_FALSE(fs::exists(partial));
}

/// A list of files may have come from anywhere: with an archive that somebody sent, for example.
TEST_F(Ownership, AListOfFilesReachesNothingOutsideAndNoDecision) {
  succeed(align("new", {"--seed", "7"}));
  here.write("top/precious", "years of work");
  here.write("top/run/review.tsv", "decided");
  auto old = read_manifest(here / "top/run")->files;
  old["review.tsv"] = entry_of(here / "top/run/review.tsv");
  const fs::path partial = here / "top/run.partial";
  const auto stage = [&] {
    fs::remove_all(partial);
    fs::create_directory(partial);
    fs::copy(here / "new", staged_files(partial));
    mark_as_dovetails(partial);
    mark_as_complete(partial, old);
  };
  for (const std::string& name : {std::string("../precious"), at("top/precious")}) {
    old[name] = entry_of(here / "top/precious");
    stage();
    EXPECT_THAT(refusal({"export", at("top/run"), "--to", "tsv"}), HasSubstr("not in the folder itself"));
    EXPECT_EQ(content_of(here / "top/precious"), "years of work");
    old.erase(name);
  }
  stage();
  EXPECT_EQ(dovetail({"export", at("top/run"), "--to", "tsv"}).code, 0);
  EXPECT_EQ(content_of(here / "top/run/review.tsv"), "decided");
}

TEST_F(Ownership, AResultIsNotLostWhenTheFolderWasChangedMeanwhile) {
  Observer quiet;
  OutputFolder target(here / "top/run",
                      {.kind = FolderKind::run, .replace = true, .reading = {}, .names = run_file_names()},
                      quiet);
  std::ofstream(target.working_path() / "links.tsv") << "new";
  here.write("top/run/links.tsv", "mine");
  EXPECT_THAT(error_of([&] { target.commit(); }), AllOf(HasSubstr("somebody changed this file"),
                                                        HasSubstr("the result is in"), HasSubstr("run.new")));
  EXPECT_EQ(content_of(here / "top/run/links.tsv"), "mine");
  EXPECT_EQ(content_of(here / "top/run.new/links.tsv"), "new");
}

}  // namespace
}  // namespace dovetail::test

#include <dovetail/errors.h>
#include <dovetail/generate.h>
#include <dovetail/pair_writer.h>
#include <dovetail/session.h>

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

#include "formats/support.h"

namespace dovetail::test {
namespace {

class SessionOfARun : public testing::TestWithParam<Mode> {
 protected:
  void SetUp() override {
    const auto writer = make_pair_writer(here / "pair", Format::ntriples, {}, quiet);
    GenerateOptions options;
    options.entities = 300;
    options.split.seed_ratio = 0.3;
    generate_pair(options, *writer, quiet);
    writer->commit();
  }

  Session align() {
    AlignOptions options;
    options.mode = GetParam();
    options.encoder.dimension = 32;
    options.threads = 2;
    options.deciding.pool = CandidatePool::open;
    return Session::align(load_folder(here / "pair", {}, quiet), options, quiet);
  }
  /// By the names of their ends, with their confidences.
  static std::vector<std::string> texts(const Session& session) {
    std::vector<std::string> texts;
    for (const DecidedLink& link : session.links()) {
      texts.push_back(fmt::format("{} {} {:.4f}", session.graphs().left().entity(link.left),
                                  session.graphs().right().entity(link.right), link.confidence));
    }
    return texts;
  }
  static bool linked(const Session& session, const Link& pair) {
    return std::ranges::any_of(session.links(), [&](const DecidedLink& link) {
      return link.left == pair.left && link.right == pair.right;
    });
  }

  Observer quiet;
  Workspace here;
};

TEST_P(SessionOfARun, IsTheSameWhenItWasSavedAndOpened) {
  const Session made = align();
  ASSERT_GT(made.links().size(), 50U);
  made.save(here / "run", {});
  const Session opened = Session::open(here / "run", {}, quiet);
  EXPECT_EQ(texts(opened), texts(made));
  for (const DecidedLink& link : made.links()) {
    const auto had = made.candidates(Side::left, link.left), has = opened.candidates(Side::left, link.left);
    ASSERT_EQ(has.size(), std::min<std::size_t>(9, had.size()));
    for (std::size_t n = 0; n < has.size(); ++n) {
      EXPECT_EQ(has[n].entity, had[n].entity);
      EXPECT_EQ(has[n].score, had[n].score);
    }
    EXPECT_FALSE(opened.candidates(Side::right, link.right).empty());
  }
  EXPECT_EQ(opened.run().decisions.unmatched_left.size(), made.run().decisions.unmatched_left.size());
}

TEST_P(SessionOfARun, NeverDecidesAgainstAJudgement) {
  Session session = align();
  // A link that is wrong for all we know, one that is right, an entity without counterpart, another choice.
  const std::vector<DecidedLink> before = session.links();
  const Link wrong{before[0].left, before[0].right}, right{before[1].left, before[1].right};
  const EntityId alone = before[2].left;
  const auto other = session.candidates(Side::left, before[3].left);
  ASSERT_GT(other.size(), 1U);
  const Link chosen{before[3].left, other[0].entity == before[3].right ? other[1].entity : other[0].entity};
  session.judge_different(wrong);
  session.judge_same(right);
  session.judge_none(Side::left, alone);
  session.judge_same(chosen);
  const auto check = [&] {
    EXPECT_FALSE(linked(session, wrong));
    EXPECT_TRUE(linked(session, right));
    EXPECT_TRUE(linked(session, chosen));
    EXPECT_TRUE(std::ranges::none_of(session.links(), [&](const DecidedLink& link) {
      return link.left == alone || (link.left == chosen.left && link.right != chosen.right) ||
             (link.right == chosen.right && link.left != chosen.left);
    }));
  };
  check();
  const Changes changes = session.refresh(quiet);
  check();
  EXPECT_TRUE(std::ranges::none_of(changes.gained, [&](const DecidedLink& link) {
    return Link{link.left, link.right} == wrong || link.left == alone;
  }));
  EXPECT_TRUE(session.candidates(Side::left, alone).empty());
  EXPECT_GT(session.links().size(), before.size() * 8 / 10);
}

TEST_P(SessionOfARun, GivesTheSameInWhateverStepsJudgementsCome) {
  Session at_once = align(), in_steps = align();
  const std::vector<DecidedLink> links = at_once.links();
  for (std::size_t n = 0; n < 12; ++n) {
    const Link link{links[5 * n].left, links[5 * n].right};
    for (Session* session : {&at_once, &in_steps}) {
      n % 3 == 0 ? session->judge_different(link) : session->judge_same(link);
    }
    if (n % 4 == 0) in_steps.refresh(quiet);
  }
  at_once.refresh(quiet);
  in_steps.refresh(quiet);
  EXPECT_EQ(texts(at_once), texts(in_steps));
  // And when they were saved, in a folder of their own, and in the place of the run.
  at_once.save(here / "run", {});
  EXPECT_EQ(texts(Session::open(here / "run", {}, quiet)).size(), at_once.run().decisions.links.size());
  Session again = Session::open(here / "run", {.target = SessionTarget{.folder = here / "run"}}, quiet);
  EXPECT_EQ(again.pair().links.train.size(), at_once.pair().links.train.size());
  EXPECT_EQ(again.pair().links.apart, at_once.pair().links.apart);
  again.judge_different({again.links()[0].left, again.links()[0].right});
  again.refresh(quiet);
  again.save(false);
  const Session last = Session::open(here / "run", {}, quiet);
  EXPECT_EQ(last.pair().links.apart.size(), at_once.pair().links.apart.size() + 1);
  EXPECT_EQ(texts(last).size(), again.run().decisions.links.size());
}

INSTANTIATE_TEST_SUITE_P(
    Modes, SessionOfARun, testing::Values(Mode::basic, Mode::semi, Mode::names), [](const auto& mode) {
      return std::string(mode.param == Mode::basic ? "basic" : mode.param == Mode::semi ? "semi" : "names");
    });

class OneSession : public SessionOfARun {};
INSTANTIATE_TEST_SUITE_P(Semi, OneSession, testing::Values(Mode::semi));

TEST_P(OneSession, RefusesEntitiesThatItDoesNotHave) {
  Session session = align();
  const std::string known(session.graphs().left().entity(0));
  EXPECT_THAT(error_of([&] { session.judge({.verdict = Verdict::same, .left = known, .right = "nobody"}); }),
              testing::HasSubstr("\"nobody\" is not in the right graph"));
  EXPECT_THAT(error_of([&] { session.judge({.verdict = Verdict::same, .left = known, .right = ""}); }),
              testing::HasSubstr("expected"));
  EXPECT_TRUE(session.judgements().empty());
}

TEST_P(OneSession, AnswersWhileItLearns) {
  Session session = align();
  const DecidedLink link = session.links()[7];
  session.judge_different({link.left, link.right});
  session.prepare();
  std::optional<dovetail::Run> learned;
  std::thread learning([&] { learned = session.learn(quiet); });
  std::size_t reasons = 0;
  for (const DecidedLink& one : session.links())
    reasons += session.reasons({one.left, one.right}, 3).in_favour.size();
  learning.join();
  EXPECT_GT(reasons, 100U);
  session.take(std::move(*learned));
  EXPECT_FALSE(linked(session, {link.left, link.right}));
}

}  // namespace
}  // namespace dovetail::test

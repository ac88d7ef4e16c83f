#include <dovetail/errors.h>
#include <dovetail/generate.h>
#include <dovetail/pair_writer.h>
#include <dovetail/review.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <sys/resource.h>
#include <sys/stat.h>

#include "common/random.h"
#include "formats/support.h"

namespace dovetail::test {
namespace {

Judgement judgement(Verdict verdict, const std::string& left, const std::string& right) {
  return {.verdict = verdict, .left = left, .right = right};
}

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(JudgementLog, HasWhatWasAppendedWhenItIsOpenedAgain) {
  const Workspace here;
  const std::vector all{judgement(Verdict::same, "a", "A"), judgement(Verdict::different, "b", "B")};
  {
    JudgementLog log(here / "review.jsonl");
    EXPECT_TRUE(log.earlier().empty());
    log.append(std::span(all).first(1));
    EXPECT_EQ(read_judgements(here / "review.jsonl"), std::vector{all[0]});  // on disk before it returns
    log.append(std::span(all).last(1));
  }
  EXPECT_EQ(JudgementLog(here / "review.jsonl").earlier(), all);
  struct stat status {};
  ASSERT_EQ(::stat((here / "review.jsonl").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST(JudgementLog, GoesOnAfterAKillAtAnyByte) {
  const Workspace here;
  const std::vector all{judgement(Verdict::same, "a", "A"), judgement(Verdict::different, "b", "B")};
  const std::string text = judgement_line(all[0]) + "\n" + judgement_line(all[1]) + "\n";
  const Judgement later = judgement(Verdict::same, "c", "C");
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const auto path = here.write("review.jsonl", text.substr(0, size));
    std::vector<Judgement> wanted;
    if (size + 1 >= judgement_line(all[0]).size() + 1) wanted.push_back(all[0]);
    if (size + 1 >= text.size()) wanted.push_back(all[1]);
    {
      JudgementLog log(path);
      ASSERT_EQ(log.earlier(), wanted) << size;
      log.append({&later, 1});
    }
    wanted.push_back(later);
    ASSERT_EQ(read_judgements(path), wanted) << size;
  }
}

TEST(JudgementLog, IsOfOneProcessAtATime) {
  const Workspace here;
  const JudgementLog log(here / "review.jsonl");
  EXPECT_THAT(error_of([&] { JudgementLog other(here / "review.jsonl"); }),
              testing::HasSubstr("another review"));
}

TEST(JudgementLog, RefusesWhatIsNoFileOfJudgements) {
  const Workspace here;
  const auto path = here.write("review.jsonl", "my notes\nmore\n");
  EXPECT_THAT(error_of([&] { JudgementLog log(path); }),
              testing::HasSubstr("review.jsonl:1: found \"my notes\""));
  EXPECT_EQ(content(path), "my notes\nmore\n");
}

TEST(JudgementLog, SaysWhatWasNotSavedAndLeavesNothingOfIt) {
  const Workspace here;
  JudgementLog log(here / "review.jsonl");
  const Judgement first = judgement(Verdict::same, "a", "A");
  log.append({&first, 1});
  const std::string before = content(here / "review.jsonl");
  // A full disk, as far as this process can see: no file may grow.
  struct rlimit usual {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &usual), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small { .rlim_cur = before.size() + 10, .rlim_max = usual.rlim_max };
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Judgement second = judgement(Verdict::same, "b", "B");
  const std::string error = error_of([&] { log.append({&second, 1}); });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &usual), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_THAT(error, testing::HasSubstr("the decision is not saved"));
  EXPECT_EQ(content(here / "review.jsonl"), before);
  log.append({&second, 1});
  EXPECT_EQ(read_judgements(here / "review.jsonl"), (std::vector{first, second}));
}

TEST(Estimates, AreWilsons) {
  // By the formula: centre (p + z2/2n) / (1 + z2/n), Wilson 1927.
  const Estimate nine = estimate_share(180, 200);
  EXPECT_NEAR(nine.low, 0.8506, 5e-4);
  EXPECT_NEAR(nine.high, 0.9343, 5e-4);
  const Estimate all = estimate_share(200, 200);
  EXPECT_NEAR(all.low, 0.98115, 1e-4);
  EXPECT_EQ(all.high, 1);
  const Estimate nothing = estimate_share(0, 0);
  EXPECT_EQ(nothing.low, 0);
  EXPECT_EQ(nothing.high, 1);
}

TEST(Estimates, HoldTheTruthAsOftenAsTheySay) {
  for (const double truth : {0.5, 0.9, 0.99}) {
    std::size_t inside = 0;
    for (std::uint64_t review = 0; review < 1000; ++review) {
      // 200 answers, drawn without putting back from 5,000 links.
      Random random(review, static_cast<std::uint64_t>(truth * 100));
      std::vector<std::uint8_t> links(5000);
      std::fill_n(links.begin(), std::llround(truth * 5000), 1);
      random.shuffle(std::span(links));
      const auto right = static_cast<std::uint64_t>(std::count(links.begin(), links.begin() + 200, 1));
      const Estimate estimate = estimate_share(right, 200);
      inside += estimate.low <= truth && truth <= estimate.high ? 1 : 0;
    }
    EXPECT_GE(inside, 930U) << truth;
    EXPECT_LE(inside, 985U) << truth;
  }
}

TEST(Estimates, TellHowManyMoreAnswersHalveTheInterval) {
  const Estimate now = estimate_share(180, 200);
  const std::uint64_t more = answers_to_halve(now);
  const Estimate then = estimate_share((200 + more) * 9 / 10, 200 + more);
  EXPECT_NEAR((then.high - then.low) / (now.high - now.low), 0.5, 0.01);
  EXPECT_NEAR(static_cast<double>(more), 600, 60);
}

TEST(Estimates, CountAnswersInRandomOrderOnly) {
  Judgement right = judgement(Verdict::same, "a", "A"), wrong = judgement(Verdict::different, "b", "B"),
            chosen = judgement(Verdict::same, "c", "C"), unsure = judgement(Verdict::unsure, "d", "D"),
            useful = judgement(Verdict::different, "e", "E");
  for (Judgement* one : {&right, &wrong, &chosen, &unsure}) one->order = "random";
  chosen.instead_of = "X";
  useful.order = "useful";
  double confidence = 0.9;
  for (Judgement* one : {&right, &wrong, &chosen, &unsure, &useful}) one->confidence = confidence -= 0.1;
  const std::vector all{right, wrong, chosen, unsure, useful};
  const std::vector<SampledAnswer> answers = sampled_answers(all);
  EXPECT_EQ(precision_above(answers, 0).count, 3U);
  EXPECT_EQ(precision_above(answers, 0).right, 1U);
  EXPECT_EQ(precision_above(answers, 0.75).count, 1U);
  EXPECT_EQ(precision_above(answers, 0.65, 0.75).right, 0U);
}

TEST(Agreement, IsCohensKappa) {
  // Observed .6, by chance .6 x .7 + .4 x .3 = .54, so kappa is .06 / .46.
  std::vector<Judgement> one, other;
  const auto add = [&](std::size_t count, Verdict first, Verdict second) {
    for (std::size_t n = 0; n < count; ++n) {
      const std::string left = std::to_string(one.size());
      one.push_back(judgement(first, left, "right" + left));
      other.push_back(judgement(second, left, "right" + left));
    }
  };
  add(45, Verdict::same, Verdict::same);
  add(15, Verdict::same, Verdict::different);
  add(25, Verdict::different, Verdict::same);
  add(15, Verdict::different, Verdict::different);
  one.push_back(judgement(Verdict::same, "only here", "A"));
  const Agreement found = agreement(one, other);
  EXPECT_EQ(found.both, 100U);
  EXPECT_EQ(found.agreed, 60U);
  EXPECT_NEAR(found.kappa, 0.1304, 1e-4);
  EXPECT_EQ(found.disagreed.size(), 40U);
}

class Questions : public testing::Test {
 protected:
  static Session session(const Workspace& here) {
    Observer quiet;
    {
      const auto writer = make_pair_writer(here / "pair", Format::ntriples, {}, quiet);
      GenerateOptions options;
      options.entities = 300;
      options.split.seed_ratio = 0.2;
      generate_pair(options, *writer, quiet);
      writer->commit();
    }
    AlignOptions options;
    options.mode = Mode::semi;
    options.encoder.dimension = 32;
    options.deciding.pool = CandidatePool::open;
    return Session::align(load_folder(here / "pair", {}, quiet), options, quiet);
  }
};

TEST_F(Questions, AreEachAskedOnce) {
  const Workspace here;
  const Session session = Questions::session(here);
  const std::vector<ReviewItem> items = review_items(session);
  const std::size_t links = session.links().size();
  ASSERT_GT(links, 50U);
  EXPECT_EQ(items.size(), links + session.run().decisions.unmatched_left.size() +
                              session.run().decisions.unmatched_right.size());
  for (const QuestionOrder order : {QuestionOrder::useful, QuestionOrder::random, QuestionOrder::doubtful}) {
    const std::vector<std::uint32_t> asked = ordered_questions(session, items, order);
    EXPECT_EQ(std::set(asked.begin(), asked.end()).size(), asked.size());
    EXPECT_GE(asked.size(), links);
    for (const std::uint32_t n : asked)
      EXPECT_TRUE(items[n].pair.left != kNone && items[n].pair.right != kNone);
    EXPECT_EQ(order_of_name(order_name(order)), order);
  }
  EXPECT_THAT(error_of([] { (void)order_of_name("best"); }), testing::HasSubstr("expected useful"));
}

TEST_F(Questions, ComeInTheOrderThatWasAskedFor) {
  const Workspace here;
  const Session session = Questions::session(here);
  const std::vector<ReviewItem> items = review_items(session);
  const auto doubt = [&](std::uint32_t n) { return std::abs(items[n].confidence - 0.5); };
  const std::vector<std::uint32_t> doubtful = ordered_questions(session, items, QuestionOrder::doubtful);
  for (std::size_t n = 1; n < doubtful.size(); ++n) {
    EXPECT_LE(doubt(doubtful[n - 1]), doubt(doubtful[n]) + 1e-9);
  }
  const std::vector<std::uint32_t> random = ordered_questions(session, items, QuestionOrder::random, 1);
  EXPECT_EQ(random.size(), session.links().size());  // links only
  EXPECT_EQ(random, ordered_questions(session, items, QuestionOrder::random, 1));
  EXPECT_NE(random, ordered_questions(session, items, QuestionOrder::random, 2));
  // A question whose answer is known teaches nothing.
  const std::vector<std::uint32_t> useful = ordered_questions(session, items, QuestionOrder::useful);
  double first = 0, last = 0;
  for (std::size_t n = 0; n < 30; ++n) {
    first += doubt(useful[n]) / 30;
    last += doubt(useful[useful.size() - 1 - n]) / 30;
  }
  EXPECT_LT(first, last);
}

}  // namespace
}  // namespace dovetail::test

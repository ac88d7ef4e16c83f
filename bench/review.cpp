// What answers of a person are worth: Hits@1 or F1 after 100 and 300 answers, by the order of the questions.
// Answers are taken from the gold, which is halved at random: questions are about entities of one half, and
// every figure is of the other half, which nobody judged.
// usage: bench_review DATA_FOLDER [zh_en|D8|contea [REVIEWS]]
#include <dovetail/io.h>
#include <dovetail/link_metrics.h>
#include <dovetail/review.h>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "common/random.h"
#include "common/stopwatch.h"

namespace dovetail {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kStep = 100, kAnswers = 300, kShown = 9;

/// A pair and all links that are true of it, apart from the seeds.
struct Start {
  std::string name;
  std::function<LoadedPair()> load;  ///< seeds are links.train, the other gold links links.test
  AlignOptions options;
  bool hits = false;  ///< Hits@1 instead of F1
};

struct Halves {
  std::map<EntityId, EntityId> asked;  ///< left to right
  std::vector<Link> measured;
};

Halves halve(std::vector<Link> gold, std::uint64_t seed) {
  Random(seed).shuffle(std::span(gold));
  Halves halves;
  for (std::size_t n = 0; n < gold.size(); ++n) {
    if (n % 2 == 0) {
      halves.asked.emplace(gold[n].left, gold[n].right);
    } else {
      halves.measured.push_back(gold[n]);
    }
  }
  return halves;
}

/// Of links about entities of the measured half.
double f1(const std::vector<DecidedLink>& links, const std::vector<Link>& gold) {
  std::set<EntityId> left, right;
  for (const Link& link : gold) {
    left.insert(link.left);
    right.insert(link.right);
  }
  const std::set<Link> truth(gold.begin(), gold.end());
  double said = 0, correct = 0;
  for (const DecidedLink& link : links) {
    if (!left.contains(link.left) && !right.contains(link.right)) continue;
    ++said;
    correct += truth.contains({link.left, link.right}) ? 1 : 0;
  }
  return said + static_cast<double>(gold.size()) == 0
             ? 0
             : 2 * correct / (said + static_cast<double>(gold.size()));
}

double figure(const Session& session, const Halves& halves, bool hits) {
  if (hits) return session.run().open.evaluation.right_to_left.hits_at_1;
  return f1(session.links(), halves.measured);
}

/// The person: says same or different, or chooses the right one where it is shown.
bool answer(Session& session, const ReviewItem& item, const Halves& halves) {
  const auto known = halves.asked.find(item.pair.left);
  if (known == halves.asked.end()) return false;
  const EntityId right = known->second;
  if (right == item.pair.right) {
    session.judge_same(item.pair);
    return true;
  }
  const std::span<const Candidate> shown = session.candidates(Side::left, item.pair.left);
  const auto end = shown.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, shown.size()));
  if (std::ranges::find(shown.begin(), end, right, &Candidate::entity) != end) {
    session.judge_same({item.pair.left, right});
  } else {
    session.judge_different(item.pair);
  }
  return true;
}

/// The figure before any answer and after each step.
std::vector<double> review(const std::shared_ptr<LoadedPair>& pair, const Run& base, const Halves& halves,
                           QuestionOrder order, bool hits, std::uint64_t seed, double& refresh_seconds) {
  Observer quiet;
  const SeedLinks known = pair->links;
  std::vector<double> figures;
  {
    Session session(pair, base);
    figures.push_back(figure(session, halves, hits));
    std::set<EntityId> judged;
    for (std::size_t answers = 0; answers < kAnswers;) {
      const std::vector<ReviewItem> items = review_items(session);
      std::size_t now = 0;
      for (const std::uint32_t n : ordered_questions(session, items, order, seed)) {
        if (now == kStep) break;
        if (judged.contains(items[n].pair.left) || !answer(session, items[n], halves)) continue;
        judged.insert(items[n].pair.left);
        ++now;
      }
      if (now == 0) break;
      answers += now;
      const Stopwatch watch;
      session.refresh(quiet);
      refresh_seconds = watch.seconds();
      figures.push_back(figure(session, halves, hits));
    }
  }
  pair->links = known;
  return figures;
}

struct Mean {
  double mean = 0, deviation = 0;
};

Mean mean_of(const std::vector<double>& values) {
  Mean result;
  for (const double value : values) result.mean += value / static_cast<double>(values.size());
  for (const double value : values) {
    result.deviation += (value - result.mean) * (value - result.mean) /
                        static_cast<double>(std::max<std::size_t>(1, values.size() - 1));
  }
  result.deviation = std::sqrt(result.deviation);
  return result;
}

void measure(const Start& start, std::size_t reviews) {
  Observer quiet;
  const auto pair = std::make_shared<LoadedPair>(start.load());
  const std::vector<Link> gold = pair->links.test;
  std::map<QuestionOrder, std::vector<std::vector<double>>> by_order;  // by step, of all reviews
  double seconds = 0;
  for (std::uint64_t seed = 1; seed <= reviews; ++seed) {
    const Halves halves = halve(gold, seed);
    pair->links.test = halves.measured;
    AlignOptions options = start.options;
    options.seed = seed;
    const Run base = run_alignment(*pair, options, quiet);
    for (const QuestionOrder order :
         {QuestionOrder::useful, QuestionOrder::doubtful, QuestionOrder::random}) {
      const std::vector<double> figures = review(pair, base, halves, order, start.hits, seed, seconds);
      auto& steps = by_order[order];
      steps.resize(std::max(steps.size(), figures.size()));
      for (std::size_t n = 0; n < figures.size(); ++n) steps[n].push_back(figures[n]);
    }
  }
  for (const auto& [order, steps] : by_order) {
    std::string line = fmt::format("{:<8} {:<9}", start.name, order_name(order));
    for (std::size_t n = 0; n < steps.size(); ++n) {
      const Mean mean = mean_of(steps[n]);
      line += fmt::format("  {:>3}: {:.4f} ({:.4f})", n * kStep, mean.mean, mean.deviation);
    }
    fmt::print("{}\n", line);
  }
  fmt::print("{:<8} {} of half the gold, mean (deviation) of {} reviews; last refresh {:.1f} s\n", start.name,
             start.hits ? "Hits@1, open," : "F1", reviews, seconds);
}

LoadedPair divided(LoadedPair pair, double seeds) {
  std::vector<Link> all = pair.links.train;
  all.insert(all.end(), pair.links.valid.begin(), pair.links.valid.end());
  all.insert(all.end(), pair.links.test.begin(), pair.links.test.end());
  pair.links = split_links(std::move(all), {.seed_ratio = seeds, .valid_ratio = 0, .seed = 1});
  return pair;
}

LoadedPair divided_folder(const fs::path& folder, double seeds) {
  Observer quiet;
  return divided(load_folder(folder, {}, quiet), seeds);
}

std::vector<Start> starts(const fs::path& data) {
  AlignOptions open;
  open.deciding.pool = CandidatePool::open;
  open.deciding.compare = false;
  AlignOptions structure = open;
  structure.mode = Mode::semi;
  const auto d8 = [data] {
    Observer quiet;
    LoadOptions options;
    options.keep_literals = true;
    LoadedPair pair = load_files(data / "values/D8/left.nt.gz", data / "values/D8/right.nt.gz",
                                 data / "values/D8/gold.tsv", options, quiet);
    return divided(std::move(pair), 0);
  };
  const auto contea = [data] {
    Observer quiet;
    LoadOptions options;
    options.graph_format = Format::tsv;
    const fs::path base = data / "contea/ZH-EN/base";
    LoadedPair pair = load_files(base / "triples_1", base / "triples_2", {}, options, quiet);
    for (const char* file : {"train_links", "valid_links", "test_links"}) {
      for (const NamedLink& link : load_links(base / file, Format::links_tsv, {}, quiet)) {
        const auto left = pair.graphs.left().find(link.left), right = pair.graphs.right().find(link.right);
        if (left && right) pair.links.test.push_back({*left, *right});
      }
    }
    return divided(std::move(pair), 0.05);
  };
  return {{"zh_en", [=] { return divided_folder(data / "dbp15k/zh_en", 0.01); }, structure, true},
          {"D8", d8, open, false},
          {"contea", contea, structure, false}};
}

int run(int argc, char** argv) {
  if (argc < 2) {
    fmt::print("usage: bench_review DATA_FOLDER [zh_en|D8|contea [REVIEWS]]\n");
    return 2;
  }
  const std::string only = argc > 2 ? argv[2] : "";
  const std::size_t reviews = argc > 3 ? std::stoul(argv[3]) : 5;
  for (const Start& start : starts(argv[1])) {
    if (only.empty() || only == start.name) measure(start, reviews);
  }
  return 0;
}

}  // namespace
}  // namespace dovetail

int main(int argc, char** argv) {
  return dovetail::run(argc, argv);
}

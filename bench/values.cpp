// What values alone find, without seeds and with a tenth of the links: strict F1 (every link counts, the gold
// is complete; of persons and restaurants only what the gold knows), and the best F1 that any threshold would
// give. bench/values.py puts TF-IDF beside it.
// usage: bench_values DATA_FOLDER [NAME...] [--option=value...]
#include <dovetail/evaluation.h>
#include <dovetail/io.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "common/text.h"
#include "deciding/sinkhorn.h"
#include "values/value_matcher.h"

namespace dovetail {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Task {
  std::vector<EntityId> left, right;
  std::set<Link> gold, seeds;
  bool partial;  // the gold knows some kinds of entities only
};

std::set<Link> links_of(const std::string& path, const GraphPair& pair) {
  Observer quiet;
  std::set<Link> links;
  for (const NamedLink& link : load_links(path, Format::automatic, {}, quiet)) {
    const auto left = pair.left().find(link.left), right = pair.right().find(link.right);
    if (left && right) links.insert({*left, *right});
  }
  return links;
}

struct Decided {
  Link link;
  double sureness, chance;
};

/// One-to-one, the likeliest first.
std::vector<Decided> decide(const SparseScores& scores, double price, const Task& task, ThreadPool& pool) {
  SinkhornOptions options;
  options.temperature = 1;
  options.iterations = 20;
  options.no_counterpart = price;
  const LinkProbabilities likely = sinkhorn(scores, options, pool);
  struct Choice {
    float chance, none;
    std::uint32_t row, column;
  };
  std::vector<Choice> choices;
  for (std::uint32_t row = 0; row < scores.rows(); ++row) {
    for (std::uint64_t n = scores.begin[row]; n < scores.begin[row + 1]; ++n) {
      const std::uint32_t column = scores.column[n];
      choices.push_back(
          {likely.pairs.score[n], std::max(likely.none_row[row], likely.none_column[column]), row, column});
    }
  }
  std::ranges::stable_sort(choices, [](const Choice& a, const Choice& b) { return a.chance > b.chance; });
  std::vector<std::uint8_t> row_taken(scores.rows(), 0), column_taken(scores.columns, 0);
  std::vector<Decided> out;
  for (const Choice& choice : choices) {
    if (row_taken[choice.row] != 0 || column_taken[choice.column] != 0) continue;
    row_taken[choice.row] = column_taken[choice.column] = 1;
    out.push_back(
        {{task.left[choice.row], task.right[choice.column]}, choice.chance - choice.none, choice.chance});
  }
  return out;
}

struct Figures {
  double f1 = 0, best = 0, precision = 0, recall = 0, half = 0;
};

Figures judge(std::vector<Decided> links, const Task& task, bool seeded) {
  std::set<EntityId> known_left, known_right, gold_left;
  for (const Link& link : task.gold) gold_left.insert(link.left);
  if (seeded) {
    for (const Link& link : task.seeds) {
      known_left.insert(link.left);
      known_right.insert(link.right);
    }
  }
  std::erase_if(links, [&](const Decided& d) {
    return known_left.contains(d.link.left) || known_right.contains(d.link.right) ||
           (task.partial && !gold_left.contains(d.link.left));
  });
  std::ranges::stable_sort(links, [](const Decided& a, const Decided& b) { return a.sureness > b.sureness; });
  const std::size_t gold = task.gold.size() - (seeded ? task.seeds.size() : 0);
  Figures figures;
  std::size_t right = 0, said = 0;
  for (const Decided& d : links) {
    ++said;
    right += task.gold.contains(d.link) ? 1 : 0;
    const PrecisionRecall now = precision_recall(right, said, gold);
    figures.best = std::max(figures.best, now.f1);
    if (d.sureness > 0) figures = {now.f1, figures.best, now.precision, now.recall, figures.half};
    if (d.chance > .5) figures.half = now.f1;
  }
  return figures;
}

std::vector<float> known_by(const std::set<Link>& seeds, const Task& task, const SparseScores& pairs) {
  std::set<EntityId> left, right;
  for (const Link& link : seeds) {
    left.insert(link.left);
    right.insert(link.right);
  }
  std::vector<float> known(pairs.size(), -1);
  for (std::size_t row = 0; row < pairs.rows(); ++row) {
    for (std::uint64_t n = pairs.begin[row]; n < pairs.begin[row + 1]; ++n) {
      const Link link{task.left[row], task.right[pairs.column[n]]};
      if (seeds.contains(link))
        known[n] = 1;
      else if (left.contains(link.left) || right.contains(link.right))
        known[n] = 0;
    }
  }
  return known;
}

void run(const std::string& data, const std::string& name, const ValueOptions& options, bool details) {
  Observer quiet;
  ThreadPool pool(1);
  const std::string folder = data + "/values/" + name + "/";
  const auto start = std::chrono::steady_clock::now();
  LoadOptions load;
  load.keep_literals = true;
  const LoadedPair pair = load_files(folder + "left.nt.gz", folder + "right.nt.gz", "", load, quiet);
  Task task;
  task.left.resize(pair.graphs.left().entity_count());
  task.right.resize(pair.graphs.right().entity_count());
  std::iota(task.left.begin(), task.left.end(), 0U);
  std::iota(task.right.begin(), task.right.end(), 0U);
  task.gold = links_of(folder + "gold.tsv", pair.graphs);
  task.seeds = links_of(folder + "seeds10.tsv", pair.graphs);
  task.partial = name == "person" || name == "restaurant";
  const double loaded = seconds_since(start);
  const auto second = std::chrono::steady_clock::now();
  const ValueMatcher matcher(pair.graphs, options);
  const double made = seconds_since(second);
  const auto third = std::chrono::steady_clock::now();
  const SparseScores pairs = matcher.candidates(task.left, task.right, pool);
  const double found = seconds_since(third);
  std::size_t reached = 0;
  for (std::size_t row = 0; row < pairs.rows(); ++row) {
    for (const std::uint32_t column : pairs.columns_of(row)) {
      reached += task.gold.contains({task.left[row], task.right[column]}) ? 1 : 0;
    }
  }
  for (const bool seeded : {false, true}) {
    const auto fourth = std::chrono::steady_clock::now();
    const std::vector<float> known = seeded ? known_by(task.seeds, task, pairs) : std::vector<float>();
    const ValueModel model = matcher.learn(task.left, task.right, pairs, known, pool);
    const double learned = seconds_since(fourth);
    const SparseScores scores = matcher.scores(model, task.left, task.right, pairs, pool);
    const Figures figures = judge(decide(scores, 0, task, pool), task, seeded);
    fmt::print(
        "{:<11} {:<9} F1 {:.3f} (P {:.3f} R {:.3f}) best threshold {:.3f}  p>.5 {:.3f} none {:.2f}   recall "
        "of {} "
        "candidates {:.4f}   seconds: load {:.1f} terms {:.1f} candidates {:.1f} learn {:.1f}\n",
        name, seeded ? "10% seeds" : "no seeds", figures.f1, figures.precision, figures.recall, figures.best,
        figures.half, model.none_share, with_commas(pairs.size()),
        static_cast<double>(reached) / static_cast<double>(task.gold.size()), loaded, made, found, learned);
    std::fflush(stdout);
    if (!details) continue;
    for (const AttributeLink& link : attribute_links(model)) {
      fmt::print("    {} ~ {}: agree {:.2f} of {:.0f}, {:+.2f} / {:+.2f}\n",
                 last_part(pair.graphs.left().attributes()[link.left]),
                 last_part(pair.graphs.right().attributes()[link.right]), link.agree, link.seen,
                 link.weight_for, link.weight_against);
    }
  }
}

bool set_option(ValueOptions& options, const std::string& text) {
  const std::size_t at = text.find('=');
  if (!text.starts_with("--") || at == text.npos) return false;
  const std::string key = text.substr(2, at - 2);
  const double value = std::strtod(text.c_str() + at + 1, nullptr);
  ValueLearningOptions& learning = options.learning;
  if (key == "rounds")
    learning.rounds = static_cast<std::size_t>(value);
  else if (key == "features")
    learning.features = static_cast<std::size_t>(value);
  else if (key == "least-gain")
    learning.least_gain = value;
  else if (key == "penalty")
    learning.penalty = value;
  else if (key == "prior")
    learning.prior = value;
  else if (key == "first-share")
    learning.first_share = value;
  else if (key == "fitted-on")
    learning.fitted_on = static_cast<std::size_t>(value);
  else if (key == "groupings")
    learning.groupings = static_cast<std::size_t>(value);
  else if (key == "fewest")
    options.blocking.fewest = static_cast<std::size_t>(value);
  else if (key == "candidates")
    options.blocking.candidates = static_cast<std::size_t>(value);
  else if (key == "looked-at")
    options.blocking.looked_at = static_cast<std::size_t>(value);
  else
    return false;
  return true;
}

}  // namespace
}  // namespace dovetail

int main(int argc, char** argv) {
  std::vector<std::string> names;
  dovetail::ValueOptions options;
  bool details = false;
  for (int i = 2; i < argc; ++i) {
    if (std::string(argv[i]) == "--details")
      details = true;
    else if (!dovetail::set_option(options, argv[i]))
      names.emplace_back(argv[i]);
  }
  if (argc < 2) {
    fmt::print(stderr, "usage: bench_values DATA_FOLDER [NAME...] [--details] [--option=value...]\n");
    return 2;
  }
  if (names.empty()) names = {"person", "restaurant", "D2", "D4", "D5", "D8"};
  for (const std::string& name : names) dovetail::run(argv[1], name, options, details);
}

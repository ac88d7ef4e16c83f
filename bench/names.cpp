// Hits@1 of names alone, closed world over the test links, ties against us, and what the search costs on one
// thread; then a search over all entities. bench/word_vectors.py makes a file of word vectors.
// usage: bench_names DATA_FOLDER [WORD_VECTORS]
#include <dovetail/evaluation.h>
#include <dovetail/io.h>
#include <dovetail/names.h>

#include <chrono>
#include <fmt/format.h>
#include <numeric>
#include <string>
#include <vector>

#include "common/text.h"
#include "formats/word_vectors.h"
#include "literal/name_search.h"
#include "unit.h"

namespace dovetail {
namespace {

constexpr std::size_t kCandidates = 50;

/// The share of test links whose two ends are each other's best, strictly, in either direction. The best of
/// each side is always among the candidates, so that these are enough to know.
struct Hits {
  double left_to_right = 0, right_to_left = 0;
};

Hits hits_at_1(const SparseScores& scores) {
  std::vector<float> row_best(scores.rows(), 0), column_best(scores.columns, 0), own(scores.rows(), 0);
  std::vector<std::size_t> row_count(scores.rows(), 0), column_count(scores.columns, 0);
  const auto offer = [](float score, float& best, std::size_t& count) {
    if (score > best) count = 0;
    best = std::max(best, score);
    count += score == best ? 1 : 0;
  };
  for (std::size_t i = 0; i < scores.rows(); ++i) {
    for (std::size_t n = 0; n < scores.columns_of(i).size(); ++n) {
      const std::uint32_t j = scores.columns_of(i)[n];
      offer(scores.scores_of(i)[n], row_best[i], row_count[i]);
      offer(scores.scores_of(i)[n], column_best[j], column_count[j]);
      if (i == j) own[i] = scores.scores_of(i)[n];
    }
  }
  Hits hits;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i] <= 0) continue;
    hits.left_to_right += own[i] == row_best[i] && row_count[i] == 1 ? 1 : 0;
    hits.right_to_left += own[i] == column_best[i] && column_count[i] == 1 ? 1 : 0;
  }
  const auto count = static_cast<double>(own.size());
  return {hits.left_to_right / count, hits.right_to_left / count};
}

struct Way {
  const char* what;
  NameOptions options;
};

void run(const std::string& data, const std::string& word_vectors) {
  std::vector<Way> ways = {
      {"characters", {.weights = {1, 0, 0}}},
      {"characters, words", {}},
      {"characters, original", {.source = NameSource::identifiers, .weights = {1, 0, 0}}},
      {"characters, words, original", {.source = NameSource::identifiers}}};
  if (!word_vectors.empty()) {
    ways.push_back({"word vectors", {.weights = {0, 0, 1}, .left_vectors = word_vectors}});
    ways.push_back({"characters, words, word vectors", {.left_vectors = word_vectors}});
  }
  Observer observer;
  ThreadPool pool(1);
  const double unit = measure_unit();
  fmt::print("{:<15} {:<32} {:>7} {:>7}  seconds: {:>7} {:>7}   units of {:.2f} s: {:>6}\n", "", "Hits@1",
             "to right", "to left", "vectors", "search", unit, "search");
  for (const char* folder : {"dbp15k/zh_en", "dbp15k/fr_en", "srprs/fr_en"}) {
    const LoadedPair pair = load_folder(data + "/" + folder, {}, observer);
    std::vector<EntityId> left, right;
    for (const Link& link : pair.links.test) {
      left.push_back(link.left);
      right.push_back(link.right);
    }
    for (const auto& [what, options] : ways) {
      const auto start = std::chrono::steady_clock::now();
      const NameSimilarity names(pair.graphs, options, read_word_vectors, pool, observer);
      const double made = seconds_since(start);
      const auto middle = std::chrono::steady_clock::now();
      const Hits hits = hits_at_1(names.search(left, right, kCandidates, pool));
      const double found = seconds_since(middle);
      fmt::print("{:<15} {:<32} {:>8.4f} {:>7.4f}           {:>7.2f} {:>7.2f} {:>24.2f}\n", folder, what,
                 hits.left_to_right, hits.right_to_left, made, found, found / unit);
      std::fflush(stdout);
    }
    const NameSimilarity names(pair.graphs, {}, pool);
    std::vector<EntityId> all_left(pair.graphs.left().entity_count());
    std::vector<EntityId> all_right(pair.graphs.right().entity_count());
    std::iota(all_left.begin(), all_left.end(), 0U);
    std::iota(all_right.begin(), all_right.end(), 0U);
    const auto start = std::chrono::steady_clock::now();
    const std::size_t pairs = names.search(all_left, all_right, kCandidates, pool).size();
    const double found = seconds_since(start);
    fmt::print("{:<15} {:<57} {:>7.2f} {:>24.2f}\n", folder,
               fmt::format("all {} x {}: {} candidates", with_commas(all_left.size()),
                           with_commas(all_right.size()), with_commas(pairs)),
               found, found / unit);
  }
}

}  // namespace
}  // namespace dovetail

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    fmt::print(stderr, "usage: bench_names DATA_FOLDER [WORD_VECTORS]\n");
    return 2;
  }
  dovetail::run(argv[1], argc > 2 ? argv[2] : "");
}

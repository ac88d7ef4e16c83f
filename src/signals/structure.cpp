#include "signals/structure.h"

#include <algorithm>
#include <utility>

#include "evidence/likely_pairs.h"
#include "kernels/scores.h"
#include "pairs/best_pairs.h"

namespace dovetail {
namespace {

/// Entities up to which an approximate search may look for twice as many candidates.
constexpr std::size_t kWidePool = 250'000;

/// The rows that no sure pair settles.
std::vector<std::uint32_t> unsettled(const std::vector<bool>& settled) {
  std::vector<std::uint32_t> places;
  for (std::uint32_t i = 0; i < settled.size(); ++i) {
    if (!settled[i]) places.push_back(i);
  }
  return places;
}

class Structure : public Signal {
 public:
  Structure(const GraphPair& pair, const Pools& pools, const AlignOptions& options, ThreadPool& pool)
      : pair_(pair), pools_(pools), options_(options), pool_(pool) {}

  [[nodiscard]] std::string_view name() const override { return "structure"; }
  [[nodiscard]] bool speaks() const override { return vectors_ != nullptr; }

  void take_vectors(const MatchVectors* vectors, std::span<const Link> known) override {
    vectors_ = vectors;
    known_ = known;
  }

  [[nodiscard]] std::optional<Found> propose(const SparseScores* believed) const override {
    Found found = believed == nullptr ? search_all() : search_unsettled(*believed);
    if (options_.matching.csls_neighbours == 0) found.left_mean = found.right_mean = {};
    return found;
  }

  [[nodiscard]] float score(std::size_t row, std::size_t column) const override {
    return dot_rows(vectors_->left.row(row), vectors_->right.row(column), vectors_->left.columns());
  }

  [[nodiscard]] bool is_cosine() const override { return true; }
  void weigh(std::span<float> corrected) const override {
    const auto unit = static_cast<float>(options_.deciding.structure_scale);
    for (float& score : corrected) score /= unit;
  }
  [[nodiscard]] double temperature() const override { return options_.deciding.temperature; }
  [[nodiscard]] std::size_t iterations() const override { return options_.deciding.iterations; }

  [[nodiscard]] std::optional<PairRanks> rank(const SparseScores& scores, const SignalScores& own,
                                              RowPairs pairs) const override {
    // Where a search looks at some pairs only, nothing else will look at all.
    if (vectors_ == nullptr || !compares_all(pools_.left.size(), pools_.right.size(), options_.matching)) {
      return std::nullopt;
    }
    return rank_pairs(scores, own.left_mean, own.right_mean, *vectors_, pairs, pool_);
  }

 private:
  [[nodiscard]] Found search_all() const {
    const std::size_t left = pools_.left.size(), right = pools_.right.size();
    MatchingOptions matching = options_.matching;
    matching.candidates = settled_candidates(options_, left, right);
    if (compares_all(left, right, matching)) return search(*vectors_, matching, pool_);
    const SparseScores likely =
        likely_pairs(pair_, known_, pools_.left, pools_.right, options_.rules, options_.beliefs, pool_);
    return search(*vectors_, matching, pool_, &likely);
  }

  /// Only entities that no pair settles which is believed in so far.
  [[nodiscard]] Found search_unsettled(const SparseScores& believed) const {
    std::vector<bool> row_settled(pools_.left.size(), false), column_settled(pools_.right.size(), false);
    for (const Decision& pair : mutual_best(believed)) {
      if (pair.score <= static_cast<float>(options_.beliefs.settled)) continue;
      row_settled[pair.row] = true;
      column_settled[pair.column] = true;
    }
    const std::vector<std::uint32_t> rows = unsettled(row_settled), columns = unsettled(column_settled);
    MatchingOptions matching = options_.matching;
    matching.candidates = settled_candidates(options_, rows.size(), columns.size());
    const Found part = search(select_rows(*vectors_, rows, columns), matching, pool_);
    Found found;
    found.complete = false;
    found.left_mean.assign(pools_.left.size(), 0);
    found.right_mean.assign(pools_.right.size(), 0);
    SparseBuilder similarity(pools_.left.size(), pools_.right.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      found.left_mean[rows[i]] = part.left_mean[i];
      for (std::uint64_t n = part.similarity.begin[i]; n < part.similarity.begin[i + 1]; ++n) {
        similarity.add(rows[i], columns[part.similarity.column[n]], part.similarity.score[n]);
      }
    }
    for (std::size_t i = 0; i < columns.size(); ++i) found.right_mean[columns[i]] = part.right_mean[i];
    found.similarity = similarity.build();
    return found;
  }

  const GraphPair& pair_;
  const Pools& pools_;
  const AlignOptions& options_;
  ThreadPool& pool_;
  const MatchVectors* vectors_ = nullptr;
  std::span<const Link> known_;
};

class StructureSource : public SignalSource {
 public:
  explicit StructureSource(const GraphPair& pair) : pair_(pair) {}
  [[nodiscard]] std::string_view name() const override { return "structure"; }
  [[nodiscard]] std::unique_ptr<Signal> in(const Pools& pools, const AlignOptions& options,
                                           ThreadPool& pool) const override {
    return std::make_unique<Structure>(pair_, pools, options, pool);
  }

 private:
  const GraphPair& pair_;
};

}  // namespace

std::unique_ptr<SignalSource> structure_source(const SignalContext& context) {
  return std::make_unique<StructureSource>(context.pair);
}

std::size_t settled_candidates(const AlignOptions& options, std::size_t left_pool, std::size_t right_pool) {
  const MatchingOptions& matching = options.matching;
  if (compares_all(left_pool, right_pool, matching)) return matching.candidates;
  if (options.mode != Mode::basic) {
    return (std::min(left_pool, right_pool) <= kWidePool ? 2 : 1) * matching.candidates;
  }
  return matching.csls_neighbours == 0 ? matching.candidates
                                       : std::min(matching.candidates, matching.csls_neighbours);
}

}  // namespace dovetail

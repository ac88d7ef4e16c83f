#include "values/blocking.h"

#include <algorithm>
#include <array>
#include <vector>

namespace dovetail {

namespace {

/// Which entities of one side a term is in: the transpose of their rows. Grams come first, words follow.
class TermIndex {
 public:
  TermIndex(const ValueTerms& terms, Side side, std::span<const EntityId> entities)
      : words_from_(static_cast<std::uint32_t>(terms.grams().terms)),
        postings_(TermRows::grouped(terms.grams().terms + terms.words().terms, [&](const auto& body) {
          for (std::uint32_t n = 0; n < entities.size(); ++n) {
            for_each_term(terms, side, entities[n], [&](const WeightedTerm& term) {
              body(term.term, WeightedTerm{n, term.weight});
            });
          }
        })) {}

  /// The terms of an entity in this index's numbering.
  template <typename Body>
  void for_each_term(const ValueTerms& terms, Side side, EntityId entity, const Body& body) const {
    const auto at = static_cast<std::size_t>(side);
    for (const WeightedTerm& term : terms.grams().entities[at][entity]) body(term);
    for (const WeightedTerm& term : terms.words().entities[at][entity]) {
      body(WeightedTerm{term.term + words_from_, term.weight});
    }
  }
  /// (position of an entity, weight) of all that have the term.
  [[nodiscard]] std::span<const WeightedTerm> with(std::uint32_t term) const { return postings_[term]; }

 private:
  std::uint32_t words_from_;
  TermRows postings_;  // by term: an entity's position instead of a term
};

/// Finds the best of an index for one entity after the other. One a thread.
class Finder {
 public:
  Finder(const TermIndex& index, std::size_t entities) : index_(index), scores_(entities, 0) {}

  void find(const ValueTerms& terms, Side side, EntityId entity, const ValueOptions& options,
            std::size_t list, TopLists& best) {
    own_.clear();
    index_.for_each_term(terms, side, entity, [&](const WeightedTerm& term) {
      if (term.weight > 0 && !index_.with(term.term).empty()) own_.push_back(term);
    });
    const auto rarity = [&](const WeightedTerm& term) {
      return std::pair(index_.with(term.term).size(), term.term);
    };
    std::ranges::sort(own_, {}, rarity);
    std::size_t looked_at = 0;
    for (const WeightedTerm& term : own_) {
      const std::span<const WeightedTerm> postings = index_.with(term.term);
      looked_at += postings.size();
      if (looked_at > options.looked_at) break;
      for (const WeightedTerm& posting : postings) {
        if (scores_[posting.term] == 0) touched_.push_back(posting.term);
        scores_[posting.term] += term.weight * posting.weight;
      }
    }
    for (const std::uint32_t n : touched_) {
      if (scores_[n] > 0 && scores_[n] >= best.least()[list]) best.offer(list, {n, scores_[n]});
      scores_[n] = 0;
    }
    touched_.clear();
  }

 private:
  const TermIndex& index_;
  std::vector<float> scores_;
  std::vector<std::uint32_t> touched_;
  std::vector<WeightedTerm> own_;
};

constexpr std::size_t kBlockingGrain = 256;

TopLists best_of(const ValueTerms& terms, Side side, std::span<const EntityId> from, Side other,
                 std::span<const EntityId> among, const ValueOptions& options, ThreadPool& pool) {
  const std::size_t even = options.candidates * among.size() / std::max<std::size_t>(from.size(), 1);
  TopLists best(from.size(),
                std::clamp(even, std::min(options.fewest, options.candidates), options.candidates));
  const TermIndex index(terms, other, among);
  pool.for_ranges(from.size(), kBlockingGrain, [&](std::size_t begin, std::size_t end) {
    Finder finder(index, among.size());
    for (std::size_t n = begin; n < end; ++n) finder.find(terms, side, from[n], options, n, best);
  });
  return best;
}

/// The score of both directions for a pair: what terms the other direction looked at must not matter.
float exact(const ValueTerms& terms, EntityId left, EntityId right) {
  return dot(terms.grams().entities[0][left], terms.grams().entities[1][right]) +
         dot(terms.words().entities[0][left], terms.words().entities[1][right]);
}

}  // namespace

SparseScores value_candidates(const ValueTerms& terms, std::span<const EntityId> left,
                              std::span<const EntityId> right, const ValueOptions& options,
                              ThreadPool& pool) {
  TopLists rows = best_of(terms, Side::left, left, Side::right, right, options, pool);
  TopLists columns = best_of(terms, Side::right, right, Side::left, left, options, pool);
  SparseScores pairs = union_of(rows, columns, pool);
  pool.for_ranges(pairs.rows(), kBlockingGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      for (std::uint64_t n = pairs.begin[row]; n < pairs.begin[row + 1]; ++n) {
        pairs.score[n] = exact(terms, left[row], right[pairs.column[n]]);
      }
    }
  });
  return pairs;
}

}  // namespace dovetail

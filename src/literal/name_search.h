#pragma once

#include <dovetail/graph.h>
#include <dovetail/names.h>
#include <dovetail/observer.h>

#include <cstddef>
#include <span>

#include "common/threads.h"
#include "literal/name_vectors.h"
#include "pairs/sparse_scores.h"

namespace dovetail {

/// How alike the names of entities are: from 0, nothing in common, to 1, the same words (below 0 only where
/// word vectors point away from each other). See NameWeights for what goes into it.
class NameSimilarity {
 public:
  /// `read` reads the word vectors, if the options name files of them.
  NameSimilarity(const GraphPair& pair, const NameOptions& options, const WordVectorReader& read,
                 ThreadPool& pool, Observer& observer);
  /// Without files of word vectors.
  NameSimilarity(const GraphPair& pair, const NameOptions& options, ThreadPool& pool);

  /// Exact, for any left entity and any right one; 0 where one of them has no name.
  [[nodiscard]] float score(EntityId left, EntityId right) const;

  /// For every entity of `left` the k most similar ones of `right`, and for every one of `right` the k most
  /// similar ones of `left`, together. Rows are positions in `left`, columns positions in `right`; a pair's
  /// score is what score() says. Pairs with nothing in common are no candidates, so that an entity without a
  /// name has none. Of equals the one that comes first in the list. All pairs are looked at.
  [[nodiscard]] SparseScores search(std::span<const EntityId> left, std::span<const EntityId> right,
                                    std::size_t k, ThreadPool& pool) const;

  /// How many entities of a side have a name.
  [[nodiscard]] std::size_t named(Side side) const { return vectors_.side(side).named; }
  /// How many of these have a name that no other entity of the side has.
  [[nodiscard]] std::size_t unique(Side side) const { return vectors_.side(side).unique; }
  [[nodiscard]] bool has_name(Side side, EntityId entity) const {
    return vectors_.side(side).has_name[entity] != 0;
  }
  /// Share of the words in a side's names, repetitions counted, that have a word vector; 0 without these.
  [[nodiscard]] double known_words(Side side) const { return vectors_.side(side).known_words; }
  [[nodiscard]] const NameVectors& vectors() const { return vectors_; }

 private:
  NameVectors vectors_;
};

}  // namespace dovetail

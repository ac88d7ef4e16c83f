#pragma once

#include <dovetail/align.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "common/threads.h"
#include "matching/score_panels.h"
#include "matching/top_k.h"

namespace dovetail {

/// For each row of one side its best counterparts, best first, and what CSLS subtracts.
struct SideCandidates {
  std::vector<std::vector<Scored>> lists;  ///< by row; scores CSLS-corrected
  std::vector<float> mean;                 ///< by row: mean score of its nearest ones; 0 without CSLS
  std::vector<float> panel_mean;  ///< the same from the scores as the search saw them, low precision or not
};

/// Finds for every left row its best right rows and the other way round, by
/// CSLS: 2 s(i, j) - r(i) - r(j), r the mean score of the nearest ones; or by s itself.
class Matcher {
 public:
  Matcher(const MatchVectors& vectors, const MatchingOptions& options, ThreadPool& pool);

  [[nodiscard]] const SideCandidates& left() const { return left_; }
  [[nodiscard]] const SideCandidates& right() const { return right_; }

  /// The rank of each pair's right row among all right rows for its left one, and of its left row for its
  /// right one; equals count as better. A second pass over all scores, at the precision of the search, since
  /// a rank within the candidates would forget those that the search missed; rank 1 is what the candidates
  /// say.
  struct Ranks {
    std::vector<std::uint32_t> left_to_right, right_to_left;
  };
  [[nodiscard]] Ranks ranks(std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs);

 private:
  void search();
  /// Exact scores for what the search found, if it was not exact; then sorted.
  void refine(TopLists& lists, bool of_left, SideCandidates& side);
  void exchange();
  void correct(const SideCandidates& other, SideCandidates& side) const;

  const MatchVectors& vectors_;
  MatchingOptions options_;
  ThreadPool& pool_;
  ScorePanels panels_;
  SideCandidates left_, right_;
};

}  // namespace dovetail

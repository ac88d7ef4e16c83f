#pragma once

#include <dovetail/align.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "common/buffer.h"
#include "common/threads.h"
#include "matching/four_bit_codes.h"
#include "matching/match_vectors.h"
#include "matching/regions.h"

namespace dovetail {

/// Scores of left rows with right rows, some at a time, so that memory does not grow with the product of
/// both: of all with all or, in an approximate search, of left rows with the right rows of regions near them.
class ScorePanels {
 public:
  /// Vectors outlive the panels.
  ScorePanels(const MatchVectors& vectors, const MatchingOptions& options, ThreadPool& pool);

  struct Panel {
    std::span<const std::uint32_t> left, right;  ///< row numbers, ascending
    const float* scores;                         ///< [left, right]
  };
  using Body = std::function<void(const Panel&)>;
  /// Calls body with one panel after the other; the body may use the pool. No pair is in two panels.
  void for_each(const Body& body);

 private:
  void for_region(std::span<const std::uint32_t> left, std::span<const std::uint32_t> right,
                  const Body& body);
  void fill(std::span<const std::uint32_t> left, std::span<const std::uint32_t> right);

  const MatchVectors& vectors_;
  Search search_;
  ThreadPool& pool_;
  FourBitCodes codes_;
  Regions regions_;
  Buffer<float> scores_;
};

}  // namespace dovetail

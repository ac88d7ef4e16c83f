#pragma once

#include <dovetail/matching.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "common/buffer.h"
#include "common/threads.h"
#include "matching/four_bit_codes.h"
#include "matching/match_vectors.h"

namespace dovetail {

/// Scores of all left rows with all right rows, some left rows at a time, so that memory does not grow with
/// the product of both.
class ScorePanels {
 public:
  /// Vectors outlive the panels.
  ScorePanels(const MatchVectors& vectors, const MatchingOptions& options, ThreadPool& pool);

  struct Panel {
    std::size_t first, rows;  ///< left ones
    const float* scores;      ///< [rows, right rows]
  };
  using Body = std::function<void(const Panel&)>;
  /// Calls body with one panel after the other; the body may use the pool.
  void for_each(const Body& body);

 private:
  void fill(std::size_t first, std::size_t rows);

  const MatchVectors& vectors_;
  Search search_;
  ThreadPool& pool_;
  FourBitCodes codes_;
  Buffer<float> scores_;
};

}  // namespace dovetail

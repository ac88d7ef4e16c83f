#pragma once

#include <dovetail/align.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "common/buffer.h"
#include "common/threads.h"
#include "matching/match_vectors.h"

namespace dovetail {

/// Scores of all left rows with all right rows, some left rows at a time, so that memory does not grow with
/// the product of both.
class ScorePanels {
 public:
  /// Vectors outlive the panels.
  ScorePanels(const MatchVectors& vectors, const MatchingOptions& options, ThreadPool& pool);

  struct Panel {
    std::size_t first, rows;  ///< left rows
    const float* scores;      ///< [rows, right rows]
    std::size_t stride;
  };
  /// Calls body with one panel after the other; the body may use the pool.
  void for_each(const std::function<void(const Panel&)>& body);

 private:
  void quantise(const MatchingOptions& options);
  void fill(std::size_t first, std::size_t rows);

  const MatchVectors& vectors_;
  Search search_;
  ThreadPool& pool_;
  std::size_t columns_;  // of the codes, or of the vectors
  Matrix<std::uint8_t> left_codes_, right_codes_;
  std::vector<std::int32_t> right_sums_;
  float unit_ = 1;  // of the codes' products
  Buffer<float> scores_;
};

}  // namespace dovetail

#pragma once

#include <dovetail/training.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/buffer.h"
#include "common/random.h"
#include "common/threads.h"
#include "encoder/message_graph.h"
#include "encoder/parameters.h"

namespace dovetail {

/// Chooses the entities that stand in for the ends of links in negative samples: always of the same graph as
/// the end they stand in for.
class NegativeSampler {
 public:
  NegativeSampler(const LossOptions& options, const NodeOrder& order);

  /// Nodes in place of the left and of the right end of each link: [links, negative_count] each.
  struct Drawn {
    std::vector<std::uint32_t> left, right;
  };
  [[nodiscard]] Drawn draw(std::span<const NodePair> links, std::uint64_t seed) const;

  /// Whether draws are from lists of nearest neighbours, which renew() makes.
  [[nodiscard]] bool follows_features() const { return options_.negatives == Negatives::nearest; }

  /// features: [all nodes, columns]. Lists the nearest neighbours of the links' ends, by cosine.
  template <typename Row>
  void renew(std::span<const NodePair> links, const Matrix<Row>& features, ThreadPool& pool);

  /// The lists, for an archive to write or to read.
  template <typename Archive>
  void visit_state(Archive& archive) {
    archive(list_of_, nearest_);
  }

  /// Of the lists, and of what making them took.
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  /// The nodes of one graph.
  struct Range {
    std::uint32_t begin, end;
  };
  void list_nearest(const std::vector<std::uint32_t>& nodes, Range graph, const Matrix<Bfloat16>& directions,
                    ThreadPool& pool);
  [[nodiscard]] std::uint32_t draw_one(std::uint32_t node, Range graph, Random& random) const;

  LossOptions options_;
  Range left_, right_;
  std::vector<std::uint32_t> list_of_;               // [nodes] or kNone
  std::vector<std::vector<std::uint32_t>> nearest_;  // [lists]
  std::size_t renewal_bytes_ = 0;
};

}  // namespace dovetail

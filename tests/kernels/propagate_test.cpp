#include "kernels/propagate.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "common/random.h"
#include "encoder/message_graph.h"
#include "encoder/tiny_pair.h"
#include "kernels/every_target.h"

namespace dovetail {
namespace {

constexpr std::size_t kWidth = 32;

std::vector<float> floats(std::size_t size, std::uint64_t seed, double low, double high) {
  Random random(seed);
  std::vector<float> values(size);
  for (float& value : values) value = static_cast<float>(low + (high - low) * random.uniform());
  return values;
}

std::vector<Bfloat16> random_rows(std::size_t size, std::uint64_t seed) {
  std::vector<Bfloat16> result;
  for (const float value : floats(size, seed, -0.8, 0.8)) result.push_back(to_bfloat16(value));
  return result;
}

void expect_close(const std::vector<Bfloat16>& a, const std::vector<Bfloat16>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(to_real(a[i]), to_real(b[i]), 0.01 * std::abs(to_real(b[i])) + 2e-4) << "at " << i;
  }
}

void expect_close(const std::vector<float>& a, const std::vector<float>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_NEAR(a[i], b[i], 2e-3 * (1 + std::abs(b[i]))) << "at " << i;
}

class Propagate : public testing::TestWithParam<std::size_t> {
 protected:
  Propagate()
      : pair_(tiny_pair(30, 5, 120, 3)),
        graph_(whole_graph(pair_, breadth_first_order(pair_, pool_), pool_)),
        shape_{.width = kWidth, .features = GetParam()} {
    for (std::size_t i = 0; i < graph_.node_count; ++i) need_.push_back(static_cast<std::uint8_t>(i % 4));
  }

  [[nodiscard]] Reflections<float> reflections() const {
    return {r_.data(), p_scale_.data(), q_scale_.data(), p_scale_.data()};
  }

  ThreadPool pool_{1};
  GraphPair pair_;
  MessageGraph graph_;
  RowShape shape_;
  std::vector<std::uint8_t> need_;
  std::size_t relations_ = 2 * pair_.relation_count();
  std::vector<float> r_ = floats(relations_ * kWidth, 1, -0.3, 0.3);
  std::vector<float> p_scale_ = floats(relations_, 2, 0.5, 1.5);
  std::vector<float> q_scale_ = floats(relations_, 3, 0.5, 1.5);
  std::vector<float> weight_ = floats(graph_.out.edge_count(), 4, 0, 0.5);
};

TEST_P(Propagate, ForwardMatchesNaive) {
  const std::size_t size = graph_.node_count * shape_.size();
  const std::vector<Bfloat16> x = random_rows(size, 5);
  for (const bool elu : {true, false})
    on_every_target([&] {
      std::vector<Bfloat16> fast(size), slow(size);
      std::vector<float> scratch(4 * shape_.size());
      PropagateForward<float> layer{.edges = graph_.out.view(),
                                    .shape = shape_,
                                    .reflections = reflections(),
                                    .weight = weight_.data(),
                                    .need = need_.data(),
                                    .least = 2,
                                    .elu = elu,
                                    .x = x.data(),
                                    .y = fast.data()};
      propagate_forward(layer, 0, graph_.node_count, scratch.data());
      layer.y = slow.data();
      naive::propagate_forward(layer, 0, graph_.node_count, scratch.data());
      expect_close(fast, slow);
    });
}

/// One backward pass with sums of its own.
struct BackwardRun {
  std::vector<Bfloat16> rows, stream;
  std::vector<float> sums, normal, above, here;
  std::vector<std::uint8_t> touched;

  BackwardRun(std::vector<Bfloat16> start, std::size_t relations)
      : rows(std::move(start)),
        stream(random_rows(rows.size(), 10)),
        sums(relations * kWidth),
        normal(relations),
        above(relations),
        here(relations),
        touched(relations) {}

  RelationSums<float> view() {
    return {sums.data(), normal.data(), above.data(), here.data(), touched.data()};
  }
};

TEST_P(Propagate, BackwardMatchesNaive) {
  const std::size_t size = graph_.node_count * shape_.size();
  const std::vector<Bfloat16> x = random_rows(size, 6), above = random_rows(size, 7),
                              addend = random_rows(3 * shape_.size(), 8), input = random_rows(size, 11);
  std::vector<std::uint32_t> addend_of(graph_.node_count, UINT32_MAX);
  for (std::uint32_t i = 0; i < 3; ++i) addend_of[7 * i + 3] = i;
  const std::vector<float> scale = floats(graph_.node_count * shape_.features, 9, 0.1, 1);
  for (const bool residual : {false, true})
    on_every_target([&] {
      BackwardRun fast(x, relations_), slow(x, relations_);
      std::vector<float> scratch(4 * shape_.size());
      PropagateBackward<float> layer{.in = graph_.in.view(),
                                     .out = graph_.out.view(),
                                     .shape = shape_,
                                     .reflections = reflections(),
                                     .in_edge = graph_.in_edge.data(),
                                     .weight_above = weight_.data(),
                                     .above = above.data(),
                                     .weight_here = weight_.data(),
                                     .need = need_.data(),
                                     .least = 1,
                                     .addend = addend.data(),
                                     .addend_of = addend_of.data(),
                                     .addend_stride = shape_.size(),
                                     .dense_addend = nullptr,
                                     .scale = scale.data(),
                                     .raw_entity = false,
                                     .relation_block = static_cast<int>(shape_.features) - 1,
                                     .input = residual ? input.data() : nullptr,
                                     .stream = residual ? fast.stream.data() : nullptr,
                                     .rows = fast.rows.data()};
      propagate_backward(layer, fast.view(), 0, graph_.node_count, scratch.data());
      layer.rows = slow.rows.data();
      if (residual) layer.stream = slow.stream.data();
      naive::propagate_backward(layer, slow.view(), 0, graph_.node_count, scratch.data());
      expect_close(fast.rows, slow.rows);
      expect_close(fast.stream, slow.stream);
      expect_close(fast.sums, slow.sums);
      expect_close(fast.normal, slow.normal);
      expect_close(fast.above, slow.above);
      expect_close(fast.here, slow.here);
      EXPECT_EQ(fast.touched, slow.touched);
    });
}

INSTANTIATE_TEST_SUITE_P(Features, Propagate, testing::Values(1, 2));

}  // namespace
}  // namespace dovetail

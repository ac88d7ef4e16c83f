// Every gradient of the training step against finite differences, in double precision, through the same code
// that trains in single precision.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <ostream>
#include <string>
#include <vector>

#include "alignment/workbench.h"
#include "common/random.h"
#include "encoder/tiny_pair.h"
#include "training/trainer.h"

namespace dovetail {
namespace {

struct Case {
  std::string name;
  AlignOptions options;

  friend void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }
};

AlignOptions small_options() {
  AlignOptions options;
  options.encoder.dimension = 3;
  options.training.optimiser = Optimiser::gradient_descent;
  options.training.learning_rate = 1;  // so that a step subtracts exactly the gradient
  options.sampling.method = Sampling::none;
  return options;
}

template <typename Change>
Case make_case(const std::string& name, const Change& change) {
  Case result{name, small_options()};
  change(result.options);
  return result;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const Attention attention : {Attention::none, Attention::by_relation, Attention::three_part}) {
    for (const Reflection reflection : {Reflection::unit, Reflection::released}) {
      for (const std::size_t depth : {1, 2, 3}) {
        cases.push_back(make_case(fmt::format("attention{}_reflection{}_depth{}", static_cast<int>(attention),
                                              static_cast<int>(reflection), depth),
                                  [&](AlignOptions& o) {
                                    o.encoder.attention = attention;
                                    o.encoder.reflection = reflection;
                                    o.encoder.depth = depth;
                                  }));
      }
    }
    for (const EntityFeature entity :
         {EntityFeature::none, EntityFeature::raw, EntityFeature::neighbour_mean}) {
      for (const bool relation : {false, true}) {
        if (entity == EntityFeature::none && !relation) continue;
        cases.push_back(make_case(fmt::format("attention{}_entity{}_relation{}", static_cast<int>(attention),
                                              static_cast<int>(entity), relation),
                                  [&](AlignOptions& o) {
                                    o.encoder.attention = attention;
                                    o.encoder.entity_feature = entity;
                                    o.encoder.relation_feature = relation;
                                  }));
      }
    }
  }
  for (const unsigned power : {1, 3}) {
    for (const bool standardise : {false, true}) {
      for (const double dropout : {0.0, 0.3}) {
        cases.push_back(
            make_case(fmt::format("power{}_standardise{}_dropout{}", power, standardise, dropout > 0),
                      [&](AlignOptions& o) {
                        o.loss.power = power;
                        o.loss.standardise = standardise;
                        o.loss.dropout = dropout;
                      }));
      }
    }
  }
  for (const Transform transform : {Transform::linear, Transform::none}) {
    for (const Attention attention : {Attention::none, Attention::by_relation, Attention::three_part}) {
      for (const bool unit : {false, true}) {
        cases.push_back(make_case(fmt::format("transform{}_attention{}_unit{}", static_cast<int>(transform),
                                              static_cast<int>(attention), unit),
                                  [&](AlignOptions& o) {
                                    o.encoder.transform = transform;
                                    o.encoder.attention = attention;
                                    o.encoder.reflection = unit ? Reflection::unit : Reflection::released;
                                  }));
      }
    }
  }
  for (const Representation representation : {Representation::residual, Representation::last}) {
    for (const Transform transform : {Transform::reflection, Transform::linear}) {
      for (const Attention attention : {Attention::by_relation, Attention::three_part}) {
        for (const std::size_t depth : {1, 2}) {
          cases.push_back(make_case(fmt::format("representation{}_transform{}_attention{}_depth{}",
                                                static_cast<int>(representation), static_cast<int>(transform),
                                                static_cast<int>(attention), depth),
                                    [&](AlignOptions& o) {
                                      o.encoder.representation = representation;
                                      o.encoder.transform = transform;
                                      o.encoder.attention = attention;
                                      o.encoder.depth = depth;
                                    }));
        }
      }
    }
  }
  for (const Attention attention : {Attention::by_relation, Attention::three_part, Attention::symmetric}) {
    cases.push_back(
        make_case(fmt::format("self_loops_attention{}", static_cast<int>(attention)), [&](AlignOptions& o) {
          o.encoder.self_loops = true;
          o.encoder.attention = attention;
        }));
  }
  for (const Negatives negatives : {Negatives::uniform, Negatives::nearest}) {
    for (const double dropout : {0.0, 0.3}) {
      cases.push_back(
          make_case(fmt::format("triplet_negatives{}_dropout{}", static_cast<int>(negatives), dropout > 0),
                    [&](AlignOptions& o) {
                      o.loss.kind = LossKind::triplet;
                      o.loss.negatives = negatives;
                      o.loss.negative_count = 3;
                      o.loss.nearest = 4;
                      o.loss.dropout = dropout;
                    }));
    }
  }
  cases.push_back(make_case("gcn_align", [&](AlignOptions& o) {
    const TrainingOptions training = o.training;
    o = gcn_align_options();
    o.encoder.dimension = 3;
    o.training = training;
    o.sampling.method = Sampling::none;
  }));
  for (const Sampling method : {Sampling::whole, Sampling::attention, Sampling::uniform}) {
    cases.push_back(make_case(fmt::format("sampling{}", static_cast<int>(method)), [&](AlignOptions& o) {
      o.sampling.method = method;
      o.sampling.tau = 0.5;
    }));
  }
  return cases;
}

class Gradient : public testing::TestWithParam<Case> {};

/// Everything the loss of one step depends on.
class StepAsFunction {
 public:
  explicit StepAsFunction(const AlignOptions& options)
      : pair_(tiny_pair(12, 4, 30, 7)),
        order_(breadth_first_order(pair_, pool_)),
        graph_(whole_graph(pair_, order_, pool_, {.self_loops = options.encoder.self_loops})),
        layout_(options.encoder, pair_.relation_count()),
        links_(node_pairs()),
        trainer_(graph_, order_, layout_, learning_options(options), {options.seed, {}}, links_, pool_) {
    // Large values, so that no part of the model is nearly linear.
    Random random(3);
    for (Matrix<double>* matrix : matrices()) {
      for (std::size_t row = 0; row < matrix->rows(); ++row) {
        for (std::size_t c = 0; c < matrix->columns(); ++c) {
          if (c % layout_.shape.width < options.encoder.dimension)
            matrix->row(row)[c] = 2 * random.uniform() - 1;
        }
      }
    }
    trainer_.parameters().all_changed();
    trainer_.renew_sampling();  // lists the nearest neighbours of these values, once for all differences
  }

  std::vector<Matrix<double>*> matrices() {
    Parameters<double>& parameters = trainer_.parameters();
    return {&parameters.entities, &parameters.relations, &parameters.attention, &parameters.linear};
  }
  std::vector<double> values() {
    std::vector<double> all;
    for (Matrix<double>* matrix : matrices())
      all.insert(all.end(), matrix->span().begin(), matrix->span().end());
    return all;
  }
  void set(const std::vector<double>& all) {
    auto next = all.begin();
    for (Matrix<double>* matrix : matrices()) {
      std::copy_n(next, matrix->span().size(), matrix->span().begin());
      next += static_cast<std::ptrdiff_t>(matrix->span().size());
    }
    trainer_.parameters().all_changed();
  }
  double loss(const std::vector<double>& at) {
    set(at);
    return trainer_.step({links_, 5}, 6);
  }
  std::vector<double> gradient(const std::vector<double>& at) {
    loss(at);
    std::vector<double> result = values();
    for (std::size_t i = 0; i < at.size(); ++i) result[i] = at[i] - result[i];
    return result;
  }
  bool is_padding(std::size_t i) const { return i % layout_.shape.width >= layout_.options.dimension; }

 private:
  std::vector<NodePair> node_pairs() const {
    std::vector<NodePair> links;
    for (const Link& link : identity_links(7)) {
      links.push_back({order_.node_of[link.left], order_.node_of[pair_.shared_id(Side::right, link.right)]});
    }
    links.push_back({links[2].left, links[3].right});  // an entity may be in several links
    return links;
  }

  ThreadPool pool_{1};
  GraphPair pair_;
  NodeOrder order_;
  MessageGraph graph_;
  EncoderLayout layout_;
  std::vector<NodePair> links_;
  Trainer<double> trainer_;
};

TEST_P(Gradient, MatchesFiniteDifferences) {
  StepAsFunction function(GetParam().options);
  const std::vector<double> start = function.values();
  const std::vector<double> gradient = function.gradient(start);
  double largest = 0;
  for (const double g : gradient) largest = std::max(largest, std::abs(g));
  ASSERT_GT(largest, 1e-4);
  const double h = 2e-5;
  for (std::size_t i = 0; i < start.size(); ++i) {
    if (function.is_padding(i)) {
      ASSERT_EQ(gradient[i], 0) << "padding moved at " << i;
      continue;
    }
    const auto difference = [&](double width) {
      std::vector<double> at = start;
      at[i] = start[i] + width;
      const double above = function.loss(at);
      at[i] = start[i] - width;
      return (above - function.loss(at)) / (2 * width);
    };
    const double numeric = (4 * difference(h) - difference(2 * h)) / 3;  // fourth order
    // Differences of a loss of about 1 are known to about 1e-16 / h; gradients far below that are noise.
    const double scale = std::max({std::abs(numeric), std::abs(gradient[i]), 1e-3 * largest});
    EXPECT_LT(std::abs(numeric - gradient[i]) / scale, 1e-6)
        << "parameter " << i << ": " << gradient[i] << " but by differences " << numeric;
  }
}

INSTANTIATE_TEST_SUITE_P(Configurations, Gradient, testing::ValuesIn(all_cases()),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace dovetail

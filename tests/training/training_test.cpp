#include <dovetail/align.h>
#include <dovetail/errors.h>

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "alignment/workbench.h"
#include "encoder/tiny_pair.h"
#include "training/train_loop.h"

namespace dovetail {
namespace {

AlignOptions small_options() {
  AlignOptions options;
  options.encoder.dimension = 20;
  options.training.epochs = 5;
  options.training.batch_size = 8;
  options.threads = 1;
  return options;
}

SeedLinks seeds(std::uint32_t count) {
  SeedLinks links;
  links.train = identity_links(count);
  return links;
}

/// Options that take every part of the encoder and of the losses.
std::vector<AlignOptions> kinds_of_training() {
  std::vector<AlignOptions> kinds;
  for (const Sampling sampling : {Sampling::none, Sampling::attention}) {
    for (const Attention attention : {Attention::by_relation, Attention::three_part}) {
      kinds.push_back(small_options());
      kinds.back().sampling.method = sampling;
      kinds.back().encoder.attention = attention;
    }
  }
  kinds.push_back(small_options());
  kinds.back().encoder.transform = Transform::linear;
  kinds.push_back(small_options());
  kinds.back().encoder.representation = Representation::residual;
  kinds.push_back(small_options());
  kinds.back().loss.kind = LossKind::triplet;
  kinds.push_back(gcn_align_options());
  kinds.back().encoder.dimension = 20;
  kinds.back().training.epochs = 5;
  kinds.back().threads = 1;
  return kinds;
}

/// The same bytes, whatever the threads: sums over relations are the only ones that cross pieces of work.
TEST(Training, ThreadsDoNotChangeTheResult) {
  const GraphPair pair = tiny_pair(400, 12, 2400, 1);
  Observer observer;
  for (AlignOptions options : kinds_of_training()) {
    const Model one = train(pair, seeds(120), options, observer);
    const Alignment first = match(pair, one, open_pools(pair, {}), {}, options, observer);
    for (const std::size_t threads : {2, 8}) {
      options.threads = threads;
      const Model many = train(pair, seeds(120), options, observer);
      EXPECT_EQ(one.entities, many.entities);
      EXPECT_EQ(one.relations, many.relations);
      EXPECT_EQ(one.attention, many.attention);
      EXPECT_EQ(one.linear, many.linear);
      const Alignment second = match(pair, many, open_pools(pair, {}), {}, options, observer);
      for (std::size_t i = 0; i < first.left.ranked.size(); ++i) {
        ASSERT_EQ(first.left.ranked[i].size(), second.left.ranked[i].size());
        EXPECT_EQ(first.left.ranked[i][0].entity, second.left.ranked[i][0].entity);
        EXPECT_EQ(first.left.ranked[i][0].score, second.left.ranked[i][0].score);
      }
    }
  }
}

/// Hits@1 after `epochs` steps on two nearly equal graphs.
double hits_on_two_copies(AlignOptions options, std::size_t epochs) {
  const GraphPair pair = tiny_pair(200, 10, 1200, 2);
  options.encoder.dimension = 64;
  options.training.epochs = epochs;
  options.training.batch_size = 0;
  options.threads = 1;
  Observer observer;
  std::vector<Link> gold;
  for (std::uint32_t i = 60; i < 200; ++i) gold.push_back({i, i});
  TrainingReport report;
  const Model model = train(pair, seeds(60), options, observer, &report);
  EXPECT_EQ(report.steps, epochs);
  EXPECT_LT(report.epochs.back().loss, report.epochs.front().loss);
  const Alignment alignment = match(pair, model, closed_pools(gold), gold, options, observer);
  return std::min(alignment.evaluation.left_to_right.hits_at_1, alignment.evaluation.right_to_left.hits_at_1);
}

TEST(Training, LearnsToAlignTwoCopiesOfAGraph) {
  EXPECT_GT(hits_on_two_copies(small_options(), 20), 0.9);
}

/// Chance is 1 of 140. A variant that learned nothing, or compared the wrong features, would be close to it.
TEST(Training, VariantsLearnToo) {
  const auto hits = [](auto change) {
    AlignOptions options = small_options();
    change(options);
    return hits_on_two_copies(options, 20);
  };
  EXPECT_GT(hits([](AlignOptions& o) { o.encoder.transform = Transform::linear; }), 0.6);
  EXPECT_GT(hits([](AlignOptions& o) { o.encoder.transform = Transform::none; }), 0.6);
  EXPECT_GT(hits([](AlignOptions& o) { o.encoder.representation = Representation::residual; }), 0.6);
  EXPECT_GT(hits([](AlignOptions& o) {
              o.loss.kind = LossKind::triplet;
              o.training.tie_seeds = false;
            }),
            0.6);
  EXPECT_GT(hits_on_two_copies(gcn_align_options(), 100), 0.3);
}

TEST(Training, NoSeedsIsAClearError) {
  const GraphPair pair = tiny_pair(10, 2, 20, 1);
  Observer observer;
  EXPECT_THROW((void)train(pair, SeedLinks{}, small_options(), observer), ParameterError);
}

TEST(Training, StopsWhenTheDevelopmentLossRises) {
  const GraphPair pair = tiny_pair(60, 6, 240, 3);
  AlignOptions options = small_options();
  options.training.epochs = 200;
  options.training.learning_rate = 0.05;
  SeedLinks links = seeds(20);
  for (std::uint32_t i = 30; i < 40; ++i) links.valid.push_back({i, i});
  Observer observer;
  TrainingReport report;
  (void)train(pair, links, options, observer, &report);
  EXPECT_TRUE(report.stopped_early);
  EXPECT_LT(report.epochs.size(), 200U);
}

/// Graphs that leave some part of the model with nothing to work on.
TEST(Training, DegenerateGraphsWork) {
  struct Shape {
    const char* name;
    std::uint32_t entities, relations;
    std::vector<TestTriple> triples;
    std::vector<Link> links;
  };
  const std::vector<Shape> shapes{
      {"no triples at all", 3, 1, {}, {{0, 0}, {1, 1}}},
      {"an entity without edges, one relation", 4, 1, {{0, 0, 1}, {1, 0, 2}}, {{0, 0}, {1, 1}}},
      {"self-loops", 3, 2, {{0, 0, 0}, {1, 1, 1}, {0, 1, 1}}, {{0, 0}, {1, 1}}},
      {"a seed without triples", 4, 2, {{0, 0, 1}, {1, 1, 2}}, {{3, 3}, {0, 0}}},
      {"a single seed", 4, 2, {{0, 0, 1}, {1, 1, 2}, {2, 0, 3}}, {{1, 1}}},
      {"a single seed without triples", 3, 1, {{0, 0, 1}}, {{2, 2}}},
  };
  for (const Shape& shape : shapes) {
    SCOPED_TRACE(shape.name);
    const GraphPair pair(tiny_graph(shape.entities, shape.relations, shape.triples),
                         tiny_graph(shape.entities, shape.relations, shape.triples));
    SeedLinks links;
    links.train = shape.links;
    for (const Sampling sampling :
         {Sampling::none, Sampling::whole, Sampling::attention, Sampling::uniform}) {
      for (const Attention attention : {Attention::none, Attention::by_relation, Attention::three_part}) {
        AlignOptions options = small_options();
        options.sampling.method = sampling;
        options.encoder.attention = attention;
        Observer observer;
        const Model model = train(pair, links, options, observer);
        for (const float value : model.entities) ASSERT_TRUE(std::isfinite(value));
        const Alignment alignment = match(pair, model, open_pools(pair, {}), links.train, options, observer);
        EXPECT_EQ(alignment.left.ranked.size(), shape.entities);
        EXPECT_EQ(alignment.evaluation.left_to_right.count, links.train.size());
      }
    }
  }
}

/// Numbers that are none never leave training, whatever is asked of it.
TEST(Training, DivergesWithAMessageOrNotAtAll) {
  const GraphPair pair = tiny_pair(10, 2, 20, 1);
  std::size_t diverged = 0;
  for (AlignOptions options : {small_options(), gcn_align_options(), paper_options()}) {
    options.encoder.dimension = 20;
    options.training.epochs = 3;
    for (const Optimiser optimiser : {Optimiser::rmsprop, Optimiser::adam}) {
      for (const double rate : {1e3, 1e10, 1e20, 1e37, 1e38, 1e300}) {
        options.training.optimiser = optimiser;
        options.training.learning_rate = rate;
        Observer observer;
        try {
          const Model model = train(pair, seeds(3), options, observer);
          for (const auto* table : {&model.entities, &model.relations, &model.attention}) {
            for (const float value : *table) ASSERT_TRUE(std::isfinite(value)) << rate;
          }
        } catch (const Error& error) {
          ++diverged;
          EXPECT_THAT(error.what(),
                      testing::MatchesRegex("training diverged by step [1-3]: .* is not a number; try a "
                                            "lower learning rate than 1.*"));
        }
      }
    }
  }
  EXPECT_GT(diverged, 0U);
}

/// Keeps what it is warned of.
class Warnings : public Observer {
 public:
  void warning(const std::string& text) override { texts.push_back(text); }
  std::vector<std::string> texts;
};

/// What comes out is what a training with the lower rate would have given.
TEST(Training, StartsAgainWithHalfTheRateWhereItDiverges) {
  const GraphPair pair = tiny_pair(10, 2, 20, 1);
  std::size_t mended = 0, lost = 0;
  for (AlignOptions options : {small_options(), paper_options()}) {
    options.encoder.dimension = 20;
    options.training.epochs = 3;
    for (double rate = 1e16; rate < 1e40; rate *= 2) {
      options.training.learning_rate = rate;
      Warnings observer;
      Model model;
      TrainingReport report;
      try {
        model = train(pair, seeds(3), options, observer, &report);
      } catch (const Error&) {
        EXPECT_EQ(observer.texts.size(), 3U) << "it was tried again";
        ++lost;
        continue;
      }
      if (observer.texts.empty()) continue;
      ++mended;
      EXPECT_THAT(observer.texts[0],
                  testing::MatchesRegex("training diverged by step [1-9]: .* is not a number, "
                                        "most likely because the learning rate of .* is too "
                                        "high; this training starts again with half of it"));
      Observer quiet;
      TrainingReport lower_report;
      options.training.learning_rate = rate / static_cast<double>(1U << observer.texts.size());
      const Model lower = train(pair, seeds(3), options, quiet, &lower_report);
      EXPECT_EQ(model.entities, lower.entities);
      EXPECT_EQ(model.relations, lower.relations);
      EXPECT_EQ(report.steps, lower_report.steps);
      EXPECT_EQ(report.epochs.size(), lower_report.epochs.size());
    }
  }
  EXPECT_GT(mended, 0U);
  EXPECT_GT(lost, 0U);
}

TEST(Training, BadOptionsAreRefused) {
  const GraphPair pair = tiny_pair(10, 2, 20, 1);
  Observer observer;
  const auto refuses = [&](auto change) {
    AlignOptions options = small_options();
    change(options);
    EXPECT_THROW((void)train(pair, seeds(3), options, observer), ParameterError);
  };
  refuses([](AlignOptions& o) { o.encoder.dimension = 0; });
  refuses([](AlignOptions& o) { o.encoder.depth = 0; });
  refuses([](AlignOptions& o) { o.loss.dropout = 1; });
  refuses([](AlignOptions& o) { o.sampling.tau = 0; });
  refuses([](AlignOptions& o) { o.loss.margin = 0; });
  refuses([](AlignOptions& o) { o.loss.negative_count = 0; });
  refuses([](AlignOptions& o) { o.loss.nearest = 0; });
  refuses([](AlignOptions& o) {
    o.encoder.attention = Attention::symmetric;
    o.sampling.method = Sampling::uniform;
  });
  refuses([](AlignOptions& o) {
    o.encoder.entity_feature = EntityFeature::none;
    o.encoder.relation_feature = false;
  });
}

/// The losses of a short run, straight through the trainer, in a precision of choice.
template <typename Real>
std::vector<double> losses() {
  const GraphPair pair = tiny_pair(100, 8, 600, 11);
  AlignOptions options = small_options();
  options.encoder.dimension = 32;
  options.training.batch_size = 0;
  options.training.epochs = 6;
  options.training.learning_rate = 0.005;
  options.loss.dropout = 0.3;
  options.sampling.method = Sampling::none;
  ThreadPool pool(1);
  const NodeOrder order = breadth_first_order(pair, pool);
  const MessageGraph graph = whole_graph(pair, order, pool);
  std::vector<NodePair> links;
  for (const Link& link : identity_links(40)) {
    links.push_back({order.node_of[link.left], order.node_of[pair.shared_id(Side::right, link.right)]});
  }
  Trainer<Real> trainer(graph, order, EncoderLayout(options.encoder, pair.relation_count()),
                        learning_options(options), {options.seed, links}, links, pool);
  Observer observer;
  TrainingReport report;
  train_loop<Real>(trainer, links, {}, learning_options(options), observer, report);
  std::vector<double> result;
  for (const TrainingReport::Epoch& epoch : report.epochs) result.push_back(epoch.loss);
  return result;
}

/// A run as it was when it was known to be right; changed on purpose only.
TEST(Training, GoldenRun) {
  const std::vector<double> golden{-0.094327723094350321, -0.037153486042859118, -0.072654069567375273,
                                   -0.074211909218504069, -0.11840647737819415,  -0.12496976950565664};
  const std::vector<double> now = losses<double>();
  ASSERT_EQ(now.size(), golden.size());
  for (std::size_t i = 0; i < golden.size(); ++i) EXPECT_NEAR(now[i], golden[i], 1e-9) << "step " << i;
}

TEST(Training, LowPrecisionFollowsDoublePrecision) {
  const std::vector<double> low = losses<float>(), high = losses<double>();
  ASSERT_EQ(low.size(), high.size());
  for (std::size_t i = 0; i < low.size(); ++i) EXPECT_NEAR(low[i], high[i], 0.01) << "step " << i;
}

}  // namespace
}  // namespace dovetail

// What training costs: time and memory beside a matrix product and a bare row gather of the same moment.
// usage: bench_train DATA_FOLDER
#include <dovetail/align.h>
#include <dovetail/io.h>

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "common/buffer.h"
#include "common/random.h"
#include "common/text.h"
#include "common/threads.h"
#include "encoder/message_graph.h"
#include "encoder/parameters.h"
#include "kernels/rows.h"
#include "training/sampler.h"
#include "unit.h"

namespace dovetail {
namespace {

constexpr double kMega = 1e6;

/// Bytes that one step reads and writes in whole rows: gathered features and gradients, relation rows and
/// their sums, embeddings with the optimiser's state.
double step_bytes(const Part& part, const EncoderLayout& layout) {
  const MessageGraph& graph = *part.computation.graph;
  const auto row = static_cast<double>(layout.shape.size() * sizeof(Bfloat16));
  const auto block = static_cast<double>(layout.shape.width);
  double bytes = 0;
  for (std::size_t node = 0; node < graph.node_count; ++node) {
    const std::size_t need = part.computation.need[node];
    const auto edges = static_cast<double>(graph.out.first_edge(node + 1) - graph.out.first_edge(node));
    const auto groups = static_cast<double>(graph.out.node_begin[node + 1] - graph.out.node_begin[node]);
    const auto closed = static_cast<double>(graph.closed.of(node).count);
    if (need >= 1) {  // input: means of both features; back: their gradients to embeddings and relations
      bytes += closed * block * 2 * 2 + groups * block * (2 + 2 * 4) + 2 * row;
    }
    if (need >= 2) {  // each layer: rows gathered forward, gradients gathered back, relation rows and sums
      const auto layers = static_cast<double>(need - 1);
      bytes += layers * (edges * row * 2 + groups * block * 4 * (1 + 1 + 2) + 3 * row);
    }
  }
  return bytes + static_cast<double>(graph.node_count) * block * (3 * 2 * 4 + 2);
}

/// Seconds to add up the rows of all neighbours of all nodes, in the order of the graph or at random.
double gather_seconds(const MessageGraph& graph, bool random, std::size_t threads) {
  constexpr std::size_t kWidth = 608;
  NodeLists lists = graph.closed;
  if (random) {
    Random numbers(1);
    for (std::uint32_t& item : lists.items)
      item = static_cast<std::uint32_t>(numbers.below(graph.node_count));
  }
  Buffer<Bfloat16> table(graph.node_count * kWidth), out(graph.node_count * kWidth);
  std::fill_n(table.data(), table.size(), to_bfloat16(1));
  std::fill_n(out.data(), out.size(), to_bfloat16(1));
  ThreadPool pool(threads);
  double best = 1e9;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    pool.for_ranges(graph.node_count, 256, [&](std::size_t begin, std::size_t end) {
      Buffer<float> scratch(kWidth);
      for (std::size_t node = begin; node < end; ++node) {
        mean_rows_forward<float>(lists.of(node), table.data(), kWidth, false, scratch.data(),
                                 out.data() + node * kWidth);
      }
    });
    best = std::min(best, seconds_since(start));
  }
  return best;
}

double gather_bytes(const MessageGraph& graph) {
  return static_cast<double>(graph.closed.items.size()) * 608 * sizeof(Bfloat16);
}

TrainingReport timed_training(const LoadedPair& pair, const AlignOptions& options) {
  Observer observer;
  TrainingReport report;
  (void)train(pair.graphs, pair.links, options, observer, &report);
  return report;
}

void time_and_bandwidth(const LoadedPair& pair) {
  AlignOptions options;
  options.threads = 1;
  Observer observer;
  const double unit = measure_unit();
  TrainingReport report;
  const Model model = train(pair.graphs, pair.links, options, observer, &report);
  const std::uint64_t peak = peak_memory_bytes();
  const std::vector<Link>& test = pair.links.test;
  const Alignment alignment = match(pair.graphs, model, closed_pools(test), test, options, observer);
  fmt::print(
      "one thread: {:.2f} s = {:.2f} units of {:.2f} s, Hits@1 {:.4f} right to left, {:.4f} left to right\n",
      report.seconds, report.seconds / unit, unit, alignment.evaluation.right_to_left.hits_at_1,
      alignment.evaluation.left_to_right.hits_at_1);
  const double steps = static_cast<double>(report.steps);
  const StepSeconds& s = report.step_seconds;
  fmt::print(
      "  {} steps of {:.0f} ms: sample {:.0f}, forward {:.0f}, loss {:.0f}, backward {:.0f}, update {:.0f}\n",
      report.steps, 1e3 * s.total() / steps, 1e3 * s.sample / steps, 1e3 * s.forward / steps,
      1e3 * s.loss / steps, 1e3 * s.backward / steps, 1e3 * s.update / steps);
  fmt::print("  peak memory {:.0f} MB, working set {:.0f} MB\n", static_cast<double>(peak) / kMega,
             static_cast<double>(report.working_bytes) / kMega);

  ThreadPool pool;
  const NodeOrder order = breadth_first_order(pair.graphs, pool);
  const MessageGraph graph = whole_graph(pair.graphs, order, pool);
  const EncoderLayout layout(options.encoder, pair.graphs.relation_count());
  const std::size_t batch = std::min(options.training.batch_size, pair.links.train.size());
  std::vector<std::uint32_t> nodes;
  for (std::size_t i = 0; i < batch; ++i) {
    nodes.push_back(order.node_of[pair.links.train[i].left]);
    nodes.push_back(order.node_of[pair.graphs.shared_id(Side::right, pair.links.train[i].right)]);
  }
  const auto sampler =
      make_sampler({.method = Sampling::none}, options.encoder.depth, layout.relation_rows, graph);
  const double step = step_bytes(sampler->draw(nodes, 1), layout) / (s.total() / steps) / 1e9;
  const double random = gather_bytes(graph) / gather_seconds(graph, true, 1) / 1e9;
  const double ordered = gather_bytes(graph) / gather_seconds(graph, false, 1) / 1e9;
  fmt::print("  step {:.1f} GB/s = {:.0f}% of a random row gather ({:.1f} GB/s; in graph order {:.1f})\n",
             step, 100 * step / random, random, ordered);

  const double gather = gather_seconds(graph, false, 1) / gather_seconds(graph, false, 2);
  options.threads = 2;
  const TrainingReport two = timed_training(pair, options);
  const double gained = s.total() / two.step_seconds.total();
  fmt::print("  second thread: training x{:.2f}, bare row gather x{:.2f}, share {:.0f}%\n\n", gained, gather,
             100 * (gained - 1) / std::max(0.01, gather - 1));
}

void sampled(const std::string& folder, const LoadedPair& pair) {
  AlignOptions options;
  options.threads = 1;
  options.sampling.method = Sampling::attention;
  options.training.batch_size = 512;
  options.training.epochs = 1;
  const TrainingReport report = timed_training(pair, options);
  fmt::print("sampled, batch 512, {:<20} {:>7} entities: working set {:.0f} MB, {:.0f} ms a step\n", folder,
             pair.graphs.entity_count(), static_cast<double>(report.working_bytes) / kMega,
             1e3 * report.step_seconds.total() / static_cast<double>(report.steps));
}

void run(const std::string& data) {
  Observer observer;
  const auto load = [&](const std::string& folder) { return load_folder(data + "/" + folder, {}, observer); };
  const LoadedPair small = load("dbp15k/zh_en");
  fmt::print("training dbp15k/zh_en\n");
  time_and_bandwidth(small);
  sampled("dbp15k/zh_en", small);
  sampled("contea/ZH-EN/final", load("contea/ZH-EN/final"));
}

}  // namespace
}  // namespace dovetail

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: bench_train DATA_FOLDER\n");
    return 2;
  }
  dovetail::run(argv[1]);
}

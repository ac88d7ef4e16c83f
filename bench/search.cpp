// Searches beside each other on the same trained vectors: how many of the true ten nearest each finds, in
// what time and memory. hnswlib and faiss are measured because they are what one would otherwise use. usage:
// bench_search FOLDER [DIMENSION] [THREADS]
#include <dovetail/io.h>
#include <dovetail/run.h>

#include <algorithm>
#include <cmath>
#include <faiss/IndexFlat.h>
#include <faiss/IndexScalarQuantizer.h>
#include <fmt/format.h>
#include <hnswlib/hnswlib.h>
#include <omp.h>
#include <string>
#include <vector>

#include "alignment/strategy.h"
#include "common/stopwatch.h"
#include "common/text.h"
#include "kernels/scores.h"
#include "matching/matcher.h"
#include "resident.h"

namespace dovetail {
namespace {

constexpr std::size_t kNearest = 10;
constexpr std::size_t kLooked = 2000;  // left rows that recall is measured on

using Lists = std::vector<std::vector<std::uint32_t>>;

std::vector<float> as_floats(const Matrix<Bfloat16>& rows) {
  std::vector<float> values(rows.rows() * rows.columns());
  for (std::size_t n = 0; n < values.size(); ++n) values[n] = to_real(rows.data()[n]);
  return values;
}

class Comparison {
 public:
  Comparison(const MatchVectors& vectors, std::size_t threads)
      : vectors_(vectors), threads_(threads), pool_(threads) {
    const std::size_t rows = std::min(kLooked, vectors.left.rows());
    for (std::size_t i = 0; i < rows; ++i) {
      looked_.push_back(static_cast<std::uint32_t>(i * vectors.left.rows() / rows));
    }
    true_.resize(rows);
    pool_.for_ranges(rows, 16, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        std::vector<Scored> all(vectors.right.rows());
        for (std::uint32_t j = 0; j < all.size(); ++j) {
          all[j] = {j, dot_rows(vectors.left.row(looked_[i]), vectors.right.row(j), vectors.left.columns())};
        }
        std::ranges::partial_sort(all, all.begin() + kNearest, better);
        for (std::size_t n = 0; n < kNearest; ++n) true_[i].push_back(all[n].number);
      }
    });
  }

  void own(const std::string& name, MatchingOptions options) {
    Stopwatch watch;
    const Found found = search(vectors_, options, pool_);
    const double seconds = watch.seconds();
    Lists lists;
    for (const std::uint32_t row : looked_) {
      std::vector<std::uint32_t>& list = lists.emplace_back();
      for (const Scored& item : ranked_row(found.similarity, row)) {
        if (list.size() < kNearest) list.push_back(item.number);
      }
    }
    print(name + ", both ways", lists, 0, seconds, 0);
  }

  void hnsw(std::size_t links, std::size_t effort, std::size_t looked) {
    const std::size_t columns = vectors_.left.columns();
    const std::vector<float> left = as_floats(vectors_.left), right = as_floats(vectors_.right);
    Stopwatch watch;
    const std::uint64_t before = resident_bytes();
    hnswlib::InnerProductSpace space(columns);
    hnswlib::HierarchicalNSW<float> index(&space, vectors_.right.rows(), links, effort);
    pool_.for_ranges(vectors_.right.rows(), 64, [&](std::size_t begin, std::size_t end) {
      for (std::size_t j = begin; j < end; ++j) index.addPoint(right.data() + j * columns, j);
    });
    const double build = watch.lap();
    const std::uint64_t memory = resident_bytes() - before;
    index.setEf(looked);
    std::vector<std::vector<std::uint32_t>> all(vectors_.left.rows());
    pool_.for_ranges(vectors_.left.rows(), 64, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        auto queue = index.searchKnn(left.data() + i * columns, kNearest);
        for (; !queue.empty(); queue.pop()) all[i].push_back(static_cast<std::uint32_t>(queue.top().second));
      }
    });
    const double seconds = watch.lap();
    Lists lists;
    for (const std::uint32_t row : looked_) lists.push_back(all[row]);
    print(fmt::format("hnswlib, M {}, ef {} / {}, one way", links, effort, looked), lists, build, seconds,
          memory);
  }

  void faiss_lists(std::size_t probes) {
    omp_set_num_threads(static_cast<int>(threads_));
    const std::size_t columns = vectors_.left.columns();
    const std::vector<float> left = as_floats(vectors_.left), right = as_floats(vectors_.right);
    Stopwatch watch;
    const std::uint64_t before = resident_bytes();
    const auto count = static_cast<std::size_t>(std::sqrt(static_cast<double>(vectors_.right.rows())));
    faiss::IndexFlatIP centres(static_cast<faiss::Index::idx_t>(columns));
    faiss::IndexIVFScalarQuantizer index(&centres, columns, count, faiss::ScalarQuantizer::QT_8bit,
                                         faiss::METRIC_INNER_PRODUCT);
    index.train(static_cast<faiss::Index::idx_t>(std::min(40 * count, vectors_.right.rows())), right.data());
    index.add(static_cast<faiss::Index::idx_t>(vectors_.right.rows()), right.data());
    index.nprobe = probes;
    const double build = watch.lap();
    const std::uint64_t memory = resident_bytes() - before;
    std::vector<float> scores(vectors_.left.rows() * kNearest);
    std::vector<faiss::Index::idx_t> numbers(scores.size());
    index.search(static_cast<faiss::Index::idx_t>(vectors_.left.rows()), left.data(), kNearest, scores.data(),
                 numbers.data());
    const double seconds = watch.lap();
    Lists lists;
    for (const std::uint32_t row : looked_) {
      lists.emplace_back(numbers.begin() + row * kNearest, numbers.begin() + (row + 1) * kNearest);
    }
    print(fmt::format("faiss IVF{},SQ8, {} probes, one way", count, probes), lists, build, seconds, memory);
  }

 private:
  void print(const std::string& name, const Lists& lists, double build, double seconds,
             std::uint64_t memory) const {
    std::size_t first = 0, all = 0;
    for (std::size_t i = 0; i < lists.size(); ++i) {
      const auto has = [&](std::uint32_t number) { return std::ranges::count(lists[i], number) > 0; };
      first += has(true_[i][0]) ? 1 : 0;
      for (const std::uint32_t number : true_[i]) all += has(number) ? 1 : 0;
    }
    const auto rows = static_cast<double>(lists.size());
    fmt::print("{:<44} nearest found {:.3f}, ten nearest {:.3f}; {:.1f} s to build, {:.1f} s to search{}\n",
               name, static_cast<double>(first) / rows, static_cast<double>(all) / rows / kNearest, build,
               seconds, memory > 0 ? ", " + human_bytes(memory) : "");
    std::fflush(stdout);
  }

  const MatchVectors& vectors_;
  std::size_t threads_;
  ThreadPool pool_;
  std::vector<std::uint32_t> looked_;
  Lists true_;
};

void run(const std::string& folder, std::size_t dimension, std::size_t threads) {
  Observer observer;
  const LoadedPair pair = load_folder(folder, {}, observer);
  AlignOptions options;
  options.mode = Mode::basic;
  options.encoder.dimension = dimension;
  options.threads = threads;
  Workbench bench(pair.graphs, options);
  Progress progress;
  Stopwatch watch;
  const Trained trained = train_once(bench, pair.links, observer, progress);
  fmt::print("{}: training {:.1f} s", folder, watch.lap());
  const Pools pools = open_pools(pair.graphs, pair.links.train);
  const MatchVectors vectors = bench.vectors(trained.parameters, trained.start(bench), pools);
  fmt::print(", features {:.1f} s; {} x {} vectors of {}\n", watch.lap(), with_commas(vectors.left.rows()),
             with_commas(vectors.right.rows()), vectors.left.columns());
  Comparison comparison(vectors, threads);
  MatchingOptions matching;
  matching.search = Search::four_bit;
  comparison.own("4-bit, all pairs", matching);
  matching.search = Search::approximate;
  for (const std::size_t probes : {4, 8, 16, 32}) {
    matching.probes = probes;
    comparison.own(fmt::format("regions, {} probes", probes), matching);
  }
  for (const std::size_t probes : {8, 32}) comparison.faiss_lists(probes);
  comparison.hnsw(16, 100, 50);
  comparison.hnsw(16, 100, 200);
}

}  // namespace
}  // namespace dovetail

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: bench_search FOLDER [DIMENSION] [THREADS]\n");
    return 2;
  }
  dovetail::run(argv[1], argc > 2 ? std::stoul(argv[2]) : 128, argc > 3 ? std::stoul(argv[3]) : 2);
}

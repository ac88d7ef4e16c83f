// The pieces that loading is made of, one by one.
#include <dovetail/graph_builder.h>

#include <benchmark/benchmark.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "common/random.h"
#include "formats/id_table.h"
#include "formats/rdf.h"
#include "graph/string_index.h"

namespace {

using namespace dovetail;

constexpr std::size_t kTriples = 200'000;
constexpr std::uint64_t kEntities = 40'000;

/// A file that goes away with the benchmark.
class ScratchFile {
 public:
  ScratchFile(const char* name, const std::string& content)
      : path_(std::filesystem::temp_directory_path() / name) {
    std::ofstream(path_) << content;
  }
  ~ScratchFile() { std::filesystem::remove(path_); }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

template <typename Line>
std::string lines(const Line& line) {
  Random random(1);
  std::string text;
  for (std::size_t i = 0; i < kTriples; ++i) {
    text += line(random.below(kEntities), random.below(100), random.below(kEntities));
  }
  return text;
}

void set_rates(benchmark::State& state, std::size_t bytes) {
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kTriples));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * bytes));
}

void ParseNTriples(benchmark::State& state) {
  const std::string text = lines([](auto h, auto r, auto t) {
    return "<http://left.example/entity/L" + std::to_string(h) + "> <http://left.example/relation/r" +
           std::to_string(r) + "> <http://left.example/entity/L" + std::to_string(t) + "> .\n";
  });
  const ScratchFile file("dovetail-bench.nt", text);
  struct Count : RdfHandler {
    std::size_t count = 0;
    void statements(std::span<const RdfStatement> batch) override { count += batch.size(); }
  } counter;
  Observer quiet;
  for (auto _ : state) read_rdf(file.path(), Format::ntriples, counter, quiet);
  benchmark::DoNotOptimize(counter.count);
  set_rates(state, text.size());
}
BENCHMARK(ParseNTriples);

void ParseIds(benchmark::State& state) {
  const std::string text = lines([](auto h, auto r, auto t) {
    return std::to_string(h) + "\t" + std::to_string(r) + "\t" + std::to_string(t) + "\n";
  });
  const ScratchFile file("dovetail-bench.ids", text);
  Observer quiet;
  std::uint64_t sum = 0;
  for (auto _ : state) {
    read_id_rows<3>(file.path(), quiet,
                    [&](const auto& ids, std::uint64_t) { sum += ids[0] + ids[1] + ids[2]; });
  }
  benchmark::DoNotOptimize(sum);
  set_rates(state, text.size());
}
BENCHMARK(ParseIds);

void FindStrings(benchmark::State& state) {
  std::vector<std::string> names;
  for (std::uint64_t i = 0; i < kEntities; ++i)
    names.push_back("http://left.example/entity/L" + std::to_string(i));
  Random random(2);
  for (auto _ : state) {
    StringTable table;
    StringIndex index;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < kTriples; ++i)
      sum += index.find_or_append(table, names[random.below(kEntities)]);
    benchmark::DoNotOptimize(sum);
  }
  set_rates(state, kTriples * names.back().size());
}
BENCHMARK(FindStrings);

void BuildGraph(benchmark::State& state) {
  for (auto _ : state) {
    Random random(3);
    GraphBuilder builder;
    for (std::uint64_t i = 0; i < kEntities; ++i) builder.add_entity("e");
    for (std::uint32_t i = 0; i < 100; ++i) builder.relation(std::to_string(i));
    for (std::size_t i = 0; i < kTriples; ++i) {
      builder.triple(static_cast<std::uint32_t>(random.below(kEntities)),
                     static_cast<std::uint32_t>(random.below(100)),
                     static_cast<std::uint32_t>(random.below(kEntities)));
    }
    const KnowledgeGraph graph = std::move(builder).build(1);
    benchmark::DoNotOptimize(graph.triple_count());
  }
  set_rates(state, kTriples * 16);
}
BENCHMARK(BuildGraph);

}  // namespace

BENCHMARK_MAIN();

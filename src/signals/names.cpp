#include "signals/names.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <utility>

#include "literal/name_search.h"

namespace dovetail {
namespace {

class Names : public Signal {
 public:
  Names(const NameSimilarity& similarity, const Pools& pools, const AlignOptions& options, ThreadPool& pool)
      : similarity_(similarity),
        pools_(pools),
        options_(options),
        found_(with_means(similarity.search(pools.left, pools.right, options.matching.candidates, pool),
                          options.matching.csls_neighbours)) {
    if (options.matching.csls_neighbours == 0) found_.left_mean = found_.right_mean = {};
  }

  [[nodiscard]] std::string_view name() const override { return "names"; }
  [[nodiscard]] bool identifies() const override { return true; }

  /// Searched once: names do not change.
  [[nodiscard]] std::optional<Found> propose(const SparseScores* /*believed*/) const override {
    return found_;
  }
  [[nodiscard]] float score(std::size_t row, std::size_t column) const override {
    return similarity_.score(pools_.left[row], pools_.right[column]);
  }

  [[nodiscard]] bool is_cosine() const override { return true; }
  void weigh(std::span<float> corrected) const override {
    for (float& score : corrected) score = static_cast<float>(score / options_.deciding.name_scale);
  }
  [[nodiscard]] double temperature() const override { return options_.deciding.name_scale; }
  [[nodiscard]] std::size_t iterations() const override { return options_.deciding.iterations; }

 private:
  const NameSimilarity& similarity_;
  const Pools& pools_;
  const AlignOptions& options_;
  Found found_;
};

class NamesSource : public SignalSource {
 public:
  explicit NamesSource(const SignalContext& context)
      : similarity_(context.pair, context.options.names, context.inputs.word_vectors, context.pool,
                    context.observer) {}

  [[nodiscard]] std::string_view name() const override { return "names"; }
  [[nodiscard]] bool identifies() const override { return true; }
  [[nodiscard]] std::unique_ptr<Signal> in(const Pools& pools, const AlignOptions& options,
                                           ThreadPool& pool) const override {
    return std::make_unique<Names>(similarity_, pools, options, pool);
  }
  [[nodiscard]] const NameSimilarity& similarity() const { return similarity_; }

 private:
  NameSimilarity similarity_;
};

const NameSimilarity& similarity_of(const SignalSource& names) {
  return dynamic_cast<const NamesSource&>(names).similarity();
}

}  // namespace

std::unique_ptr<SignalSource> name_source(const SignalContext& context) {
  return std::make_unique<NamesSource>(context);
}

namespace {

/// Whether names are more than those of a few kinds: some belong to one entity alone.
bool tell_apart(const NameSimilarity& names, Side side) {
  constexpr std::size_t kOneIn = 50;
  return names.unique(side) > 0 && kOneIn * names.unique(side) >= names.named(side);
}

}  // namespace

bool names_help(const GraphPair& pair, const SeedLinks& links, const SignalSource& source) {
  constexpr std::size_t kLooked = 1000;
  constexpr double kAhead = 0.1;
  const NameSimilarity& names = similarity_of(source);
  for (const Side side : {Side::left, Side::right}) {
    // Without seeds names are all that there is to start from: those of a part of the entities will do.
    const std::size_t needed = links.train.empty() ? 10 : 2;
    if (names.named(side) == 0 || needed * names.named(side) < pair.graph(side).entity_count()) return false;
    if (links.train.empty() && !tell_apart(names, side)) return false;
  }
  if (links.train.empty()) return true;
  const std::size_t count = std::min(links.train.size(), kLooked);
  double together = 0, apart = 0;
  for (std::size_t i = 0; i < count; ++i) {
    together += names.score(links.train[i].left, links.train[i].right);
    apart += names.score(links.train[i].left, links.train[(i + 1) % count].right);
  }
  return together > (count > 1 ? apart : 0) + kAhead * static_cast<double>(count);
}

void require_names(const SignalSource& source, bool seeds) {
  const NameSimilarity& names = similarity_of(source);
  const bool named = names.named(Side::left) > 0 && names.named(Side::right) > 0;
  if (named && !seeds && !(tell_apart(names, Side::left) && tell_apart(names, Side::right))) {
    throw ParameterError(
        "there are no seed links, and hardly a name belongs to one entity alone; expected names that tell "
        "entities "
        "apart, or seeds: give pairs known to be the same with --links, or a file of names with --names");
  }
  if (named) return;
  throw ParameterError(
      "one of the two graphs has no names; expected labels, or identifiers that end in a name: give a file "
      "of names with --names, or use --mode semi");
}

}  // namespace dovetail

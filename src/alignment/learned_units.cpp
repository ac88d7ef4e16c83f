#include "alignment/learned_units.h"

#include <algorithm>

#include "alignment/confidence_fit.h"
#include "deciding/unit_fit.h"

namespace dovetail {

bool learn_units(const GraphPair& pair, const SeedLinks& links, const Pools& pools,
                 const SignalSources& sources, AlignOptions& options, Observer& observer) {
  const std::optional<HeldOut> held = hold_out(links, pools, options);
  if (!held) return false;
  Workbench bench(pair, held->options, &observer);
  Progress progress;
  Observer silent;
  const Trained trained = train_once(bench, held->kept, silent, progress);
  const MatchVectors vectors = bench.vectors(trained.parameters, trained.start(bench), held->pools);
  Signals signals = sources.in(held->pools, bench.options(), bench.pool());
  signals.take_vectors(&vectors, trained.tied);
  const PairScores scores = signals.find();
  std::vector<std::vector<float>> corrected_scores;
  std::vector<double*> units;
  for (const SignalScores& own : scores.by_signal) {
    const auto kind = std::ranges::find(signal_kinds(), own.name, &SignalKind::name);
    if (kind->unit == nullptr) continue;
    corrected_scores.push_back(corrected(scores.combined, own).score);
    units.push_back(&kind->unit(options));
  }
  const std::vector<double> fitted =
      fit_units(scores.combined, corrected_scores, rows_of(pair, held->pools, held->links));
  for (std::size_t k = 0; k < fitted.size(); ++k) *units[k] = fitted[k];
  return true;
}

}  // namespace dovetail

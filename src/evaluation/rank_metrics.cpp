#include <dovetail/errors.h>
#include <dovetail/evaluation.h>

namespace dovetail {

RankMetrics rank_metrics(std::span<const std::uint32_t> ranks) {
  RankMetrics metrics;
  metrics.count = ranks.size();
  if (ranks.empty()) return metrics;
  const double share = 1.0 / static_cast<double>(ranks.size());
  for (const std::uint32_t rank : ranks) {
    if (rank == 0) throw Error("an answer has no rank; its score is not a number");
    metrics.hits_at_1 += rank <= 1 ? share : 0;
    metrics.hits_at_5 += rank <= 5 ? share : 0;
    metrics.hits_at_10 += rank <= 10 ? share : 0;
    metrics.mrr += share / rank;
    metrics.mean_rank += share * rank;
  }
  return metrics;
}

}  // namespace dovetail

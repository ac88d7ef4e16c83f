#include <dovetail/errors.h>
#include <dovetail/evaluation.h>

namespace dovetail {

RankMetrics rank_metrics(std::span<const std::uint32_t> ranks) {
  RankMetrics metrics;
  metrics.count = ranks.size();
  if (ranks.empty()) return metrics;
  std::size_t at_1 = 0;
  std::size_t at_5 = 0;
  std::size_t at_10 = 0;
  double reciprocals = 0;
  double sum = 0;
  for (const std::uint32_t rank : ranks) {
    if (rank == 0) throw Error("an answer has no rank; its score is not a number");
    at_1 += rank <= 1 ? 1 : 0;
    at_5 += rank <= 5 ? 1 : 0;
    at_10 += rank <= 10 ? 1 : 0;
    reciprocals += 1.0 / rank;
    sum += rank;
  }
  const auto count = static_cast<double>(ranks.size());
  metrics.hits_at_1 = static_cast<double>(at_1) / count;
  metrics.hits_at_5 = static_cast<double>(at_5) / count;
  metrics.hits_at_10 = static_cast<double>(at_10) / count;
  metrics.mrr = reciprocals / count;
  metrics.mean_rank = sum / count;
  return metrics;
}

}  // namespace dovetail

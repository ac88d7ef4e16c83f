#include <dovetail/review.h>

#include <array>
#include <cmath>
#include <map>

namespace dovetail {
namespace {

constexpr double kNormal95 = 1.959963984540054;  // of the normal distribution, two-sided
constexpr std::size_t kVerdicts = 5;

double width(double share, double count) {
  const double z2 = kNormal95 * kNormal95;
  return 2 * kNormal95 / (1 + z2 / count) * std::sqrt(share * (1 - share) / count + z2 / (4 * count * count));
}

}  // namespace

Estimate estimate_share(std::uint64_t right, std::uint64_t count) {
  Estimate estimate{.count = count, .right = right};
  if (count == 0) return estimate;
  const auto n = static_cast<double>(count);
  const double z2 = kNormal95 * kNormal95;
  estimate.share = static_cast<double>(right) / n;
  const double middle = (estimate.share + z2 / (2 * n)) / (1 + z2 / n), half = width(estimate.share, n) / 2;
  estimate.low = right == 0 ? 0 : middle - half;
  estimate.high = right == count ? 1 : middle + half;
  return estimate;
}

std::uint64_t answers_to_halve(const Estimate& estimate) {
  if (estimate.count == 0) return 0;
  const double wanted = width(estimate.share, static_cast<double>(estimate.count)) / 2;
  std::uint64_t count = estimate.count;
  while (width(estimate.share, static_cast<double>(count)) > wanted) count += 1 + count / 100;
  return count - estimate.count;
}

std::vector<SampledAnswer> sampled_answers(std::span<const Judgement> in_force) {
  const std::string_view random = order_name(QuestionOrder::random);
  std::vector<SampledAnswer> answers;
  for (const Judgement& judgement : in_force) {
    if (judgement.order != random || !judgement.confidence) continue;
    if (judgement.verdict == Verdict::unsure || judgement.verdict == Verdict::undone) continue;
    // Where another candidate was chosen the link that was asked about is wrong.
    const bool right = judgement.verdict == Verdict::same && judgement.instead_of.empty();
    answers.push_back({*judgement.confidence, right});
  }
  return answers;
}

Estimate precision_above(std::span<const SampledAnswer> answers, double threshold, double below) {
  std::uint64_t count = 0, right = 0;
  for (const SampledAnswer& answer : answers) {
    if (answer.confidence < threshold || answer.confidence >= below) continue;
    ++count;
    right += answer.right ? 1 : 0;
  }
  return estimate_share(right, count);
}

Agreement agreement(std::span<const Judgement> one, std::span<const Judgement> other) {
  std::map<std::pair<std::string, std::string>, Judgement> first;
  for (Judgement& judgement : judgements_in_force(one)) {
    auto key = std::pair(judgement.left, judgement.right);
    first.emplace(std::move(key), std::move(judgement));
  }
  Agreement result;
  std::array<double, kVerdicts> by_one{}, by_other{};
  for (Judgement& judgement : judgements_in_force(other)) {
    const auto found = first.find({judgement.left, judgement.right});
    if (found == first.end()) continue;
    ++result.both;
    ++by_one.at(static_cast<std::size_t>(found->second.verdict));
    ++by_other.at(static_cast<std::size_t>(judgement.verdict));
    if (found->second.verdict == judgement.verdict) {
      ++result.agreed;
    } else {
      result.disagreed.emplace_back(found->second, std::move(judgement));
    }
  }
  if (result.both == 0) return result;
  const auto both = static_cast<double>(result.both);
  double by_chance = 0;
  for (std::size_t n = 0; n < kVerdicts; ++n) by_chance += by_one.at(n) / both * (by_other.at(n) / both);
  const double observed = static_cast<double>(result.agreed) / both;
  result.kappa = by_chance < 1 ? (observed - by_chance) / (1 - by_chance) : 1;
  return result;
}

}  // namespace dovetail

#include <dovetail/evaluation.h>

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace dovetail {
namespace {

constexpr std::array<std::uint32_t, 6> kLeast = {0, 3, 5, 9, 17, 33};

}  // namespace

std::vector<DegreeHits> hits_by_degree(std::span<const std::uint32_t> degrees,
                                       std::span<const std::uint8_t> right) {
  std::vector<DegreeHits> hits;
  for (const std::uint32_t least : kLeast) hits.push_back({.least = least});
  for (std::size_t i = 0; i < degrees.size(); ++i) {
    const auto above = std::ranges::upper_bound(kLeast, degrees[i]);
    DegreeHits& group = hits[static_cast<std::size_t>(above - kLeast.begin()) - 1];
    ++group.count;
    group.hits_at_1 += right[i];
  }
  for (DegreeHits& group : hits) {
    if (group.count > 0) group.hits_at_1 /= static_cast<double>(group.count);
  }
  return hits;
}

std::string degrees_text(std::span<const DegreeHits> hits, std::size_t n) {
  if (n + 1 == hits.size()) return fmt::format("{} or more", hits[n].least);
  const std::uint32_t most = hits[n + 1].least - 1;
  return n == 0 ? fmt::format("up to {}", most) : fmt::format("{} to {}", hits[n].least, most);
}

}  // namespace dovetail

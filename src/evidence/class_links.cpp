#include "evidence/class_links.h"

#include <algorithm>
#include <functional>
#include <map>
#include <span>
#include <utility>

#include "graph/entity_types.h"

namespace dovetail {
namespace {

/// Correspondences that are worth telling.
constexpr double kLeastShare = 0.1, kLeastSeen = 2;
/// Classes of one entity that are looked at.
constexpr std::size_t kMostClasses = 32;

std::span<const std::uint32_t> some_types(const KnowledgeGraph& graph, EntityId entity) {
  const std::span<const std::uint32_t> types = types_of(graph, entity);
  return types.first(std::min(types.size(), kMostClasses));
}

}  // namespace

std::vector<ClassLink> class_links(const GraphPair& pair, const Beliefs& beliefs) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> together;
  std::vector<double> of_left(classes_of(pair.left()).size(), 0),
      of_right(classes_of(pair.right()).size(), 0);
  for (EntityId entity = 0; entity < beliefs.rows(); ++entity) {
    const std::span<const std::uint32_t> left = some_types(pair.left(), entity);
    for (std::uint64_t n = beliefs.begin[entity]; !left.empty() && n < beliefs.begin[entity + 1]; ++n) {
      const std::span<const std::uint32_t> right = some_types(pair.right(), beliefs.column[n]);
      if (right.empty()) continue;
      for (const std::uint32_t b : right) of_right[b] += beliefs.score[n];
      for (const std::uint32_t a : left) {
        of_left[a] += beliefs.score[n];
        for (const std::uint32_t b : right) together[{a, b}] += beliefs.score[n];
      }
    }
  }
  std::vector<ClassLink> links;
  for (const auto& [classes, seen] : together) {
    const auto& [a, b] = classes;
    // One unseen pair more, as for relations: what was seen once says little.
    const ClassLink link{a, b, seen, seen / (of_left[a] + 1), seen / (of_right[b] + 1)};
    if (seen >= kLeastSeen && std::max(link.left_in_right, link.right_in_left) >= kLeastShare) {
      links.push_back(link);
    }
  }
  std::ranges::stable_sort(links, [](const ClassLink& one, const ClassLink& other) {
    const auto likely = [](const ClassLink& link) {
      return std::min(link.left_in_right, link.right_in_left);
    };
    return one.left != other.left ? one.left < other.left : likely(one) > likely(other);
  });
  return links;
}

}  // namespace dovetail

#include "training/receptive_field.h"

#include <algorithm>

namespace dovetail {

Part ReceptiveField::draw(std::span<const std::uint32_t> nodes, std::uint64_t /*seed*/) {
  const auto full = static_cast<std::uint8_t>(depth_ + 1);
  std::vector<std::uint8_t>& need_of = need_[draws_++ % need_.size()];
  need_of.assign(graph_.node_count, everything_ ? full : std::uint8_t{0});
  if (!everything_) {
    for (const std::uint32_t node : nodes) need_of[node] = full;
    // A layer of a node takes the layer below of its neighbours.
    for (std::uint8_t need = full; need > 1; --need) {
      for (std::size_t node = 0; node < graph_.node_count; ++node) {
        if (need_of[node] != need) continue;
        for (std::size_t e = graph_.out.first_edge(node); e < graph_.out.first_edge(node + 1); ++e) {
          std::uint8_t& neighbour = need_of[graph_.out.neighbour[e]];
          neighbour = std::max(neighbour, static_cast<std::uint8_t>(need - 1));
        }
      }
    }
  }
  return {.computation = {&graph_, need_of}, .nodes = {nodes.begin(), nodes.end()}};
}

}  // namespace dovetail

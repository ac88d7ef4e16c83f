#include <dovetail/statistics.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "graph/entity_types.h"

namespace dovetail {

GraphStatistics graph_statistics(const KnowledgeGraph& graph) {
  GraphStatistics statistics;
  statistics.entities = graph.entity_count();
  statistics.relations = graph.relation_count();
  statistics.triples = graph.triple_count();
  statistics.duplicates = graph.duplicate_count();
  statistics.literals = graph.literal_count();
  statistics.classes = classes_of(graph).size();
  statistics.labelled = graph.label_count();
  statistics.edge_bytes = graph.edge_memory_bytes();
  std::vector<std::uint32_t> degrees(graph.entity_count());
  for (EntityId e = 0; e < degrees.size(); ++e) {
    degrees[e] = static_cast<std::uint32_t>(graph.degree(e));
    statistics.typed += types_of(graph, e).empty() ? 0 : 1;
    ++statistics.degrees.at(static_cast<std::size_t>(std::bit_width(degrees[e])));
  }
  statistics.isolated = statistics.degrees[0];
  if (degrees.empty()) return statistics;
  statistics.mean_degree =
      2.0 * static_cast<double>(statistics.triples) / static_cast<double>(degrees.size());
  const auto middle = degrees.begin() + static_cast<std::ptrdiff_t>(degrees.size() / 2);
  std::nth_element(degrees.begin(), middle, degrees.end());
  statistics.median_degree = *middle;
  statistics.largest_degree = *std::max_element(middle, degrees.end());
  return statistics;
}

}  // namespace dovetail

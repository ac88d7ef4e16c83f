#include "runs/pair_json.h"

#include <dovetail/run.h>
#include <dovetail/statistics.h>

#include <nlohmann/json.hpp>
#include <set>
#include <vector>

namespace dovetail {

namespace {

nlohmann::json graph_json(const GraphStatistics& statistics, std::uint64_t linked) {
  auto end = statistics.degrees.end();
  while (end != statistics.degrees.begin() && *(end - 1) == 0) --end;
  return {{"entities", statistics.entities},
          {"relations", statistics.relations},
          {"triples", statistics.triples},
          {"duplicate_triples", statistics.duplicates},
          {"literals", statistics.literals},
          {"classes", statistics.classes},
          {"typed_entities", statistics.typed},
          {"labelled_entities", statistics.labelled},
          {"isolated_entities", statistics.isolated},
          {"linked_entities", linked},
          {"degree",
           {{"mean", statistics.mean_degree},
            {"median", statistics.median_degree},
            {"largest", statistics.largest_degree},
            {"histogram_by_power_of_two", std::vector<std::uint64_t>(statistics.degrees.begin(), end)}}},
          {"edge_bytes", statistics.edge_bytes}};
}

}  // namespace

nlohmann::json pair_json(const LoadedPair& pair) {
  const SeedLinks& links = pair.links;
  std::set<EntityId> left, right;  // an entity may be in several
  for (const std::vector<Link>* list : {&links.train, &links.valid, &links.test}) {
    for (const Link& link : *list) left.insert(link.left), right.insert(link.right);
  }
  return {{"format", pair.format},
          {"left", graph_json(graph_statistics(pair.graphs.left()), left.size())},
          {"right", graph_json(graph_statistics(pair.graphs.right()), right.size())},
          {"shared_relations", pair.graphs.left().relation_count() + pair.graphs.right().relation_count() -
                                   pair.graphs.relation_count()},
          {"links",
           {{"train", links.train.size()},
            {"valid", links.valid.size()},
            {"test", links.test.size()},
            {"apart", links.apart.size()},
            {"unknown_entity", links.unknown},
            {"repeated", links.repeated},
            {"shared_identifiers", pair.shared_identifiers},
            {"origin", links.origin}}}};
}

nlohmann::json degrees_json(const std::vector<DegreeHits>& degrees) {
  nlohmann::json list = nlohmann::json::array();
  for (const DegreeHits& group : degrees) {
    list.push_back({{"least", group.least}, {"count", group.count}, {"hits@1", group.hits_at_1}});
  }
  return list;
}

std::string pair_record(const LoadedPair& pair) {
  return pair_json(pair).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace dovetail

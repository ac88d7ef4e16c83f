// How well "no counterpart" is told: precision, recall and F1 of links and of left entities without
// counterpart, in the open setting.
// usage: bench_none DATA_FOLDER [GENERATED_FOLDER]
#include <dovetail/graph_builder.h>
#include <dovetail/io.h>
#include <dovetail/run.h>

#include <fmt/format.h>
#include <set>
#include <string>
#include <vector>

#include "common/random.h"

namespace dovetail {
namespace {

/// The graph without some of its entities.
KnowledgeGraph without(const KnowledgeGraph& graph, const std::set<EntityId>& gone) {
  GraphBuilder builder;
  std::vector<std::uint32_t> number(graph.entity_count(), kNone);
  for (EntityId entity = 0; entity < graph.entity_count(); ++entity) {
    if (gone.contains(entity)) continue;
    number[entity] = builder.add_entity(graph.entity(entity));
    if (!graph.label(entity).empty()) builder.label(number[entity], graph.label(entity));
  }
  for (RelationId relation = 0; relation < graph.relation_count(); ++relation) {
    (void)builder.relation(graph.relation(relation));
  }
  for (EntityId entity = 0; entity < graph.entity_count(); ++entity) {
    for (const Edge& edge : graph.edges(entity)) {
      if (edge.relation >= graph.relation_count()) continue;
      if (number[entity] == kNone || number[edge.neighbour] == kNone) continue;
      builder.triple(number[entity], edge.relation, number[edge.neighbour]);
    }
  }
  return std::move(builder).build(std::nullopt);
}

/// Takes the counterparts of a share of the test links away; returns the left entities left alone.
std::vector<EntityId> delete_counterparts(double share, LoadedPair& pair) {
  std::set<EntityId> gone;
  std::vector<EntityId> alone;
  std::vector<Link> test;
  Random random(5);
  for (const Link& link : pair.links.test) {
    if (random.uniform() < share) {
      gone.insert(link.right);
      alone.push_back(link.left);
    } else {
      test.push_back(link);
    }
  }
  KnowledgeGraph right = without(pair.graphs.right(), gone);
  // Entities keep their order, so each moves down by the number of those gone before it.
  std::vector<EntityId> moved(pair.graphs.right().entity_count());
  EntityId next = 0;
  for (EntityId entity = 0; entity < moved.size(); ++entity)
    moved[entity] = gone.contains(entity) ? kNone : next++;
  for (std::vector<Link>* links : {&pair.links.train, &pair.links.valid, &test}) {
    for (Link& link : *links) link.right = moved[link.right];
  }
  pair.links.test = std::move(test);
  KnowledgeGraph left = without(pair.graphs.left(), {});
  pair.graphs = GraphPair(std::move(left), std::move(right));
  return alone;
}

/// Where all links are known, the left entities that are in none.
std::vector<EntityId> unlinked(const LoadedPair& pair) {
  std::vector<bool> linked(pair.graphs.left().entity_count(), false);
  for (const std::vector<Link>* links : {&pair.links.train, &pair.links.valid, &pair.links.test}) {
    for (const Link& link : *links) linked[link.left] = true;
  }
  std::vector<EntityId> alone;
  for (EntityId entity = 0; entity < linked.size(); ++entity) {
    if (!linked[entity]) alone.push_back(entity);
  }
  return alone;
}

void line(const std::string& name, const LoadedPair& pair, const std::vector<EntityId>& alone, Mode mode) {
  AlignOptions options;
  options.mode = mode;
  options.deciding.pool = CandidatePool::open;
  Observer observer;
  const Run run = run_alignment(pair, options, observer);
  Verdicts said{
      .links = {}, .none_left = without_counterpart(run.decisions.unmatched_left), .none_right = {}};
  for (const DecidedLink& link : run.decisions.links) said.links.push_back({link.left, link.right});
  const VerdictMetrics figures =
      verdict_metrics(said, {.links = pair.links.test, .none_left = alone, .none_right = {}});
  fmt::print("{:<34} {:<6} links {:.3f} / {:.3f} / {:.3f}   none {:.3f} / {:.3f} / {:.3f}\n", name,
             mode == Mode::names ? "names" : "semi", figures.links.precision, figures.links.recall,
             figures.links.f1, figures.none_left.precision, figures.none_left.recall, figures.none_left.f1);
  std::fflush(stdout);
}

void run(const std::string& data, const std::string& generated) {
  Observer observer;
  fmt::print("precision / recall / F1, open setting\n");
  LoadedPair zh = load_folder(data + "/dbp15k/zh_en", {}, observer);
  const std::vector<EntityId> alone = delete_counterparts(0.3, zh);
  line("zh_en, 30% of counterparts deleted", zh, alone, Mode::names);
  line("zh_en, 30% of counterparts deleted", zh, alone, Mode::semi);
  if (!generated.empty()) {
    const LoadedPair pair = load_folder(generated, {}, observer);
    line("generated", pair, unlinked(pair), Mode::names);
    line("generated", pair, unlinked(pair), Mode::semi);
  }
  const LoadedPair contea = load_folder(data + "/contea/ZH-EN/base", {}, observer);
  line("contea/ZH-EN base", contea, unlinked(contea), Mode::semi);
}

}  // namespace
}  // namespace dovetail

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: bench_none DATA_FOLDER [GENERATED_FOLDER]\n");
    return 2;
  }
  dovetail::run(argv[1], argc > 2 ? argv[2] : "");
}

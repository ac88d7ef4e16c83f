#include "alignment/orientation.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

#include "common/text_hash.h"
#include "graph/lent_graph.h"
#include "signals/values.h"

namespace dovetail {
namespace {

/// Does not depend on the order of the entities.
std::uint64_t graph_hash(const KnowledgeGraph& graph) {
  std::uint64_t sum = 0;
  for (EntityId entity = 0; entity < graph.entity_count(); ++entity) {
    sum += text_hash(graph.entity(entity)) + mix64(text_hash(graph.label(entity)));
  }
  return mix64(sum);
}

template <typename LinkType>
void turn_links(std::vector<LinkType>& links) {
  for (LinkType& link : links) std::swap(link.left, link.right);
}

void turn(Evaluation& evaluation) {
  std::swap(evaluation.left_to_right, evaluation.right_to_left);
}

void turn(Alignment& alignment) {
  std::swap(alignment.left, alignment.right);
  turn(alignment.evaluation);
  for (SignalEvaluation& own : alignment.alone) turn(own.evaluation);
  if (alignment.plain_sum) turn(*alignment.plain_sum);
}

void turn(Decisions& decisions) {
  turn_links(decisions.links);
  std::ranges::sort(decisions.links, {},
                    [](const DecidedLink& link) { return std::pair(link.left, link.right); });
  std::swap(decisions.unmatched_left, decisions.unmatched_right);
  std::swap(decisions.share_left, decisions.share_right);
  std::swap(decisions.verdicts.none_left, decisions.verdicts.none_right);
}

/// "row margin" -> "column margin", "log degree, left" -> "log degree, right".
std::string turned_feature(std::string name) {
  static constexpr std::pair<std::string_view, std::string_view> kSides[] = {{"left", "right"},
                                                                             {"row", "column"}};
  for (const auto& [one, other] : kSides) {
    for (const auto& [from, to] : {std::pair(one, other), std::pair(other, one)}) {
      if (const std::size_t at = name.find(from); at != std::string::npos) {
        return name.replace(at, from.size(), to);
      }
    }
  }
  return name;
}

/// The features keep their order: each gets what the one of the other side has.
LogisticModel turned(const LogisticModel& model) {
  LogisticModel result = model;
  for (std::size_t n = 0; n < model.features.size(); ++n) {
    const auto found = std::ranges::find(model.features, turned_feature(model.features[n]));
    if (found == model.features.end()) continue;  // the same for both sides
    const auto from = static_cast<std::size_t>(found - model.features.begin());
    result.mean[n] = model.mean[from];
    result.deviation[n] = model.deviation[from];
    result.weight[n] = model.weight[from];
  }
  return result;
}

ConfidenceModel turned(const ConfidenceModel& model) {
  if (model.link_right.features.empty()) return model;  // of an earlier version: it knows one side only
  return {.link = turned(model.link_right),
          .none = turned(model.none_right),
          .none_right = turned(model.none),
          .link_right = turned(model.link),
          .examples = model.examples};
}

/// Rows of `dimension` numbers each, those from `middle` on first.
template <typename Value>
void rotate_rows(std::vector<Value>& values, std::size_t middle, std::size_t dimension) {
  if (values.empty()) return;
  std::ranges::rotate(values, values.begin() + static_cast<std::ptrdiff_t>(middle * dimension));
}

/// Relation row of a turned pair -> row of `pair`, of graphs with the first so many relations.
std::vector<std::size_t> relation_rows(const GraphPair& pair, const GraphSizes& sizes, std::size_t rows) {
  const std::size_t left = sizes.left_relations, right = sizes.right_relations;
  std::vector<std::size_t> row_of;
  // Both number the relations of their left graph first, then what the right one has beside them.
  std::vector<bool> on_right(left, false);
  std::size_t count = left;
  for (RelationId r = 0; r < right; ++r) {
    const RelationId shared = pair.shared_relation(Side::right, r);
    const bool both = shared < left;
    if (both) on_right[shared] = true;
    row_of.push_back(both ? shared : count++);
  }
  for (std::size_t r = 0; r < left; ++r) {
    if (!on_right[r]) row_of.push_back(r);
  }
  for (std::size_t r = 0; r < count; ++r) row_of.push_back(row_of[r] + count);
  while (row_of.size() < rows) row_of.push_back(row_of.size());  // of self-loops
  return row_of;
}

template <typename Value>
std::vector<Value> taken(const std::vector<Value>& values, const std::vector<std::size_t>& rows,
                         std::size_t dimension) {
  std::vector<Value> result;
  if (values.empty()) return result;
  result.reserve(values.size());
  for (const std::size_t row : rows) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(row * dimension);
    result.insert(result.end(), first, first + static_cast<std::ptrdiff_t>(dimension));
  }
  return result;
}

Model turned(Model model, const GraphPair& pair, const GraphSizes& sizes) {
  const std::size_t dimension = model.encoder.dimension;
  // Rows without keys start as their numbers say, which change here.
  for (auto [keys, rows] : {std::pair(&model.entity_keys, model.entity_count),
                            std::pair(&model.relation_keys, model.relation_rows)}) {
    if (!keys->empty()) continue;
    keys->resize(rows);
    std::iota(keys->begin(), keys->end(), 0U);
  }
  // The right end of a tied link starts as its left one: with one key for both it does not matter which.
  for (const Link& link : model.tied) {
    model.entity_keys[sizes.left_entities + link.right] = model.entity_keys[link.left];
  }
  turn_links(model.tied);
  rotate_rows(model.entities, sizes.left_entities, dimension);
  rotate_rows(model.entity_keys, sizes.left_entities, 1);
  const std::vector<std::size_t> rows = relation_rows(pair, sizes, model.relation_rows);
  model.relations = taken(model.relations, rows, dimension);
  model.relation_keys = taken(model.relation_keys, rows, 1);
  return model;
}

}  // namespace

bool is_turned(const GraphPair& pair, const AlignOptions& options) {
  if (options.deciding.cardinality != Cardinality::one_to_one || options.mode == Mode::values) return false;
  if (options.mode == Mode::automatic && values_help(pair)) return false;
  const auto key = [](const KnowledgeGraph& graph) {
    return std::pair(graph.entity_count(), graph.triple_count());
  };
  const auto left = key(pair.left()), right = key(pair.right());
  return left != right ? right < left : graph_hash(pair.right()) < graph_hash(pair.left());
}

OrientedPair::OrientedPair(const LoadedPair& pair, bool turn)
    : pair_{.graphs = {GraphLender::lend(pair.graphs.graph(turn ? Side::right : Side::left)),
                       GraphLender::lend(pair.graphs.graph(turn ? Side::left : Side::right))},
            .links = pair.links,
            .format = pair.format,
            .source = pair.source} {
  pair_.shared_identifiers = pair.shared_identifiers;
  SeedLinks& links = pair_.links;
  for (std::vector<Link>* const part : {&links.train, &links.valid, &links.test, &links.apart}) {
    if (turn) turn_links(*part);
    std::ranges::sort(*part);
  }
}

OrientedPair::~OrientedPair() {
  for (const Side side : {Side::left, Side::right})
    GraphLender::give_back(std::move(pair_.graphs).take(side));
}

AlignOptions turned(AlignOptions options) {
  std::swap(options.names.left_vectors, options.names.right_vectors);
  return options;
}

Run turned(Run run, const GraphPair& pair) {
  run.options = turned(std::move(run.options));
  if (run.model.entity_count > 0) run.model = turned(std::move(run.model), pair, run.graphs);
  std::swap(run.graphs.left_entities, run.graphs.right_entities);
  std::swap(run.graphs.left_relations, run.graphs.right_relations);
  turn(run.open);
  turn(run.closed);
  if (run.structure_only) turn(*run.structure_only);
  turn(run.decisions);
  if (run.confidence) run.confidence = turned(*run.confidence);
  return run;
}

}  // namespace dovetail

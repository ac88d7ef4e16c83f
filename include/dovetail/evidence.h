#pragma once

#include <dovetail/graph.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

/// How far two relations, inverse ones included, mean the same.
struct RelationLink {
  RelationId left, right;  ///< each by the number it has in its own graph; inverse ones from relation_count()
  double seen;             ///< pairs of edges that both have, each by how sure its two ends are
  double left_in_right;    ///< of the left one's edges, the share that the right one has too
  double right_in_left;    ///< of the right one's edges, the share that the left one has too
};

/// What one graph says of an entity: a property and its value.
struct Statement {
  std::string property;  ///< a relation, ^ before an inverse one, or an attribute
  std::string value;     ///< the neighbour's identifier, or a literal
  std::string name;      ///< of the neighbour; empty for a literal
};

/// A pair of statements that speaks for two entities being the same, or against it.
struct Reason {
  std::string_view signal;  ///< that gives it: the name of an entry of the list of signals
  Statement left, right;
  double belief;  ///< the probability of what it rests on, for rules that the two neighbours are the same
  double weight;  ///< what it adds to the evidence, for or against
};

/// Why two entities may be the same, or not. Largest weight first.
struct Reasons {
  std::vector<Reason> in_favour, against;
};

/// What a run's folder says about an entity, by its identifier or its name, on either side: for each left
/// entity concerned an object in JSON with its candidates, its link, and what speaks for that and against it,
/// as a line of evidence.jsonl. Needs no graphs.
[[nodiscard]] std::vector<std::string> evidence_records(const std::filesystem::path& folder,
                                                        const std::string& entity);

}  // namespace dovetail

#pragma once

#include <dovetail/graph.h>

#include <cstdint>
#include <string_view>

namespace dovetail {

/// An entity or relation of one graph: its number there, counted from 0, and its identifier.
struct Term {
  std::uint32_t number;
  std::string_view identifier;
};

/// Receives one graph piece by piece, in this order: all relations by ascending number, all entities by
/// ascending number, then triples and literals in any order. Views are valid during the call only.
class GraphSink {
 public:
  GraphSink() = default;
  GraphSink(const GraphSink&) = delete;
  GraphSink& operator=(const GraphSink&) = delete;
  virtual ~GraphSink() = default;

  virtual void relation(Term relation) = 0;
  /// `label` is empty where the entity has none.
  virtual void entity(Term entity, std::string_view label) = 0;
  virtual void triple(Term head, Term relation, Term tail) = 0;
  /// `value` in N-Triples syntax: "text", "text"@en or "text"^^<datatype>.
  virtual void literal(Term subject, std::string_view attribute, std::string_view value) = 0;
};

/// What a link may be used for; `any` where nobody has decided.
enum class LinkUse : std::uint8_t { any, train, valid, test };

/// Receives two graphs and the links between them: the left graph whole, then the right one, then links.
class PairSink {
 public:
  PairSink() = default;
  PairSink(const PairSink&) = delete;
  PairSink& operator=(const PairSink&) = delete;
  virtual ~PairSink() = default;

  virtual GraphSink& side(Side side) = 0;
  virtual void link(Term left, Term right, LinkUse use) = 0;
};

}  // namespace dovetail

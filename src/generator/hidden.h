#pragma once

#include <dovetail/generate.h>
#include <dovetail/graph.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace dovetail {

/// A triple of the hidden graph, seen from its head, and which sides know it.
struct HiddenTriple {
  std::uint32_t relation;
  std::uint32_t tail;
  bool left;
  bool right;

  [[nodiscard]] bool is_on(Side side) const { return side == Side::left ? left : right; }
};

/// The graph both sides are drawn from. Nothing of it is stored: the triples of an entity are a function of
/// the seed and the entity's number, so each side's pass sees the same ones. All of it is integer arithmetic,
/// since the last bit of a libm function or of a fused multiply-add may differ between machines.
///
/// Entities of a type are a range of numbers, most popular first: the r-th of n is a tail with probability
/// about r^(-2/3), which makes degrees a power law with exponent 2.5. Communities run across the types.
class HiddenGraph {
 public:
  /// `options` as resolve_options() gives them.
  HiddenGraph(const GenerateOptions& options, std::uint32_t entity_count);

  [[nodiscard]] std::uint32_t entity_count() const { return type_starts_.back(); }
  [[nodiscard]] std::uint32_t type(std::uint32_t entity) const;
  [[nodiscard]] std::uint32_t community(std::uint32_t entity) const;
  [[nodiscard]] std::size_t community_count() const { return community_starts_.size() - 1; }
  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  /// Entities that mostly have triples among themselves, by entity: a part that is to stay connected.
  void keep_within(std::vector<bool> part) { part_ = std::move(part); }

  /// Puts the triples with this head into `triples`: distinct, none from an entity to itself.
  void triples_of(std::uint32_t head, std::vector<HiddenTriple>& triples) const;
  /// A relation that entities of this type are heads of, by its frequency among them.
  [[nodiscard]] std::uint32_t draw_relation(std::uint32_t type, std::uint32_t random) const;

  /// Multiplies the number of triples by about wanted / found; both > 0.
  void scale_triples(std::uint64_t wanted, std::uint64_t found);
  /// Shifts triples that one side knows alone to the other, as far as there are any, so that the sides get
  /// equally many where they got `left` and `right`.
  void balance_sides(std::uint64_t left, std::uint64_t right);

 private:
  struct Relation {
    std::uint32_t tail_type;
    std::uint32_t other_tail_type;  // one triple in eight has its tail there
    std::uint32_t locality;         // of 256 triples, how many stay in the community
  };
  struct Choice {
    std::uint32_t until;  // chosen by random numbers below this and not below the previous one's
    std::uint32_t relation;
  };

  void make_types(std::uint64_t types, std::uint32_t entities);
  void make_communities(std::uint64_t communities);
  void make_relations(std::uint64_t relations);
  void make_choices();
  void make_shape();
  [[nodiscard]] std::uint32_t out_degree(std::uint32_t entity, std::uint32_t type,
                                         std::uint64_t random) const;
  [[nodiscard]] std::uint32_t draw_tail(const Relation& relation, std::uint32_t community,
                                        std::uint64_t where, std::uint64_t who) const;
  [[nodiscard]] std::uint32_t slot(std::uint32_t type, std::uint32_t rank) const;

  std::uint64_t seed_;
  std::uint32_t both_until_;                    // of 2^32 triples, how many both sides know
  std::uint32_t left_until_;                    // and how many more the left alone knows
  std::uint64_t scale_ = 1 << 16;               // of out-degrees, 16 bits after the point
  std::vector<std::uint32_t> shape_;            // out-degree by quantile, 16 bits after the point
  std::vector<std::uint32_t> type_starts_;      // types + 1 values
  std::vector<std::uint32_t> type_activity_;    // how many triples its entities have, 256 is usual
  std::vector<std::uint32_t> slot_community_;   // communities take turns along the ranks of a type
  std::vector<std::uint32_t> community_slots_;  // the slots of each community, one after the other
  std::vector<std::uint32_t> community_starts_;
  std::vector<Relation> relations_;
  std::vector<std::vector<Choice>> choices_;  // by head type
  std::vector<std::uint32_t> guide_;          // where in choices_ to start, 64 per type
  std::vector<bool> part_;                    // by entity; empty: all are alike
};

}  // namespace dovetail

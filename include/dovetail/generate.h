#pragma once

#include <dovetail/graph_sink.h>
#include <dovetail/numbers.h>

#include <cstdint>
#include <optional>

namespace dovetail {

class Observer;

/// A synthetic pair of knowledge graphs with known links. Both sides are drawn from one hidden graph with
/// heavy-tailed degrees, Zipf-distributed relations that prefer certain types of entities, and communities;
/// each side keeps its own part of it. Where 0 says "chosen", resolve_options() tells what is chosen.
struct GenerateOptions {
  /// What kinds of entities and relations the hidden graph has.
  struct Schema {
    std::uint64_t relations = 0;    ///< per side; 0: 20 for every doubling of the entities (340 for 100,000)
    std::uint64_t types = 0;        ///< kinds of entities, of Zipf-distributed size; 0: a few dozen
    std::uint64_t communities = 0;  ///< groups that prefer links among themselves; 0: one per 250 entities
    bool shared_relations = false;  ///< whether both sides use the same identifiers for relations
  };

  /// In what the two sides differ. All are shares between 0 and 1.
  struct Difference {
    /// Of the true triples of a side whose entities both have counterparts, the share that the other side
    /// has as well. Measured over all triples between linked entities it is about overlap * (1 - noise).
    double overlap = 0.75;
    double noise = 0.05;  ///< share of a side's triples that join entities at random
    /// Share of a side's entities that have no counterpart; at most 0.9. Where the sides differ in size, of
    /// the smaller one, or with right_dangling of the left one.
    double dangling = 0.1;
    /// Share of the right side's entities that have no counterpart, at most 0.999: it decides how many there
    /// are.
    std::optional<double> right_dangling = std::nullopt;
    double isolated =
        0;  ///< share of a side's entities that have no triples; at most 0.9, and not without labels
    double duplicates = 0;  ///< of the right entities with a counterpart, the share that is there twice
    /// How much the names of counterparts differ, in spelling, letters, words and their order. 0: not at
    /// all; 0.3: like two European languages; 1: hardly a name stays recognisable.
    double names = 0.3;
    /// How much values differ beside their formats: this share is missing or changed, half of it each.
    double values = 0.2;
  };

  /// How the links are divided. With both 0 they are not, and each is LinkUse::any.
  struct Split {
    double seed_ratio = 0;   ///< share of the links that is for training
    double valid_ratio = 0;  ///< share of the links that is for development; the rest is for testing
  };

  std::uint64_t entities = 10'000;  ///< per side, 10 to 10,000,000
  /// The right side's, duplicates not counted; 0: as many as the left side has. The smaller side is then
  /// about some communities of the larger one, whole ones where possible, so that its entities have
  /// neighbours.
  std::uint64_t right_entities = 0;
  /// Per side, met within about 2%; 0: 5 per entity. Of the left side where they differ in size: the right
  /// one has as many for each entity.
  std::uint64_t triples = 0;
  std::uint64_t seed = 1;  ///< same seed and options, same pair, on every machine
  Schema schema;
  Difference difference;
  Split split;
  bool labels = true;        ///< whether entities have names
  std::uint64_t values = 0;  ///< literals of an entity, at most 100; 0: none
};

// Ranges of GenerateOptions, for resolve_options() and for programs that read them from users. Some are
// narrower where they depend on the number of entities, which resolve_options() looks at.
inline constexpr Range kGeneratedEntities = {10, 1e7};
inline constexpr Range kGeneratedTriples = {0, 1e9};
inline constexpr Range kGeneratedRelations = {0, 100'000};
inline constexpr Range kGeneratedTypes = {0, 1000};
inline constexpr Range kGeneratedCommunities = {0, 1e7};
inline constexpr Range kGeneratedValues = {0, 100};
inline constexpr Range kDangling = {0, 0.9};
inline constexpr Range kRightDangling = {0, 0.999};
inline constexpr Range kRightEntities = {0, kGeneratedEntities.most};  // 0: as many as the left side has

/// Checks `options` and puts the chosen value where they say 0. Throws ParameterError.
[[nodiscard]] GenerateOptions resolve_options(const GenerateOptions& options);

/// Makes the pair and hands it to `sink`: the left graph, the right graph, then the links. Triples are
/// streamed, so memory is a few bits per entity, or a few bytes where the sides differ in size. Every entity
/// has at least one triple, but for isolated ones. Numbers, identifiers and orders are drawn for each side
/// alone and say nothing about which entities belong together. Throws ParameterError where `options` make no
/// sense, and whatever the sink throws.
void generate_pair(const GenerateOptions& options, PairSink& sink, Observer& observer);

}  // namespace dovetail

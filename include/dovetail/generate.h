#pragma once

#include <cstdint>

namespace dovetail {

class Observer;
class PairSink;

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
    double noise = 0.05;    ///< share of a side's triples that join entities at random
    double dangling = 0.1;  ///< share of a side's entities that have no counterpart; at most 0.9
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
  std::uint64_t triples = 0;        ///< per side, met within about 2%; 0: 5 per entity
  std::uint64_t seed = 1;           ///< same seed and options, same pair, on every machine
  Schema schema;
  Difference difference;
  Split split;
  bool labels = true;        ///< whether entities have names
  std::uint64_t values = 0;  ///< literals of an entity, at most 100; 0: none
};

/// Checks `options` and puts the chosen value where they say 0. Throws ParameterError.
[[nodiscard]] GenerateOptions resolve_options(const GenerateOptions& options);

/// Makes the pair and hands it to `sink`: the left graph, the right graph, then the links. Triples are
/// streamed, so memory is a few bits per entity. Every entity has at least one triple. Numbers, identifiers
/// and orders are drawn for each side alone and say nothing about which entities belong together.
/// Throws ParameterError where `options` make no sense, and whatever the sink throws.
void generate_pair(const GenerateOptions& options, PairSink& sink, Observer& observer);

}  // namespace dovetail

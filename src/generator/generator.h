#pragma once

#include <dovetail/generate.h>
#include <dovetail/graph_sink.h>
#include <dovetail/observer.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/random.h"
#include "generator/hidden.h"
#include "generator/name_maker.h"
#include "generator/placement.h"

namespace dovetail {

/// `http://left.example/entity/L000123` for any number of a side, written over the one before.
class EntityIdentifier {
 public:
  EntityIdentifier(Side side, std::uint64_t entities);

  /// Valid until the next call.
  [[nodiscard]] Term operator()(std::uint32_t number);

 private:
  std::string text_;
  std::size_t digits_;
  std::uint32_t number_ = 0;  // the one in text_
};

/// Hands one side of a generated pair to its sink.
class SideWriter {
 public:
  /// What both sides' writers share; outlives them.
  struct Context {
    const GenerateOptions& options;  ///< resolved
    const HiddenGraph& hidden;
    const Placement& placement;
    Observer& observer;
  };

  SideWriter(Side side, const Context& context, GraphSink& sink);
  void write();

 private:
  void number_relations();
  void write_entities();
  void write_triples();
  void write_noise(std::uint64_t number);
  /// A triple for each entity that has none so far.
  void write_missing();
  void write_values();
  bool write_any_of(std::uint32_t number);
  /// Which of an entity's two duplicates know something.
  struct Holders {
    bool first, copy;
  };
  [[nodiscard]] Holders holders(std::uint64_t key) const;
  void write_triple(std::uint32_t head, const HiddenTriple& triple, std::uint64_t key);
  /// A random entity that is not isolated.
  [[nodiscard]] std::uint32_t draw_entity(Random& random) const;
  void emit(std::uint32_t head, std::uint32_t relation, std::uint32_t tail);

  Side side_;
  Context context_;
  GraphSink& sink_;
  std::uint64_t seed_;
  EntityIdentifier head_;
  EntityIdentifier tail_;
  std::vector<std::uint32_t> relation_number_;     // by hidden relation
  std::vector<std::string> relation_identifiers_;  // by number
  std::vector<bool> joined_;                       // whether the entity has a triple yet, or is to have none
  std::uint64_t wanted_;                           // triples, about
  std::vector<HiddenTriple> triples_;              // of the entity at hand
  std::uint64_t emitted_ = 0;
};

}  // namespace dovetail

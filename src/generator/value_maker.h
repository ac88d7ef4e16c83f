#pragma once

#include <dovetail/graph.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace dovetail {

/// Makes literals for the entities of a generated pair: codes, dates, prices, titles, coordinates, phone
/// numbers, categories, sizes, ratings and descriptions. A value is a function of the seed, the entity and
/// the attribute; the sides write it in different formats and under different attributes, and some values are
/// changed or missing on one side.
class ValueMaker {
 public:
  /// `difference` from 0, the sides differ in formats alone, to 1.
  ValueMaker(std::uint64_t seed, double difference);

  /// The n-th attribute of a side, an IRI. From the tenth on kinds begin anew.
  [[nodiscard]] static std::string attribute(Side side, std::uint64_t n);

  /// Writes the literal that `side` gives the entity for its n-th attribute, in N-Triples syntax; false where
  /// it has none.
  [[nodiscard]] bool value(Side side, std::uint64_t entity, std::uint64_t n, std::string& literal) const;

 private:
  std::uint64_t seed_;
  double difference_;
};

}  // namespace dovetail

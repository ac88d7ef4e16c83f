#include "graph/name_predicates.h"

#include <array>

namespace dovetail {

std::optional<std::uint8_t> name_preference(std::string_view predicate) {
  static constexpr std::array<std::string_view, 6> kPredicates = {
      "http://www.w3.org/2000/01/rdf-schema#label",
      "http://www.w3.org/2004/02/skos/core#prefLabel",
      "http://xmlns.com/foaf/0.1/name",
      "http://schema.org/name",
      "https://schema.org/name",
      "http://www.w3.org/2004/02/skos/core#altLabel"};
  for (std::uint8_t i = 0; i < kPredicates.size(); ++i) {
    if (predicate == kPredicates.at(i)) return i;
  }
  return std::nullopt;
}

}  // namespace dovetail

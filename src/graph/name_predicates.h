#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dovetail {

/// How good a source of names a predicate is, 0 the best: rdfs:label, skos:prefLabel, foaf:name, schema:name,
/// skos:altLabel.
/// Nothing for predicates that are none.
[[nodiscard]] std::optional<std::uint8_t> name_preference(std::string_view predicate);

}  // namespace dovetail

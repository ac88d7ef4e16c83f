#pragma once

#include <string>
#include <string_view>

namespace dovetail {

inline constexpr std::string_view kSameAs = "http://www.w3.org/2002/07/owl#sameAs";

/// What an identifier that is no IRI stands for, and so under which name space it becomes one.
enum class IriRole : unsigned char { entity, relation };

/// The identifier as RDF can hold it: blank nodes and IRIs as they are (characters that no IRI may have
/// percent-encoded), anything else below urn:dovetail:entity: or urn:dovetail:relation:.
[[nodiscard]] std::string to_iri(std::string_view identifier, IriRole role);

}  // namespace dovetail

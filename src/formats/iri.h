#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>

namespace dovetail {

inline constexpr std::string_view kSameAs = "http://www.w3.org/2002/07/owl#sameAs";

/// What an identifier that is no IRI stands for, and so under which name space it becomes one.
enum class IriRole : unsigned char { entity, relation };

/// The identifier as RDF can hold it: blank nodes and IRIs as they are (characters that no IRI may have
/// percent-encoded), anything else below urn:dovetail:entity: or urn:dovetail:relation:.
[[nodiscard]] std::string to_iri(std::string_view identifier, IriRole role);

/// The identifier as SSSOM can hold it: an absolute URI, so ASCII, whose scheme is no prefix that SSSOM
/// defines.
[[nodiscard]] std::string sssom_identifier(std::string_view identifier);
/// The same back, for one that is not just to_iri() of what it was.
[[nodiscard]] std::string from_sssom_identifier(std::string_view uri);
/// What SSSOM's column `other` says of the ends of a mapping that from_sssom_identifier() is for.
inline constexpr std::array<std::string_view, 4> kEncodedEnds = {
    "", "percent-encoded: subject", "percent-encoded: object", "percent-encoded: both"};

/// The file: IRI of an absolute path. Names that are not UTF-8 have one too.
[[nodiscard]] std::string file_iri(const std::filesystem::path& path);

/// A path as JSON can hold it: unchanged if it is UTF-8, else its file: IRI. Relative paths become absolute.
[[nodiscard]] std::string path_text(const std::filesystem::path& path);
/// The same back.
[[nodiscard]] std::filesystem::path path_of_text(std::string_view text);

/// `text` with each %XX replaced by the byte that it stands for, where `wanted` says so.
[[nodiscard]] std::string percent_decoded(std::string_view text, bool (*wanted)(unsigned char byte));

}  // namespace dovetail

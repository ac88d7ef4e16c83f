#include "formats/iri.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fmt/format.h>

#include "common/percent.h"
#include "common/text.h"

namespace dovetail {

namespace {

bool is_alpha(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}
bool is_alnum(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

bool has_scheme(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon + 1 == text.size() || colon < 2 || !is_alpha(text[0]))
    return false;
  return std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(colon),
                     [](char c) { return is_alnum(c) || c == '+' || c == '-' || c == '.'; });
}

bool is_blank(std::string_view text) {
  return text.size() > 2 && text.starts_with("_:") && is_alnum(text[2]) &&
         std::all_of(text.begin() + 2, text.end(),
                     [](char c) { return is_alnum(c) || c == '_' || c == '-'; });
}

/// Whether SSSOM's readers may refuse a URI with this byte.
bool is_stranger(unsigned char byte) {
  return byte >= 0x80 || byte == '[' || byte == ']' || byte == '%' || byte == '#';
}

/// `iri` with what no URI has there in percent codes. `again`: so that these can be told from codes that were
/// there before.
std::string without_strangers(std::string_view iri, bool again) {
  std::string out;
  bool fragment = false;
  for (std::size_t at = 0; at < iri.size(); ++at) {
    const char c = iri[at];
    unsigned value = 0;
    const std::string_view digits = iri.substr(at + 1, 2);
    const bool code = c == '%' && digits.size() == 2 &&
                      std::from_chars(digits.data(), digits.data() + 2, value, 16).ptr == digits.data() + 2;
    const bool good = c == '%'   ? code && !(again && is_stranger(static_cast<unsigned char>(value)))
                      : c == '#' ? !fragment
                                 : !is_stranger(static_cast<unsigned char>(c));
    fragment = fragment || c == '#';
    out += good ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

/// Whether a URI's host has more colons than the one before a port.
bool has_strange_host(std::string_view iri) {
  const std::size_t begin = iri.find("://");
  if (begin == std::string_view::npos) return false;
  std::string_view host = iri.substr(begin + 3);
  host = host.substr(0, host.find_first_of("/?#"));
  host.remove_prefix(host.rfind('@') == std::string_view::npos ? 0 : host.rfind('@') + 1);
  return std::ranges::count(host, ':') > 1;
}

}  // namespace

std::string to_iri(std::string_view identifier, IriRole role) {
  std::string out;
  if (is_blank(identifier) && role == IriRole::entity) {
    out = identifier;
  } else if (has_scheme(identifier)) {
    append_percent_encoded(out, identifier, "<>\"{}|^`\\");
  } else {
    out = role == IriRole::entity ? "urn:dovetail:entity:" : "urn:dovetail:relation:";
    // RDF/XML wants a relation's last part to begin like an XML name.
    if (role == IriRole::relation && !identifier.empty() && !is_alpha(identifier.front())) out += '_';
    append_percent_encoded(out, identifier, "<>\"{}|^`\\%/?#");
  }
  return out;
}

std::string sssom_identifier(std::string_view identifier) {
  static constexpr std::array<std::string_view, 8> kPrefixes = {"linkml", "owl",  "rdf",   "rdfs",
                                                                "semapv", "skos", "sssom", "xsd"};
  std::string iri = "urn:dovetail:blank:";
  if (is_blank(identifier)) {
    iri += identifier.substr(2);
  } else {
    iri = to_iri(identifier, IriRole::entity);
  }
  std::string_view rest = iri;
  const std::string scheme(rest.substr(0, rest.find(':')));
  std::string out;
  if (std::ranges::find(kPrefixes, scheme) != kPrefixes.end() || has_strange_host(iri)) {
    out = "urn:dovetail:entity:" + scheme + "%3A";
    rest.remove_prefix(scheme.size() + 1);
  }
  const std::string plain = without_strangers(rest, false);
  return out + (plain == rest ? plain : without_strangers(rest, true));
}

std::string from_sssom_identifier(std::string_view uri) {
  static constexpr std::string_view kBlank = "urn:dovetail:blank:", kEntity = "urn:dovetail:entity:";
  if (uri.starts_with(kBlank)) return "_:" + std::string(uri.substr(kBlank.size()));
  const std::size_t colon = uri.starts_with(kEntity) ? uri.find("%3A") : uri.npos;
  if (colon != uri.npos) {
    return fmt::format("{}:{}", uri.substr(kEntity.size(), colon - kEntity.size()),
                       percent_decoded(uri.substr(colon + 3), is_stranger));
  }
  return percent_decoded(uri, is_stranger);
}

std::string file_iri(const std::filesystem::path& path) {
  std::string out = "file://";
  append_percent_encoded(out, path.string(), "<>\"{}|^`\\%?#[]");
  return out;
}

std::string path_text(const std::filesystem::path& path) {
  if (path.empty()) return {};
  const std::filesystem::path absolute = std::filesystem::absolute(path);
  return is_utf8(absolute.string()) ? absolute.string() : file_iri(absolute);
}

std::filesystem::path path_of_text(std::string_view text) {
  static constexpr std::string_view kScheme = "file:///";
  if (!text.starts_with(kScheme)) return text;
  return percent_decoded(text.substr(kScheme.size() - 1), [](unsigned char) { return true; });
}

std::string percent_decoded(std::string_view text, bool (*wanted)(unsigned char byte)) {
  std::string out;
  while (!text.empty()) {
    const std::string_view digits = text.substr(1, 2);
    unsigned byte = 0;
    const bool code = text.front() == '%' && digits.size() == 2 &&
                      std::from_chars(digits.data(), digits.data() + 2, byte, 16).ptr == digits.data() + 2 &&
                      wanted(static_cast<unsigned char>(byte));
    out += code ? static_cast<char>(byte) : text.front();
    text.remove_prefix(code ? 3 : 1);
  }
  return out;
}

}  // namespace dovetail

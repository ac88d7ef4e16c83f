#pragma once

#include <dovetail/observer.h>

#include <filesystem>
#include <string>
#include <vector>

namespace dovetail {

/// A name for the entity with a certain id or identifier, from a file of names.
struct GivenName {
  std::string entity;  ///< an identifier, or an id in decimal
  std::string name;
};

/// Reads a JSON file of names: [[entity, name], ...], the entity a number or a string, the name a string or
/// a list of words, as in `translated_names.json`.
[[nodiscard]] std::vector<GivenName> read_names(const std::filesystem::path& path);

}  // namespace dovetail

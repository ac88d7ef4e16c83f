#pragma once

#include <dovetail/observer.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace dovetail {

/// What a user says of an attribute of the left graph and one of the right graph.
struct AttributeRule {
  std::string left, right;  ///< as the file names them
  bool same;                ///< they correspond, or never do
  std::uint64_t line;
};

/// Reads lines of left attribute, tab, right attribute, tab, `same` or `different`. Empty lines and lines
/// that begin with # are left out. Throws InputError at the first other line.
[[nodiscard]] std::vector<AttributeRule> read_attribute_rules(const std::filesystem::path& path,
                                                              Observer& observer);

}  // namespace dovetail

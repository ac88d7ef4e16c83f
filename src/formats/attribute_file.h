#pragma once

#include <dovetail/observer.h>
#include <dovetail/values.h>

#include <filesystem>
#include <vector>

namespace dovetail {

/// Reads lines of left attribute, tab, right attribute, tab, `same` or `different`. Empty lines and lines
/// that begin with # are left out. Throws InputError at the first other line.
[[nodiscard]] std::vector<AttributeRule> read_attribute_rules(const std::filesystem::path& path,
                                                              Observer& observer);

}  // namespace dovetail

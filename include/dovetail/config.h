#pragma once

#include <dovetail/options.h>

#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

/// Options for a certain purpose, under a name.
struct Preset {
  const char* name;
  const char* description;
};

[[nodiscard]] const std::vector<Preset>& presets();
/// Throws ParameterError with the known names where `name` is none of them.
[[nodiscard]] AlignOptions preset_options(std::string_view name);

/// A TOML file with every parameter, what it means and its value; `title` becomes its first comment.
[[nodiscard]] std::string config_text(const AlignOptions& options, std::string_view title);

/// The page of parameters in the documentation, docs/parameters.md.
[[nodiscard]] std::string parameters_page();

}  // namespace dovetail

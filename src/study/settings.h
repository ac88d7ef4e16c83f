#pragma once

#include <dovetail/study.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

/// Everything that a run's result follows from, the data aside.
struct RunConfiguration {
  AlignOptions options;
  std::optional<double> seed_ratio;  ///< unset: links divided as the data have them
};

/// The defaults of studies: structure alone, trained once, nothing done that no figure shows.
[[nodiscard]] RunConfiguration study_defaults();

/// Throws ParameterError where there is no such key, or no such value.
void apply(const std::vector<Setting>& settings, RunConfiguration& configuration);

/// Key by key, presets resolved.
[[nodiscard]] std::vector<Setting> all_settings(const RunConfiguration& configuration);

/// What a run is kept under: its configuration, the fingerprint of its data, and the code that computed it.
[[nodiscard]] std::string run_key(const RunConfiguration& configuration, std::uint64_t data,
                                  std::string_view build);

}  // namespace dovetail

#pragma once

#include <dovetail/plan.h>

#include <map>
#include <string>

namespace dovetail {

/// The parameters that change nothing under these options, their automatic values settled, each with the
/// parameter and value that rules it out: {"tau", "sampling is none"}.
[[nodiscard]] std::map<std::string, std::string> without_effect(const AlignOptions& settled);

/// Whether a parameter was set on purpose: it is in `given`, or has another value than by default.
[[nodiscard]] bool is_given(const AlignOptions& options, const std::string& name);

/// Throws ParameterError at the first parameter that must count and has no effect.
void refuse_without_effect(const AlignOptions& settled);

}  // namespace dovetail

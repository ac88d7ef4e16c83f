#pragma once

#include <string_view>

namespace dovetail {

/// A hash of the sources that this library was built from; the build computes it (cmake/source_hash.cmake).
/// Results that are kept under it are never taken for those of other code.
[[nodiscard]] std::string_view build_id();

}  // namespace dovetail

#pragma once

#include "common/numbers.h"

namespace dovetail {

// Ranges of GenerateOptions, for resolve_options() and for what reads them from users. Some are narrower
// where they depend on the number of entities, which resolve_options() looks at.
inline constexpr Range kGeneratedEntities = {10, 1e7};
inline constexpr Range kGeneratedTriples = {0, 1e9};
inline constexpr Range kGeneratedRelations = {0, 100'000};
inline constexpr Range kGeneratedTypes = {0, 1000};
inline constexpr Range kGeneratedCommunities = {0, 1e7};
inline constexpr Range kGeneratedValues = {0, 100};
inline constexpr Range kDangling = {0, 0.9};

}  // namespace dovetail

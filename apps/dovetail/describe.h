#pragma once

#include <dovetail/io.h>

#include <string>

/// A loaded pair in numbers, for people.
[[nodiscard]] std::string describe_text(const dovetail::LoadedPair& pair);

#pragma once

#include <cstdint>

namespace dovetail {

/// How many times its size a compressed file may grow when it is read; 0: as often as it likes. It holds for
/// the whole process, as the system's own limits do. Triples grow about twentyfold, what was made to fill
/// memory and disks a thousandfold and more.
void set_largest_expansion(std::uint64_t times);
[[nodiscard]] std::uint64_t largest_expansion();
inline constexpr std::uint64_t kLargestExpansion = 200;

}  // namespace dovetail

#pragma once

#include <cstddef>
#include <cstdint>

namespace dovetail {

/// How the best candidates are found.
enum class Search : std::uint8_t {
  automatic,    ///< four-bit up to some billion pairs, then approximate
  exact,        ///< single-precision scores of all pairs
  four_bit,     ///< all pairs in 4-bit integers of folded vectors, then the best ones exactly
  approximate,  ///< half-byte codes instead, of pairs in near regions beyond some 100,000 right ones
};

struct MatchingOptions {
  Search search = Search::automatic;
  std::size_t fold = 4;         ///< features that a 4-bit search adds up into one at most, with random signs
  std::size_t probes = 32;      ///< regions that an approximate search looks at for each left entity
  std::size_t candidates = 50;  ///< kept for each entity
  std::size_t csls_neighbours = 10;  ///< 0: no CSLS correction
  /// Features beyond this many times the root mean square of their vector count as that much; 0: no limit.
  /// Not in the paper. A few large features otherwise outweigh the many that tell entities apart.
  double clip = 1.25;
};

}  // namespace dovetail

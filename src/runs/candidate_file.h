#pragma once

#include <dovetail/run.h>

#include <filesystem>

namespace dovetail {

inline constexpr const char* kCandidatesFile = "candidates.dovetail";

/// Writes the best candidates of each left entity of a pool, so that a person can choose another one later:
/// magic, version, header, numbers as memory holds them, checksum.
void write_candidates(const Candidates& left, const std::filesystem::path& path);

/// Reads them back; leaves `left` empty where the file is not there, as in runs of 0.1.0. Throws InputError
/// where the file is damaged or belongs to graphs of other sizes.
void read_candidates(const std::filesystem::path& path, const GraphSizes& graphs, Candidates& left);

/// The same pairs seen from the other side: entities ascending, for each the best first.
[[nodiscard]] Candidates other_side(const Candidates& candidates);

}  // namespace dovetail

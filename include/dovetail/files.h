#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// How commands treat the user's files: what they read is never written, and what they write appears whole.

namespace dovetail {

/// As a file's name: what is written goes to the standard output.
inline constexpr const char* kStandardOutput = "-";

/// What a command reads: it never overwrites, moves or removes any of it.
struct Reading {
  std::vector<std::filesystem::path> inputs{};  ///< files and folders; empty names are left out
  std::filesystem::path run{};                  ///< the folder of the run that it opens, if it opens one
};

/// Throws SystemError if a file must not be written to `path`: a folder, a link to nothing, a file that the
/// command reads, one that a folder of Dovetail's has or keeps the name of, one that a person decided, and
/// any other file without `replace`. Devices and pipes may always be written to.
void check_target(const std::filesystem::path& path, bool replace, const Reading& reading);
/// The same for the folder of a pair of graphs.
void check_pair_target(const std::filesystem::path& folder, bool replace, const Reading& reading);

/// The content of a file, decompressed if need be, without a byte-order mark. Throws InputError where it has
/// over `limit` bytes (the default is the most that the JSON parser takes), SystemError if it cannot be read.
[[nodiscard]] std::string read_whole(const std::filesystem::path& path, std::size_t limit = 0xFFFFFFFF);
/// Writes a file that appears under its name when it is complete.
void write_whole(const std::filesystem::path& path, std::string_view text);

}  // namespace dovetail

#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "formats/manifest.h"

namespace dovetail {

// NAME.partial, in which Dovetail writes what is to become the folder NAME: a marker that says whose it is
// and how far it has come, and a folder of files.

/// The folder of files in NAME.partial.
[[nodiscard]] std::filesystem::path staged_files(const std::filesystem::path& partial);

/// Whether Dovetail made this folder. One that is empty may have been made by a process that was killed, and
/// has nothing to lose.
[[nodiscard]] bool is_dovetails(const std::filesystem::path& partial);
/// Whether all files are there, and on their way to the folder NAME.
[[nodiscard]] bool is_installing(const std::filesystem::path& partial);

/// Says whose it is.
void mark_as_dovetails(const std::filesystem::path& partial);
/// Says that all files are there. `old` are those of the folder NAME that are replaced or removed.
void mark_as_complete(const std::filesystem::path& partial, const std::map<std::string, ManifestEntry>& old);

/// Moves the files of a complete NAME.partial to the folder NAME, the manifest last, and removes old ones.
/// May be done again if it was not finished; then `again` has it look whether somebody changed files since,
/// and throw SystemError.
void install(const std::filesystem::path& partial, const std::filesystem::path& folder, bool again);

/// Removes NAME.partial, but nothing in it that Dovetail did not write.
void discard(const std::filesystem::path& partial);

}  // namespace dovetail

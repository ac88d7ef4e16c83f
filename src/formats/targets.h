#pragma once

#include <dovetail/files.h>

#include <filesystem>
#include <string>
#include <vector>

#include "formats/manifest.h"

namespace dovetail {

/// What a command wants of a folder that it writes.
struct FolderTarget {
  FolderKind kind = FolderKind::run;
  bool replace = false;   ///< the files that Dovetail wrote there
  bool in_part = false;   ///< only the files that are written are replaced; the others stay
  bool into_run = false;  ///< it may be the folder of the run that the command opens
  Reading reading{};
  std::vector<std::string> names{};  ///< of files that it may write, so far as they are known before the work
};

/// Throws SystemError if the place beside `path` where the result is written first is, or holds, what the
/// command reads, or if `path` has the name of such a place.
void check_partial(const std::filesystem::path& path, const Reading& reading);

/// check_target() for a folder: throws SystemError if something is at `path` that must not be written to.
/// Files in it that Dovetail did not write are no obstacle unless they have a name that is needed; a folder
/// in which nothing is Dovetail's is one, also with `replace`. Returns what is there.
[[nodiscard]] FolderState check_target_folder(const std::filesystem::path& path, const FolderTarget& target,
                                              const FolderState* earlier = nullptr);

/// A message that names what stays in a folder although it is written to; empty if there is nothing to say.
[[nodiscard]] std::string what_stays(const std::filesystem::path& path, const FolderState& state,
                                     const FolderTarget& target);

}  // namespace dovetail

#pragma once

#include <dovetail/io.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "formats/output_folder.h"

namespace dovetail {

/// Copies the files that updates were given into the folder of the run, where they are never replaced or
/// removed, so that the run stays whole when the user moves or changes their own.
class GivenFiles {
 public:
  /// `opened` is the folder of the run that is updated, `target` that of the result; they may be the same.
  GivenFiles(const std::filesystem::path& opened, OutputFolder& target);

  /// Copies files that are new. Returns them as they are to be read: by the user's names, which messages are
  /// to have, or by those of the copies where a file can be read only once.
  [[nodiscard]] MoreFiles take(MoreFiles more);
  /// After all were read: has the pair's source refer to the copies, also of what earlier updates were given.
  /// Throws InputError if a file was changed since it was copied.
  void settle(PairSource& source);

 private:
  /// The place of the copy of a file; copies it unless that has been done.
  std::filesystem::path copy_of(const std::filesystem::path& file);
  [[nodiscard]] std::string free_name(const std::filesystem::path& file);

  OutputFolder& target_;
  std::filesystem::path opened_;                                   // given/ of the run that is updated
  bool in_place_;                                                  // where earlier copies stay as they are
  std::uint64_t number_ = 0;                                       // of the last copy
  std::map<std::filesystem::path, std::filesystem::path> copies_;  // by the file's absolute path
  std::map<std::filesystem::path, FileStamp> stamps_;              // of files that are read after copying
};

}  // namespace dovetail

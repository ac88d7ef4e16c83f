#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <sys/types.h>

namespace dovetail {

// What Dovetail asks of the file system when it writes: names, places and moves that never replace
// somebody else's file.

/// A name beside a file's or folder's, which may end in a slash.
[[nodiscard]] std::filesystem::path name_beside(const std::filesystem::path& path, const char* ending);

/// Where a target that is given as `path` really is: symbolic links are followed. Throws SystemError for a
/// link to nothing.
[[nodiscard]] std::filesystem::path resolved_target(const std::filesystem::path& path);

/// A file or folder, however it is named: links are followed.
struct FilePlace {
  std::filesystem::path path;  ///< canonical
  dev_t device = 0;
  ino_t inode = 0;
  bool folder = false;

  [[nodiscard]] bool same(const FilePlace& other) const {
    return device == other.device && inode == other.inode;
  }
  /// Whether this lies somewhere in the other one, which is a folder.
  [[nodiscard]] bool is_below(const FilePlace& other) const;
};
/// Nothing where there is nothing.
[[nodiscard]] std::optional<FilePlace> place_of(const std::filesystem::path& path);

/// Kind and identity of what is at a path itself, links not followed; nothing if there is nothing.
[[nodiscard]] std::optional<struct stat> status_of(const std::filesystem::path& path);
[[nodiscard]] bool is_real_folder(const std::filesystem::path& path);
[[nodiscard]] bool is_real_file(const std::filesystem::path& path);

/// What changes when a file is written to or replaced.
struct FileStamp {
  std::uint64_t inode = 0, size = 0;
  std::int64_t modified = 0, changed = 0;  ///< nanoseconds

  explicit FileStamp(const struct stat& status);
  bool operator==(const FileStamp&) const = default;
};

/// Renames unless something has the new name: then errno is EEXIST and the result false.
[[nodiscard]] bool rename_to_free_name(const std::filesystem::path& from, const std::filesystem::path& to);
/// Copies a regular file's content, flushed to the disk. Throws SystemError.
void copy_flushed(const std::filesystem::path& from, const std::filesystem::path& to);
/// Writes a small file and flushes it to the disk. Throws SystemError.
void write_flushed(const std::filesystem::path& path, const std::string& text);
/// Flushes a file or folder to the disk. Returns whether that worked.
bool flush_to_disk(const std::filesystem::path& path);
/// Flushes the folder that a path is in, after something was renamed there; where the system can.
void flush_folder_of(const std::filesystem::path& path);

/// `PATH: cannot write: REASON; nothing was left behind`
[[noreturn]] void cannot_write(const std::filesystem::path& path, const std::string& reason);

}  // namespace dovetail

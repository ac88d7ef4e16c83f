#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct archive;

namespace dovetail {

/// As a file's name: what is written goes to the standard output.
inline constexpr const char* kStandardOutput = "-";

/// A file that appears under its name only when it is complete: it is written beside as NAME.partial and
/// renamed by commit(); without commit() it vanishes. Compressed if the name ends in .gz, .bz2, .xz or .zst.
/// Devices, pipes and kStandardOutput are written to directly.
class OutputFile {
 public:
  /// Throws SystemError if the file cannot be created.
  explicit OutputFile(std::filesystem::path path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  void write(std::string_view text) {
    if (text.size() >= kBuffer && !archive_) {  // large pieces are not copied
      flush();
      write_raw(text);
      return;
    }
    buffer_ += text;
    if (buffer_.size() >= kBuffer) flush();
  }
  OutputFile& operator<<(std::string_view text) {
    write(text);
    return *this;
  }

  /// Writes out what is buffered, flushes it to the disk and gives the file its name.
  void commit();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  static constexpr std::size_t kBuffer = 1 << 18;

  void flush();
  void write_raw(std::string_view bytes);
  void start_compression(const std::string& extension);
  [[noreturn]] void refuse() const;

  std::filesystem::path path_;
  std::filesystem::path written_;  // where the bytes go: the partial file, or path_ for devices
  int file_ = -1;
  bool terminal_ = false;  // which would obey what names may hold
  std::string buffer_;
  std::unique_ptr<archive, int (*)(archive*)> archive_;
};

/// A folder that appears under its name only when it is complete, by the same means.
class OutputFolder {
 public:
  /// Throws SystemError if something is at `path` already (an empty folder aside) and not `replace`, if
  /// the folder cannot be created, or if another process is writing it.
  OutputFolder(std::filesystem::path path, bool replace);
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  ~OutputFolder();

  /// Where to write the files in the meantime.
  [[nodiscard]] const std::filesystem::path& working_path() const { return partial_; }
  /// Replaces nothing after all. Throws SystemError if something is there already.
  void keep_what_is_there();
  void commit();

 private:
  std::filesystem::path path_;
  std::filesystem::path partial_;
  int lock_ = -1;  // on the partial folder, as long as this lives
  bool committed_ = false;
  bool replace_;
};

/// A name beside a file's or folder's, which may end in a slash.
[[nodiscard]] std::filesystem::path name_beside(const std::filesystem::path& path, const char* ending);

/// Throws SystemError if something is at `path` that must not be replaced: anything but an empty folder
/// without `replace`, and in any case a folder that does not look like a pair of graphs, so that a slip of
/// the hand costs nobody their home.
void check_target_folder(const std::filesystem::path& path, bool replace);

/// Throws SystemError if a file is at `path` and not `replace`. Devices and pipes may always be written to.
void check_target(const std::filesystem::path& path, bool replace);

}  // namespace dovetail

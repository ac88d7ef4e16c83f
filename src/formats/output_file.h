#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "formats/targets.h"

struct archive;

namespace dovetail {

/// A file that appears under its name only when it is complete: it is written beside as NAME.partial and
/// renamed by commit(); without commit() it vanishes. Compressed if the name ends in .gz, .bz2, .xz or .zst.
/// Devices, pipes and kStandardOutput are written to directly. A symbolic link to a file is followed.
class OutputFile {
 public:
  /// In whose folder the file is.
  enum class Folder : std::uint8_t {
    anybodys,
    dovetails,  ///< what is at NAME.partial was left there by a process that was killed
  };
  /// Throws SystemError if the file cannot be created, if another process is writing it, or if NAME.partial
  /// is there and not Dovetail's.
  explicit OutputFile(std::filesystem::path path, Folder folder = Folder::anybodys);
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

  /// Writes out what is buffered, flushes it to the disk and gives the file its name. Throws SystemError if
  /// somebody wrote or changed a file of that name in the meantime; that one stays.
  void commit();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  static constexpr std::size_t kBuffer = 1 << 18;

  void flush();
  void write_raw(std::string_view bytes);
  void open_aside(Folder folder);
  void give_name();
  void start_compression(const std::string& extension);
  [[noreturn]] void refuse() const;

  std::filesystem::path path_;
  std::filesystem::path target_;       // path_ with links followed
  std::filesystem::path written_;      // where the bytes go: the partial file, or target_ for devices
  std::optional<FileStamp> replaced_;  // of the file that has the name now
  int file_ = -1;
  bool terminal_ = false;  // which would obey what names may hold
  std::string buffer_;
  std::unique_ptr<archive, int (*)(archive*)> archive_;
};

}  // namespace dovetail

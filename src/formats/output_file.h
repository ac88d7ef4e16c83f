#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "formats/targets.h"

struct archive;
struct ZSTD_CCtx_s;

namespace dovetail {

/// A file that appears under its name only when it is complete: it is written beside as NAME.partial and
/// renamed by commit(); without commit() it vanishes. Compressed if the name ends in .gz, .bz2, .xz or .zst.
/// Devices, pipes and kStandardOutput are written to directly. A symbolic link to a file is followed.
class OutputFile {
 public:
  /// Throws SystemError if the file cannot be created, if another process is writing it, or if NAME.partial
  /// is there and not Dovetail's: it is, if it has the mark of a file that is being written, or begins with
  /// `magic`, the bytes by which files of this kind are known.
  explicit OutputFile(std::filesystem::path path, std::string_view magic = {});
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  void write(std::string_view text) {
    if (text.size() >= kBuffer && !archive_ && !zstd_) {  // large pieces are not copied
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
  /// somebody wrote or changed a file of that name in the meantime; that one stays, and the new one is kept
  /// as NAME.new, which the message says.
  void commit();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  static constexpr std::size_t kBuffer = 1 << 18;

  void flush();
  void write_raw(std::string_view bytes);
  void compress(std::string_view bytes, bool last);
  void open_aside(std::string_view magic);
  /// Renames the file; where somebody wrote the target in the meantime, to a free name beside it. Returns it.
  [[nodiscard]] std::filesystem::path give_name() const;
  void discard();
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
  std::unique_ptr<ZSTD_CCtx_s, std::size_t (*)(ZSTD_CCtx_s*)> zstd_;  // libarchive writes no checksums
};

}  // namespace dovetail

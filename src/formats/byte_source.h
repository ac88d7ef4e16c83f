#pragma once

#include <array>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "formats/decompressor.h"

namespace dovetail {

/// The bytes of a file, decompressed where its first bytes say that it is gzip, bzip2, xz or zstd. Works on
/// pipes too.
class ByteSource {
 public:
  /// Throws SystemError if the file cannot be opened.
  explicit ByteSource(const std::filesystem::path& path);
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  ~ByteSource();

  /// Fills the front of `buffer`; returns how many bytes, 0 at the end only. Throws InputError where
  /// compressed data are damaged, end too early or grow beyond largest_expansion(), and where the file was
  /// changed in the meantime.
  std::size_t read(std::span<char> buffer);

  /// Reads on to see whether the compressed data are damaged, and throws InputError if so: damage may show as
  /// strange text first. Looks at files only, and not at all of a large one.
  void check_rest();

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool compressed() const { return decompressor_ != nullptr; }
  /// Of the file itself, so compressed bytes; 0 where the size is not known.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// How many of those were read.
  [[nodiscard]] std::uint64_t position() const { return position_; }

 private:
  /// Reads from the file itself, the bytes looked at for recognition first.
  std::size_t read_raw(std::span<char> buffer);
  std::size_t decompress(std::span<char> buffer);
  void check_expansion() const;
  void check_unchanged() const;
  [[noreturn]] void fail_damaged(const char* problem) const;

  std::string name_;
  int file_ = -1;
  std::uint64_t size_ = 0;
  std::uint64_t position_ = 0;
  std::uint64_t unpacked_ = 0;
  timespec modified_{};  // when it was opened; only of a file whose size is known
  std::array<char, 8> head_{};
  std::size_t head_size_ = 0;
  std::size_t head_served_ = 0;
  std::unique_ptr<Decompressor> decompressor_;
  std::vector<char> packed_buffer_;
  std::span<const char> packed_;  // what is not decompressed yet of that
  bool packed_end_ = false;       // whether the file has ended
};

}  // namespace dovetail

#pragma once

#include <dovetail/observer.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "formats/byte_source.h"

namespace dovetail {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// A text file, read as large blocks of whole lines. Checks that it is UTF-8, skips byte-order marks at the
/// beginning and, where files were put together, at that of later lines, decompresses, reports progress, and
/// knows which line a problem is in.
class TextInput {
 public:
  /// Which byte-order marks are skipped.
  enum class Marks : std::uint8_t {
    of_every_line,
    of_file,  ///< only one at its beginning: a line may begin within a field, where a mark is text
  };
  /// Throws InputError if the file is empty.
  TextInput(const std::filesystem::path& path, Observer& observer, Marks marks = Marks::of_every_line);

  /// The next block: whole lines, the last one of the file perhaps without an end; behind the block there is
  /// always one more line's end, so that a parser may look for one without counting, and some bytes that may
  /// be read but mean nothing. Starts with the last `keep` bytes of the previous block, for records that go
  /// on after a line's end. False at the end of the file, where the kept bytes are lost.
  bool next_block(std::string_view& block, std::size_t keep = 0);

  /// The 1-based number of the first line of the current block.
  [[nodiscard]] std::uint64_t block_line() const { return block_line_; }
  /// The number of the line that `place`, a pointer into the current block, is in.
  [[nodiscard]] std::uint64_t line_of(const char* place) const;

  /// Throws an InputError for `line` of this file; if the compressed file is damaged, one that says so.
  [[noreturn]] void fail(std::uint64_t line, const std::string& problem) const;

  /// Looks at the beginning of the text without consuming it: at most `bytes` of the first block.
  [[nodiscard]] std::string_view peek(std::size_t bytes);

  [[nodiscard]] const std::string& name() const { return source_.name(); }

 private:
  bool fill(std::size_t keep);
  void check_utf8(std::string_view block) const;
  void drop_byte_order_marks(std::size_t begin);

  mutable ByteSource source_;  // fail() looks at the rest of it
  Observer& observer_;
  std::string task_;
  std::vector<char> buffer_;
  std::size_t filled_ = 0;       // bytes of buffer_ in use
  std::size_t block_begin_ = 0;  // the current block in buffer_
  std::size_t block_end_ = 0;
  std::uint64_t block_line_ = 1;
  bool at_end_ = false;
  bool peeked_ = false;
  Marks marks_;
};

}  // namespace dovetail

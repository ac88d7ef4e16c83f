#include "formats/text_input.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <simdjson.h>

#include "common/text.h"

namespace dovetail {

namespace {

constexpr std::size_t kBlock = 1 << 18;  // a block stays in the second-level cache
constexpr std::size_t kSlack = 16;       // readable bytes behind every block, see next_block()
constexpr std::size_t kLongestLine = 64 << 20;

std::uint64_t count_lines(std::string_view text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

/// Which UTF-16 a text is in, by its byte-order mark or by zeros in every other byte of what would else be
/// ASCII; nothing for others.
const char* utf16_of(std::string_view text) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) return "UTF-16";
  const auto zero = [&](std::size_t i) { return text[i] == '\0'; };
  if (text.size() < 4 || zero(0) != zero(2) || zero(1) != zero(3) || zero(0) == zero(1)) return nullptr;
  return zero(0) ? "UTF-16BE" : "UTF-16LE";
}

/// The command that writes a file again as UTF-8, beside it.
std::string conversion(const ByteSource& source, const char* encoding) {
  std::filesystem::path path(source.name());
  if (source.compressed()) path.replace_extension();
  const std::filesystem::path converted =
      path.parent_path() / (path.stem().string() + "-utf8" + path.extension().string());
  const std::string iconv = fmt::format("iconv -f {} -t UTF-8", encoding);
  return source.compressed() ? fmt::format("gzip -dc {} | {} > {}", source.name(), iconv, converted.string())
                             : fmt::format("{} {} > {}", iconv, source.name(), converted.string());
}

}  // namespace

TextInput::TextInput(const std::filesystem::path& path, Observer& observer, Marks marks)
    : source_(path), observer_(observer), task_("reading " + path.filename().string()), marks_(marks) {
  // A small file needs a small buffer; one byte more than the file has, so that its end is seen.
  const bool known = source_.size() > 0 && !source_.compressed();
  buffer_.resize((known ? std::min<std::uint64_t>(source_.size() + 1, 2 * kBlock) : 2 * kBlock) + kSlack);
  if (!fill(0)) {
    throw InputError(name(), 0,
                     "the file is empty; expected at least one line; check that it was written completely");
  }
  peeked_ = true;
}

bool TextInput::next_block(std::string_view& block, std::size_t keep) {
  if (peeked_) {
    peeked_ = false;
  } else {
    const std::string_view done(buffer_.data() + block_begin_, block_end_ - block_begin_ - keep);
    block_line_ += count_lines(done);
    if (!fill(keep)) return false;
  }
  block = {buffer_.data() + block_begin_, block_end_ - block_begin_};
  return true;
}

bool TextInput::fill(std::size_t keep) {
  const bool first = block_end_ == 0 && filled_ == 0;
  // Move what is not yet consumed to the front, then read until there is a line's end to stop at.
  const std::size_t begin = block_end_ - keep;
  std::memmove(buffer_.data(), buffer_.data() + begin, filled_ - begin);
  filled_ -= begin;
  std::size_t searched = keep;
  block_begin_ = 0;
  while (!at_end_) {
    if (filled_ + kSlack == buffer_.size()) {
      if (filled_ >= kLongestLine) {
        fail(block_line_, fmt::format("a line or record of over {} MiB; expected one triple or link a line; "
                                      "is this really a text file of that kind?",
                                      kLongestLine >> 20));
      }
      buffer_.resize(buffer_.size() * 2);
    }
    const std::size_t got =
        source_.read({buffer_.data() + filled_, std::min(kBlock, buffer_.size() - kSlack - filled_)});
    at_end_ = got == 0;
    filled_ += got;
    const void* last = memrchr(buffer_.data() + searched, '\n', filled_ - searched);
    if (last != nullptr && filled_ >= kBlock / 2) {
      block_end_ = static_cast<std::size_t>(static_cast<const char*>(last) - buffer_.data()) + 1;
      break;
    }
  }
  if (at_end_) block_end_ = filled_;
  const std::string_view text(buffer_.data(), filled_);
  if (const char* const utf16 = first ? utf16_of(text) : nullptr) {
    fail(1, "found UTF-16; expected UTF-8; convert the file: " + conversion(source_, utf16));
  }
  if (first && text.starts_with(kByteOrderMark)) block_begin_ = kByteOrderMark.size();
  const std::size_t checked = std::max(keep, block_begin_);
  check_utf8({buffer_.data() + checked, block_end_ - checked});
  if (marks_ == Marks::of_every_line) drop_byte_order_marks(checked);
  observer_.stop_if_cancelled();
  observer_.progress(task_, source_.position(), source_.size(), "bytes");
  if (at_end_) buffer_[block_end_] = '\n';  // behind the block, see next_block()
  return block_end_ > checked;
}

void TextInput::drop_byte_order_marks(std::size_t begin) {
  const char* const block = buffer_.data();
  const auto next_mark = [&](std::size_t from) {
    for (const char* at = block + from;; ++at) {
      at = static_cast<const char*>(
          std::memchr(at, kByteOrderMark[0], static_cast<std::size_t>(block + block_end_ - at)));
      if (at == nullptr) return block_end_;
      const auto place = static_cast<std::size_t>(at - block);
      const bool line_begins = place == begin || at[-1] == '\n';
      if (line_begins && std::string_view(at, block_end_ - place).starts_with(kByteOrderMark)) return place;
    }
  };
  std::size_t mark = next_mark(begin);
  if (mark == block_end_) return;
  std::size_t kept = mark;
  while (mark < block_end_) {
    const std::size_t from = mark + kByteOrderMark.size();
    mark = next_mark(from);
    std::memmove(buffer_.data() + kept, block + from, mark - from);
    kept += mark - from;
  }
  std::memmove(buffer_.data() + kept, block + block_end_, filled_ - block_end_);
  filled_ -= block_end_ - kept;
  block_end_ = kept;
}

void TextInput::check_utf8(std::string_view block) const {
  if (simdjson::validate_utf8(block.data(), block.size())) return;
  std::uint64_t line = line_of(block.data());
  while (true) {
    const std::size_t end = block.find('\n');
    const std::string_view text = block.substr(0, end);
    if (!simdjson::validate_utf8(text.data(), text.size())) {
      std::size_t good = 0;
      while (const std::size_t length = character_length(text.substr(good))) good += length;
      const auto byte = static_cast<unsigned char>(text[good]);
      fail(line,
           fmt::format("byte 0x{:02X} in column {} is not UTF-8; expected UTF-8 text; if the file is in "
                       "Windows-1252, as spreadsheets write it, convert it: {}",
                       byte, good + 1, conversion(source_, "WINDOWS-1252")));
    }
    block.remove_prefix(end + 1);
    ++line;
  }
}

std::uint64_t TextInput::line_of(const char* place) const {
  const char* begin = buffer_.data() + block_begin_;
  return block_line_ + count_lines({begin, static_cast<std::size_t>(place - begin)});
}

void TextInput::fail(std::uint64_t line, const std::string& problem) const {
  source_.check_rest();
  throw InputError(name(), line, problem);
}

std::string_view TextInput::peek(std::size_t bytes) {
  return {buffer_.data() + block_begin_, std::min(bytes, block_end_ - block_begin_)};
}

}  // namespace dovetail

#include "formats/byte_source.h"

#include <dovetail/errors.h>
#include <dovetail/limits.h>

#include <algorithm>
#include <archive.h>
#include <archive_entry.h>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "common/text.h"

namespace dovetail {

namespace {

constexpr std::size_t kArchiveBlock = 1 << 18;
constexpr std::uint64_t kSmall = 64 << 20;  // unpacked, a file up to this may have grown as it likes

std::atomic<std::uint64_t> allowed_expansion = kLargestExpansion;

[[noreturn]] void refuse(const std::string& name, const char* what) {
  throw SystemError(fmt::format("{}: cannot {}: {}", name, what, std::generic_category().message(errno)),
                    errno);
}

bool is_compressed(std::string_view head) {
  using namespace std::string_view_literals;
  // "BZh" alone may begin a text; the first half of a block's magic, or of that of the end, may not.
  const bool bzip2 = head.size() == 8 && head.starts_with("BZh"sv) &&
                     (head.ends_with("1AY&"sv) || head.ends_with("\x17\x72\x45\x38"sv));
  return head.starts_with("\x1f\x8b"sv) || bzip2 ||
         head.starts_with(
             "\xfd"
             "7zXZ\0"sv) ||
         head.starts_with("\x28\xb5\x2f\xfd"sv);
}

}  // namespace

ByteSource::ByteSource(const std::filesystem::path& path) : name_(path.string()), archive_(nullptr, nullptr) {
  file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file_ < 0) refuse(name_, "open the file");
  struct stat status {};
  if (::fstat(file_, &status) == 0) {
    if (S_ISDIR(status.st_mode)) {
      ::close(file_);
      throw SystemError(name_ + ": this is a folder; expected a file");
    }
    if (S_ISREG(status.st_mode)) size_ = static_cast<std::uint64_t>(status.st_size);
    modified_ = status.st_mtim;
  }
  try {
    while (head_size_ < head_.size()) {
      const ssize_t got = ::read(file_, head_.data() + head_size_, head_.size() - head_size_);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) refuse(name_, "read the file");
      if (got == 0) break;
      head_size_ += static_cast<std::size_t>(got);
    }
    if (is_compressed({head_.data(), head_size_})) start_decompression();
  } catch (...) {
    ::close(file_);
    throw;
  }
}

ByteSource::~ByteSource() {
  archive_.reset();
  ::close(file_);
}

std::size_t ByteSource::read_raw(std::span<char> buffer) {
  if (head_served_ < head_size_) {
    const std::size_t count = std::min(buffer.size(), head_size_ - head_served_);
    std::memcpy(buffer.data(), head_.data() + head_served_, count);
    head_served_ += count;
    position_ += count;
    return count;
  }
  while (true) {
    const ssize_t got = ::read(file_, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(name_, "read the file");
    if (got == 0) check_unchanged();
    position_ += static_cast<std::uint64_t>(got);
    return static_cast<std::size_t>(got);
  }
}

std::size_t ByteSource::read(std::span<char> buffer) {
  if (!archive_) return read_raw(buffer);
  if (empty_archive_) return 0;
  const la_ssize_t got = archive_read_data(archive_.get(), buffer.data(), buffer.size());
  if (got < 0) fail_archive();
  if (got == 0) check_unchanged();  // the library need not have seen the file's end
  unpacked_ += static_cast<std::uint64_t>(got);
  check_expansion();
  return static_cast<std::size_t>(got);
}

void ByteSource::check_expansion() const {
  const std::uint64_t allowed = largest_expansion();
  if (allowed == 0 || unpacked_ <= kSmall || unpacked_ / allowed < position_) return;
  throw InputError(
      name_, 0,
      fmt::format("found {} in the first {} of compressed data; expected at most {} times as much; "
                  "if the file is to be trusted, use --max-expansion 0",
                  human_bytes(unpacked_), human_bytes(position_), allowed));
}

void ByteSource::check_unchanged() const {
  struct stat status {};
  if (size_ == 0 || ::fstat(file_, &status) != 0) return;
  if (static_cast<std::uint64_t>(status.st_size) == size_ && status.st_mtim.tv_sec == modified_.tv_sec &&
      status.st_mtim.tv_nsec == modified_.tv_nsec) {
    return;
  }
  throw InputError(name_, 0,
                   "the file was changed while it was read; expected it to stay as it was; start again when "
                   "nothing writes to it");
}

void ByteSource::fail_archive() const {
  const char* problem = archive_error_string(archive_.get());
  throw InputError(name_, 0,
                   fmt::format("damaged or incomplete compressed data ({}); expected the whole file; copy or "
                               "download it again",
                               problem == nullptr ? "it ends too early" : problem));
}

void ByteSource::start_decompression() {
  archive_buffer_.resize(kArchiveBlock);
  archive_ = {archive_read_new(), archive_read_free};
  archive_read_support_filter_gzip(archive_.get());
  archive_read_support_filter_bzip2(archive_.get());
  archive_read_support_filter_xz(archive_.get());
  archive_read_support_filter_zstd(archive_.get());
  archive_read_support_format_raw(archive_.get());
  archive_read_support_format_empty(archive_.get());
  archive_entry* entry = nullptr;
  if (archive_read_open(archive_.get(), this, nullptr, &ByteSource::serve_archive, nullptr) != ARCHIVE_OK) {
    fail_archive();
  }
  const int header = archive_read_next_header(archive_.get(), &entry);
  // Without a filter, too little is left for the library to recognise what the first bytes promise.
  if (header == ARCHIVE_FATAL || archive_filter_code(archive_.get(), 0) == ARCHIVE_FILTER_NONE) {
    fail_archive();
  }
  empty_archive_ = header == ARCHIVE_EOF;
}

std::ptrdiff_t ByteSource::serve_archive(archive* handle, void* self, const void** buffer) {
  auto& source = *static_cast<ByteSource*>(self);
  *buffer = source.archive_buffer_.data();
  try {
    return static_cast<std::ptrdiff_t>(source.read_raw(source.archive_buffer_));
  } catch (const Error& error) {
    // Exceptions must not cross the C library; its own error path carries the message.
    archive_set_error(handle, EIO, "%s", error.what());
    return -1;
  }
}

void set_largest_expansion(std::uint64_t times) {
  allowed_expansion = times;
}

std::uint64_t largest_expansion() {
  return allowed_expansion;
}

std::string read_whole(const std::filesystem::path& path, std::size_t limit) {
  constexpr std::size_t kPiece = 1 << 20;
  ByteSource source(path);
  std::string text;
  // A small file needs little room; one byte more than it has, so that its end is seen.
  const bool known = source.size() > 0 && !source.compressed();
  const std::size_t piece = known ? std::min<std::size_t>(kPiece, source.size() + 1) : kPiece;
  for (std::size_t filled = 0, got = 1; got > 0; filled += got) {
    text.resize(filled + piece);
    got = source.read({text.data() + filled, piece});
    text.resize(filled + got);
    if (text.size() > limit) {
      throw InputError(
          source.name(), 0,
          fmt::format("found over {}; expected less; is this the file that was meant?", human_bytes(limit)));
    }
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  return text;
}

}  // namespace dovetail

#include "io/byte_source.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <archive.h>
#include <archive_entry.h>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace dovetail {

namespace {

constexpr std::size_t kArchiveBlock = 1 << 18;

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
    position_ += static_cast<std::uint64_t>(got);
    return static_cast<std::size_t>(got);
  }
}

std::size_t ByteSource::read(std::span<char> buffer) {
  if (!archive_) return read_raw(buffer);
  if (empty_archive_) return 0;
  const la_ssize_t got = archive_read_data(archive_.get(), buffer.data(), buffer.size());
  if (got < 0) fail_archive();
  return static_cast<std::size_t>(got);
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
  } catch (const SystemError& error) {
    // Exceptions must not cross the C library; its own error path carries the message.
    archive_set_error(handle, EIO, "%s", error.what());
    return -1;
  }
}

std::string read_whole(const std::filesystem::path& path) {
  constexpr std::size_t kPiece = 1 << 20;
  ByteSource source(path);
  std::string text;
  for (std::size_t filled = 0, got = 1; got > 0; filled += got) {
    text.resize(filled + kPiece);
    got = source.read({text.data() + filled, kPiece});
    text.resize(filled + got);
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  return text;
}

}  // namespace dovetail

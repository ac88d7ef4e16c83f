#include "formats/byte_source.h"

#include <dovetail/errors.h>
#include <dovetail/files.h>
#include <dovetail/limits.h>

#include <algorithm>
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

constexpr std::size_t kPackedBlock = 1 << 18;
constexpr std::uint64_t kSmall = 64 << 20;    // unpacked, a file up to this may have grown as it likes
constexpr std::uint64_t kLookOn = 256 << 20;  // unpacked bytes in which check_rest() looks for damage

std::atomic<std::uint64_t> allowed_expansion = kLargestExpansion;

[[noreturn]] void refuse(const std::string& name, const char* what) {
  throw SystemError(fmt::format("{}: cannot {}: {}", name, what, std::generic_category().message(errno)),
                    errno);
}

}  // namespace

ByteSource::ByteSource(const std::filesystem::path& path) : name_(path.string()) {
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
    decompressor_ = make_decompressor({head_.data(), head_size_});
    if (decompressor_) packed_buffer_.resize(kPackedBlock);
  } catch (...) {
    ::close(file_);
    throw;
  }
}

ByteSource::~ByteSource() {
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
  if (!decompressor_) return read_raw(buffer);
  std::size_t got = 0;
  try {
    got = decompress(buffer);
  } catch (const DamagedData& damage) {
    fail_damaged(damage.what());
  }
  unpacked_ += got;
  check_expansion();
  return got;
}

std::size_t ByteSource::decompress(std::span<char> buffer) {
  while (true) {
    if (packed_.empty() && !packed_end_) {
      packed_ = {packed_buffer_.data(), read_raw(packed_buffer_)};
      packed_end_ = packed_.empty();
    }
    const auto [taken, made] = decompressor_->step(packed_, buffer, packed_end_);
    packed_ = packed_.subspan(taken);
    if (made > 0) return made;
    if (packed_end_ && packed_.empty()) {
      if (!decompressor_->complete()) fail_damaged("it ends too early");
      return 0;
    }
    if (taken == 0 && !packed_.empty()) fail_damaged("it does not go on");
  }
}

void ByteSource::check_rest() {
  if (!decompressor_ || size_ == 0) return;
  std::vector<char> ignored(kPackedBlock);
  const std::uint64_t until = unpacked_ + kLookOn;
  while (unpacked_ < until && read(ignored) > 0) {
  }
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

void ByteSource::fail_damaged(const char* problem) const {
  check_unchanged();  // which may look like damage
  throw InputError(name_, 0,
                   fmt::format("damaged or incomplete compressed data ({}); expected the whole file; copy or "
                               "download it again",
                               problem));
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

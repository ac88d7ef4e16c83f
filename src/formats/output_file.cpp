#include "formats/output_file.h"

#include <dovetail/errors.h>

#include <archive.h>
#include <archive_entry.h>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <new>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <zstd.h>

#include "common/text.h"

namespace dovetail {

namespace fs = std::filesystem;

namespace {

/// Marks a file that is being written, where the file system can, so that the next process knows whose it is.
constexpr const char* kMark = "user.dovetail.partial";

bool is_marked(int file) {
  return ::fgetxattr(file, kMark, nullptr, 0) >= 0;
}

/// Whether a file has these bytes at its beginning, or is empty or cut off within them.
bool begins_with(int file, std::string_view magic) {
  if (magic.empty()) return false;
  std::string head(magic.size(), '\0');
  const ssize_t got = ::pread(file, head.data(), head.size(), 0);
  return got >= 0 && magic.starts_with(head.substr(0, static_cast<std::size_t>(got)));
}

/// What is at NAME.partial already, opened and locked; -1 if nothing is.
int open_left_behind(const fs::path& partial, const fs::path& target, std::string_view magic) {
  const int file = ::open(partial.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0 && errno == ENOENT) return -1;
  struct stat held {};
  if (file >= 0 && ::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(file);
    throw SystemError(
        target.string() + ": another run is writing it; wait for its end or choose another name",
        EWOULDBLOCK);
  }
  const bool regular = file >= 0 && ::fstat(file, &held) == 0 && S_ISREG(held.st_mode);
  if (regular && (is_marked(file) || begins_with(file, magic))) {
    const auto there = status_of(partial);
    if (there && there->st_ino == held.st_ino) return file;
    ::close(file);  // the other one has just finished and renamed it
    return -1;
  }
  if (file >= 0) ::close(file);
  throw SystemError(
      fmt::format(
          "{}: Dovetail did not make this, or was killed while it wrote it; it is not touched, but its "
          "place is needed: move or remove it, or choose another name than {}",
          partial.string(), target.string()),
      EEXIST);
}

}  // namespace

OutputFile::OutputFile(fs::path path, std::string_view magic)
    : path_(std::move(path)), archive_(nullptr, nullptr), zstd_(nullptr, nullptr) {
  buffer_.reserve(kBuffer + 4096);
  if (path_ == kStandardOutput) {
    path_ = target_ = written_ = "standard output";
    file_ = ::dup(STDOUT_FILENO);
    if (file_ < 0) refuse();
    terminal_ = ::isatty(file_) == 1;
    return;
  }
  target_ = resolved_target(path_);
  std::error_code ignored;
  if (fs::exists(target_, ignored) && !fs::is_regular_file(target_, ignored)) {  // a device or pipe
    written_ = target_;
    file_ = ::open(written_.c_str(), O_WRONLY | O_CLOEXEC);
    if (file_ < 0) refuse();
  } else {
    open_aside(magic);
  }
  try {
    start_compression(path_.extension().string());
  } catch (...) {
    discard();  // no destructor will run
    throw;
  }
}

void OutputFile::open_aside(std::string_view magic) {
  written_ = name_beside(target_, ".partial");
  while (file_ < 0) {
    file_ = ::open(written_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file_ < 0 && errno != EEXIST) refuse();
    if (file_ >= 0 && ::flock(file_, LOCK_EX | LOCK_NB) != 0) ::close(std::exchange(file_, -1));
    if (file_ < 0) file_ = open_left_behind(written_, path_, magic);
  }
  ::fsetxattr(file_, kMark, "1", 1, 0);  // some file systems cannot
  if (::ftruncate(file_, 0) != 0) {
    const int reason = errno;
    discard();
    cannot_write(path_, std::generic_category().message(reason));
  }
  if (const auto there = status_of(target_)) replaced_ = FileStamp(*there);
}

OutputFile::~OutputFile() {
  discard();
}

void OutputFile::discard() {
  if (file_ < 0) return;  // committed
  archive_.reset();
  if (written_ != target_) ::unlink(written_.c_str());
  ::close(std::exchange(file_, -1));
}

void OutputFile::commit() {
  flush();
  if (archive_ && archive_write_close(archive_.get()) != ARCHIVE_OK) refuse();
  if (zstd_) compress({}, true);
  archive_.reset();
  if (written_ == target_) {
    if (::close(std::exchange(file_, -1)) != 0) refuse();
    return;
  }
  if (::fsync(file_) != 0) refuse();
  const fs::path named = give_name();
  ::fremovexattr(file_,
                 kMark);  // it has its name: until then a process that is killed leaves what is known as ours
  ::close(std::exchange(file_, -1));
  flush_folder_of(named);
  if (named != target_) {
    throw SystemError(fmt::format("{}: somebody wrote this file in the meantime; it stays as it is, and the "
                                  "result is in {}",
                                  path_.string(), named.string()),
                      EEXIST);
  }
}

fs::path OutputFile::give_name() const {
  const auto there = status_of(target_);
  const bool as_before = there ? replaced_ && *replaced_ == FileStamp(*there) : !replaced_;
  const bool done = as_before && (there ? ::rename(written_.c_str(), target_.c_str()) == 0
                                        : rename_to_free_name(written_, target_));
  if (done) return target_;
  int reason = as_before ? errno : EEXIST;
  for (int number = 1; reason == EEXIST; ++number) {
    const std::string ending = number == 1 ? ".new" : fmt::format(".new{}", number);
    fs::path free = name_beside(target_, ending.c_str());
    if (rename_to_free_name(written_, free)) return free;
    reason = errno;
  }
  cannot_write(path_, std::generic_category().message(reason));
}

void OutputFile::flush() {
  if (archive_) {
    if (!buffer_.empty() && archive_write_data(archive_.get(), buffer_.data(), buffer_.size()) < 0) refuse();
  } else if (zstd_) {
    compress(buffer_, false);
  } else {
    write_raw(buffer_);
  }
  buffer_.clear();
}

void OutputFile::write_raw(std::string_view bytes) {
  std::string safe;
  if (terminal_) bytes = safe = printable_lines(bytes);
  while (!bytes.empty()) {
    const ssize_t done = ::write(file_, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) refuse();
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
}

void OutputFile::compress(std::string_view bytes, bool last) {
  ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
  std::array<char, 1 << 16> packed{};
  std::size_t left = 1;
  while (input.pos < input.size || (last && left > 0)) {
    ZSTD_outBuffer output{packed.data(), packed.size(), 0};
    left = ZSTD_compressStream2(zstd_.get(), &output, &input, last ? ZSTD_e_end : ZSTD_e_continue);
    if (ZSTD_isError(left) != 0) cannot_write(path_, ZSTD_getErrorName(left));
    write_raw({packed.data(), output.pos});
  }
}

void OutputFile::start_compression(const std::string& extension) {
  if (extension == ".zst") {
    zstd_ = {ZSTD_createCCtx(), ZSTD_freeCCtx};
    if (!zstd_) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(zstd_.get(), ZSTD_c_checksumFlag, 1);
    return;
  }
  int (*add_filter)(archive*) = extension == ".gz"    ? archive_write_add_filter_gzip
                                : extension == ".bz2" ? archive_write_add_filter_bzip2
                                : extension == ".xz"  ? archive_write_add_filter_xz
                                                      : nullptr;
  if (add_filter == nullptr) return;
  archive_ = {archive_write_new(), archive_write_free};
  archive_write_set_format_raw(archive_.get());
  add_filter(archive_.get());
  archive_write_set_bytes_in_last_block(archive_.get(), 1);
  const auto to_file = [](archive* handle, void* self, const void* bytes, std::size_t size) -> la_ssize_t {
    try {
      static_cast<OutputFile*>(self)->write_raw({static_cast<const char*>(bytes), size});
      return static_cast<la_ssize_t>(size);
    } catch (const SystemError&) {
      archive_set_error(handle, errno, "write failed");
      return -1;
    }
  };
  const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(),
                                                                       archive_entry_free);
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  if (archive_write_open(archive_.get(), this, nullptr, to_file, nullptr) != ARCHIVE_OK ||
      archive_write_header(archive_.get(), entry.get()) != ARCHIVE_OK) {
    refuse();
  }
}

void OutputFile::refuse() const {
  const int reason = archive_ ? archive_errno(archive_.get()) : errno;
  cannot_write(path_, std::generic_category().message(reason));
}

void write_whole(const std::filesystem::path& path, std::string_view text) {
  OutputFile file(path);
  file << text;
  file.commit();
}

}  // namespace dovetail

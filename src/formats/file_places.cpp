#include "formats/file_places.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace dovetail {

namespace fs = std::filesystem;

namespace {

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

/// Closes a file when it goes out of scope.
class Descriptor {
 public:
  explicit Descriptor(int file) : file_(file) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (file_ >= 0) ::close(file_);
  }
  [[nodiscard]] int get() const { return file_; }

 private:
  int file_;
};

[[noreturn]] void cannot_write_now(const fs::path& path) {
  cannot_write(path, std::generic_category().message(errno));
}

void write_all(int file, std::string_view bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(file, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) cannot_write_now(path);
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
}

}  // namespace

void cannot_write(const fs::path& path, const std::string& reason) {
  throw SystemError(fmt::format("{}: cannot write: {}; nothing was left behind", path.string(), reason));
}

fs::path name_beside(const fs::path& path, const char* ending) {
  fs::path name = path;
  if (!name.has_filename()) name = name.parent_path();  // a folder given with a slash at the end
  name += ending;
  return name;
}

fs::path resolved_target(const fs::path& path) {
  if (path.empty()) throw SystemError("found an empty name; expected that of a file or folder to write");
  const fs::path plain = name_beside(path, "");
  std::error_code error;
  if (fs::is_directory(path, error) || fs::is_regular_file(path, error)) {
    fs::path real = fs::canonical(path, error);
    return error ? plain : real;
  }
  if (fs::is_symlink(fs::symlink_status(plain, error)) && !fs::exists(path, error)) {
    throw SystemError(path.string() +
                      ": this is a symbolic link to nothing; choose another name or remove the link");
  }
  return plain;
}

bool FilePlace::is_below(const FilePlace& other) const {
  if (!other.folder || path == other.path) return false;
  const auto [rest, unused] = std::mismatch(other.path.begin(), other.path.end(), path.begin(), path.end());
  return rest == other.path.end();
}

std::optional<FilePlace> place_of(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  std::error_code error;
  fs::path real = fs::canonical(path, error);
  if (error) real = fs::absolute(path, error);  // a pipe that a shell made has no other name
  return FilePlace{std::move(real), status.st_dev, status.st_ino, S_ISDIR(status.st_mode)};
}

std::optional<struct stat> status_of(const fs::path& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return std::nullopt;
  return status;
}

bool is_real_folder(const fs::path& path) {
  const auto status = status_of(path);
  return status && S_ISDIR(status->st_mode);
}

bool is_real_file(const fs::path& path) {
  const auto status = status_of(path);
  return status && S_ISREG(status->st_mode);
}

FileStamp::FileStamp(const struct stat& status)
    : inode(status.st_ino),
      size(static_cast<std::uint64_t>(status.st_size)),
      modified(nanoseconds(status.st_mtim)),
      changed(nanoseconds(status.st_ctim)) {}

bool rename_to_free_name(const fs::path& from, const fs::path& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS) return false;
  if (status_of(to)) {  // a file system that cannot do both at once
    errno = EEXIST;
    return false;
  }
  return ::rename(from.c_str(), to.c_str()) == 0;
}

void copy_flushed(const fs::path& from, const fs::path& to) {
  const Descriptor source(::open(from.c_str(), O_RDONLY | O_CLOEXEC));
  if (source.get() < 0) {
    throw SystemError(
        fmt::format("{}: cannot open the file: {}", from.string(), std::generic_category().message(errno)),
        errno);
  }
  const Descriptor target(::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (target.get() < 0) cannot_write_now(to);
  std::array<char, 1 << 16> buffer{};
  while (true) {
    const ssize_t got = ::read(source.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      throw SystemError(
          fmt::format("{}: cannot read the file: {}", from.string(), std::generic_category().message(errno)),
          errno);
    }
    if (got == 0) break;
    write_all(target.get(), {buffer.data(), static_cast<std::size_t>(got)}, to);
  }
  if (::fsync(target.get()) != 0) cannot_write_now(to);
}

void write_flushed(const fs::path& path, const std::string& text) {
  ::unlink(path.c_str());  // what is there may have another name, under which it must not change
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (file.get() < 0) cannot_write_now(path);
  write_all(file.get(), text, path);
  if (::fsync(file.get()) != 0) cannot_write_now(path);
}

bool flush_to_disk(const fs::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return file.get() >= 0 && ::fsync(file.get()) == 0;
}

void flush_folder_of(const fs::path& path) {
  flush_to_disk(path.parent_path().empty() ? fs::path(".") : path.parent_path());
}

}  // namespace dovetail

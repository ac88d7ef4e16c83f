#include "formats/output_file.h"

#include <dovetail/errors.h>

#include <archive.h>
#include <archive_entry.h>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "common/text.h"

namespace dovetail {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void cannot_write(const fs::path& path, const std::string& reason) {
  throw SystemError(fmt::format("{}: cannot write: {}; nothing was left behind", path.string(), reason));
}

/// Opens what is written in the meantime, for one process at a time.
int claim(const fs::path& partial, const fs::path& target, int flags) {
  while (true) {
    const int file = ::open(partial.c_str(), flags | O_CLOEXEC, 0666);
    if (file < 0) return file;
    if (::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      ::close(file);
      throw SystemError(
          target.string() + ": another run is writing it; wait for its end or choose another name",
          EWOULDBLOCK);
    }
    struct stat held {};
    struct stat there {};
    if (::fstat(file, &held) == 0 && ::stat(partial.c_str(), &there) == 0 && held.st_ino == there.st_ino)
      return file;
    ::close(file);  // the other one has just finished and renamed it
  }
}

fs::path partial_name(const fs::path& path) {
  return name_beside(path, ".partial");
}

/// Has the system write down that something in the path's folder was renamed, if it can.
void flush_folder(const fs::path& path) {
  const fs::path folder = path.parent_path().empty() ? fs::path(".") : path.parent_path();
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  ::fsync(file);
  ::close(file);
}

}  // namespace

fs::path name_beside(const fs::path& path, const char* ending) {
  fs::path name = path;
  if (!name.has_filename()) name = name.parent_path();  // a folder given with a slash at the end
  name += ending;
  return name;
}

OutputFile::OutputFile(fs::path path) : path_(std::move(path)), archive_(nullptr, nullptr) {
  buffer_.reserve(kBuffer + 4096);
  if (path_ == kStandardOutput) {
    path_ = written_ = "standard output";
    file_ = ::dup(STDOUT_FILENO);
    if (file_ < 0) refuse();
    terminal_ = ::isatty(file_) == 1;
    return;
  }
  std::error_code ignored;
  const bool device = fs::exists(path_, ignored) && !fs::is_regular_file(path_, ignored);
  written_ = device ? path_ : partial_name(path_);
  file_ =
      device ? ::open(written_.c_str(), O_WRONLY | O_CLOEXEC) : claim(written_, path_, O_WRONLY | O_CREAT);
  if (file_ < 0) refuse();
  if (!device && ::ftruncate(file_, 0) != 0) refuse();
  start_compression(path_.extension().string());
}

OutputFile::~OutputFile() {
  if (file_ < 0) return;  // committed
  archive_.reset();
  ::close(file_);
  if (written_ != path_) ::unlink(written_.c_str());
}

void OutputFile::commit() {
  flush();
  if (archive_ && archive_write_close(archive_.get()) != ARCHIVE_OK) refuse();
  archive_.reset();
  if (written_ != path_ && ::fsync(file_) != 0) refuse();
  if (::close(file_) != 0) refuse();
  file_ = -1;
  if (written_ != path_ && ::rename(written_.c_str(), path_.c_str()) != 0) {
    const int reason = errno;
    ::unlink(written_.c_str());
    cannot_write(path_, std::generic_category().message(reason));
  }
  if (written_ != path_) flush_folder(path_);
}

void OutputFile::flush() {
  if (archive_) {
    if (!buffer_.empty() && archive_write_data(archive_.get(), buffer_.data(), buffer_.size()) < 0) refuse();
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

void OutputFile::start_compression(const std::string& extension) {
  int (*add_filter)(archive*) = extension == ".gz"    ? archive_write_add_filter_gzip
                                : extension == ".bz2" ? archive_write_add_filter_bzip2
                                : extension == ".xz"  ? archive_write_add_filter_xz
                                : extension == ".zst" ? archive_write_add_filter_zstd
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

void check_target(const fs::path& path, bool replace) {
  if (path == kStandardOutput) return;
  std::error_code ignored;
  if (fs::is_directory(path, ignored))
    throw SystemError(path.string() + ": this is a folder; expected a file's name");
  if (!replace && fs::is_regular_file(path, ignored)) {
    throw SystemError(
        path.string() + ": the file exists already; choose another name or use --force to replace it",
        EEXIST);
  }
}

void check_target_folder(const fs::path& path, bool replace) {
  std::error_code error;
  if (!fs::exists(path, error)) return;
  const bool folder = fs::is_directory(path, error);
  if (folder && fs::is_empty(path, error)) return;
  if (!replace) {
    throw SystemError(
        path.string() + ": something is there already; choose another name or use --force to replace it",
        EEXIST);
  }
  if (!folder) return;
  std::string other;
  for (const auto& entry : fs::directory_iterator(path, error)) {
    const std::string name = entry.path().filename().string();
    for (const char* ours : {"triples_1", "rel_triples_1", "left.", "run.json"}) {
      if (name.starts_with(ours)) return;
    }
    if (other.empty() || name < other) other = name;
  }
  throw SystemError(fmt::format(
      "{}: nothing in this folder is Dovetail's, but it holds {}; choose another name or remove it by hand",
      path.string(), shown(other)));
}

OutputFolder::OutputFolder(fs::path path, bool replace)
    : path_(std::move(path)), partial_(partial_name(path_)), replace_(replace) {
  std::error_code error;
  check_target_folder(path_, replace);
  fs::create_directory(partial_, error);
  if (error) cannot_write(path_, error.message());
  lock_ = claim(partial_, path_, O_RDONLY | O_DIRECTORY);
  if (lock_ < 0) cannot_write(path_, std::generic_category().message(errno));
  for (const auto& left_behind : fs::directory_iterator(partial_)) fs::remove_all(left_behind.path(), error);
}

OutputFolder::~OutputFolder() {
  std::error_code ignored;
  if (!committed_) fs::remove_all(partial_, ignored);
  ::close(lock_);
}

void OutputFolder::keep_what_is_there() {
  replace_ = false;
  check_target_folder(path_, replace_);
}

void OutputFolder::commit() {
  check_target_folder(path_, replace_);  // again: much may have happened since
  std::error_code error;
  const fs::path target = name_beside(path_, ""), old = name_beside(path_, ".replaced");
  const bool replaces = fs::exists(target, error);
  if (replaces) fs::remove_all(old, error);  // of a run that ended just here
  if (replaces) fs::rename(target, old, error);
  if (!error) fs::rename(partial_, target, error);
  if (error) {
    std::error_code ignored;
    if (replaces) fs::rename(old, target, ignored);
    cannot_write(path_, error.message());
  }
  committed_ = true;
  flush_folder(target);
  fs::remove_all(old, error);
}

}  // namespace dovetail

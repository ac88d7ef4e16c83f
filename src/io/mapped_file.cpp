#include "io/mapped_file.h"

#include <dovetail/errors.h>

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace dovetail {

MappedFile::MappedFile(const std::filesystem::path& path) {
  const auto refuse = [&](const char* what) {
    throw SystemError(
        fmt::format("{}: cannot {}: {}", path.string(), what, std::generic_category().message(errno)), errno);
  };
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) refuse("open the file");
  struct stat status {};
  if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(file);
    throw SystemError(path.string() + ": expected a regular file");
  }
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ > 0) data_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
  const int problem = errno;
  ::close(file);  // the mapping stays
  if (data_ == MAP_FAILED) {
    data_ = nullptr;
    errno = problem;
    refuse("map the file");
  }
  if (size_ > 0) ::madvise(data_, size_, MADV_SEQUENTIAL);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

}  // namespace dovetail

#include <dovetail/errors.h>
#include <dovetail/review.h>

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "formats/file_places.h"

namespace dovetail {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const char* what) {
  const int code = errno;
  throw SystemError(fmt::format("{}: {}: {}", path.string(), what, std::generic_category().message(code)),
                    code);
}

/// Writes all of the text. False, with errno, where that fails.
bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

JudgementLog::JudgementLog(std::filesystem::path path) : path_(std::move(path)) {
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file_ < 0) fail(path_, "cannot open the file of judgements");
  try {
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
      throw SystemError(path_.string() +
                            ": another review has it open; expected one at a time; close that "
                            "one, or review a copy of the run",
                        EWOULDBLOCK);
    }
    struct stat status {};
    if (::fstat(file_, &status) != 0) fail(path_, "cannot read");
    if (!S_ISREG(status.st_mode)) {
      throw SystemError(path_.string() + ": it is no regular file; expected a file of judgements", EINVAL);
    }
    earlier_ = read_judgements(path_);
    // What read_judgements() left out was never acknowledged; a whole line without its end was.
    std::uint64_t whole = 0;
    char last = '\n';
    const auto end = static_cast<std::uint64_t>(status.st_size);
    if (end > 0 && ::pread(file_, &last, 1, static_cast<off_t>(end - 1)) != 1) fail(path_, "cannot read");
    size_ = end;
    if (last != '\n') {
      for (whole = end; whole > 0; --whole) {
        if (::pread(file_, &last, 1, static_cast<off_t>(whole - 1)) != 1) fail(path_, "cannot read");
        if (last == '\n') break;
      }
      std::string rest;
      for (const Judgement& judgement : earlier_) rest = judgement_line(judgement);
      std::string tail(static_cast<std::size_t>(end - whole), '\0');
      if (::pread(file_, tail.data(), tail.size(), static_cast<off_t>(whole)) !=
          static_cast<ssize_t>(tail.size())) {
        fail(path_, "cannot read");
      }
      const bool complete = tail == rest;
      if (complete ? !write_all(file_, "\n") : ::ftruncate(file_, static_cast<off_t>(whole)) != 0) {
        fail(path_, "cannot write");
      }
      size_ = complete ? end + 1 : whole;
    }
    flush_folder_of(path_);
  } catch (...) {
    ::close(file_);
    throw;
  }
}

JudgementLog::~JudgementLog() {
  ::close(file_);
}

void JudgementLog::append(std::span<const Judgement> judgements) {
  std::string text;
  for (const Judgement& judgement : judgements) text += judgement_line(judgement) + "\n";
  if (!write_all(file_, text) || ::fdatasync(file_) != 0) {
    const int code = errno;
    // What did not fit must not stand there as half a line.
    static_cast<void>(::ftruncate(file_, static_cast<off_t>(size_)));
    errno = code;
    fail(path_, "the decision is not saved");
  }
  size_ += text.size();
}

}  // namespace dovetail

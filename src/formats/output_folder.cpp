#include "formats/output_folder.h"

#include <dovetail/errors.h>

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "formats/installation.h"

namespace dovetail {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse_partial(const fs::path& partial, const fs::path& target) {
  throw SystemError(
      fmt::format("{}: Dovetail did not make this, or an older version of it was stopped; it is not touched, "
                  "but its place is needed: move or remove it, or choose another name than {}",
                  partial.string(), target.string()),
      EEXIST);
}

/// Opens NAME.partial and locks it; -1 where it is gone.
int open_locked(const fs::path& partial, bool wait) {
  const int file = ::open(partial.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) return -1;
  const int locked = ::flock(file, wait ? LOCK_EX : LOCK_EX | LOCK_NB);
  struct stat held {};
  const auto there = status_of(partial);
  if (locked == 0 && ::fstat(file, &held) == 0 && there && held.st_ino == there->st_ino) return file;
  const bool busy = locked != 0 && errno == EWOULDBLOCK;
  ::close(file);
  errno = busy ? EWOULDBLOCK : ENOENT;  // or the other one has just finished
  return -1;
}

/// What is finished by another process than the one that began it.
void install_again(const fs::path& partial, const fs::path& folder) {
  if (!is_real_folder(folder)) {
    throw SystemError(
        fmt::format("{}: this has the rest of the files of {}, which is no longer there; move that back, or "
                    "remove both",
                    partial.string(), folder.string()));
  }
  install(partial, folder, true);
}

}  // namespace

OutputFolder::OutputFolder(fs::path path, const Reading& reading) : path_(std::move(path)) {
  std::error_code error;
  check_partial(path_, reading);
  place_ = fs::absolute(resolved_target(path_), error);
  partial_ = name_beside(resolved_target(path_), ".partial");
  files_ = staged_files(partial_);
  claim();
}

OutputFolder::OutputFolder(fs::path path, const FolderTarget& target, Observer& observer)
    : OutputFolder(std::move(path), target.reading) {
  prepare(target, observer);
}

OutputFolder::~OutputFolder() {
  std::error_code error;
  if (!installing_ && (prepared_ || fs::is_empty(files_, error))) discard(partial_);
  ::close(lock_);
}

void OutputFolder::claim() {
  while (lock_ < 0) {
    if (::mkdir(partial_.c_str(), 0777) != 0 && errno != EEXIST) {
      cannot_write(path_, std::generic_category().message(errno));
    }
    if (!is_real_folder(partial_)) refuse_partial(partial_, path_);
    lock_ = open_locked(partial_, false);
    if (lock_ < 0 && errno == EWOULDBLOCK) {
      throw SystemError(
          path_.string() + ": another run is writing it; wait for its end or choose another name",
          EWOULDBLOCK);
    }
  }
  try {
    if (!is_dovetails(partial_)) refuse_partial(partial_, path_);
    if (is_installing(partial_)) {
      install_again(partial_, place_);
      ::close(std::exchange(lock_, -1));
      claim();
      return;
    }
    mark_as_dovetails(partial_);
    make_files_folder();
  } catch (...) {
    // No destructor will run. What is not Dovetail's, or still needed, stays.
    if (lock_ >= 0 && is_dovetails(partial_) && !is_installing(partial_)) discard(partial_);
    if (lock_ >= 0) ::close(std::exchange(lock_, -1));
    throw;
  }
}

void OutputFolder::make_files_folder() {
  if (is_real_folder(files_)) return;
  if (::mkdir(files_.c_str(), 0777) != 0) cannot_write(path_, std::generic_category().message(errno));
}

void OutputFolder::prepare(const FolderTarget& target, Observer& observer) {
  target_ = target;
  before_ = check_target_folder(path_, target_);
  std::error_code error;
  fs::remove_all(files_, error);  // of a process that was killed
  make_files_folder();
  prepared_ = true;
  const std::string stays = what_stays(path_, before_, target_);
  if (!stays.empty()) observer.warning(stays);
}

std::map<std::string, ManifestEntry> OutputFolder::written() const {
  std::map<std::string, ManifestEntry> files;
  for (const auto& entry : fs::recursive_directory_iterator(files_)) {
    if (!is_real_file(entry.path())) {
      flush_to_disk(entry.path());
      continue;
    }
    const std::string name = entry.path().lexically_relative(files_).string();
    if (!flush_to_disk(entry.path())) cannot_write(path_, std::generic_category().message(errno));
    files[name] = entry_of(entry.path());
    files[name].kept = kept_.contains(name);
  }
  files.erase(kManifestName);
  return files;
}

FolderState OutputFolder::check_again(const std::map<std::string, ManifestEntry>& written) {
  FolderTarget target = target_;
  target.names.clear();
  for (const auto& [name, entry] : written) target.names.push_back(name);
  return check_target_folder(path_, target, &before_);
}

void OutputFolder::commit() {
  const std::map<std::string, ManifestEntry> files = written();
  Manifest manifest{.kind = target_.kind, .files = files};
  FolderState now;
  try {
    now = check_again(files);
    for (const auto& [name, entry] : now.owned.files) {
      if (entry.kept || target_.in_part) manifest.files.emplace(name, entry);
    }
    write_manifest(manifest, files_);
    flush_to_disk(files_);
    if (!is_real_folder(place_)) {
      if (target_.in_part && before_.there) throw SystemError(path_.string() + ": the folder is gone");
      if (rename_to_free_name(files_, place_)) {
        flush_folder_of(place_);
        return;
      }
      if (errno != EEXIST) cannot_write(path_, std::generic_category().message(errno));
      throw SystemError(path_.string() + ": something is there already", EEXIST);
    }
  } catch (const Error& error) {
    const auto* const system = dynamic_cast<const SystemError*>(&error);
    if (system != nullptr && system->code() != EEXIST) throw;
    keep_aside(files);
    throw SystemError(fmt::format("{}; nothing there was touched, and the result is in {}", error.what(),
                                  kept_in_.string()),
                      EEXIST);
  }
  std::map<std::string, ManifestEntry> old = now.owned.files;
  if (target_.in_part) std::erase_if(old, [&](const auto& file) { return !files.contains(file.first); });
  mark_as_complete(partial_, old);
  installing_ = true;
  install(partial_, place_, false);
}

void OutputFolder::keep_aside(const std::map<std::string, ManifestEntry>& written) {
  Manifest manifest{.kind = target_.kind, .files = written};
  // The files that the result refers to, and that are in the folder that it was meant for.
  for (const auto& [name, entry] : before_.owned.files) {
    if (written.contains(name) || !entry.kept || !is_real_file(place_ / name)) continue;
    std::error_code error;
    fs::create_directories((files_ / name).parent_path(), error);
    copy_flushed(place_ / name, files_ / name);
    manifest.files[name] = entry;
  }
  write_manifest(manifest, files_);
  for (int number = 1; kept_in_.empty(); ++number) {
    const std::string ending = number == 1 ? ".new" : fmt::format(".new{}", number);
    const fs::path free = name_beside(place_, ending.c_str());
    if (rename_to_free_name(files_, free)) {
      kept_in_ = free;
    } else if (errno != EEXIST) {
      cannot_write(path_, std::generic_category().message(errno));
    }
  }
  flush_folder_of(kept_in_);
}

void finish_installation(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) return;
  const fs::path place = resolved_target(folder), partial = name_beside(place, ".partial");
  while (true) {
    const int lock = is_installing(partial) ? open_locked(partial, true) : -1;  // it is a matter of moments
    if (lock >= 0) {  // or somebody else has finished it
      try {
        if (is_installing(partial)) install_again(partial, place);
      } catch (...) {
        ::close(lock);
        throw;
      }
      ::close(lock);
    }
    if (!is_half_installed(place)) return;
    if (!is_installing(partial)) static_cast<void>(read_manifest(place));  // says so, unless it is done now
  }
}

}  // namespace dovetail

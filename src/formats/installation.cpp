#include "formats/installation.h"

#include <dovetail/errors.h>
#include <dovetail/version.h>

#include <cerrno>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <unistd.h>

namespace dovetail {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kMarker = "dovetail-working.json";
constexpr const char* kNewMarker = "dovetail-working.json.new";
constexpr const char* kHalfInstalled = "half-installed.json";
constexpr const char* kFiles = "files";

json marker_of(const fs::path& partial) {
  if (!is_real_folder(partial) || !is_real_file(partial / kMarker)) return nullptr;
  std::ifstream file(partial / kMarker);
  json marker = json::parse(file, nullptr, false);
  return marker.is_object() ? marker : json(nullptr);
}

/// One process at a time moves the files of one folder from one place to another.
class Installation {
 public:
  Installation(const fs::path& partial, const fs::path& folder, bool again)
      : files_(staged_files(partial)), folder_(folder), again_(again) {
    const json marker = marker_of(partial);
    try {
      if (marker.is_object() && marker.contains("old")) old_ = files_of_text(marker.at("old").dump());
    } catch (const std::exception&) {
      throw InputError((partial / kMarker).string(), 0,
                       "found a damaged list of files; expected what Dovetail writes; move the folder away");
    }
    if (const auto manifest = read_manifest(files_)) new_ = *manifest;
    // A list may have come from anywhere: what is not in the folder itself is nobody's to replace.
    for (const auto& [name, entry] : old_) require_inside(name);
    for (const auto& [name, entry] : new_.files) require_inside(name);
  }

  /// Before anything is moved: somebody may have changed a file between the end of one process and the
  /// beginning of another.
  void check() const {
    for (const auto& [name, entry] : old_) {
      if (!is_to_go(name, entry)) continue;
      if (!is_real_file(folder_ / name) || !same(entry_of(folder_ / name), entry)) refuse(name);
    }
    for (const auto& [name, entry] : new_.files) {
      if (status_of(files_ / name)) static_cast<void>(is_there(name, entry));
    }
  }

  /// A copy of the folder that is made from now on, without NAME.partial, is known to be a mixture.
  void mark_folder() const {
    const fs::path mark = files_.parent_path() / kHalfInstalled;
    write_half_installed(new_.kind, mark);
    move(mark, kManifestName);
    flush_to_disk(folder_);
  }

  void remove_old() {
    for (const auto& [name, entry] : old_) {
      if (!is_to_go(name, entry)) continue;
      if (::unlink((folder_ / name).c_str()) != 0) fail(name);
      remove_empty_folders(name);
    }
  }

  void move_new() {
    for (const auto& [name, entry] : new_.files) {
      if (!status_of(files_ / name)) continue;  // it has been moved, or stays where it is
      if (again_ && is_there(name, entry)) {
        ::unlink((files_ / name).c_str());
        continue;
      }
      std::error_code error;
      if (const fs::path way = fs::path(name).parent_path(); !way.empty()) {
        fs::create_directories(folder_ / way, error);
        if (error) fail(name);
      }
      move(name);
      flush_folder_of(folder_ / name);
    }
    flush_to_disk(folder_);
    move(kManifestName);  // the last: from now on all of it is there
    flush_to_disk(folder_);
  }

 private:
  static bool same(const ManifestEntry& one, const ManifestEntry& other) {
    return one.size == other.size && one.checksum == other.checksum;
  }

  void require_inside(const std::string& name) const {
    const bool direct = is_within(name) && (!status_of(folder_ / fs::path(name).parent_path()) ||
                                            is_reached_directly(folder_, name));
    if (direct) return;
    throw SystemError(fmt::format(
        "{}: a list of files in {} names it, but it is not in the folder itself; nothing was replaced: move "
        "{} away",
        (folder_ / name).string(), files_.parent_path().string(), files_.parent_path().string()));
  }

  /// Whether an old file has to go and no new one takes its name. What a person decided or gave never goes,
  /// whatever a list says of it.
  [[nodiscard]] bool is_to_go(const std::string& name, const ManifestEntry& entry) const {
    return !new_.has(name) && !entry.kept && !is_persons(name) && status_of(folder_ / name);
  }

  /// Whether the new file is in its place already. Refuses if neither that nor the old one is there.
  [[nodiscard]] bool is_there(const std::string& name, const ManifestEntry& entry) const {
    if (!status_of(folder_ / name)) return false;
    if (!is_real_file(folder_ / name)) refuse(name);
    const ManifestEntry there = entry_of(folder_ / name);
    const auto old = old_.find(name);
    if (!same(there, entry) && (old == old_.end() || !same(there, old->second))) refuse(name);
    return same(there, entry);
  }

  void move(const std::string& name) const { move(files_ / name, name); }
  void move(const fs::path& from, const std::string& name) const {
    const fs::path to = folder_ / name;
    const auto rename = [&](const fs::path& now) {
      if (name == kManifestName || old_.contains(name)) return ::rename(now.c_str(), to.c_str()) == 0;
      return rename_to_free_name(now, to);
    };
    if (rename(from)) return;
    if (errno == EEXIST) refuse(name);
    if (errno != EXDEV) fail(name);
    // The folder is on another disk, as a mount point is.
    fs::path aside = name_beside(to, ".dovetail-partial");
    for (int n = 2; status_of(aside); ++n)
      aside = name_beside(to, fmt::format(".dovetail-partial-{}", n).c_str());
    copy_flushed(from, aside);
    if (!rename(aside)) fail(name);
    ::unlink(from.c_str());
  }

  void remove_empty_folders(const fs::path& name) const {
    for (fs::path way = name.parent_path(); !way.empty(); way = way.parent_path()) {
      if (::rmdir((folder_ / way).c_str()) != 0) return;
    }
  }

  [[noreturn]] void fail(const std::string& name) const {
    throw SystemError(
        fmt::format("{}: cannot write: {}; what is missing is in {}, and the next command that uses "
                    "the folder puts it there",
                    (folder_ / name).string(), std::generic_category().message(errno), files_.string()));
  }
  [[noreturn]] void refuse(const std::string& name) const {
    throw SystemError(
        fmt::format("{}: somebody changed this file while a new one for it was on the way in {}; "
                    "nothing was replaced: move it elsewhere, and the next command goes on",
                    (folder_ / name).string(), files_.string()),
        EEXIST);
  }

  fs::path files_;
  const fs::path& folder_;
  bool again_;
  std::map<std::string, ManifestEntry> old_;
  Manifest new_;
};

}  // namespace

fs::path staged_files(const fs::path& partial) {
  return partial / kFiles;
}

bool is_dovetails(const fs::path& partial) {
  std::error_code error;
  return is_real_folder(partial) && (is_real_file(partial / kMarker) || fs::is_empty(partial, error));
}

bool is_installing(const fs::path& partial) {
  const json marker = marker_of(partial);
  return marker.is_object() && marker.value("state", "") == "complete";
}

void mark_as_dovetails(const fs::path& partial) {
  write_flushed(partial / kMarker, json{{"dovetail", kVersion}, {"state", "writing"}}.dump() + "\n");
}

void mark_as_complete(const fs::path& partial, const std::map<std::string, ManifestEntry>& old) {
  const json marker = {
      {"dovetail", kVersion}, {"state", "complete"}, {"old", json::parse(manifest_text(old))}};
  flush_to_disk(staged_files(partial));
  write_flushed(partial / kNewMarker, marker.dump() + "\n");
  if (::rename((partial / kNewMarker).c_str(), (partial / kMarker).c_str()) != 0) {
    cannot_write(partial, std::generic_category().message(errno));
  }
  flush_to_disk(partial);
}

void install(const fs::path& partial, const fs::path& folder, bool again) {
  if (status_of(staged_files(partial) / kManifestName)) {
    Installation installation(partial, folder, again);
    if (again) installation.check();
    installation.mark_folder();
    installation.remove_old();
    installation.move_new();
  }
  discard(partial);
}

void discard(const fs::path& partial) {
  std::error_code ignored;
  if (is_real_folder(staged_files(partial))) fs::remove_all(staged_files(partial), ignored);
  ::unlink((partial / kNewMarker).c_str());
  ::unlink((partial / kHalfInstalled).c_str());
  for (const auto& entry : fs::directory_iterator(partial, ignored)) {
    if (entry.path().filename() != kMarker) return;  // somebody else's; the marker says what else this is
  }
  ::unlink((partial / kMarker).c_str());
  ::rmdir(partial.c_str());
}

}  // namespace dovetail

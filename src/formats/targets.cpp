#include "formats/targets.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>

#include "common/text.h"

namespace dovetail {

namespace fs = std::filesystem;

namespace {

/// How far below an input folder its files are: 721_5fold/1/train_links.
constexpr int kDeepestInput = 2;

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw SystemError(fmt::format("{}: {}", path.string(), why), EEXIST);
}

/// The places that a command reads. Of a folder also the files in it that are somewhere else too, by
/// symbolic or by hard links.
std::vector<FilePlace> places_of(const Reading& reading) {
  std::vector<FilePlace> places;
  std::error_code error;
  for (const fs::path& input : reading.inputs) {
    auto place = input.empty() ? std::nullopt : place_of(input);
    if (!place) continue;
    places.push_back(*place);
    if (!place->folder) continue;
    for (fs::recursive_directory_iterator
             at(place->path, fs::directory_options::skip_permission_denied, error),
         end;
         !error && at != end; at.increment(error)) {
      if (at.depth() >= kDeepestInput) at.disable_recursion_pending();
      const auto status = status_of(at->path());
      if (!status || (!S_ISLNK(status->st_mode) && (S_ISDIR(status->st_mode) || status->st_nlink < 2)))
        continue;
      if (auto linked = place_of(at->path())) places.push_back(std::move(*linked));
    }
  }
  return places;
}

bool is_run(const fs::path& path, const Reading& reading) {
  const auto one = reading.run.empty() ? std::nullopt : place_of(reading.run);
  const auto other = place_of(path);
  return one && other && one->same(*other);
}

/// The place that a target would have; where it is not there yet, that of the folder around it tells.
FilePlace future_place(const fs::path& path) {
  if (auto there = place_of(path)) return *there;
  std::error_code error;
  return {.path = fs::weakly_canonical(name_beside(fs::absolute(path), ""), error)};
}

void check_folder_against(const std::vector<FilePlace>& places, const fs::path& path, bool own_run) {
  const FilePlace target = future_place(path);
  std::error_code error;
  const bool there = fs::exists(path, error);
  for (const FilePlace& input : places) {
    if (there && input.same(target))
      refuse(path, "this command reads it; choose another folder for the result");
    if (own_run) continue;  // an input that lies in it is read and stays
    if (there && input.is_below(target)) {
      refuse(path, fmt::format("it holds {}, which this command reads; choose another folder for the result",
                               input.path.string()));
    }
    if (there && target.is_below(input)) {
      refuse(path, fmt::format("it exists already in {}, which this command reads; choose another folder for "
                               "the result",
                               input.path.string()));
    }
  }
}

/// No file that is read may be one of those that are replaced, under whatever name.
void check_owned_against(const std::vector<FilePlace>& places, const fs::path& path,
                         const FolderTarget& target, const FolderState& state) {
  for (const auto& [name, entry] : state.owned.files) {
    if (entry.kept || (target.in_part && std::ranges::count(target.names, name) == 0)) continue;
    const auto file = place_of(path / name);
    for (const FilePlace& input : places) {
      if (!file || input.folder || !input.same(*file)) continue;
      refuse(path / name, "this command reads the file and would replace it; give a copy of it");
    }
  }
}

/// The first few names, and how many more there are.
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 5;
  std::string text;
  for (std::size_t n = 0; n < std::min(names.size(), kMost); ++n) {
    text += (n == 0 ? "" : ", ") + shown(names[n], 60);
  }
  if (names.size() > kMost) text += fmt::format(" and {} more", names.size() - kMost);
  return text;
}

/// A stranger that has a name, or is in the way to it; empty if there is none.
std::string in_the_way(const std::string& name, const std::vector<std::string>& strangers) {
  for (const std::string& stranger : strangers) {
    const bool folder = stranger.ends_with('/');
    const std::string plain = folder ? stranger.substr(0, stranger.size() - 1) : stranger;
    if (plain == name || (!folder && name.starts_with(plain + "/"))) return plain;
  }
  return {};
}

void check_file_against(const std::vector<FilePlace>& places, const fs::path& path, bool there) {
  const FilePlace target = future_place(path);
  for (const FilePlace& input : places) {
    if (there && input.same(target))
      refuse(path, "this command reads the file; choose another name for the result");
    if (!target.is_below(input)) continue;
    if (there || is_reserved(FolderKind::pair, target.path.filename().string())) {
      refuse(path,
             fmt::format("it is a file of {}, which this command reads; choose another name for the result",
                         input.path.string()));
    }
  }
}

/// Files of a folder that Dovetail wrote are replaced by the verbs that write the whole folder, and by no
/// other; nor may anything else take a name that the folder keeps for itself.
void check_against_manifests(const fs::path& path) {
  const fs::path target = future_place(path).path;
  if (target.filename() == kManifestName)
    refuse(path, "only Dovetail itself writes a file of this name; choose another");
  for (fs::path folder = target.parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
    const auto manifest = manifest_of(folder);
    if (!manifest) continue;
    const std::string name = target.lexically_relative(folder).string();
    fs::path elsewhere = folder;
    elsewhere += "-" + target.filename().string();
    if (manifest->has(name)) {
      refuse(path,
             fmt::format("the file belongs to what Dovetail wrote to {}; choose another name, such as {}",
                         folder.string(), elsewhere.string()));
    }
    if (is_reserved(manifest->kind, name)) {
      refuse(path,
             fmt::format("{} is a {}, which keeps this name for itself; choose another name, such as {}",
                         folder.string(), kind_name(manifest->kind), elsewhere.string()));
    }
  }
}

/// What is written goes to NAME.partial first, and what a killed process left there is removed.
void check_place_beside(const fs::path& path, const std::vector<FilePlace>& places) {
  const std::string ending = name_beside(path, "").extension().string();
  if (ending == ".partial" || ending == ".checkpoint") {
    refuse(path,
           fmt::format("names that end in {} are those of unfinished results; choose another name", ending));
  }
  const auto partial = place_of(name_beside(resolved_target(path), ".partial"));
  for (const FilePlace& input : places) {
    if (!partial || !(input.same(*partial) || input.is_below(*partial))) continue;
    refuse(input.path,
           fmt::format("this command reads it, but its place is needed to write {}; choose another "
                       "name than that for the result",
                       path.string()));
  }
}

/// A study, or one that was stopped before its first end and has left nothing but runs and data.
bool is_study(const fs::path& place) {
  if (const auto manifest = manifest_of(place)) return manifest->kind == FolderKind::study;
  const std::vector<std::string> found = inspect_folder(place).strangers;
  return !found.empty() && std::ranges::all_of(found, [](const std::string& name) {
    return name == "runs/" || name == "data/";
  });
}

void check_may_replace(const fs::path& path, const FolderTarget& target, const FolderState& state) {
  if (target.kind == FolderKind::study) {
    refuse(path, "something else than a study is there already; choose another name");
  }
  if (!target.replace) {
    refuse(path, "something is there already; choose another name or use --force to replace it");
  }
  if (!state.known) {
    refuse(path, fmt::format("nothing in this folder is Dovetail's, but it holds {}; choose another name or "
                             "remove it by hand",
                             listed(state.strangers)));
  }
}

/// What somebody changed since it was written is theirs.
void check_edited(const fs::path& path, const FolderTarget& target, const FolderState& state) {
  std::vector<std::string> edited = state.edited;
  if (target.in_part) {
    std::erase_if(edited,
                  [&](const std::string& name) { return std::ranges::count(target.names, name) == 0; });
  }
  if (edited.empty()) return;
  refuse(
      path / edited.front(),
      fmt::format("somebody changed {} since Dovetail wrote it; nothing was replaced: move it elsewhere or "
                  "choose another folder",
                  edited.size() == 1 ? "this file" : listed(edited)));
}

void check_names(const fs::path& path, const FolderTarget& target, const FolderState& state) {
  for (const std::string& name : target.names) {
    if (const std::string stranger = in_the_way(name, state.strangers); !stranger.empty()) {
      refuse(path / stranger,
             "Dovetail did not write this and would have to replace it; move it elsewhere or choose another "
             "folder");
    }
    if (state.owned.has(name) && state.owned.files.at(name).kept) {
      refuse(path / name, "a person gave this file, and it is never replaced; choose another folder");
    }
  }
}

}  // namespace

void check_target(const fs::path& path, bool replace, const Reading& reading) {
  if (path == kStandardOutput) return;
  std::error_code ignored;
  if (fs::is_directory(path, ignored))
    throw SystemError(path.string() + ": this is a folder; expected a file's name");
  const fs::path target = resolved_target(path);
  if (!path.has_filename()) refuse(path, "this is a folder's name; expected a file's name");
  const bool there = fs::is_regular_file(target, ignored);
  if (!there && fs::exists(target, ignored)) return;  // a device or pipe
  const std::vector<FilePlace> places = places_of(reading);
  check_file_against(places, path, there);
  check_place_beside(path, places);
  if (there) {
    if (is_decision(target)) refuse(path, "a review is never replaced; choose another name");
    if (!replace) {
      throw SystemError(
          path.string() + ": the file exists already; choose another name or use --force to replace it",
          EEXIST);
    }
  }
  check_against_manifests(path);
}

void check_pair_target(const fs::path& folder, bool replace, const Reading& reading) {
  static_cast<void>(
      check_target_folder(folder, {.kind = FolderKind::pair, .replace = replace, .reading = reading}));
}

void check_partial(const fs::path& path, const Reading& reading) {
  check_place_beside(path, places_of(reading));
}

FolderState check_target_folder(const fs::path& path, const FolderTarget& target,
                                const FolderState* earlier) {
  std::error_code error;
  const fs::path place = resolved_target(path);
  const std::vector<FilePlace> places = places_of(target.reading);
  const bool own_run = is_run(path, target.reading);
  if (own_run && !target.into_run)
    refuse(path, "this command reads the run; choose another folder for the result");
  const bool exists = fs::exists(place, error);
  if (exists && !fs::is_directory(place, error)) {
    refuse(path, "this is a file; expected a folder's name: choose another one");
  }
  // A study goes on in its own folder, wherever that is.
  const bool own_study = target.kind == FolderKind::study && exists && is_study(place);
  if (!(own_run && target.in_part)) check_folder_against(places, path, own_run || own_study);
  check_place_beside(path, places);
  check_against_manifests(path);
  if (!exists) return {};
  if (::access(place.c_str(), W_OK | X_OK) != 0) cannot_write(path, std::generic_category().message(errno));
  FolderState state = inspect_folder(place, earlier);
  if (!state.there || own_study) {
    if (own_study) {
      check_edited(path, target, state);
      check_names(path, target, state);
    }
    return state;
  }
  check_may_replace(path, target, state);
  check_edited(path, target, state);
  check_names(path, target, state);
  check_owned_against(places, place, target, state);
  return state;
}

std::string what_stays(const fs::path& path, const FolderState& state, const FolderTarget& target) {
  if (target.in_part) return {};
  std::vector<std::string> decided, others;
  for (const std::string& name : state.strangers) (is_decision(name) ? decided : others).push_back(name);
  for (const auto& [name, entry] : state.owned.files) {
    // An update goes on with what earlier ones were given: that it stays needs no word.
    if (entry.kept && !is_run(path, target.reading)) decided.push_back(name);
  }
  std::string text;
  if (!decided.empty()) text = fmt::format("{} (given or decided by a person)", listed(decided));
  if (!others.empty()) {
    text += fmt::format("{}{} (not written by Dovetail)", text.empty() ? "" : ", ", listed(others));
  }
  return text.empty() ? text : fmt::format("{}: stays as it is in this folder: {}", path.string(), text);
}

}  // namespace dovetail

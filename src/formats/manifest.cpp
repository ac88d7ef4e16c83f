#include "formats/manifest.h"

#include <dovetail/errors.h>
#include <dovetail/version.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <unistd.h>

#include "common/checksum.h"

namespace dovetail {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr int kFormat = 1;
constexpr std::array kKinds = {"run", "pair", "embeddings", "study"};
constexpr const char* kHalfInstalled = "half installed";

/// How the names begin of which a folder with a pair consists: one more of them would change what is read.
constexpr std::array kFilesOfPairs = {"left.",       "right.",       "links.",        "train_links",
                                      "valid_links", "test_links",   "triples_",      "ent_ids",
                                      "rel_ids_",    "rel_triples_", "attr_triples_", "ent_links",
                                      "sup_ent_ids", "ref_ent_ids",  "valid_ent_ids", "translated_names"};

/// Of ASCII letters.
std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

json files_json(const std::map<std::string, ManifestEntry>& files) {
  json record = json::object();
  for (const auto& [name, entry] : files) {
    record[name] = {{"size", entry.size}, {"xxh3", fmt::format("{:016x}", entry.checksum)}};
    if (entry.kept) record[name]["kept"] = true;
  }
  return record;
}

std::map<std::string, ManifestEntry> files_of(const json& record) {
  std::map<std::string, ManifestEntry> files;
  for (const auto& [name, entry] : record.items()) {
    files[name] = {.size = entry.at("size"),
                   .checksum = std::stoull(entry.at("xxh3").get<std::string>(), nullptr, 16),
                   .kept = entry.value("kept", false)};
  }
  return files;
}

std::string first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

json record_in(const fs::path& path) {
  if (!is_real_file(path)) return nullptr;
  std::ifstream file(path);
  json record = json::parse(file, nullptr, false);
  const bool ours = record.is_object() && record.contains("dovetail") && record.at("dovetail").is_string();
  return ours ? record : json(nullptr);
}

/// All that a run of 0.1.0 consisted of. Later versions write more, which in its folders is somebody else's.
const std::vector<std::string>& files_of_the_first_version() {
  static const std::vector<std::string> names = {"evidence.jsonl", "links.tsv",   "model.dovetail",
                                                 "relations.tsv",  "report.html", "run.json",
                                                 "unmatched.tsv"};
  return names;
}

/// What 0.1.0, which wrote no manifest, may have written; nothing if it was not there.
std::optional<Manifest> manifest_of_old(const fs::path& folder) {
  const auto manifest = [&](FolderKind kind, const std::vector<std::string>& names) {
    Manifest found{.kind = kind};
    for (const std::string& name : names) {
      if (is_real_file(folder / name)) found.files[name] = entry_of(folder / name);
    }
    return found;
  };
  // A run.json may have been copied beside somebody's own links.tsv: that is not a run.
  if (!record_in(folder / "run.json").is_null() && is_real_file(folder / "links.tsv") &&
      first_line(folder / "links.tsv") == "left\tright\tscore\tmargin\tconfidence") {
    return manifest(FolderKind::run, files_of_the_first_version());
  }
  const json study = record_in(folder / "study.json");
  if (study.is_object() && study.contains("study")) return manifest(FolderKind::study, study_file_names());
  return std::nullopt;
}

class Inspection {
 public:
  Inspection(const fs::path& folder, const FolderState* earlier, FolderState& state)
      : folder_(folder), earlier_(earlier), state_(state) {}

  void look_at_owned() {
    std::erase_if(state_.owned.files, [&](const auto& file) { return !status_of(folder_ / file.first); });
    for (const auto& [name, entry] : state_.owned.files) {
      if (!is_unchanged(name, entry)) state_.edited.push_back(name);
    }
  }

  void look_for_strangers(const std::string& below = {}) {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& one : fs::directory_iterator(folder_ / below, error)) {
      names.push_back(one.path().filename().string());
    }
    std::ranges::sort(names);
    for (const std::string& name : names) look_at(below + name);
  }

 private:
  bool is_unchanged(const std::string& name, const ManifestEntry& entry) {
    const auto status = status_of(folder_ / name);
    if (!S_ISREG(status->st_mode) || !is_reached_directly(folder_, name)) return false;
    const FileStamp stamp(*status);
    const bool known = earlier_ != nullptr && earlier_->stamps.contains(name) &&
                       earlier_->stamps.at(name) == stamp && earlier_->owned.has(name) &&
                       earlier_->owned.files.at(name) == entry;
    if (!known) {
      if (stamp.size != entry.size) return false;
      if (entry_of(folder_ / name).checksum != entry.checksum) return false;
    }
    state_.stamps.emplace(name, stamp);
    return true;
  }

  void look_at(const std::string& name) {
    if (name == kManifestName || state_.owned.has(name)) return;
    if (state_.owned.kind == FolderKind::study && (name == "runs" || name == "data")) return;
    const bool folder = is_real_folder(folder_ / name);
    const auto next = state_.owned.files.lower_bound(name + "/");
    if (folder && next != state_.owned.files.end() && next->first.starts_with(name + "/")) {
      look_for_strangers(name + "/");
      return;
    }
    state_.strangers.push_back(folder ? name + "/" : name);
  }

  const fs::path& folder_;
  const FolderState* earlier_;
  FolderState& state_;
};

}  // namespace

const std::vector<std::string>& run_file_names() {
  static const std::vector<std::string> names = {
      "attributes.tsv", "candidates.dovetail", "classes.tsv", "evidence.jsonl", "links.tsv",
      "model.dovetail", "relations.tsv",       "report.html", "run.json",       "unmatched.tsv"};
  return names;
}

const std::vector<std::string>& study_file_names() {
  static const std::vector<std::string> names = {"study.csv", "study.html", "study.json", "study.md"};
  return names;
}

std::string manifest_text(const std::map<std::string, ManifestEntry>& files) {
  return files_json(files).dump();
}

bool is_within(const std::string& name) {
  const fs::path path(name);
  return !path.empty() && path.is_relative() && path.has_filename() && path == path.lexically_normal() &&
         *path.begin() != ".." && *path.begin() != ".";
}

bool is_reached_directly(const fs::path& folder, const fs::path& name) {
  fs::path way = folder;
  for (const fs::path& part : name.parent_path()) {
    way /= part;
    if (!is_real_folder(way)) return false;
  }
  return true;
}

std::map<std::string, ManifestEntry> files_of_text(const std::string& text) {
  return files_of(json::parse(text));
}

std::optional<Manifest> read_manifest(const fs::path& folder) {
  const fs::path path = folder / kManifestName;
  if (!status_of(path)) return std::nullopt;
  const auto fail = [&](const std::string& what) {
    throw InputError(path.string(), 0,
                     fmt::format("{}; expected the list of the files that Dovetail wrote here; nothing in "
                                 "this folder is replaced: choose another one",
                                 what));
  };
  if (is_half_installed(folder)) {
    throw InputError(folder.string(), 0,
                     fmt::format("its files were being replaced when Dovetail was killed or when the folder "
                                 "was copied, so that it is a mixture; expected {} beside it, from which "
                                 "Dovetail finishes the work: copy both, or write the folder anew elsewhere",
                                 name_beside(folder, ".partial").string()));
  }
  Manifest manifest;
  try {
    const json record = is_real_file(path) ? json::parse(std::ifstream(path)) : json();
    const auto kind = std::ranges::find(kKinds, record.at("kind").get<std::string>());
    if (record.at("format") != kFormat || kind == kKinds.end()) fail("found a manifest of another version");
    manifest.kind = static_cast<FolderKind>(kind - kKinds.begin());
    manifest.files = files_of(record.at("files"));
  } catch (const json::exception&) {
    fail("found a damaged manifest");
  } catch (const std::logic_error&) {  // of std::stoull
    fail("found a damaged manifest");
  }
  for (const auto& [name, entry] : manifest.files) {
    if (!is_within(name)) fail("found a name that is not one of a file in this folder");
  }
  return manifest;
}

std::optional<Manifest> manifest_of(const fs::path& folder) {
  std::optional<Manifest> manifest = read_manifest(folder);
  return manifest ? manifest : manifest_of_old(folder);
}

void write_half_installed(FolderKind kind, const fs::path& file) {
  const json record = {
      {"dovetail", kVersion}, {"format", kFormat}, {"kind", kind_name(kind)}, {"state", kHalfInstalled}};
  write_flushed(file, record.dump(2) + "\n");
}

bool is_half_installed(const fs::path& folder) {
  const json record = record_in(folder / kManifestName);
  return record.is_object() && record.contains("state") && record.at("state") == kHalfInstalled;
}

void write_manifest(const Manifest& manifest, const fs::path& folder) {
  const json record = {{"dovetail", kVersion},
                       {"format", kFormat},
                       {"kind", kind_name(manifest.kind)},
                       {"files", files_json(manifest.files)}};
  write_flushed(folder / kManifestName, record.dump(2) + "\n");
}

ManifestEntry entry_of(const fs::path& file) {
  const int opened = ::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  ManifestEntry entry;
  Checksum checksum;
  std::vector<char> buffer(1 << 20);
  ssize_t got = opened < 0 ? -1 : 1;
  while (got > 0) {
    got = ::read(opened, buffer.data(), buffer.size());
    if (got <= 0) break;
    checksum.add({buffer.data(), static_cast<std::size_t>(got)});
    entry.size += static_cast<std::uint64_t>(got);
  }
  const int reason = errno;
  if (opened >= 0) ::close(opened);
  if (got < 0) {
    throw SystemError(
        fmt::format("{}: cannot read the file: {}", file.string(), std::generic_category().message(reason)),
        reason);
  }
  entry.checksum = checksum.value();
  return entry;
}

FolderState inspect_folder(const fs::path& folder, const FolderState* earlier) {
  FolderState state;
  std::error_code error;
  state.there = fs::is_directory(folder, error) && !fs::is_empty(folder, error);
  if (!state.there) return state;
  std::optional<Manifest> manifest = manifest_of(folder);
  state.known = manifest.has_value();
  if (manifest) state.owned = std::move(*manifest);
  Inspection inspection(folder, earlier, state);
  inspection.look_at_owned();
  inspection.look_for_strangers();
  return state;
}

bool is_decision(const fs::path& name) {
  return lower_case(name.filename().string()).starts_with("review.");
}

bool is_persons(const fs::path& name) {
  return is_decision(name) || (!name.empty() && lower_case(name.begin()->string()) == kGivenFolder);
}

bool is_reserved(FolderKind kind, const std::string& name) {
  const std::string lower = lower_case(name);  // for file systems that do not tell the two apart
  const auto begins = [&](const char* one) { return lower.starts_with(one); };
  if (lower == kManifestName) return true;
  switch (kind) {
    case FolderKind::run:
      return is_persons(lower) || std::ranges::count(run_file_names(), lower) > 0;
    case FolderKind::study:
      return lower == "runs" || lower == "data" || std::ranges::count(study_file_names(), lower) > 0;
    case FolderKind::pair:
      return std::ranges::any_of(kFilesOfPairs, begins);
    case FolderKind::embeddings:
      return std::ranges::any_of(std::array{"left.", "right.", "relations."}, begins);
  }
  return false;
}

const char* kind_name(FolderKind kind) {
  return kKinds.at(static_cast<std::size_t>(kind));
}

}  // namespace dovetail

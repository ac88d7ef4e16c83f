#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "formats/file_places.h"

namespace dovetail {

/// The file by which a folder says which of its files Dovetail wrote.
inline constexpr const char* kManifestName = "dovetail-manifest.json";
/// The part of a run folder that has copies of the files which updates were given.
inline constexpr const char* kGivenFolder = "given";

enum class FolderKind : std::uint8_t { run, pair, embeddings, study };

/// A file that Dovetail wrote.
struct ManifestEntry {
  std::uint64_t size = 0;
  std::uint64_t checksum = 0;  ///< XXH3
  bool kept = false;           ///< a person gave or decided it: it is never replaced or removed

  bool operator==(const ManifestEntry&) const = default;
};

struct Manifest {
  FolderKind kind = FolderKind::run;
  std::map<std::string, ManifestEntry> files{};  ///< by their path in the folder

  [[nodiscard]] bool has(const std::string& name) const { return files.contains(name); }
};

/// Every file that a run, or a study, may consist of.
[[nodiscard]] const std::vector<std::string>& run_file_names();
[[nodiscard]] const std::vector<std::string>& study_file_names();

/// Nothing if the folder has none. Throws InputError where it is damaged or names files outside the folder.
[[nodiscard]] std::optional<Manifest> read_manifest(const std::filesystem::path& folder);
/// The same, or for a folder of 0.1.0, which wrote none, what it may have written: a fixed list of names.
[[nodiscard]] std::optional<Manifest> manifest_of(const std::filesystem::path& folder);
/// Says that the files of a folder are being replaced, until its manifest takes the place of this. A copy of
/// the folder that was made meanwhile is so known to be a mixture. Written to a file, which is to be renamed.
void write_half_installed(FolderKind kind, const std::filesystem::path& file);
[[nodiscard]] bool is_half_installed(const std::filesystem::path& folder);

/// Flushed to the disk.
void write_manifest(const Manifest& manifest, const std::filesystem::path& folder);
[[nodiscard]] std::string manifest_text(const std::map<std::string, ManifestEntry>& files);
/// The files of manifest_text(). Throws nlohmann's exceptions.
[[nodiscard]] std::map<std::string, ManifestEntry> files_of_text(const std::string& text);

/// Size and checksum of a file. Throws SystemError if it cannot be read.
[[nodiscard]] ManifestEntry entry_of(const std::filesystem::path& file);

/// What a folder holds, by who wrote it.
struct FolderState {
  bool there = false;                         ///< a folder with something in it
  bool known = false;                         ///< it has a manifest, or is an older version's
  Manifest owned{};                           ///< what Dovetail wrote and is still there
  std::vector<std::string> edited{};          ///< of these, files that somebody changed since
  std::vector<std::string> strangers{};       ///< everything else; folders end in a slash
  std::map<std::string, FileStamp> stamps{};  ///< of the owned files that are unchanged
};
/// Looks at a folder; links in it are not followed. Files whose stamp is still that of an `earlier` look are
/// not read again.
[[nodiscard]] FolderState inspect_folder(const std::filesystem::path& folder,
                                         const FolderState* earlier = nullptr);

/// Whether a file of this name holds what a person decided: reviews (review.tsv, review.jsonl, review.tsv.gz
/// and whatever else has that stem) are never replaced.
[[nodiscard]] bool is_decision(const std::filesystem::path& name);
/// Whether a path in a folder of Dovetail's is that of a decision, or of a file that an update was given.
[[nodiscard]] bool is_persons(const std::filesystem::path& name);

/// Whether a folder keeps this path in it for its own files, written yet or not: another file there would be
/// read as one of them, or be in the way of one.
[[nodiscard]] bool is_reserved(FolderKind kind, const std::string& name);
/// "run", for messages.
[[nodiscard]] const char* kind_name(FolderKind kind);

/// Whether a name is that of a file in a folder or below it, however it is looked at.
[[nodiscard]] bool is_within(const std::string& name);

/// Whether no folder on the way to a file is a link to somewhere else.
[[nodiscard]] bool is_reached_directly(const std::filesystem::path& folder,
                                       const std::filesystem::path& name);

}  // namespace dovetail

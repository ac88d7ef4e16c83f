#pragma once

#include <dovetail/observer.h>

#include <filesystem>
#include <set>
#include <string>

#include "formats/targets.h"

namespace dovetail {

/// A folder that is written aside, in NAME.partial, and appears when it is complete. A new folder appears at
/// once. In one that is there already, the files that Dovetail wrote are replaced, and nothing else is
/// touched: NAME.partial then says that it is complete, and if the process is killed meanwhile the next
/// one that opens or writes the folder finishes the work, so that nobody sees a mixture.
class OutputFolder {
 public:
  /// Claims the folder, and then prepare().
  OutputFolder(std::filesystem::path path, const FolderTarget& target, Observer& observer);
  /// Claims the folder for this process; `reading` is what is known so far of what the command reads. Throws
  /// SystemError if another process is writing it, if NAME.partial is not Dovetail's or holds what is read,
  /// or if it cannot be made.
  OutputFolder(std::filesystem::path path, const Reading& reading);
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  ~OutputFolder();

  /// Checks, before the work, what is there; tells the observer what stays. Throws SystemError where the
  /// folder must not be written to. What a killed process left in NAME.partial is removed only now.
  void prepare(const FolderTarget& target, Observer& observer);

  /// Where to write the files in the meantime.
  [[nodiscard]] const std::filesystem::path& working_path() const { return files_; }
  /// Where they will be, absolute and without symbolic links.
  [[nodiscard]] const std::filesystem::path& final_path() const { return place_; }
  /// A file that was written came from a person: nothing will ever replace or remove it.
  void keep(const std::string& name) { kept_.insert(name); }

  /// Writes the manifest and puts all files into their place. If the folder must not be written to any longer
  /// (somebody changed it meanwhile), it is left alone, and the result is kept in another folder beside it,
  /// which the SystemError names.
  void commit();
  /// That other folder; empty if it was not needed.
  [[nodiscard]] const std::filesystem::path& kept_in() const { return kept_in_; }

 private:
  void claim();
  void make_files_folder();
  [[nodiscard]] std::map<std::string, ManifestEntry> written() const;
  [[nodiscard]] FolderState check_again(const std::map<std::string, ManifestEntry>& written);
  void keep_aside(const std::map<std::string, ManifestEntry>& written);

  std::filesystem::path path_;     // as it was given
  std::filesystem::path place_;    // where that is
  std::filesystem::path partial_;  // beside it
  std::filesystem::path files_;    // in partial_
  std::filesystem::path kept_in_;
  FolderTarget target_;
  FolderState before_;
  std::set<std::string> kept_;
  int lock_ = -1;            // on partial_, as long as this lives
  bool prepared_ = false;    // what is in files_ is this object's
  bool installing_ = false;  // what is in partial_ must not be thrown away
};

/// Finishes what a process that was killed had begun to put into a folder. Every command that reads a folder
/// of Dovetail's calls this first. Throws InputError for a copy of such a folder without what it lacks.
void finish_installation(const std::filesystem::path& folder);

}  // namespace dovetail

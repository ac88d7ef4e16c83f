#pragma once

#include <dovetail/pair_writer.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/output_file.h"
#include "formats/output_folder.h"

namespace dovetail {

/// The folder of a pair, of which these files may be written.
[[nodiscard]] inline FolderTarget folder_target(const PairTarget& target, std::vector<std::string> names) {
  return {.kind = FolderKind::pair,
          .replace = target.replace,
          .reading = target.reading,
          .names = std::move(names)};
}

// One for each kind of folder; make_pair_writer chooses.
[[nodiscard]] std::unique_ptr<PairWriter> make_id_folder_writer(const std::filesystem::path& path,
                                                                const PairTarget& target, Observer& observer);
[[nodiscard]] std::unique_ptr<PairWriter> make_openea_writer(const std::filesystem::path& path,
                                                             const PairTarget& target, Observer& observer);
[[nodiscard]] std::unique_ptr<PairWriter> make_files_writer(const std::filesystem::path& path, Format format,
                                                            const PairTarget& target, Observer& observer);

/// A file that comes into being with its first line, so that a folder holds none that is empty.
class LazyFile {
 public:
  explicit LazyFile(std::filesystem::path path) : path_(std::move(path)) {}
  [[nodiscard]] bool started() const { return file_.has_value(); }
  OutputFile& get() {
    if (!file_) file_.emplace(path_);
    return *file_;
  }
  void commit() {
    if (file_) file_->commit();
  }

 private:
  std::filesystem::path path_;
  std::optional<OutputFile> file_;
};

}  // namespace dovetail

#pragma once

#include <dovetail/io.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/output_file.h"
#include "formats/output_folder.h"
#include "graph/graph_sink.h"

namespace dovetail {

/// A sink that writes a folder. Nothing appears under the folder's name before commit().
class PairWriter : public PairSink {
 public:
  virtual void commit() = 0;
};

/// Whether a pair that Dovetail wrote is replaced, and what the command reads meanwhile.
struct PairTarget {
  bool replace = false;
  Reading reading{};

  /// The folder, of which these files may be written.
  [[nodiscard]] FolderTarget folder(std::vector<std::string> names) const {
    return {.kind = FolderKind::pair, .replace = replace, .reading = reading, .names = std::move(names)};
  }
};

/// Creates the folder `path`: dbp15k, openea, or left.* and right.* in a format of kind `graph`.
[[nodiscard]] std::unique_ptr<PairWriter> make_pair_writer(const std::filesystem::path& path, Format format,
                                                           const PairTarget& target, Observer& observer);

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

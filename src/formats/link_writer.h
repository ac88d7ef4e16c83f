#pragma once

#include <dovetail/io.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

namespace dovetail {

/// Writes a file of links. Nothing appears under the file's name before commit().
class LinkWriter {
 public:
  LinkWriter() = default;
  LinkWriter(const LinkWriter&) = delete;
  LinkWriter& operator=(const LinkWriter&) = delete;
  virtual ~LinkWriter() = default;

  virtual void link(std::string_view left, std::string_view right, std::optional<double> score) = 0;
  /// A link that a person confirmed; formats without a place for that write it like any other.
  virtual void curated(std::string_view left, std::string_view right, std::optional<double> score,
                       std::string_view reviewer) {
    (void)reviewer;
    link(left, right, score);
  }
  virtual void commit() = 0;
};

/// What a file says beside the links themselves, where its format has a place for it.
struct LinkFileOptions {
  std::string_view score = "score";  ///< what tables and JSON call scores; empty: they leave them out
  StatementScores statement_scores = StatementScores::none;       ///< of owl:sameAs
  std::string_view justification = "semapv:UnspecifiedMatching";  ///< of SSSOM
};

/// Creates `path` in a format of kind `links`.
[[nodiscard]] std::unique_ptr<LinkWriter> make_link_writer(const std::filesystem::path& path, Format format,
                                                           const LinkFileOptions& options);

// One for each format; make_link_writer chooses.
[[nodiscard]] std::unique_ptr<LinkWriter> make_tsv_links(const std::filesystem::path& path,
                                                         const LinkFileOptions& options);
[[nodiscard]] std::unique_ptr<LinkWriter> make_csv_links(const std::filesystem::path& path,
                                                         const LinkFileOptions& options);
[[nodiscard]] std::unique_ptr<LinkWriter> make_json_links(const std::filesystem::path& path,
                                                          const LinkFileOptions& options);
[[nodiscard]] std::unique_ptr<LinkWriter> make_same_as_links(const std::filesystem::path& path,
                                                             const LinkFileOptions& options);
[[nodiscard]] std::unique_ptr<LinkWriter> make_sssom_links(const std::filesystem::path& path,
                                                           const LinkFileOptions& options);
[[nodiscard]] std::unique_ptr<LinkWriter> make_alignment_api_links(const std::filesystem::path& path,
                                                                   const LinkFileOptions& options);

}  // namespace dovetail

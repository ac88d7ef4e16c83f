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
  virtual void commit() = 0;
};

/// Creates `path` in a format of kind `links`. Tables get a column for scores only if `scores`.
[[nodiscard]] std::unique_ptr<LinkWriter> make_link_writer(const std::filesystem::path& path, Format format,
                                                           bool scores);

}  // namespace dovetail

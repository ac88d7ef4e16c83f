#pragma once

#include <dovetail/io.h>

#include <filesystem>
#include <functional>
#include <span>
#include <string>

namespace dovetail {

/// Named rows of numbers.
struct NamedRows {
  std::span<const float> values;  ///< [rows, dimension]
  std::size_t dimension;
  std::function<std::string(std::size_t)> name;  ///< of a row

  [[nodiscard]] std::size_t rows() const { return values.size() / dimension; }
};

/// Writes `stem`.npy and `stem`.txt, or `stem`.vec.
void write_rows(const NamedRows& rows, const std::filesystem::path& stem, EmbeddingFormat format);

}  // namespace dovetail

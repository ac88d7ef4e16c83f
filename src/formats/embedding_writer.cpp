#include "formats/embedding_writer.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <string>

#include "formats/graph_writer.h"
#include "formats/output_file.h"

namespace dovetail {

namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as memory holds them");

std::filesystem::path with_ending(std::filesystem::path stem, const char* ending) {
  return stem += ending;
}

/// NumPy's format 1.0: magic, version, the length of a header and the header, padded so that the numbers
/// begin at a multiple of 64 bytes.
void write_npy(const NamedRows& rows, const std::filesystem::path& path) {
  OutputFile file(path);
  std::string header = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}",
                                   rows.rows(), rows.dimension);
  constexpr std::size_t kPrelude = 10;
  header.append(63 - (kPrelude + header.size()) % 64, ' ');
  header += '\n';
  const auto low = static_cast<char>(header.size() & 0xFF), high = static_cast<char>(header.size() >> 8);
  file << "\x93NUMPY" << std::string{'\x01', '\x00', low, high} << header;
  file.write({reinterpret_cast<const char*>(rows.values.data()), rows.values.size_bytes()});
  file.commit();
}

void write_names(const NamedRows& rows, const std::filesystem::path& path) {
  OutputFile file(path);
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    const std::string name = rows.name(row);
    check_tsv_field(path, name);
    file << name << "\n";
  }
  file.commit();
}

/// A name ends at the first space there, so those within one become underscores, as is usual.
void write_word2vec(const NamedRows& rows, const std::filesystem::path& path) {
  OutputFile file(path);
  file << fmt::format("{} {}\n", rows.rows(), rows.dimension);
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    std::string line = rows.name(row);
    std::replace_if(
        line.begin(), line.end(), [](unsigned char c) { return std::isspace(c) != 0; }, '_');
    for (const float value : rows.values.subspan(row * rows.dimension, rows.dimension)) {
      fmt::format_to(std::back_inserter(line), " {}", value);
    }
    file << line << "\n";
  }
  file.commit();
}

}  // namespace

void write_rows(const NamedRows& rows, const std::filesystem::path& stem, EmbeddingFormat format) {
  if (format == EmbeddingFormat::word2vec) {
    write_word2vec(rows, with_ending(stem, ".vec"));
    return;
  }
  write_npy(rows, with_ending(stem, ".npy"));
  write_names(rows, with_ending(stem, ".txt"));
}

}  // namespace dovetail

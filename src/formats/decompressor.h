#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string_view>

namespace dovetail {

/// Compressed data that are not as their writer left them; says what is wrong.
class DamagedData : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Decompresses a stream piece by piece. Verifies every checksum that the format carries and that nothing but
/// further streams of the same format, or padding that the format allows, follows the end.
class Decompressor {
 public:
  Decompressor() = default;
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;
  virtual ~Decompressor() = default;

  struct Step {
    std::size_t taken = 0;  ///< bytes of the input
    std::size_t made = 0;   ///< bytes of the output
  };
  /// Decompresses from the front of `input` to the front of `output`, which is not empty; `last` says that
  /// nothing follows `input`. Takes and makes nothing only where it needs more input. Throws DamagedData.
  virtual Step step(std::span<const char> input, std::span<char> output, bool last) = 0;
  /// Whether the input may end here.
  [[nodiscard]] virtual bool complete() const = 0;
};

/// For the format that the first eight bytes of a file belong to (gzip, bzip2, xz, zstd); null if it is none.
[[nodiscard]] std::unique_ptr<Decompressor> make_decompressor(std::string_view head);

}  // namespace dovetail

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Texts of rows in one block of memory, for searches without regard to the case of ASCII letters.
class SearchText {
 public:
  void clear();
  /// Adds the next row.
  void add(std::string_view text);
  /// Whether a row has the text, which is lower_case().
  [[nodiscard]] bool has(std::size_t row, std::string_view text) const;
  [[nodiscard]] static std::string lower_case(std::string_view text);

 private:
  std::string bytes_;
  std::vector<std::uint64_t> ends_;
};

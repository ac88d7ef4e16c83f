#include <dovetail/spelling.h>

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <vector>

namespace dovetail {
namespace {

/// Letters to insert, remove or replace (Levenshtein).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0U);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string did_you_mean(std::string_view written, std::span<const std::string> words) {
  constexpr std::size_t kLongest = 64;  // no word is longer, and a line of megabytes is no word
  if (written.size() > kLongest || words.empty()) return {};
  const auto distance = [&](const std::string& word) { return edit_distance(written, word); };
  const auto nearest = std::ranges::min_element(words, {}, distance);
  const bool near = distance(*nearest) <= std::max<std::size_t>(1, nearest->size() / 3);
  return near ? fmt::format("; did you mean {}?", *nearest) : "";
}

}  // namespace dovetail

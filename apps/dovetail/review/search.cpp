#include "review/search.h"

namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

void SearchText::clear() {
  bytes_.clear();
  ends_.clear();
}

void SearchText::add(std::string_view text) {
  for (const char c : text) bytes_ += lower(c);
  ends_.push_back(bytes_.size());
}

bool SearchText::has(std::size_t row, std::string_view text) const {
  const std::uint64_t begin = row == 0 ? 0 : ends_[row - 1];
  return std::string_view(bytes_).substr(begin, ends_[row] - begin).find(text) != std::string_view::npos;
}

std::string SearchText::lower_case(std::string_view text) {
  std::string result;
  for (const char c : text) result += lower(c);
  return result;
}

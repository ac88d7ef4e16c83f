#include "formats/blank_labels.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace dovetail {

std::string BlankLabels::own(std::string_view label) {
  const auto number = number_of(label);
  if (!number || own_.contains(*number)) return std::string(label);
  if (const auto moved = own_moved_.find(*number); moved != own_moved_.end()) return label_of(moved->second);
  const bool nameless = *number <= nameless_ && !nameless_moved_.contains(*number);
  if (!nameless && !spare_.contains(*number)) {
    own_.insert(*number);
    return std::string(label);
  }
  const std::string other = label_of(own_moved_[*number] = unused());
  renamed_(std::string(label), other);
  return other;
}

std::string BlankLabels::nameless(std::uint64_t number) {
  if (const auto moved = nameless_moved_.find(number); moved != nameless_moved_.end()) {
    return label_of(moved->second);
  }
  nameless_ = std::max(nameless_, number);
  if (!own_.contains(number)) return label_of(number);
  return label_of(nameless_moved_[number] = unused());
}

std::uint64_t BlankLabels::unused() {
  while (own_.contains(next_spare_)) ++next_spare_;
  spare_.insert(next_spare_);
  return next_spare_++;
}

std::optional<std::uint64_t> BlankLabels::number_of(std::string_view label) const {
  if (!label.starts_with(prefix_)) return std::nullopt;
  label.remove_prefix(prefix_.size());
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(label.data(), label.data() + label.size(), number);
  const bool all = error == std::errc{} && end == label.data() + label.size();
  return all && label.front() != '0' ? std::optional(number) : std::nullopt;
}

std::string renamed_label(const std::string& file, const std::string& own, const std::string& other) {
  return fmt::format(
      "{}: its blank node _:{} is called _:{} here, for a node without a label further up is called that",
      file, own, other);
}

}  // namespace dovetail

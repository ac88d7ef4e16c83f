#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace dovetail {

/// The labels of the blank nodes of one file. A node without a label gets PREFIX1, PREFIX2, ..., which the
/// file may use as labels of its own, before or later: whoever comes second gets another number, so that two
/// nodes never become one.
class BlankLabels {
 public:
  /// `renamed`(label, new label) is called for a label of the file's own that had to change.
  using Renamed = std::function<void(const std::string&, const std::string&)>;
  BlankLabels(std::string prefix, Renamed renamed)
      : prefix_(std::move(prefix)), renamed_(std::move(renamed)) {}

  /// The label for a node that the file calls `label`.
  [[nodiscard]] std::string own(std::string_view label);
  /// The label for the node without one that is the `number`th to be mentioned.
  [[nodiscard]] std::string nameless(std::uint64_t number);

 private:
  /// The number of a label of ours.
  [[nodiscard]] std::optional<std::uint64_t> number_of(std::string_view label) const;
  [[nodiscard]] std::string label_of(std::uint64_t number) const { return prefix_ + std::to_string(number); }
  std::uint64_t unused();

  std::string prefix_;
  Renamed renamed_;
  std::uint64_t nameless_ = 0;                    // the largest number of a nameless node up to now
  std::uint64_t next_spare_ = 1'000'000'000'000;  // beyond the nameless nodes of any file
  std::unordered_set<std::uint64_t> own_, spare_;
  std::unordered_map<std::uint64_t, std::uint64_t> own_moved_, nameless_moved_;
};

/// The warning about a label that had to change.
[[nodiscard]] std::string renamed_label(const std::string& file, const std::string& own,
                                        const std::string& other);

}  // namespace dovetail

#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "common/threads.h"
#include "values/term_rows.h"
#include "values/value_table.h"

namespace dovetail {

/// The terms of one kind (grams, words or codes) of all values and of all entities of both sides, in one
/// numbering. Rows have length 1, so that products are cosines.
struct TermSpace {
  std::array<TermRows, 2> values;    ///< by Side: by value
  std::array<TermRows, 2> entities;  ///< by Side: by entity, of all its values together
  std::size_t terms = 0;
};

/// All that comparing values needs to know of their texts.
class ValueTerms {
 public:
  ValueTerms(const ValueTable& left, const ValueTable& right);

  [[nodiscard]] const TermSpace& grams() const { return grams_; }
  [[nodiscard]] const TermSpace& words() const { return words_; }
  [[nodiscard]] const TermSpace& codes() const { return codes_; }

  /// The same number for values, of either side, of the same words; kNone where a value has none.
  [[nodiscard]] std::uint32_t form(Side side, std::uint32_t value) const {
    return forms_[static_cast<std::size_t>(side)][value];
  }
  /// How many entities of a side have a value of this form for an attribute.
  [[nodiscard]] std::uint32_t uses(Side side, std::uint32_t attribute, std::uint32_t form) const;

 private:
  void add_side(Side side, const ValueTable& table);
  void add_entities(Side side, const ValueTable& table);

  struct Numbers {
    TermNumbers grams, words, codes, forms;
  };
  Numbers numbers_;
  TermSpace grams_, words_, codes_;
  std::array<std::vector<std::uint32_t>, 2> forms_;                       // by value
  std::array<std::vector<std::uint32_t>, 2> occurring_;                   // by value: entities that have it
  std::array<std::unordered_map<std::uint64_t, std::uint32_t>, 2> uses_;  // attribute << 32 | form
};

}  // namespace dovetail

#pragma once

#include <dovetail/graph.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "values/value_table.h"
#include "values/value_terms.h"

namespace dovetail {

/// How two values are compared. Each comparison gives a level, the higher the more alike (but for `category`,
/// and
/// `classes`, whose levels are pairs of values).
enum class Measure : std::uint8_t {
  grams,        ///< cosine of runs of three characters, weighed by how rare they are
  words,        ///< cosine of words, weighed by how rare they are
  codes,        ///< the same of codes: words with digits, without punctuation
  equal,        ///< the same words, by how rare that is
  number,       ///< relative difference
  date,         ///< overlap of what is known of year, month and day
  coordinates,  ///< distance
  edit,         ///< edit distance of short codes
  category,     ///< which of a few values meets which: types, genres, venues
  classes,      ///< which class meets which
};

[[nodiscard]] std::string_view measure_name(Measure measure);
[[nodiscard]] std::size_t level_count(Measure measure);
/// Of pairs that cannot be compared because one side has no such value.
inline constexpr std::uint8_t kNoLevel = UINT8_MAX;
/// Instead of an attribute: all values of an entity together.
inline constexpr std::uint32_t kAllValues = kNone;
/// Instead of an attribute: the classes of an entity.
inline constexpr std::uint32_t kClasses = kNone - 1;
[[nodiscard]] constexpr bool is_attribute(std::uint32_t number) {
  return number < kClasses;
}

/// A left attribute, a right one, and how their values are compared.
struct ValueFeature {
  std::uint32_t left, right;
  Measure measure;
  bool operator==(const ValueFeature&) const = default;
};

// The levels of single comparisons.
[[nodiscard]] std::uint8_t cosine_level(float cosine);
[[nodiscard]] std::uint8_t number_level(const Quantity& a, const Quantity& b);
[[nodiscard]] std::uint8_t date_level(const PartialDate& a, const PartialDate& b);
[[nodiscard]] std::uint8_t distance_level(double km);
/// By edits for each character, in letters and digits only; kNoLevel where one is too long for a code.
[[nodiscard]] std::uint8_t edit_level(std::string_view a, std::string_view b);

/// Compares the values of a left entity with those of a right one. The tables and terms must outlive it.
class ValueComparer {
 public:
  ValueComparer(const ValueTable& left, const ValueTable& right, const ValueTerms& terms);

  /// The ways in which values of these two attributes can be compared.
  [[nodiscard]] std::vector<ValueFeature> features(std::uint32_t left, std::uint32_t right) const;
  [[nodiscard]] std::uint8_t level(const ValueFeature& feature, EntityId left, EntityId right) const;
  /// The class of an entity that fewest others are of; kNone: it has none.
  [[nodiscard]] std::uint32_t narrowest_class(Side side, EntityId entity) const;

  /// The two values of a pair of attributes that are most alike: numbers in the graphs' literal_values().
  struct BestValues {
    std::uint32_t left, right;
  };
  [[nodiscard]] BestValues best_values(const ValueFeature& feature, EntityId left, EntityId right) const;

 private:
  [[nodiscard]] std::uint8_t compare(const ValueFeature& feature, std::uint32_t left,
                                     std::uint32_t right) const;
  [[nodiscard]] std::uint8_t equal_level(const ValueFeature& feature, std::uint32_t left,
                                         std::uint32_t right) const;
  [[nodiscard]] std::uint32_t category(Side side, std::uint32_t attribute, std::uint32_t value) const;
  [[nodiscard]] std::string text(Side side, std::uint32_t value) const;
  void find_categories(Side side);
  void find_classes(Side side);
  template <typename Body>
  void for_each_pair(const ValueFeature& feature, EntityId left, EntityId right, const Body& body) const;

  [[nodiscard]] const ValueTable& table(Side side) const { return *tables_[static_cast<std::size_t>(side)]; }

  std::array<const ValueTable*, 2> tables_;
  const ValueTerms* terms_;
  // attribute << 32 | form -> category; only of attributes with few values
  std::array<std::unordered_map<std::uint64_t, std::uint32_t>, 2> categories_;
  std::array<std::vector<std::uint8_t>, 2> has_categories_;  // by attribute
  std::array<std::vector<std::uint32_t>, 2> members_;        // by class: entities that are of it
  std::array<std::vector<std::uint8_t>, 2> class_category_;  // by entity: kNoLevel without classes; or empty
};

}  // namespace dovetail

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dovetail {

/// What the values of an attribute are.
enum class ValueKind : std::uint8_t { text, number, date, boolean, coordinates, code };

[[nodiscard]] std::string_view kind_name(ValueKind kind);

/// A number in the base unit of its dimension: grams, metres, seconds; 0 where the text names no known unit.
struct Quantity {
  double value;            ///< always finite
  std::uint8_t dimension;  ///< which base unit; quantities of different ones are not compared
};

/// A number with a decimal point or comma, thousands separators, a currency sign, a unit or a percent sign.
/// Nothing for what is too large for a double, for NaN and for digits that are rather a code (007).
[[nodiscard]] std::optional<Quantity> parse_quantity(std::string_view text);

/// A date as precise as the text says; 0 stands for an unknown month, day, or year.
struct PartialDate {
  std::int32_t year = 0;
  std::uint8_t month = 0, day = 0;
  bool operator==(const PartialDate&) const = default;
};

/// ISO 8601 (also with a time, without separators, or cut short), a year alone, day.month.year, and
/// month/day/year or day/month/year where only one of them is a date. January the 1st of a full date may
/// stand for the year alone: many sources pad so; precision_overlap() takes it for either.
[[nodiscard]] std::optional<PartialDate> parse_date(std::string_view text);

struct Coordinates {
  double latitude, longitude;  ///< degrees
};
/// "48.85, 2.35", "48.85 2.35" and well-known text, "POINT(2.35 48.85)".
[[nodiscard]] std::optional<Coordinates> parse_coordinates(std::string_view text);
/// Kilometres along the surface of the earth.
[[nodiscard]] double distance_km(const Coordinates& a, const Coordinates& b);

[[nodiscard]] std::optional<bool> parse_boolean(std::string_view text);

/// A short text of letters and digits that names something: a phone number, ISBN, model number.
[[nodiscard]] bool looks_like_code(std::string_view text);

/// All that one value may be; what it is compared as depends on its attribute's kind.
struct TypedValue {
  std::optional<Quantity> quantity;
  std::optional<PartialDate> date;
  std::optional<Coordinates> coordinates;
  std::optional<bool> boolean;
  bool code = false;
};

/// `datatype` is the literal's IRI, or empty; one that contradicts the text is not believed.
[[nodiscard]] TypedValue parse_value(std::string_view text, std::string_view datatype);

}  // namespace dovetail

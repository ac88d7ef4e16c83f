#include "values/typed_value.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <string>

namespace dovetail {

namespace {

/// Longer texts are no numbers, dates or codes; nothing here looks further than this.
constexpr std::size_t kLongest = 48;

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t' || text.front() == '\n')) {
    text.remove_prefix(1);
  }
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\n')) {
    text.remove_suffix(1);
  }
  return text;
}

bool drop_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text = trimmed(text.substr(prefix.size()));
  return true;
}

struct Unit {
  std::string_view name;
  std::uint8_t dimension;
  double factor;
};

constexpr std::array<Unit, 34> kUnits = {{
    {"g", 1, 1},
    {"gram", 1, 1},
    {"grams", 1, 1},
    {"kg", 1, 1000},
    {"mg", 1, 1e-3},
    {"lb", 1, 453.59237},
    {"lbs", 1, 453.59237},
    {"pounds", 1, 453.59237},
    {"oz", 1, 28.349523},
    {"ounces", 1, 28.349523},
    {"m", 2, 1},
    {"mm", 2, 1e-3},
    {"cm", 2, 1e-2},
    {"km", 2, 1000},
    {"in", 2, .0254},
    {"inch", 2, .0254},
    {"inches", 2, .0254},
    {"\"", 2, .0254},
    {"ft", 2, .3048},
    {"mi", 2, 1609.344},
    {"miles", 2, 1609.344},
    {"s", 3, 1},
    {"sec", 3, 1},
    {"min", 3, 60},
    {"mins", 3, 60},
    {"minutes", 3, 60},
    {"h", 3, 3600},
    {"hours", 3, 3600},
    {"%", 4, 1},
    {"usd", 0, 1},
    {"eur", 0, 1},
    {"gbp", 0, 1},
    {"$", 0, 1},
    {"\xE2\x82\xAC", 0, 1},
}};

const Unit* find_unit(std::string_view name) {
  std::string small(name.substr(0, 12));
  std::ranges::transform(small, small.begin(), lower);
  if (small.ends_with('.')) small.pop_back();
  const auto* const found = std::ranges::find(kUnits, std::string_view(small), &Unit::name);
  return found == kUnits.end() || name.size() > 12 ? nullptr : found;
}

/// The number with a point for decimals and nothing else between digits; empty where separators make no
/// sense. Of one kind of separator alone a single one is a thousands separator only in front of three digits
/// and behind one to three that do not begin with 0.
std::string plain_digits(std::string_view text) {
  const auto points = std::ranges::count(text, '.'), commas = std::ranges::count(text, ',');
  char decimal = '.';
  if (points > 0 && commas > 0) {
    decimal = text.rfind('.') > text.rfind(',') ? '.' : ',';
  } else if (commas == 1) {
    const std::size_t at = text.find(',');
    const bool thousands = text.size() - at == 4 && at >= 1 && at <= 3 && text[0] != '0';
    decimal = thousands ? '.' : ',';
  } else if (commas > 1) {
    decimal = '.';
  } else if (points > 1) {
    decimal = ',';
  }
  const char thousands = decimal == '.' ? ',' : '.';
  if (std::ranges::count(text, decimal) > 1) return {};
  std::string out;
  std::size_t group = 0;  // digits since the last separator
  bool grouped = false;
  for (const char c : text) {
    if (c == thousands) {
      if ((grouped && group != 3) || group == 0 || out.find('.') != out.npos) return {};
      grouped = true;
      group = 0;
    } else if (c == decimal) {
      if (grouped && group != 3) return {};
      grouped = false;
      out += '.';
    } else {
      out += c;
      ++group;
    }
  }
  return grouped && group != 3 ? std::string() : out;
}

std::optional<int> digits_at(std::string_view text, std::size_t at, std::size_t count) {
  if (at + count > text.size()) return std::nullopt;
  int value = 0;
  for (std::size_t i = at; i < at + count; ++i) {
    if (!is_digit(text[i])) return std::nullopt;
    value = value * 10 + (text[i] - '0');
  }
  return value;
}

std::optional<PartialDate> checked(int year, int month, int day) {
  if (year == 0 || month > 12 || day > 31 || (month == 0 && day != 0)) return std::nullopt;
  return PartialDate{year, static_cast<std::uint8_t>(month), static_cast<std::uint8_t>(day)};
}

/// YYYY, YYYY-MM, YYYY-MM-DD, with what follows a T, a blank or a Z left out.
std::optional<PartialDate> iso_date(std::string_view text) {
  const bool before_christ = text.starts_with('-');
  if (before_christ || text.starts_with('+')) text.remove_prefix(1);
  std::size_t length = 0;
  while (length < text.size() && is_digit(text[length])) ++length;
  if (length == 8 && text.size() == 8) {
    const auto date = checked(*digits_at(text, 0, 4), *digits_at(text, 4, 2), *digits_at(text, 6, 2));
    return date && date->month != 0 && date->day != 0 ? date : std::nullopt;
  }
  if (length < 4 || length > 6) return std::nullopt;
  const int year = *digits_at(text, 0, length) * (before_christ ? -1 : 1);
  std::string_view rest = text.substr(length);
  if (rest.empty() || rest == "Z") {
    return length == 4 ? checked(year, 0, 0) : std::nullopt;
  }
  const auto month = rest.starts_with('-') ? digits_at(rest, 1, 2) : std::nullopt;
  if (!month) return std::nullopt;
  rest.remove_prefix(3);
  if (rest.empty()) return checked(year, *month, 0);
  const auto day = rest.starts_with('-') ? digits_at(rest, 1, 2) : std::nullopt;
  if (!day) return std::nullopt;
  rest.remove_prefix(3);
  const bool ends = rest.empty() || rest[0] == 'T' || rest[0] == ' ' || rest[0] == 'Z' || rest[0] == '+';
  return ends ? checked(year, *month, *day) : std::nullopt;
}

/// 17.11.1995, 17/11/1995, 11/17/1995; one that can be read in two ways only with points, day first.
std::optional<PartialDate> written_date(std::string_view text) {
  const char separator = text.find('.') != text.npos ? '.' : '/';
  std::array<int, 3> part{};
  std::size_t at = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    std::size_t length = 0;
    while (at + length < text.size() && is_digit(text[at + length])) ++length;
    const bool fits = i < 2 ? length == 1 || length == 2 : length == 4;
    if (!fits || (i < 2 && (at + length >= text.size() || text[at + length] != separator))) return {};
    part.at(i) = *digits_at(text, at, length);
    at += length + (i < 2 ? 1 : 0);
  }
  if (at != text.size() || part[0] == 0 || part[1] == 0) return std::nullopt;
  if (separator == '.' || part[0] > 12) return checked(part[2], part[1], part[0]);
  if (part[1] > 12) return checked(part[2], part[0], part[1]);
  return part[0] == part[1] ? checked(part[2], part[0], part[1]) : checked(part[2], 0, 0);
}

std::optional<double> number_at(std::string_view& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

}  // namespace

std::string_view kind_name(ValueKind kind) {
  static constexpr std::array<std::string_view, 6> kNames = {"text",    "number",      "date",
                                                             "boolean", "coordinates", "code"};
  return kNames.at(static_cast<std::size_t>(kind));
}

std::optional<Quantity> parse_quantity(std::string_view text) {
  text = trimmed(text);
  if (text.empty() || text.size() > kLongest) return std::nullopt;
  for (const std::string_view sign : {"$", "\xE2\x82\xAC", "\xC2\xA3"}) {
    if (drop_prefix(text, sign)) break;
  }
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  std::size_t length = 0;
  while (length < text.size() && (is_digit(text[length]) || text[length] == '.' || text[length] == ','))
    ++length;
  if (length == 0 || !is_digit(text[length - 1])) return std::nullopt;
  if (length > 1 && text[0] == '0' && is_digit(text[1])) return std::nullopt;  // 007 is a code
  std::string digits = plain_digits(text.substr(0, length));
  std::string_view rest = text.substr(length);
  if (rest.size() > 1 && lower(rest[0]) == 'e' && (is_digit(rest[1]) || rest[1] == '-' || rest[1] == '+')) {
    std::size_t end = 2;
    while (end < rest.size() && is_digit(rest[end])) ++end;
    digits += 'e';
    digits += rest.substr(rest[1] == '+' ? 2 : 1, end - (rest[1] == '+' ? 2 : 1));
    rest = rest.substr(end);
  }
  rest = trimmed(rest);
  const Unit* const unit = rest.empty() ? nullptr : find_unit(rest);
  if (digits.empty() || (!rest.empty() && unit == nullptr)) return std::nullopt;
  std::string_view left = digits;
  const auto value = number_at(left);
  if (!value || !left.empty()) return std::nullopt;
  const double scaled = *value * (unit != nullptr ? unit->factor : 1) * (negative ? -1 : 1);
  if (!std::isfinite(scaled)) return std::nullopt;
  return Quantity{scaled, unit != nullptr ? unit->dimension : std::uint8_t{0}};
}

std::optional<PartialDate> parse_date(std::string_view text) {
  text = trimmed(text);
  if (text.size() < 4 || text.size() > kLongest) return std::nullopt;
  if (const auto date = iso_date(text)) return date;
  return written_date(text);
}

std::optional<Coordinates> parse_coordinates(std::string_view text) {
  text = trimmed(text);
  if (text.size() < 3 || text.size() > 2 * kLongest) return std::nullopt;
  bool longitude_first = false;
  if (drop_prefix(text, "POINT") || drop_prefix(text, "Point")) {
    longitude_first = true;
    if (!drop_prefix(text, "(") || !text.ends_with(')')) return std::nullopt;
    text.remove_suffix(1);
  }
  if (text.find('.') == text.npos) return std::nullopt;  // whole numbers are rather something else
  const auto first = number_at(text);
  if (!first || text.empty() || (text[0] != ',' && text[0] != ' ' && text[0] != ';')) return std::nullopt;
  text = trimmed(text.substr(1));
  const auto second = number_at(text);
  if (!second || !trimmed(text).empty()) return std::nullopt;
  const Coordinates at = longitude_first ? Coordinates{*second, *first} : Coordinates{*first, *second};
  if (std::abs(at.latitude) > 90 || std::abs(at.longitude) > 360) return std::nullopt;
  return at;
}

double distance_km(const Coordinates& a, const Coordinates& b) {
  constexpr double kDegree = std::numbers::pi / 180, kDiameter = 2 * 6371.0;
  const double up = std::sin((a.latitude - b.latitude) * kDegree / 2);
  const double along = std::sin((a.longitude - b.longitude) * kDegree / 2);
  const double h = up * up + std::cos(a.latitude * kDegree) * std::cos(b.latitude * kDegree) * along * along;
  return kDiameter * std::asin(std::sqrt(std::clamp(h, 0.0, 1.0)));
}

std::optional<bool> parse_boolean(std::string_view text) {
  std::string small(trimmed(text).substr(0, 6));
  std::ranges::transform(small, small.begin(), lower);
  if (small == "true" || small == "yes") return true;
  if (small == "false" || small == "no") return false;
  return std::nullopt;
}

bool looks_like_code(std::string_view text) {
  text = trimmed(text);
  if (text.size() < 3 || text.size() > 32) return false;
  std::size_t digits = 0, words = 1;
  for (const char c : text) {
    const bool allowed = is_digit(c) || is_letter(c) || c == '-' || c == '/' || c == '.' || c == '_' ||
                         c == ' ' || c == '(' || c == ')' || c == '+' || c == ':';
    if (!allowed) return false;
    digits += is_digit(c) ? 1 : 0;
    words += c == ' ' ? 1 : 0;
  }
  return digits > 0 && (words == 1 || digits * 2 > text.size());
}

TypedValue parse_value(std::string_view text, std::string_view datatype) {
  const std::string_view name = datatype.substr(std::min(datatype.find_last_of("#/") + 1, datatype.size()));
  TypedValue value;
  if (text.size() > 2 * kLongest) return value;
  const bool is_text = name == "string" || name == "langString";
  value.date = parse_date(text);
  if (name != "date" && name != "dateTime" && name != "gYear" && name != "gYearMonth") {
    value.quantity = parse_quantity(text);
    value.coordinates = parse_coordinates(text);
    value.boolean = parse_boolean(text);
    if (name == "boolean" && (text == "0" || text == "1")) value.boolean = text == "1";
  }
  const bool number = name == "integer" || name == "int" || name == "decimal" || name == "double" ||
                      name == "float" || name == "long" || name == "nonNegativeInteger";
  if (number && value.quantity) value.date.reset();
  value.code = looks_like_code(text) && (is_text || name.empty() || !value.quantity);
  return value;
}

}  // namespace dovetail

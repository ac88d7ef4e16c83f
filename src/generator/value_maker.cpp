#include "generator/value_maker.h"

#include <array>
#include <cmath>
#include <fmt/format.h>

#include "common/random.h"
#include "generator/name_maker.h"
#include "generator/permutation.h"

namespace dovetail {
namespace {

enum ValuePurpose : std::uint64_t { kValue = 500, kChange = 501, kCategory = 502 };

/// Of the difference, what makes a value missing on one side; the rest changes it.
constexpr double kMissing = 0.5;

/// What making one value takes: numbers that both sides have, and numbers of a side's own.
struct Draw {
  Side side;
  Random shared, own;
  bool changed;  ///< the side has another value than the truth

  [[nodiscard]] bool left() const { return side == Side::left; }
  /// Uniform between 1 - width and 1 + width, of the side alone.
  double jitter(double width) { return 1 + width * (2 * own.uniform() - 1); }
};

std::string text(std::string_view value) {
  return fmt::format("\"{}\"", value);
}

std::string typed(std::string_view value, std::string_view datatype) {
  return fmt::format("\"{}\"^^<http://www.w3.org/2001/XMLSchema#{}>", value, datatype);
}

std::string words(Random& random, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) out += ' ';
    append_word(random.next(), out);
  }
  return out;
}

/// KX-4831B on the left, KX4831B on the right; changed: another last digit.
std::string code(Draw& draw) {
  const auto letter = [&] { return static_cast<char>('A' + draw.shared.below(26)); };
  const char first = letter(), second = letter(), last = letter();
  std::uint64_t number = 1000 + draw.shared.below(9'000'000);
  if (draw.changed) number = number / 10 * 10 + (number % 10 + 1 + draw.own.below(9)) % 10;
  return text(draw.left() ? fmt::format("{}{}-{}{}", first, second, number, last)
                          : fmt::format("{}{}{}{}", first, second, number, last));
}

/// A year on the left, a full date on the right; changed: a year too early or too late.
std::string date(Draw& draw) {
  std::uint64_t year = 1900 + draw.shared.below(120);
  const std::uint64_t month = 1 + draw.shared.below(12), day = 1 + draw.shared.below(28);
  if (draw.changed) year += draw.own.below(2) == 0 ? 1 : -1;
  return draw.left() ? typed(fmt::format("{}", year), "gYear")
                     : typed(fmt::format("{}-{:02}-{:02}", year, month, day), "date");
}

/// 1234.50 on the left, $1,234.50 on the right, and always a little different.
std::string price(Draw& draw) {
  const double truth = std::exp(draw.shared.uniform() * 8);
  const double value = std::min(999'999.0, truth * draw.jitter(draw.changed ? 0.5 : 0.05));
  const auto cents = static_cast<std::uint64_t>(value * 100) + 1;
  if (draw.left()) return typed(fmt::format("{}.{:02}", cents / 100, cents % 100), "decimal");
  const std::uint64_t whole = cents / 100;
  return text(whole < 1000 ? fmt::format("${}.{:02}", whole, cents % 100)
                           : fmt::format("${},{:03}.{:02}", whole / 1000, whole % 1000, cents % 100));
}

/// Some words, the right side with a common one in front; changed: one of them is another.
std::string title(Draw& draw) {
  const std::size_t count = 2 + draw.shared.below(3), other = draw.own.below(count);
  std::string out = draw.left() ? "" : "The ";
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t own = draw.own.next(), shared = draw.shared.next();
    if (i > 0) out += ' ';
    append_word(draw.changed && i == other ? own : shared, out);
  }
  return text(out);
}

/// Degrees with a comma on the left, well-known text on the right, within metres; changed: within kilometres.
std::string coordinates(Draw& draw) {
  const double reach = draw.changed ? 0.2 : 0.0005;
  const double latitude = -80 + 160 * draw.shared.uniform() + reach * (2 * draw.own.uniform() - 1);
  const double longitude = -179 + 358 * draw.shared.uniform() + reach * (2 * draw.own.uniform() - 1);
  return text(draw.left() ? fmt::format("{:.5f}, {:.5f}", latitude, longitude)
                          : fmt::format("POINT({:.4f} {:.4f})", longitude, latitude));
}

std::string phone(Draw& draw) {
  const std::uint64_t area = 200 + draw.shared.below(800), exchange = 200 + draw.shared.below(800);
  std::uint64_t line = draw.shared.below(10'000);
  if (draw.changed) line = (line + 1 + draw.own.below(9)) % 10'000;
  return text(draw.left() ? fmt::format("{}/{}-{:04}", area, exchange, line)
                          : fmt::format("({}) {} {:04}", area, exchange, line));
}

/// One of twelve words, other words on each side.
std::string category(Draw& draw, std::uint64_t seed) {
  std::uint64_t which = std::min(draw.shared.below(12), draw.shared.below(12));
  if (draw.changed) which = draw.own.below(12);
  Random random(derived_seed(seed, kCategory), 2 * which + (draw.left() ? 0 : 1));
  return text(words(random, 1));
}

/// Centimetres on the left, metres on the right.
std::string size(Draw& draw) {
  const double metres = (0.2 + 20 * draw.shared.uniform()) * (draw.changed ? draw.jitter(0.2) : 1);
  return text(draw.left() ? fmt::format("{:.0f} cm", metres * 100) : fmt::format("{:.2f} m", metres));
}

/// Stars from 1 to 5, the sides seldom more than one apart.
std::string rating(Draw& draw) {
  const std::uint64_t stars = 1 + draw.shared.below(5);
  return typed(fmt::format("{}", draw.changed ? 1 + draw.own.below(5) : stars), "integer");
}

/// Two dozen words, of which each side leaves some out; changed: most.
std::string description(Draw& draw) {
  std::string out;
  for (std::size_t i = 0; i < 24; ++i) {
    const std::uint64_t word = draw.shared.below(4000);
    if (draw.own.uniform() < (draw.changed ? 0.7 : 0.2)) continue;
    if (!out.empty()) out += ' ';
    append_word(mix64(word), out);
  }
  return text(out.empty() ? "none" : out);
}

constexpr std::array<std::array<std::string_view, 2>, 10> kNames = {{{"code", "model"},
                                                                     {"year", "released"},
                                                                     {"price", "cost"},
                                                                     {"title", "heading"},
                                                                     {"place", "location"},
                                                                     {"phone", "telephone"},
                                                                     {"kind", "genre"},
                                                                     {"width", "size"},
                                                                     {"stars", "rating"},
                                                                     {"description", "about"}}};

}  // namespace

ValueMaker::ValueMaker(std::uint64_t seed, double difference)
    : seed_(derived_seed(seed, kValue)), difference_(difference) {}

std::string ValueMaker::attribute(Side side, std::uint64_t n) {
  const bool left = side == Side::left;
  const std::uint64_t again = n / kNames.size();
  return fmt::format("http://{}.example/attribute/{}{}", left ? "left" : "right",
                     kNames.at(n % kNames.size()).at(left ? 0 : 1),
                     again == 0 ? "" : fmt::format("{}", again + 1));
}

bool ValueMaker::value(Side side, std::uint64_t entity, std::uint64_t n, std::string& literal) const {
  const std::uint64_t stream = entity << 8 | n;
  Draw draw{.side = side,
            .shared = Random(seed_, stream),
            .own = Random(derived_seed(seed_, kChange + static_cast<std::uint64_t>(side)), stream),
            .changed = false};
  if (draw.own.uniform() < difference_ * kMissing) return false;
  draw.changed = draw.own.uniform() < difference_ * (1 - kMissing);
  switch (n % kNames.size()) {
    case 0:
      literal = code(draw);
      break;
    case 1:
      literal = date(draw);
      break;
    case 2:
      literal = price(draw);
      break;
    case 3:
      literal = title(draw);
      break;
    case 4:
      literal = coordinates(draw);
      break;
    case 5:
      literal = phone(draw);
      break;
    case 6:
      literal = category(draw, seed_);
      break;
    case 7:
      literal = size(draw);
      break;
    case 8:
      literal = rating(draw);
      break;
    default:
      literal = description(draw);
  }
  return true;
}

}  // namespace dovetail

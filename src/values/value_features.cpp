#include "values/value_features.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>

#include "graph/entity_types.h"
#include "graph/literal.h"

namespace dovetail {

namespace {

// Where levels begin. They are as fine as a few hundred examples can tell apart; what a level means is
// learned.
constexpr std::array<double, 11> kCosines = {.02, .1, .2, .3, .4, .5, .6, .7, .8, .9, .97};
constexpr std::array<double, 7> kDifferences = {1e-6, .01, .03, .1, .2, .4, .7};
constexpr std::array<double, 5> kRarities = {2, 5, 8, 11, 14};           // in nats
constexpr std::array<double, 6> kDistances = {.05, .5, 2, 10, 50, 500};  // in km
constexpr std::size_t kDateLevels = 7;
constexpr std::size_t kCategories = 14;     // the most frequent values of an attribute; all others are one
constexpr std::uint64_t kFewValues = 100;   // that an attribute with categories may have
constexpr std::size_t kComparedValues = 8;  // of one attribute of one entity
constexpr std::size_t kLongestCode = 32;

template <std::size_t N>
std::uint8_t ascending(const std::array<double, N>& edges, double value) {
  return static_cast<std::uint8_t>(std::upper_bound(edges.begin(), edges.end(), value) - edges.begin());
}
template <std::size_t N>
std::uint8_t descending(const std::array<double, N>& edges, double value) {
  return static_cast<std::uint8_t>(N - ascending(edges, value));
}

std::string letters_and_digits(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      out += static_cast<char>(upper ? c - 'A' + 'a' : c);
    }
  }
  return out;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::array<std::size_t, kLongestCode + 1> row{};
  for (std::size_t j = 0; j <= b.size(); ++j) row.at(j) = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row.at(j);
      row.at(j) = std::min({above + 1, row.at(j - 1) + 1, diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      diagonal = above;
    }
  }
  return row.at(b.size());
}

bool comparable_as(ValueKind kind, ValueKind left, ValueKind right) {
  return left == kind && right == kind;
}

}  // namespace

std::string_view measure_name(Measure measure) {
  static constexpr std::array<std::string_view, 10> kNames = {
      "grams", "words", "codes", "equal", "number", "date", "coordinates", "edit", "category", "classes"};
  return kNames.at(static_cast<std::size_t>(measure));
}

std::size_t level_count(Measure measure) {
  switch (measure) {
    case Measure::grams:
    case Measure::words:
    case Measure::codes:
    case Measure::edit:
      return kCosines.size() + 1;
    case Measure::equal:
      return kRarities.size() + 2;
    case Measure::number:
      return kDifferences.size() + 1;
    case Measure::date:
      return kDateLevels;
    case Measure::coordinates:
      return kDistances.size() + 1;
    case Measure::category:
    case Measure::classes:
      return (kCategories + 1) * (kCategories + 1);
  }
  return 0;
}

std::uint8_t cosine_level(float cosine) {
  return ascending(kCosines, cosine);
}

std::uint8_t number_level(const Quantity& a, const Quantity& b) {
  if (a.dimension != b.dimension) return kNoLevel;
  const double larger = std::max(std::abs(a.value), std::abs(b.value));
  // Halves, so that the difference of two huge numbers is finite.
  return descending(kDifferences, larger == 0 ? 0 : std::abs(a.value / 2 - b.value / 2) / (larger / 2));
}

std::uint8_t date_level(const PartialDate& a, const PartialDate& b) {
  const auto years = std::abs(std::int64_t{a.year} - b.year);
  if (years > 0) return years == 1 ? 2 : years <= 3 ? 1 : 0;
  // The first of January is what many sources write for a year alone.
  const auto only_year = [](const PartialDate& date) {
    return date.month == 0 || (date.month == 1 && date.day <= 1);
  };
  if (a == b && !only_year(a)) return a.day != 0 ? 6 : 5;
  if (only_year(a) || only_year(b)) return 4;
  return a.month == b.month && (a.day == 0 || b.day == 0) ? 5 : 3;
}

std::uint8_t distance_level(double km) {
  return descending(kDistances, km);
}

std::uint8_t edit_level(std::string_view a, std::string_view b) {
  if (a.size() > 2 * kLongestCode || b.size() > 2 * kLongestCode) return kNoLevel;
  const std::string x = letters_and_digits(a), y = letters_and_digits(b);
  if (x.empty() || y.empty() || x.size() > kLongestCode || y.size() > kLongestCode) return kNoLevel;
  const auto longer = static_cast<float>(std::max(x.size(), y.size()));
  return cosine_level(1 - static_cast<float>(edit_distance(x, y)) / longer);
}

ValueComparer::ValueComparer(const ValueTable& left, const ValueTable& right, const ValueTerms& terms)
    : tables_{&left, &right}, terms_(&terms) {
  for (const Side side : {Side::left, Side::right}) {
    find_categories(side);
    find_classes(side);
  }
}

void ValueComparer::find_categories(Side side) {
  const auto at = static_cast<std::size_t>(side);
  const ValueTable& values = table(side);
  has_categories_[at].assign(values.attribute_count(), 0);
  std::vector<std::unordered_map<std::uint32_t, std::uint32_t>> uses(values.attribute_count());
  for (EntityId entity = 0; entity < values.entity_count(); ++entity) {
    for (std::size_t n = 0; n < values.count(entity); ++n) {
      const LiteralTriple& triple = values.value(entity, n);
      if (values.summary(triple.attribute).distinct > kFewValues) continue;
      const std::uint32_t form = terms_->form(side, triple.value);
      if (form != kNone) ++uses[triple.attribute][form];
    }
  }
  for (std::uint32_t attribute = 0; attribute < uses.size(); ++attribute) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> forms(uses[attribute].begin(),
                                                               uses[attribute].end());
    has_categories_[at][attribute] = forms.size() > 1 ? 1 : 0;
    std::ranges::sort(forms, [](const auto& a, const auto& b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    for (std::uint32_t n = 0; n < std::min(forms.size(), kCategories); ++n) {
      categories_[at][std::uint64_t{attribute} << 32 | forms[n].first] = n;
    }
  }
}

void ValueComparer::find_classes(Side side) {
  const auto at = static_cast<std::size_t>(side);
  const KnowledgeGraph& graph = table(side).graph();
  members_[at].assign(classes_of(graph).size(), 0);
  if (members_[at].empty()) return;
  for (EntityId entity = 0; entity < graph.entity_count(); ++entity) {
    for (const std::uint32_t type : types_of(graph, entity)) ++members_[at][type];
  }
  std::vector<std::uint32_t> frequent(members_[at].size());
  std::iota(frequent.begin(), frequent.end(), 0U);
  std::ranges::stable_sort(frequent, std::greater(), [&](std::uint32_t type) { return members_[at][type]; });
  std::vector<std::uint8_t> category(members_[at].size(), static_cast<std::uint8_t>(kCategories));
  for (std::size_t n = 0; n < std::min(frequent.size(), kCategories); ++n) {
    category[frequent[n]] = static_cast<std::uint8_t>(n);
  }
  class_category_[at].resize(graph.entity_count());
  for (EntityId entity = 0; entity < graph.entity_count(); ++entity) {
    const std::uint32_t type = narrowest_class(side, entity);
    class_category_[at][entity] = type == kNone ? kNoLevel : category[type];
  }
}

std::uint32_t ValueComparer::narrowest_class(Side side, EntityId entity) const {
  const auto& members = members_[static_cast<std::size_t>(side)];
  std::uint32_t narrowest = kNone;
  for (const std::uint32_t type : types_of(table(side).graph(), entity)) {
    if (narrowest == kNone || members[type] < members[narrowest]) narrowest = type;
  }
  return narrowest;
}

std::string ValueComparer::text(Side side, std::uint32_t value) const {
  return split_literal(table(side).graph().literal_values()[value]).text;
}

std::uint32_t ValueComparer::category(Side side, std::uint32_t attribute, std::uint32_t value) const {
  const auto& categories = categories_[static_cast<std::size_t>(side)];
  const auto found = categories.find(std::uint64_t{attribute} << 32 | terms_->form(side, value));
  return found == categories.end() ? static_cast<std::uint32_t>(kCategories) : found->second;
}

std::vector<ValueFeature> ValueComparer::features(std::uint32_t left, std::uint32_t right) const {
  std::vector<ValueFeature> out;
  const auto add = [&](Measure measure) { out.push_back({left, right, measure}); };
  for (const Measure measure : {Measure::grams, Measure::words, Measure::codes}) add(measure);
  if (left == kAllValues) {
    const bool both = !class_category_[0].empty() && !class_category_[1].empty();
    if (both && members_[0].size() + members_[1].size() > 2) {
      out.push_back({kClasses, kClasses, Measure::classes});
    }
    return out;
  }
  add(Measure::equal);
  const ValueKind a = table(Side::left).summary(left).kind, b = table(Side::right).summary(right).kind;
  const bool numbers = a == ValueKind::number || b == ValueKind::number;
  const bool years = comparable_as(ValueKind::date, a, b);
  if (numbers || years) add(Measure::number);
  if (a == ValueKind::date || b == ValueKind::date) add(Measure::date);
  if (comparable_as(ValueKind::coordinates, a, b)) add(Measure::coordinates);
  if (a == ValueKind::code || b == ValueKind::code) add(Measure::edit);
  if (has_categories_[0][left] != 0 && has_categories_[1][right] != 0) add(Measure::category);
  return out;
}

template <typename Body>
void ValueComparer::for_each_pair(const ValueFeature& feature, EntityId left, EntityId right,
                                  const Body& body) const {
  const ValueTable::Range a = table(Side::left).of_attribute(left, feature.left);
  const ValueTable::Range b = table(Side::right).of_attribute(right, feature.right);
  for (std::size_t i = a.first; i < std::min(a.last, a.first + kComparedValues); ++i) {
    for (std::size_t j = b.first; j < std::min(b.last, b.first + kComparedValues); ++j) {
      const std::uint32_t x = table(Side::left).value(left, i).value;
      const std::uint32_t y = table(Side::right).value(right, j).value;
      body(x, y, compare(feature, x, y));
    }
  }
}

std::uint8_t ValueComparer::level(const ValueFeature& feature, EntityId left, EntityId right) const {
  if (feature.measure == Measure::classes) {
    const std::uint8_t a = class_category_[0][left], b = class_category_[1][right];
    return a == kNoLevel || b == kNoLevel ? kNoLevel : static_cast<std::uint8_t>(a * (kCategories + 1) + b);
  }
  if (feature.left == kAllValues) {
    const TermSpace& space = feature.measure == Measure::grams   ? terms_->grams()
                             : feature.measure == Measure::words ? terms_->words()
                                                                 : terms_->codes();
    const auto a = space.entities[0][left], b = space.entities[1][right];
    return a.empty() || b.empty() ? kNoLevel : cosine_level(dot(a, b));
  }
  std::uint8_t best = kNoLevel;
  for_each_pair(feature, left, right, [&](std::uint32_t, std::uint32_t, std::uint8_t level) {
    if (level != kNoLevel && (best == kNoLevel || level > best)) best = level;
  });
  return best;
}

ValueComparer::BestValues ValueComparer::best_values(const ValueFeature& feature, EntityId left,
                                                     EntityId right) const {
  BestValues best{kNone, kNone};
  int highest = -2;
  for_each_pair(feature, left, right, [&](std::uint32_t x, std::uint32_t y, std::uint8_t level) {
    const int height = level == kNoLevel ? -1 : level;
    if (height > highest) best = {x, y};
    highest = std::max(highest, height);
  });
  return best;
}

std::uint8_t ValueComparer::equal_level(const ValueFeature& feature, std::uint32_t left,
                                        std::uint32_t right) const {
  const std::uint32_t a = terms_->form(Side::left, left), b = terms_->form(Side::right, right);
  if (a == kNone || b == kNone) return kNoLevel;
  if (a != b) return 0;
  const auto share = [&](Side side, std::uint32_t attribute) {
    return static_cast<double>(table(side).summary(attribute).entities) /
           std::max(terms_->uses(side, attribute, a), 1U);
  };
  const double rarity = std::log(share(Side::left, feature.left) * share(Side::right, feature.right));
  return static_cast<std::uint8_t>(1 + ascending(kRarities, rarity));
}

std::uint8_t ValueComparer::compare(const ValueFeature& feature, std::uint32_t left,
                                    std::uint32_t right) const {
  const TypedValue& a = table(Side::left).typed(left);
  const TypedValue& b = table(Side::right).typed(right);
  const auto cosine = [&](const TermSpace& space) {
    const auto x = space.values[0][left], y = space.values[1][right];
    return x.empty() || y.empty() ? kNoLevel : cosine_level(dot(x, y));
  };
  switch (feature.measure) {
    case Measure::grams:
      return cosine(terms_->grams());
    case Measure::words:
      return cosine(terms_->words());
    case Measure::codes:
      return cosine(terms_->codes());
    case Measure::equal:
      return equal_level(feature, left, right);
    case Measure::number:
      return a.quantity && b.quantity ? number_level(*a.quantity, *b.quantity) : kNoLevel;
    case Measure::date:
      return a.date && b.date ? date_level(*a.date, *b.date) : kNoLevel;
    case Measure::coordinates:
      return a.coordinates && b.coordinates ? distance_level(distance_km(*a.coordinates, *b.coordinates))
                                            : kNoLevel;
    case Measure::edit:
      return a.code && b.code ? edit_level(text(Side::left, left), text(Side::right, right)) : kNoLevel;
    case Measure::category:
      return static_cast<std::uint8_t>(category(Side::left, feature.left, left) * (kCategories + 1) +
                                       category(Side::right, feature.right, right));
    case Measure::classes:
      break;  // of entities, not of values
  }
  return kNoLevel;
}

}  // namespace dovetail

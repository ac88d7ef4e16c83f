#include <dovetail/errors.h>
#include <dovetail/generate.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <string_view>

#include "common/text.h"
#include "generator/placement.h"

namespace dovetail {

namespace {

void check_count(std::string_view option, std::uint64_t found, std::uint64_t least, std::uint64_t most,
                 std::string_view why = "") {
  if (found >= least && found <= most) return;
  throw ParameterError(fmt::format("{} is {}; expected {} to {}{}", option, with_commas(found),
                                   with_commas(least), with_commas(most), why));
}

std::uint64_t most_of(const Range& range) {
  return static_cast<std::uint64_t>(range.most);
}

void check_share(std::string_view option, double found, const Range& range = kShare) {
  check_number(option, NumberKind::real, found, range);
}

std::uint64_t usual_triples(std::uint64_t entities) {
  return std::min(5 * entities, entities * (entities - 1) / 4);
}

std::uint64_t usual_types(std::uint64_t entities) {
  const auto doublings = static_cast<std::uint64_t>(std::bit_width(entities));
  return std::clamp<std::uint64_t>(entities / 20, 2, 8 + 2 * doublings);
}

std::uint64_t usual_relations(std::uint64_t entities) {
  return std::min<std::uint64_t>(20 * static_cast<std::uint64_t>(std::bit_width(entities)), entities);
}

}  // namespace

namespace {

/// How many entities the right side has, and the share of the smaller side's that have no counterpart.
void resolve_right_side(GenerateOptions& options) {
  std::optional<double>& right_dangling = options.difference.right_dangling;
  double& dangling = options.difference.dangling;
  if (right_dangling) {
    check_share("right dangling", *right_dangling, kRightDangling);
    if (options.right_entities != 0) {
      throw ParameterError(
          "both right entities and right dangling are given; expected one, since the other follows from it");
    }
    const double links = static_cast<double>(options.entities) * (1 - dangling);
    options.right_entities = static_cast<std::uint64_t>(std::llround(links / (1 - *right_dangling)));
    if (options.right_entities < options.entities) dangling = *right_dangling;
    right_dangling.reset();
  }
  if (options.right_entities == 0) options.right_entities = options.entities;
  check_count("right entities", options.right_entities, static_cast<std::uint64_t>(kGeneratedEntities.least),
              most_of(kGeneratedEntities));
}

}  // namespace

std::uint64_t triples_of_side(const GenerateOptions& options, Side side) {
  if (side == Side::left || options.right_entities == options.entities) return options.triples;
  const std::uint64_t right = options.right_entities;
  // As many for each entity, as far as there are that many different ones.
  return std::clamp(options.triples * right / options.entities, right, right * (right - 1) / 2);
}

GenerateOptions resolve_options(const GenerateOptions& options) {
  GenerateOptions out = options;
  check_count("entities", out.entities, static_cast<std::uint64_t>(kGeneratedEntities.least),
              most_of(kGeneratedEntities), " per side");
  check_share("dangling", out.difference.dangling, kDangling);
  resolve_right_side(out);
  const std::uint64_t larger = std::max(out.entities, out.right_entities);
  if (out.triples == 0) out.triples = usual_triples(out.entities);
  // With fewer, entities would have to do without any; beyond the upper limit most would be repetitions.
  check_count("triples", out.triples, out.entities,
              std::min(100 * out.entities, out.entities * (out.entities - 1) / 2),
              fmt::format(" for {} entities", with_commas(out.entities)));
  if (out.schema.relations == 0) out.schema.relations = usual_relations(larger);
  check_count("relations", out.schema.relations, 1, most_of(kGeneratedRelations));
  if (out.schema.types == 0) out.schema.types = usual_types(larger);
  check_count("types", out.schema.types, 1, std::min(most_of(kGeneratedTypes), larger / 2),
              ", half the entities at most");
  if (out.schema.communities == 0) out.schema.communities = std::max<std::uint64_t>(1, larger / 250);
  check_count("communities", out.schema.communities, 1, larger, ", the number of entities at most");
  check_share("overlap", out.difference.overlap);
  check_share("noise", out.difference.noise);
  check_share("isolated", out.difference.isolated, kDangling);
  check_share("duplicates", out.difference.duplicates);
  if (out.difference.isolated > 0 && !out.labels) {
    throw ParameterError(
        "isolated entities have neither triples nor, without labels, a name, so that no file could hold "
        "them; "
        "expected labels, or isolated 0");
  }
  check_count("values", out.values, 0, most_of(kGeneratedValues), " for an entity");
  check_share("value difference", out.difference.values);
  check_share("name difference", out.difference.names);
  check_share("seed ratio", out.split.seed_ratio);
  check_share("valid ratio", out.split.valid_ratio);
  check_share("the sum of seed ratio and valid ratio", out.split.seed_ratio + out.split.valid_ratio);
  return out;
}

}  // namespace dovetail

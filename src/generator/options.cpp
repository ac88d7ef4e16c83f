#include <dovetail/errors.h>
#include <dovetail/generate.h>

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <string_view>

#include "common/text.h"
#include "generator/ranges.h"

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

GenerateOptions resolve_options(const GenerateOptions& options) {
  GenerateOptions out = options;
  check_count("entities", out.entities, static_cast<std::uint64_t>(kGeneratedEntities.least),
              most_of(kGeneratedEntities), " per side");
  if (out.triples == 0) out.triples = usual_triples(out.entities);
  // With fewer, entities would have to do without any; beyond the upper limit most would be repetitions.
  check_count("triples", out.triples, out.entities,
              std::min(100 * out.entities, out.entities * (out.entities - 1) / 2),
              fmt::format(" for {} entities", with_commas(out.entities)));
  if (out.schema.relations == 0) out.schema.relations = usual_relations(out.entities);
  check_count("relations", out.schema.relations, 1, most_of(kGeneratedRelations));
  if (out.schema.types == 0) out.schema.types = usual_types(out.entities);
  check_count("types", out.schema.types, 1, std::min(most_of(kGeneratedTypes), out.entities / 2),
              ", half the entities at most");
  if (out.schema.communities == 0) out.schema.communities = std::max<std::uint64_t>(1, out.entities / 250);
  check_count("communities", out.schema.communities, 1, out.entities, ", the number of entities at most");
  check_share("overlap", out.difference.overlap);
  check_share("noise", out.difference.noise);
  check_share("dangling", out.difference.dangling, kDangling);
  check_count("values", out.values, 0, most_of(kGeneratedValues), " for an entity");
  check_share("value difference", out.difference.values);
  check_share("name difference", out.difference.names);
  check_share("seed ratio", out.split.seed_ratio);
  check_share("valid ratio", out.split.valid_ratio);
  check_share("the sum of seed ratio and valid ratio", out.split.seed_ratio + out.split.valid_ratio);
  return out;
}

}  // namespace dovetail

#include "generator/hidden.h"

#include <algorithm>
#include <span>

#include "common/random.h"
#include "generator/permutation.h"

namespace dovetail {

namespace {

enum WorldPurpose : std::uint64_t { kTypes = 200, kCommunities, kRelations, kTriples, kShape };

constexpr std::uint64_t kOne = std::uint64_t{1} << 32;  // probabilities are 32-bit fractions
constexpr std::uint32_t kMaxOutDegree = 4096;
constexpr std::uint64_t kStrata = 4096;
constexpr std::uint32_t kGuide = 64;
constexpr int kRedraws = 6;
constexpr int kWithinRedraws = 4;  // of these, how many a tail outside of the part is drawn again for

std::uint64_t integer_sqrt(std::uint64_t value) {
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 31; bit > 0; bit >>= 1) {
    const std::uint64_t next = root | bit;
    if (next * next <= value) root = next;
  }
  return root;
}

// A number in [0, size) whose small values are likely: floor(size * x^2) has density r^(-1/2), x^3 r^(-2/3).
std::uint32_t skewed(std::uint64_t random, std::uint64_t size, bool cubic) {
  const auto wide = static_cast<unsigned __int128>(random);
  auto power = static_cast<std::uint64_t>(wide * random >> 64);
  if (cubic) power = static_cast<std::uint64_t>(wide * power >> 64);
  return scaled(power, size);
}

}  // namespace

HiddenGraph::HiddenGraph(const GenerateOptions& options, std::uint32_t entity_count)
    : seed_(derived_seed(options.seed, kTriples)) {
  // A triple nobody knows would be wasted, so of 2 - overlap triples `overlap` are known to both sides and
  // 1 - overlap to each alone.
  const double overlap = options.difference.overlap;
  const double both = overlap / (2 - overlap) * 0x1.0p32;
  both_until_ = static_cast<std::uint32_t>(std::min(both, 0x1.0p32 - 1));
  left_until_ = static_cast<std::uint32_t>(both_until_ + (kOne - both_until_) / 2);
  make_types(options.schema.types, entity_count);
  make_communities(options.schema.communities);
  make_relations(options.schema.relations);
  make_choices();
  make_shape();
}

void HiddenGraph::make_types(std::uint64_t types, std::uint32_t entities) {
  std::uint64_t total = 0;
  for (std::uint64_t t = 0; t < types; ++t) total += kOne / (t + 1);
  Random random(seed_, kTypes);
  std::uint64_t cumulated = 0;
  for (std::uint64_t t = 0; t < types; ++t) {
    // One entity for each type beforehand, so that none is empty.
    const unsigned __int128 share = static_cast<unsigned __int128>(entities - types) * cumulated / total;
    type_starts_.push_back(static_cast<std::uint32_t>(t + static_cast<std::uint64_t>(share)));
    type_activity_.push_back(static_cast<std::uint32_t>(128 + random.below(257)));
    cumulated += kOne / (t + 1);
  }
  type_starts_.push_back(entities);
}

void HiddenGraph::make_communities(std::uint64_t communities) {
  std::vector<std::uint32_t> owners;
  for (std::uint64_t c = 0; c < communities; ++c) {
    const std::uint64_t slots = std::max<std::uint64_t>(1, integer_sqrt(4 * communities / (c + 1)));
    owners.insert(owners.end(), slots, static_cast<std::uint32_t>(c));
  }
  Random(seed_, kCommunities).shuffle(std::span(owners));
  community_starts_.assign(communities + 1, 0);
  for (const std::uint32_t c : owners) ++community_starts_[c + 1];
  for (std::size_t c = 0; c < communities; ++c) community_starts_[c + 1] += community_starts_[c];
  community_slots_.resize(owners.size());
  std::vector<std::uint32_t> next(community_starts_.begin(), community_starts_.end() - 1);
  for (std::size_t s = 0; s < owners.size(); ++s) {
    community_slots_[next[owners[s]]++] = static_cast<std::uint32_t>(s);
  }
  slot_community_ = std::move(owners);
}

void HiddenGraph::make_relations(std::uint64_t relations) {
  const auto types = static_cast<std::uint32_t>(type_activity_.size());
  Random random(seed_, kRelations);
  // Half of the relations lead to types by their size, half to any type alike: the latter make the entities
  // of small types hubs, as countries, genres and years are.
  const auto tail_type = [&] {
    const bool by_size = random.below(2) == 0;
    return by_size ? type(static_cast<std::uint32_t>(random.below(entity_count())))
                   : static_cast<std::uint32_t>(random.below(types));
  };
  for (std::uint64_t r = 0; r < relations; ++r) {
    const std::uint32_t main = tail_type();
    const std::uint32_t other = tail_type();
    relations_.push_back({main, other, static_cast<std::uint32_t>(64 + random.below(180))});
  }
}

void HiddenGraph::make_choices() {
  const auto types = static_cast<std::uint32_t>(type_activity_.size());
  std::vector<std::uint32_t> main_type(relations_.size());
  Random random(seed_, kRelations + 1000);
  for (std::uint32_t& t : main_type) t = type(static_cast<std::uint32_t>(random.below(entity_count())));
  for (std::uint32_t t = 0; t < types; ++t) {
    std::vector<std::uint64_t> weights(relations_.size());
    std::uint64_t total = 0;
    for (std::size_t r = 0; r < weights.size(); ++r) {
      // Frequent relations are at home in one type and seen in a few others; the rest in one only.
      const std::uint64_t preference = main_type[r] == t ? 16 : random.below(8) == 0 ? 2 : 0;
      weights[r] = preference * (kOne / (r + 1));
      total += weights[r];
    }
    if (total == 0) total = weights[t % weights.size()] = 1;
    std::vector<Choice>& choices = choices_.emplace_back();
    std::uint64_t cumulated = 0;
    for (std::size_t r = 0; r < weights.size(); ++r) {
      if (weights[r] == 0) continue;
      cumulated += weights[r];
      const auto until =
          static_cast<std::uint64_t>((static_cast<unsigned __int128>(cumulated) << 32) / total);
      choices.push_back(
          {static_cast<std::uint32_t>(std::min(until, kOne - 1)), static_cast<std::uint32_t>(r)});
    }
    for (std::uint64_t bucket = 0; bucket < kGuide; ++bucket) {
      const auto first = std::find_if(choices.begin(), choices.end() - 1, [&](const Choice& choice) {
        return choice.until > bucket * (kOne / kGuide);
      });
      guide_.push_back(static_cast<std::uint32_t>(first - choices.begin()));
    }
  }
}

void HiddenGraph::make_shape() {
  // The quantile function of out-degrees, 1/sqrt(1 - 0.999 x) - 0.9: a Pareto tail with exponent 3, cut where
  // it reaches 30 times the usual degree. Hubs are hubs by the triples that lead to them.
  for (std::uint64_t i = 0; i < kStrata; ++i) {
    const std::uint64_t rest = kStrata * 1000 - 999 * i;
    const std::uint64_t root = integer_sqrt((kStrata * 1000 << 32) / rest);
    shape_.push_back(static_cast<std::uint32_t>(root - (9U << 16) / 10));
  }
}

std::uint32_t HiddenGraph::type(std::uint32_t entity) const {
  const auto after = std::upper_bound(type_starts_.begin() + 1, type_starts_.end() - 1, entity);
  return static_cast<std::uint32_t>(after - type_starts_.begin() - 1);
}

std::uint32_t HiddenGraph::slot(std::uint32_t type, std::uint32_t rank) const {
  // Each type starts elsewhere in the cycle of slots, or all small types would be in the same communities.
  const auto slots = static_cast<std::uint64_t>(slot_community_.size());
  return static_cast<std::uint32_t>((rank + std::uint64_t{type} * 7919) % slots);
}

std::uint32_t HiddenGraph::community(std::uint32_t entity) const {
  const std::uint32_t t = type(entity);
  return slot_community_[slot(t, entity - type_starts_[t])];
}

std::uint32_t HiddenGraph::out_degree(std::uint32_t entity, std::uint32_t type, std::uint64_t random) const {
  // Multiples of the golden ratio spread evenly, so the sum over the entities hardly depends on the seed.
  const auto offset = static_cast<std::uint32_t>(mix64(seed_ ^ kShape));
  const std::uint32_t stratum = (entity * 2654435769U + offset) / static_cast<std::uint32_t>(kOne / kStrata);
  const std::uint64_t usual = shape_[stratum] * scale_ >> 16;
  const std::uint64_t degree = ((usual * type_activity_[type] >> 8) + (random & 0xFFFF)) >> 16;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(degree, kMaxOutDegree));
}

std::uint32_t HiddenGraph::draw_relation(std::uint32_t type, std::uint32_t random) const {
  // The guide leads to the first choice of a 64th of all random numbers; the one looked for is near.
  std::uint32_t i = guide_[type * kGuide + static_cast<std::uint32_t>(random / (kOne / kGuide))];
  const std::vector<Choice>& choices = choices_[type];
  while (i + 1 < choices.size() && random >= choices[i].until) ++i;
  return choices[i].relation;
}

std::uint32_t HiddenGraph::draw_tail(const Relation& relation, std::uint32_t community, std::uint64_t where,
                                     std::uint64_t who) const {
  const std::uint32_t type = (where >> 8 & 7) == 0 ? relation.other_tail_type : relation.tail_type;
  const std::uint32_t start = type_starts_[type];
  const std::uint32_t size = type_starts_[type + 1] - start;
  if ((where & 0xFF) < relation.locality) {
    const auto slots = static_cast<std::uint32_t>(slot_community_.size());
    const std::uint32_t own = community_starts_[community + 1] - community_starts_[community];
    const std::uint32_t member = skewed(who, std::uint64_t{own} * (size / slots + 1), false);
    const std::uint32_t its_slot = community_slots_[community_starts_[community] + member % own];
    const auto rank = std::uint64_t{member / own} * slots + (its_slot + slots - slot(type, 0)) % slots;
    // Where a small type has nobody in this community, its popular entities serve all of them.
    if (rank < size) return start + static_cast<std::uint32_t>(rank);
  }
  return start + skewed(who, size, true);
}

void HiddenGraph::triples_of(std::uint32_t head, std::vector<HiddenTriple>& triples) const {
  triples.clear();
  Random random(seed_, head);
  const std::uint32_t head_type = type(head);
  const std::uint32_t head_community = slot_community_[slot(head_type, head - type_starts_[head_type])];
  const std::uint32_t count = out_degree(head, head_type, random.next());
  for (std::uint32_t i = 0; i < count; ++i) {
    for (int redraw = 0; redraw < kRedraws; ++redraw) {
      const std::uint64_t what = random.next();
      const std::uint64_t who = random.next();
      const std::uint32_t relation = draw_relation(head_type, static_cast<std::uint32_t>(what >> 32));
      const std::uint32_t tail = draw_tail(relations_[relation], head_community, what, who);
      const bool known = tail == head || std::any_of(triples.begin(), triples.end(), [&](const auto& t) {
                           return t.tail == tail && t.relation == relation;
                         });
      const bool leaves = !part_.empty() && part_[head] && !part_[tail] && redraw < kWithinRedraws;
      if (known || leaves) continue;
      const auto owner = static_cast<std::uint32_t>(mix64(what ^ who));
      triples.push_back({relation, tail, owner < left_until_, owner < both_until_ || owner >= left_until_});
      break;
    }
  }
}

void HiddenGraph::scale_triples(std::uint64_t wanted, std::uint64_t found) {
  const auto scale = static_cast<unsigned __int128>(scale_) * wanted / found;
  scale_ = static_cast<std::uint64_t>(std::clamp<unsigned __int128>(scale, 1, std::uint64_t{1} << 28));
}

void HiddenGraph::balance_sides(std::uint64_t left, std::uint64_t right) {
  // With b, l and r triples known to both, to the left and to the right, the sides get (b + l) * x and
  // (b + r) * y, where x and y are what the entities they lack leave them. Solved for equal numbers and the
  // same l + r; x and y are times (b + l) * (b + r) here.
  const auto both = static_cast<__int128>(both_until_);
  const auto single = static_cast<__int128>(kOne) - both;
  const __int128 x = left * (static_cast<__int128>(kOne) - left_until_ + both);
  const __int128 y = right * static_cast<__int128>(left_until_);
  if (x + y == 0) return;
  const __int128 left_alone = std::clamp<__int128>(((both + single) * y - both * x) / (x + y), 0, single - 1);
  left_until_ = static_cast<std::uint32_t>(both + left_alone);
}

}  // namespace dovetail

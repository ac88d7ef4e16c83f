#include "generator/generator.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "common/random.h"
#include "generator/calibration.h"
#include "generator/permutation.h"
#include "generator/value_maker.h"

namespace dovetail {

namespace {

enum SidePurpose : std::uint64_t { kSide = 400 };

constexpr std::uint64_t kReportEvery = 1 << 16;
constexpr std::string_view kTask = "generating";

std::string_view side_name(Side side) {
  return side == Side::left ? "left" : "right";
}

}  // namespace

EntityIdentifier::EntityIdentifier(Side side, std::uint64_t entities)
    : digits_(std::max<std::size_t>(6, std::to_string(entities - 1).size())) {
  text_ = fmt::format("http://{}.example/entity/{}", side_name(side), side == Side::left ? 'L' : 'R');
  text_.append(digits_, '0');
}

Term EntityIdentifier::operator()(std::uint32_t number) {
  if (number == number_) return {number, text_};  // one head often has several triples
  number_ = number;
  std::uint32_t rest = number;
  char* digit = text_.data() + text_.size();
  for (std::size_t i = 0; i < digits_; ++i, rest /= 10) *--digit = static_cast<char>('0' + rest % 10);
  return {number, text_};
}

SideWriter::SideWriter(Side side, const Context& context, GraphSink& sink)
    : side_(side),
      context_(context),
      sink_(sink),
      seed_(derived_seed(context.options.seed, kSide + static_cast<std::uint64_t>(side))),
      head_(side, context.placement.side_count(side)),
      tail_(side, context.placement.side_count(side)),
      joined_(context.placement.side_count(side)),
      wanted_(triples_of_side(context.options, side)) {}

void SideWriter::write() {
  number_relations();
  for (std::uint32_t r = 0; r < relation_identifiers_.size(); ++r) {
    sink_.relation({r, relation_identifiers_[r]});
  }
  write_entities();
  write_triples();
  write_missing();
  write_values();
}

void SideWriter::number_relations() {
  relation_number_.resize(context_.options.schema.relations);
  std::iota(relation_number_.begin(), relation_number_.end(), 0U);
  Random(seed_).shuffle(std::span(relation_number_));
  relation_identifiers_.resize(relation_number_.size());
  const bool shared = context_.options.schema.shared_relations;
  for (std::uint32_t hidden = 0; hidden < relation_number_.size(); ++hidden) {
    const std::uint32_t number = relation_number_[hidden];
    relation_identifiers_[number] = fmt::format(
        "http://{}.example/relation/r{:04}", shared ? "shared" : side_name(side_), shared ? hidden : number);
  }
}

void SideWriter::write_entities() {
  NameMaker names(context_.options.seed, context_.options.difference.names);
  std::string name;
  for (std::uint32_t number = 0; number < joined_.size(); ++number) {
    if (context_.options.labels) {
      const std::uint32_t hidden = context_.placement.hidden(side_, number);
      names.name(side_,
                 {hidden, context_.hidden.type(hidden), context_.hidden.community(hidden),
                  context_.placement.is_copy(side_, number)},
                 name);
    }
    sink_.entity(head_(number), name);
  }
}

SideWriter::Holders SideWriter::holders(std::uint64_t key) const {
  // Each duplicate has as much in common with the other one as the two sides have.
  const double overlap = context_.options.difference.overlap;
  const double draw = static_cast<double>(derived_seed(seed_, key) >> 11) * 0x1.0p-53 * (2 - overlap);
  return {.first = draw < 1, .copy = draw < overlap || draw >= 1};
}

std::uint32_t SideWriter::draw_entity(Random& random) const {
  std::uint32_t number = 0;
  do number = static_cast<std::uint32_t>(random.below(joined_.size()));
  while (context_.placement.is_isolated(side_, number));
  return number;
}

void SideWriter::write_values() {
  const GenerateOptions& options = context_.options;
  const ValueMaker values(options.seed, options.difference.values);
  std::vector<std::string> attributes;
  for (std::uint64_t n = 0; n < options.values; ++n) attributes.push_back(ValueMaker::attribute(side_, n));
  std::string literal;
  for (std::uint32_t number = 0; options.values > 0 && number < joined_.size(); ++number) {
    const std::uint32_t hidden = context_.placement.hidden(side_, number);
    for (std::uint64_t n = 0; n < options.values; ++n) {
      if (values.value(side_, hidden, n, literal)) sink_.literal(head_(number), attributes[n], literal);
    }
    if (number % kReportEvery == 0) context_.observer.stop_if_cancelled();
  }
}

void SideWriter::write_triples() {
  // By ascending number of the head, which is a random order: the order of hidden entities would be the same
  // on both sides and give the links away. Random triples are spread evenly among the others.
  const std::uint64_t noise = noise_count(context_.options, side_);
  std::uint64_t noise_done = 0;
  for (std::uint32_t number = 0; number < joined_.size(); ++number) {
    const std::uint32_t head = context_.placement.hidden(side_, number);
    const bool is_copy = context_.placement.is_copy(side_, number);
    const bool is_twice = context_.placement.copy(side_, head) != kNone;
    context_.hidden.triples_of(head, triples_);
    for (const HiddenTriple& triple : triples_) {
      if (!triple.is_on(side_)) continue;
      const std::uint64_t key = mix64(std::uint64_t{head} << 32 | triple.tail) ^ triple.relation;
      const Holders known = is_twice ? holders(key) : Holders{.first = true, .copy = true};
      if (is_copy ? known.copy : known.first) write_triple(number, triple, ~key);
    }
    const std::uint64_t noise_due = noise * (number + 1) / joined_.size();
    while (noise_done < noise_due) write_noise(noise_done++);
  }
}

void SideWriter::write_triple(std::uint32_t head, const HiddenTriple& triple, std::uint64_t key) {
  const std::uint32_t tail = context_.placement.number(side_, triple.tail);
  if (tail == kNone) return;
  const std::uint32_t copy = context_.placement.copy(side_, triple.tail);
  const Holders known = copy == kNone ? Holders{.first = true, .copy = false} : holders(key);
  if (known.first) emit(head, triple.relation, tail);
  if (known.copy) emit(head, triple.relation, copy);
}

void SideWriter::write_noise(std::uint64_t number) {
  Random random(seed_, number);
  const std::uint32_t head = draw_entity(random);
  std::uint32_t tail = 0;
  do {
    tail = static_cast<std::uint32_t>(random.below(joined_.size() - 1));
    if (tail >= head) ++tail;
  } while (context_.placement.is_isolated(side_, tail));
  const std::uint32_t type = context_.hidden.type(context_.placement.hidden(side_, head));
  emit(head, context_.hidden.draw_relation(type, static_cast<std::uint32_t>(random.next() >> 32)), tail);
}

void SideWriter::write_missing() {
  for (std::uint32_t number = 0; number < joined_.size(); ++number) {
    if (joined_[number] || context_.placement.is_isolated(side_, number) || write_any_of(number)) continue;
    const std::uint32_t type = context_.hidden.type(context_.placement.hidden(side_, number));
    Random random(~seed_, number);
    std::uint32_t tail = 0;
    do {
      const auto step = 1 + static_cast<std::uint32_t>(random.below(joined_.size() - 1));
      tail = static_cast<std::uint32_t>((std::uint64_t{number} + step) % joined_.size());
    } while (context_.placement.is_isolated(side_, tail));
    emit(number, context_.hidden.draw_relation(type, static_cast<std::uint32_t>(random.next() >> 32)), tail);
  }
}

bool SideWriter::write_any_of(std::uint32_t number) {
  // A triple that was only to be on the other side is likelier than one made up.
  context_.hidden.triples_of(context_.placement.hidden(side_, number), triples_);
  for (const HiddenTriple& triple : triples_) {
    const std::uint32_t tail = context_.placement.number(side_, triple.tail);
    if (tail == kNone || context_.placement.is_isolated(side_, tail)) continue;
    emit(number, triple.relation, tail);
    return true;
  }
  return false;
}

void SideWriter::emit(std::uint32_t head, std::uint32_t relation, std::uint32_t tail) {
  if (context_.placement.is_isolated(side_, head) || context_.placement.is_isolated(side_, tail)) return;
  joined_[head] = true;
  joined_[tail] = true;
  const std::uint32_t number = relation_number_[relation];
  sink_.triple(head_(head), {number, relation_identifiers_[number]}, tail_(tail));
  if (++emitted_ % kReportEvery != 0) return;
  const std::uint64_t left = triples_of_side(context_.options, Side::left);
  const std::uint64_t all = left + triples_of_side(context_.options, Side::right);
  context_.observer.stop_if_cancelled();
  context_.observer.progress(kTask, (side_ == Side::left ? 0 : left) + std::min(emitted_, wanted_ - 1), all,
                             "triples");
}

namespace {

void write_links(const GenerateOptions& options, const Placement& placement, PairSink& sink) {
  EntityIdentifier left(Side::left, placement.side_count(Side::left));
  EntityIdentifier right(Side::right, placement.side_count(Side::right));
  const std::uint32_t count = placement.shared_count();
  const auto share = [&](double ratio) { return std::llround(ratio * count); };
  const auto train = share(options.split.seed_ratio);
  const auto known = share(options.split.seed_ratio + options.split.valid_ratio);
  for (std::uint32_t i = 0; i < count; ++i) {
    const LinkUse use = known == 0  ? LinkUse::any
                        : i < train ? LinkUse::train
                        : i < known ? LinkUse::valid
                                    : LinkUse::test;
    const Placement::Group group = placement.link(i);
    sink.link(left(group.left), right(group.right), use);
    if (group.copy != kNone) sink.link(left(group.left), right(group.copy), use);
  }
}

}  // namespace

void generate_pair(const GenerateOptions& options, PairSink& sink, Observer& observer) {
  const GenerateOptions resolved = resolve_options(options);
  HiddenGraph hidden(resolved, PlacementCounts(resolved).hidden());
  const Placement placement(resolved, hidden);
  const std::uint64_t triples =
      triples_of_side(resolved, Side::left) + triples_of_side(resolved, Side::right);
  observer.progress(kTask, 0, triples, "triples");
  calibrate(hidden, placement, resolved);
  const SideWriter::Context context{resolved, hidden, placement, observer};
  for (const Side side : {Side::left, Side::right}) SideWriter(side, context, sink.side(side)).write();
  write_links(resolved, placement, sink);
  observer.progress(kTask, triples, triples, "triples");
}

}  // namespace dovetail

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

enum Purpose : std::uint64_t { kSide = 400 };

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
      head_(side, context.options.entities),
      tail_(side, context.options.entities),
      joined_(context.options.entities) {}

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
      names.name(side_, {hidden, context_.hidden.type(hidden), context_.hidden.community(hidden)}, name);
    }
    sink_.entity(head_(number), name);
  }
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
  const std::uint64_t noise = noise_count(context_.options);
  std::uint64_t noise_done = 0;
  for (std::uint32_t number = 0; number < joined_.size(); ++number) {
    context_.hidden.triples_of(context_.placement.hidden(side_, number), triples_);
    for (const HiddenTriple& triple : triples_) {
      if (!triple.is_on(side_)) continue;
      const std::uint32_t tail = context_.placement.number(side_, triple.tail);
      if (tail != kNone) emit(number, triple.relation, tail);
    }
    const std::uint64_t noise_due = noise * (number + 1) / joined_.size();
    while (noise_done < noise_due) write_noise(noise_done++);
  }
}

void SideWriter::write_noise(std::uint64_t number) {
  Random random(seed_, number);
  const auto head = static_cast<std::uint32_t>(random.below(joined_.size()));
  auto tail = static_cast<std::uint32_t>(random.below(joined_.size() - 1));
  if (tail >= head) ++tail;
  const std::uint32_t type = context_.hidden.type(context_.placement.hidden(side_, head));
  emit(head, context_.hidden.draw_relation(type, static_cast<std::uint32_t>(random.next() >> 32)), tail);
}

void SideWriter::write_missing() {
  for (std::uint32_t number = 0; number < joined_.size(); ++number) {
    if (joined_[number] || write_any_of(number)) continue;
    const std::uint32_t type = context_.hidden.type(context_.placement.hidden(side_, number));
    Random random(~seed_, number);
    const auto step = 1 + static_cast<std::uint32_t>(random.below(joined_.size() - 1));
    const auto tail = static_cast<std::uint32_t>((std::uint64_t{number} + step) % joined_.size());
    emit(number, context_.hidden.draw_relation(type, static_cast<std::uint32_t>(random.next() >> 32)), tail);
  }
}

bool SideWriter::write_any_of(std::uint32_t number) {
  // A triple that was only to be on the other side is likelier than one made up.
  context_.hidden.triples_of(context_.placement.hidden(side_, number), triples_);
  for (const HiddenTriple& triple : triples_) {
    const std::uint32_t tail = context_.placement.number(side_, triple.tail);
    if (tail == kNone) continue;
    emit(number, triple.relation, tail);
    return true;
  }
  return false;
}

void SideWriter::emit(std::uint32_t head, std::uint32_t relation, std::uint32_t tail) {
  joined_[head] = true;
  joined_[tail] = true;
  const std::uint32_t number = relation_number_[relation];
  sink_.triple(head_(head), {number, relation_identifiers_[number]}, tail_(tail));
  if (++emitted_ % kReportEvery != 0) return;
  const std::uint64_t wanted = context_.options.triples;
  const std::uint64_t before = side_ == Side::left ? 0 : wanted;
  context_.observer.stop_if_cancelled();
  context_.observer.progress(kTask, before + std::min(emitted_, wanted - 1), 2 * wanted, "triples");
}

namespace {

void write_links(const GenerateOptions& options, const Placement& placement, PairSink& sink) {
  EntityIdentifier left(Side::left, options.entities);
  EntityIdentifier right(Side::right, options.entities);
  const std::uint32_t count = placement.shared_count();
  const auto share = [&](double ratio) { return std::llround(ratio * count); };
  const auto train = share(options.split.seed_ratio);
  const auto known = share(options.split.seed_ratio + options.split.valid_ratio);
  for (std::uint32_t i = 0; i < count; ++i) {
    const LinkUse use = known == 0  ? LinkUse::any
                        : i < train ? LinkUse::train
                        : i < known ? LinkUse::valid
                                    : LinkUse::test;
    const Placement::Pair pair = placement.link(i);
    sink.link(left(pair.left), right(pair.right), use);
  }
}

}  // namespace

void generate_pair(const GenerateOptions& options, PairSink& sink, Observer& observer) {
  const GenerateOptions resolved = resolve_options(options);
  const Placement placement(resolved);
  HiddenGraph hidden(resolved, placement.hidden_count());
  observer.progress(kTask, 0, 2 * resolved.triples, "triples");
  calibrate(hidden, placement, resolved);
  const SideWriter::Context context{resolved, hidden, placement, observer};
  for (const Side side : {Side::left, Side::right}) SideWriter(side, context, sink.side(side)).write();
  write_links(resolved, placement, sink);
  observer.progress(kTask, 2 * resolved.triples, 2 * resolved.triples, "triples");
}

}  // namespace dovetail

#pragma once

#include <dovetail/generate.h>
#include <dovetail/graph_sink.h>
#include <dovetail/observer.h>

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "common/random.h"

namespace dovetail::testing_generator {

/// A running hash of everything that is emitted, so that two runs can be compared whole.
class Hash {
 public:
  void add(std::uint64_t value) { value_ = mix64(value_ ^ value); }
  void add(std::string_view text) {
    for (const char c : text) add(static_cast<unsigned char>(c));
    add(text.size());
  }
  void add(const Term& term) {
    add(term.number);
    add(term.identifier);
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

struct Triple {
  std::uint32_t head, relation, tail;
  auto operator<=>(const Triple&) const = default;
};

/// Keeps a side and checks that the calls come in the order GraphSink documents.
class RecordedGraph : public GraphSink {
 public:
  void relation(Term relation) override {
    EXPECT_TRUE(entities.empty() && triples.empty()) << "relation after entities or triples";
    EXPECT_EQ(relation.number, relations.size());
    relations.emplace_back(relation.identifier);
    hash.add(relation);
  }
  void entity(Term entity, std::string_view label) override {
    EXPECT_TRUE(triples.empty()) << "entity after triples";
    EXPECT_EQ(entity.number, entities.size());
    entities.emplace_back(entity.identifier);
    labels.emplace_back(label);
    hash.add(entity);
    hash.add(label);
  }
  void triple(Term head, Term relation, Term tail) override {
    // Plain comparisons: an EXPECT per triple would take longer than the generator.
    const bool named = head.identifier == entities.at(head.number) &&
                       relation.identifier == relations.at(relation.number) &&
                       tail.identifier == entities.at(tail.number);
    if (!named) ++misnamed;
    triples.push_back({head.number, relation.number, tail.number});
    for (const Term& term : {head, relation, tail}) hash.add(term);
  }
  void literal(Term, std::string_view, std::string_view) override { ADD_FAILURE() << "no literals expected"; }

  [[nodiscard]] std::vector<std::uint32_t> degrees() const {
    std::vector<std::uint32_t> degrees(entities.size());
    for (const Triple& t : triples) {
      ++degrees[t.head];
      ++degrees[t.tail];
    }
    return degrees;
  }

  std::vector<std::string> relations, entities, labels;
  std::vector<Triple> triples;
  std::uint64_t misnamed = 0;
  Hash hash;
};

class RecordedPair : public PairSink {
 public:
  explicit RecordedPair(const GenerateOptions& options) {
    Observer observer;
    generate_pair(options, *this, observer);
  }

  GraphSink& side(Side side) override {
    EXPECT_TRUE(side == Side::right || right.relations.empty()) << "left after right";
    EXPECT_TRUE(links.empty()) << "graph after links";
    return side == Side::left ? left : right;
  }
  void link(Term left_term, Term right_term, LinkUse use) override {
    EXPECT_EQ(left_term.identifier, left.entities.at(left_term.number));
    EXPECT_EQ(right_term.identifier, right.entities.at(right_term.number));
    links.emplace_back(left_term.number, right_term.number);
    uses.push_back(use);
    hash_links.add(std::uint64_t{left_term.number} << 32 | right_term.number);
    hash_links.add(static_cast<std::uint64_t>(use));
  }

  [[nodiscard]] std::tuple<std::uint64_t, std::uint64_t, std::uint64_t> hash() const {
    return {left.hash.value(), right.hash.value(), hash_links.value()};
  }

  RecordedGraph left, right;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> links;
  std::vector<LinkUse> uses;
  Hash hash_links;
};

}  // namespace dovetail::testing_generator

#include <dovetail/judgements.h>

#include <algorithm>
#include <array>
#include <functional>
#include <unordered_map>
#include <utility>

#include "common/random.h"

namespace dovetail {
namespace {

constexpr std::array<std::pair<Verdict, std::string_view>, 5> kNames = {{{Verdict::same, "same"},
                                                                         {Verdict::different, "different"},
                                                                         {Verdict::unsure, "unsure"},
                                                                         {Verdict::none, "none"},
                                                                         {Verdict::undone, "undone"}}};

using Question = std::pair<std::string_view, std::string_view>;

struct QuestionHash {
  std::size_t operator()(const Question& question) const {
    const std::hash<std::string_view> hash;
    return mix64(hash(question.first)) ^ hash(question.second);
  }
};

Question question_of(const Judgement& judgement) {
  return {judgement.left, judgement.right};
}

bool says_counterpart(const Judgement& judgement) {
  return judgement.verdict == Verdict::same || judgement.verdict == Verdict::none;
}

/// Numbers of the judgements that were not taken back.
std::vector<std::size_t> not_taken_back(std::span<const Judgement> all) {
  std::unordered_map<Question, std::vector<std::size_t>, QuestionHash> said;
  std::vector<bool> holds(all.size(), false);
  for (std::size_t n = 0; n < all.size(); ++n) {
    std::vector<std::size_t>& earlier = said[question_of(all[n])];
    if (all[n].verdict != Verdict::undone) {
      earlier.push_back(n);
      holds[n] = true;
    } else if (!earlier.empty()) {
      holds[earlier.back()] = false;
      earlier.pop_back();
    }
  }
  std::vector<std::size_t> numbers;
  for (std::size_t n = 0; n < all.size(); ++n) {
    if (holds[n]) numbers.push_back(n);
  }
  return numbers;
}

class Applying {
 public:
  Applying(const GraphPair& graphs, SeedLinks& links)
      : graphs_(graphs),
        links_(links),
        settled_left_(graphs.left().entity_count(), false),
        settled_right_(graphs.right().entity_count(), false) {}

  void take(const Judgement& judgement) {
    const auto left = find(Side::left, judgement.left), right = find(Side::right, judgement.right);
    if (!left || !right) {
      ++links_.unknown;
      return;
    }
    const Link pair{*left, *right};
    switch (judgement.verdict) {
      case Verdict::same:
        settle(pair);
        same_.push_back(pair);
        if (const auto other = find(Side::right, judgement.instead_of); other && *other != kNone) {
          apart_.push_back({pair.left, *other});
        }
        return;
      case Verdict::different:
        apart_.push_back(pair);
        return;
      case Verdict::none:
        settle(pair);
        apart_.push_back(pair);
        return;
      case Verdict::unsure:
      case Verdict::undone:
        return;
    }
  }

  void finish() {
    std::ranges::sort(apart_);
    for (std::vector<Link>* part : {&links_.train, &links_.valid, &links_.test}) {
      std::erase_if(*part, [&](const Link& link) {
        return settled_left_[link.left] || settled_right_[link.right] ||
               (part != &links_.test && std::ranges::binary_search(apart_, link));
      });
    }
    std::ranges::sort(same_);
    std::erase_if(links_.apart, [&](const Link& link) {
      const bool entity = link.left == kNone || link.right == kNone;
      const bool again = entity && ((link.left != kNone && settled_left_[link.left]) ||
                                    (link.right != kNone && settled_right_[link.right]));
      return again || std::ranges::binary_search(same_, link);
    });
    links_.train.insert(links_.train.end(), same_.begin(), same_.end());
    links_.apart.insert(links_.apart.end(), apart_.begin(), apart_.end());
    std::ranges::sort(links_.apart);
    links_.apart.erase(std::unique(links_.apart.begin(), links_.apart.end()), links_.apart.end());
  }

 private:
  /// kNone for an empty identifier, nothing for one that the graph does not have.
  [[nodiscard]] std::optional<EntityId> find(Side side, const std::string& identifier) const {
    return identifier.empty() ? std::optional<EntityId>(kNone) : graphs_.graph(side).find(identifier);
  }
  void settle(const Link& pair) {
    if (pair.left != kNone) settled_left_[pair.left] = true;
    if (pair.right != kNone) settled_right_[pair.right] = true;
  }

  const GraphPair& graphs_;
  SeedLinks& links_;
  std::vector<bool> settled_left_, settled_right_;
  std::vector<Link> same_, apart_;
};

}  // namespace

std::string_view verdict_name(Verdict verdict) {
  return kNames.at(static_cast<std::size_t>(verdict)).second;
}

std::optional<Verdict> verdict_of_name(std::string_view name) {
  for (const auto& [verdict, known] : kNames) {
    if (known == name) return verdict;
  }
  return std::nullopt;
}

std::vector<Judgement> judgements_in_force(std::span<const Judgement> all) {
  std::vector<bool> holds(all.size(), false);
  // The one judgement about each pair, and about the counterpart of each entity, that holds so far.
  std::unordered_map<Question, std::size_t, QuestionHash> of_pair;
  std::unordered_map<std::string_view, std::size_t> of_left, of_right;
  const auto replace = [&](auto& map, const auto& key, std::size_t number) {
    const auto [place, added] = map.emplace(key, number);
    if (!added) holds[std::exchange(place->second, number)] = false;
  };
  for (const std::size_t n : not_taken_back(all)) {
    const Judgement& judgement = all[n];
    replace(of_pair, question_of(judgement), n);
    if (says_counterpart(judgement)) {
      if (!judgement.left.empty()) replace(of_left, std::string_view(judgement.left), n);
      if (!judgement.right.empty()) replace(of_right, std::string_view(judgement.right), n);
    }
    holds[n] = true;
  }
  std::vector<Judgement> in_force;
  for (std::size_t n = 0; n < all.size(); ++n) {
    if (holds[n]) in_force.push_back(all[n]);
  }
  return in_force;
}

void apply_judgements(const GraphPair& graphs, std::span<const Judgement> in_force, SeedLinks& links) {
  if (in_force.empty()) return;
  Applying applying(graphs, links);
  for (const Judgement& judgement : in_force) applying.take(judgement);
  applying.finish();
}

}  // namespace dovetail

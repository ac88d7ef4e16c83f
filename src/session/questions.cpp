#include <dovetail/errors.h>
#include <dovetail/review.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <queue>

#include "common/random.h"
#include "common/text_hash.h"

namespace dovetail {
namespace {

constexpr std::array<std::pair<QuestionOrder, std::string_view>, 3> kOrders = {
    {{QuestionOrder::useful, "useful"},
     {QuestionOrder::random, "random"},
     {QuestionOrder::doubtful, "doubtful"}}};

/// Questions that are chosen one by one, each in the light of those before; the others follow by what each is
/// worth alone.
constexpr std::size_t kChosen = 1000;

/// 1 where the answer is open, 0 where it is known.
double uncertainty(double confidence) {
  return 4 * confidence * (1 - confidence);
}

/// How far from decided each entity is: 1 where nothing is known of its counterpart, 0 where that is certain.
class Openness {
 public:
  Openness(const Session& session, std::span<const ReviewItem> items) : graphs_(session.graphs()) {
    open_[0].assign(graphs_.left().entity_count(), 1);
    open_[1].assign(graphs_.right().entity_count(), 1);
    for (const Link& link : session.pair().links.train) open_[0][link.left] = open_[1][link.right] = 0;
    for (const ReviewItem& item : items) {
      if (!item.linked) continue;
      open_[0][item.pair.left] = open_[1][item.pair.right] = static_cast<float>(1 - item.confidence);
    }
  }

  /// How much is open around both ends of a pair: what is open on one side only cannot be decided from it.
  [[nodiscard]] double around(const Link& pair) const {
    return std::min(around(Side::left, pair.left), around(Side::right, pair.right));
  }
  /// The neighbours of the pair will have been told something.
  void take(const Link& pair) {
    take(Side::left, pair.left);
    take(Side::right, pair.right);
  }

 private:
  [[nodiscard]] double around(Side side, EntityId entity) const {
    const std::vector<float>& open = open_.at(static_cast<std::size_t>(side));
    double sum = 0;
    for (const Edge& edge : graphs_.graph(side).edges(entity)) sum += open[edge.neighbour];
    return sum;
  }
  void take(Side side, EntityId entity) {
    std::vector<float>& open = open_.at(static_cast<std::size_t>(side));
    open[entity] = 0;
    for (const Edge& edge : graphs_.graph(side).edges(entity)) open[edge.neighbour] *= 0.5F;
  }

  const GraphPair& graphs_;
  std::array<std::vector<float>, 2> open_;
};

/// What an answer teaches: of the pair itself, and of what is around it.
double worth(const ReviewItem& item, const Openness& open) {
  return uncertainty(item.confidence) * (1 + open.around(item.pair));
}

std::vector<std::uint32_t> by_use(const Session& session, std::span<const ReviewItem> items,
                                  std::vector<std::uint32_t> asked) {
  Openness open(session, items);
  struct Entry {
    double worth;
    std::uint32_t item;
    bool operator<(const Entry& other) const {
      return worth != other.worth ? worth < other.worth : item > other.item;
    }
  };
  std::vector<Entry> entries;
  entries.reserve(asked.size());
  for (const std::uint32_t item : asked) entries.push_back({worth(items[item], open), item});
  std::priority_queue<Entry> best(std::less<Entry>(), std::move(entries));
  std::vector<std::uint32_t> order;
  order.reserve(asked.size());
  while (!best.empty()) {
    Entry first = best.top();
    best.pop();
    // Worth only ever falls, so that the first one whose worth is up to date is the best of all.
    if (order.size() < kChosen) {
      const double now = worth(items[first.item], open);
      if (now < first.worth) {
        best.push({now, first.item});
        continue;
      }
      open.take(items[first.item].pair);
    }
    order.push_back(first.item);
  }
  return order;
}

}  // namespace

std::string_view order_name(QuestionOrder order) {
  return kOrders.at(static_cast<std::size_t>(order)).second;
}

QuestionOrder order_of_name(std::string_view name) {
  for (const auto& [order, known] : kOrders) {
    if (known == name) return order;
  }
  throw ParameterError(fmt::format("the order is {}; expected useful, random or doubtful", name));
}

std::vector<ReviewItem> review_items(const Session& session) {
  std::vector<ReviewItem> items;
  for (const DecidedLink& link : session.run().decisions.links) {
    items.push_back({.pair = {link.left, link.right}, .linked = true, .confidence = link.confidence});
  }
  std::ranges::sort(items, std::less(), &ReviewItem::pair);
  const std::size_t decided = items.size();
  const Decisions& decisions = session.run().decisions;
  for (const Side side : {Side::left, Side::right}) {
    for (const Unmatched& entity :
         side == Side::left ? decisions.unmatched_left : decisions.unmatched_right) {
      const Link pair =
          side == Side::left ? Link{entity.entity, entity.candidate} : Link{entity.candidate, entity.entity};
      items.push_back({.pair = pair, .linked = false, .side = side, .confidence = 1 - entity.probability});
    }
  }
  // Pairs that were judged the same are known, whether or not they were decided too. They come last, so that
  // judging leaves the numbers of the others as they are.
  for (const DecidedLink& link : session.links()) {
    const Link pair{link.left, link.right};
    const auto links = std::span(items).first(decided);
    if (std::ranges::binary_search(links, pair, std::less(), &ReviewItem::pair)) continue;
    items.push_back({.pair = pair, .linked = true, .confidence = link.confidence});
  }
  return items;
}

std::vector<std::uint32_t> ordered_questions(const Session& session, std::span<const ReviewItem> items,
                                             QuestionOrder order, std::uint64_t seed) {
  std::vector<std::uint32_t> asked;
  for (std::uint32_t n = 0; n < items.size(); ++n) {
    const ReviewItem& item = items[n];
    const bool pair = item.pair.left != kNone && item.pair.right != kNone;
    // A right entity without link is asked about only where its candidate has none either: else the question
    // is that of the left entity.
    if (pair && (item.linked || (order != QuestionOrder::random && item.side == Side::left))) {
      asked.push_back(n);
    }
  }
  if (order == QuestionOrder::useful) return by_use(session, items, std::move(asked));
  std::vector<double> key(items.size());
  for (const std::uint32_t n : asked) {
    const Link& pair = items[n].pair;
    key[n] = order == QuestionOrder::doubtful
                 ? -uncertainty(items[n].confidence)
                 : static_cast<double>(
                       mix64(seed ^ mix64(text_hash(session.graphs().left().entity(pair.left)) ^
                                          mix64(text_hash(session.graphs().right().entity(pair.right))))) >>
                       11);
  }
  std::ranges::stable_sort(asked, std::less(), [&](std::uint32_t n) { return key[n]; });
  return asked;
}

}  // namespace dovetail

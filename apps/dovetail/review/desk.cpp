#include "review/desk.h"

#include <dovetail/errors.h>
#include <dovetail/export.h>
#include <dovetail/text.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <utility>

#include "review/item_json.h"

using namespace dovetail;

namespace {

constexpr std::size_t kMostRows = 500, kMostChanges = 200;

std::uint64_t key_of(const Link& pair) {
  return std::uint64_t{pair.left} << 32 | pair.right;
}

std::string now_text() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

/// review.jsonl may name entities that graphs no longer have; what is left of it still counts.
std::vector<Judgement> known_ones(const Session& session, const std::vector<Judgement>& all) {
  std::vector<Judgement> known;
  for (const Judgement& judgement : all) {
    const auto has = [&](Side side, const std::string& identifier) {
      return identifier.empty() || session.graphs().graph(side).find(identifier).has_value();
    };
    if (has(Side::left, judgement.left) && has(Side::right, judgement.right)) known.push_back(judgement);
  }
  return known;
}

nlohmann::json estimate_json(const Estimate& estimate) {
  return {{"answers", estimate.count},
          {"right", estimate.right},
          {"share", estimate.share},
          {"low", estimate.low},
          {"high", estimate.high}};
}

}  // namespace

/// Follows what is being learned, and has it given up when the review ends.
class ReviewDesk::Progress : public Observer {
 public:
  void progress(std::string_view task, std::uint64_t done, std::uint64_t total,
                std::string_view /*unit*/) override {
    const std::lock_guard lock(mutex_);
    task_ = task;
    share_ = total == 0 ? 0 : static_cast<double>(done) / static_cast<double>(total);
  }
  bool cancelled() override { return stop; }
  [[nodiscard]] nlohmann::json record() const {
    const std::lock_guard lock(mutex_);
    return {{"task", task_}, {"share", share_}};
  }

  std::atomic<bool> stop = false;

 private:
  mutable std::mutex mutex_;
  std::string task_ = "learning";
  double share_ = 0;
};

ReviewDesk::ReviewDesk(const Options& options, Observer& observer)
    : options_(options),
      observer_(observer),
      session_(Session::open(options.folder, {.threads = options.threads, .keep_literals = true}, observer)),
      log_(options.folder / "review.jsonl"),
      describer_(std::make_unique<PairDescriber>(session_)) {
  std::vector<Judgement> known = known_ones(session_, log_.earlier());
  if (known.size() < log_.earlier().size()) {
    observer.warning(fmt::format("{}: {} of {} judgements are about entities that the graphs do not have",
                                 log_.path().string(), log_.earlier().size() - known.size(),
                                 log_.earlier().size()));
  }
  session_.judge(std::move(known));
  sampled_links_ = session_.run().decisions.links;
  renew_items();
}

ReviewDesk::~ReviewDesk() {
  if (progress_) progress_->stop = true;
  if (learner_.joinable()) learner_.join();
}

void ReviewDesk::renew_items() {
  items_ = review_items(session_);
  orders_.clear();
  places_.clear();
  for (const QuestionOrder order : {QuestionOrder::useful, QuestionOrder::random, QuestionOrder::doubtful}) {
    std::vector<Number> numbers = ordered_questions(session_, items_, order);
    std::vector<Number> places(items_.size(), kNone);
    for (Number n = 0; n < numbers.size(); ++n) places[numbers[n]] = n;
    const std::string name(order_name(order));
    orders_.emplace(name, std::move(numbers));
    places_.emplace(name, std::move(places));
  }
  by_confidence_.resize(items_.size());
  for (Number n = 0; n < items_.size(); ++n) by_confidence_[n] = n;
  std::ranges::stable_sort(by_confidence_, std::greater(), [&](Number n) { return items_[n].confidence; });
  search_.clear();
  const GraphPair& graphs = session_.graphs();
  for (const ReviewItem& item : items_) {
    std::string text;
    for (const auto& [side, entity] :
         {std::pair(Side::left, item.pair.left), {Side::right, item.pair.right}}) {
      if (entity == kNone) continue;
      text += graphs.graph(side).entity(entity);
      text += '\n';
      text += graphs.graph(side).name(entity);
      text += '\n';
    }
    search_.add(text);
  }
  renew_judged();
}

void ReviewDesk::renew_judged() {
  judged_.clear();
  const GraphPair& graphs = session_.graphs();
  of_left_.assign(graphs.left().entity_count(), kNone);
  of_right_.assign(graphs.right().entity_count(), kNone);
  for (const Judgement& judgement : judgements_in_force(session_.judgements())) {
    const Link pair{judgement.left.empty() ? kNone : *graphs.left().find(judgement.left),
                    judgement.right.empty() ? kNone : *graphs.right().find(judgement.right)};
    judged_[key_of(pair)] = verdict_name(judgement.verdict);
    if (judgement.verdict != Verdict::same) continue;
    of_left_[pair.left] = pair.right;
    of_right_[pair.right] = pair.left;
  }
  describer_->renew();
}

const ReviewItem& ReviewDesk::item_of(Number number) const {
  if (number < items_.size()) return items_[number];
  throw ParameterError("there is no such item; expected one that the page shows; load the page again");
}

/// Of the pair, or of one of its entities with something else; empty: nobody has judged it.
std::string ReviewDesk::verdict_of(const ReviewItem& item) const {
  const auto find = [&](const Link& pair) {
    const auto found = judged_.find(key_of(pair));
    return found == judged_.end() ? std::string() : found->second;
  };
  const Link& pair = item.pair;
  if (pair.left != kNone && pair.right != kNone) {
    if (std::string own = find(pair); !own.empty()) return own;
  }
  if (pair.left != kNone && (item.linked || item.side == Side::left)) {
    if (std::string none = find({pair.left, kNone}); !none.empty()) return none;
    if (of_left_[pair.left] != kNone) return "other";
  }
  if (pair.right != kNone && (item.linked || item.side == Side::right)) {
    if (std::string none = find({kNone, pair.right}); !none.empty()) return none;
    if (of_right_[pair.right] != kNone) return "other";
  }
  return {};
}

ReviewDesk::json ReviewDesk::counts() const {
  json record = {{"same", 0}, {"different", 0}, {"unsure", 0}, {"none", 0}};
  for (const auto& [pair, verdict] : judged_) record[verdict] = record[verdict].get<int>() + 1;
  std::size_t links = 0;
  for (const ReviewItem& item : items_) links += item.linked ? 1 : 0;
  return {{"judged", judged_.size()},
          {"verdicts", record},
          {"links", links},
          {"unmatched", items_.size() - links},
          {"new_judgements", session_.judgements().size() - learned_}};
}

ReviewDesk::json ReviewDesk::state() const {
  const std::shared_lock lock(mutex_);
  const PairSource& source = session_.pair().source;
  json relations = json::array();
  for (const Side side : {Side::left, Side::right}) {
    const KnowledgeGraph& graph = session_.graphs().graph(side);
    for (RelationId n = 0; n < std::min<std::size_t>(graph.relation_count(), kMostRows); ++n) {
      relations.push_back(graph.relation(n));
    }
  }
  return {{"run", std::filesystem::absolute(options_.folder).filename().string()},
          {"reviewer", options_.reviewer},
          {"left", source.left.empty() ? source.folder.filename().string() : source.left.filename().string()},
          {"right", source.right.filename().string()},
          {"relations", relations},
          {"counts", counts()},
          {"learning", learning_.load()}};
}

ReviewDesk::json ReviewDesk::item(std::uint32_t number, bool blind) const {
  const std::shared_lock lock(mutex_);
  const ReviewItem& item = item_of(number);
  json record = describer_->pair(item.pair);
  record["item"] = number;
  record["linked"] = item.linked;
  record["side"] = item.side == Side::left ? "left" : "right";
  const std::string verdict = verdict_of(item);
  record["verdict"] = verdict.empty() ? json(nullptr) : json(verdict);
  if (!blind || !verdict.empty()) record["confidence"] = item.confidence;
  const bool from_left = item.linked || item.side == Side::left;
  record["candidates"] = describer_->candidates(from_left ? Side::left : Side::right,
                                                from_left ? item.pair.left : item.pair.right);
  if (blind && verdict.empty()) {
    for (json& candidate : record["candidates"]) candidate.erase("score");
    record.erase("for");
    record.erase("against");
  }
  return record;
}

ReviewDesk::json ReviewDesk::next(const std::string& order, std::optional<std::uint32_t> after, double least,
                                  double most, bool blind) const {
  std::optional<Number> found;
  std::size_t left = 0;
  json numbers;
  {
    const std::shared_lock lock(mutex_);
    const auto questions = orders_.find(order);
    if (questions == orders_.end()) static_cast<void>(order_of_name(order));  // which says what is known
    const std::vector<Number>& all = questions->second;
    std::size_t begin = 0;
    if (after && *after < items_.size() && places_.at(order)[*after] != kNone) {
      begin = places_.at(order)[*after] + std::size_t{1};
    }
    const auto is_open = [&](Number number) {
      const ReviewItem& item = items_[number];
      return item.confidence >= least && item.confidence <= most && verdict_of(item).empty();
    };
    for (std::size_t n = begin; n < all.size() && !found; ++n) {
      if (is_open(all[n])) found = all[n];
    }
    for (std::size_t n = 0; n < begin && !found; ++n) {  // those that were passed over come again
      if (is_open(all[n])) found = all[n];
    }
    left = all.size();
    numbers = counts();
  }
  json answer = found ? item(*found, blind) : json{{"item", nullptr}};
  answer["questions"] = left;
  answer["counts"] = numbers;
  return answer;
}

/// Saves judgements before they count. The lock is held.
void ReviewDesk::keep(std::vector<Judgement> judgements) {
  for (Judgement& judgement : judgements) {
    judgement.time = now_text();
    judgement.reviewer = options_.reviewer;
  }
  log_.append(judgements);
  session_.judge(std::move(judgements));
  renew_judged();
}

ReviewDesk::json ReviewDesk::judge(const json& request) {
  const std::unique_lock lock(mutex_);
  const Number number = request.at("item").get<Number>();
  const ReviewItem& item = item_of(number);
  const std::string name = request.at("verdict").get<std::string>();
  const GraphPair& graphs = session_.graphs();
  const bool from_left = item.linked || item.side == Side::left;
  const auto identifier = [&](Side side, EntityId entity) {
    return entity == kNone ? std::string() : std::string(graphs.graph(side).entity(entity));
  };
  Judgement judgement{.left = identifier(Side::left, item.pair.left),
                      .right = identifier(Side::right, item.pair.right),
                      .order = request.value("order", "")};
  if (item.linked) judgement.confidence = item.confidence;
  if (name == "choose") {
    const std::size_t choice = request.at("choice").get<std::size_t>();
    const auto candidates = session_.candidates(from_left ? Side::left : Side::right,
                                                from_left ? item.pair.left : item.pair.right);
    if (choice >= candidates.size()) {
      throw ParameterError("there is no such candidate; expected one that the page shows");
    }
    judgement.verdict = Verdict::same;
    const std::string chosen = identifier(from_left ? Side::right : Side::left, candidates[choice].entity);
    if (from_left && item.linked && chosen != judgement.right) judgement.instead_of = judgement.right;
    (from_left ? judgement.right : judgement.left) = chosen;
  } else {
    const auto verdict = verdict_of_name(name);
    if (!verdict || *verdict == Verdict::undone) {
      throw ParameterError(
          fmt::format("the verdict is {}; expected same, different, unsure, none or choose", shown(name)));
    }
    judgement.verdict = *verdict;
    if (*verdict == Verdict::none) (from_left ? judgement.right : judgement.left).clear();
  }
  const Judgement kept = judgement;
  keep({std::move(judgement)});
  mine_.push_back(kept);
  mine_items_.push_back(number);
  return {{"saved", true}, {"item", number}, {"confidence", item.confidence}, {"counts", counts()}};
}

ReviewDesk::json ReviewDesk::undo() {
  const std::unique_lock lock(mutex_);
  if (mine_.empty()) throw ParameterError("there is nothing to take back in this session");
  Judgement judgement = mine_.back();
  judgement.verdict = Verdict::undone;
  judgement.instead_of.clear();
  judgement.confidence.reset();
  keep({std::move(judgement)});
  mine_.pop_back();
  const Number number = mine_items_.back();
  mine_items_.pop_back();
  return {{"saved", true}, {"item", number}, {"counts", counts()}};
}

std::vector<ReviewDesk::Number> ReviewDesk::rows_of(const TableQuery& query) const {
  const std::string text = SearchText::lower_case(query.text);
  std::optional<RelationId> relations[2];
  if (!query.relation.empty()) {
    for (const Side side : {Side::left, Side::right}) {
      const KnowledgeGraph& graph = session_.graphs().graph(side);
      for (RelationId n = 0; n < graph.relation_count(); ++n) {
        if (graph.relation(n) == query.relation) relations[static_cast<std::size_t>(side)] = n;
      }
    }
  }
  const auto has_relation = [&](Side side, EntityId entity) {
    const auto relation = relations[static_cast<std::size_t>(side)];
    if (entity == kNone || !relation) return false;
    const std::span<const Edge> edges = session_.graphs().graph(side).edges(entity);
    return std::ranges::any_of(edges, [&](const Edge& edge) { return edge.relation == *relation; });
  };
  std::vector<Number> rows;
  for (const Number n : by_confidence_) {
    const ReviewItem& item = items_[n];
    if (item.confidence < query.least || item.confidence > query.most) continue;
    if (!query.kind.empty() && item.linked != (query.kind == "link")) continue;
    if (!text.empty() && !search_.has(n, text)) continue;
    if (!query.verdict.empty()) {
      const std::string verdict = verdict_of(item);
      if (query.verdict == "open" ? !verdict.empty() : verdict != query.verdict) continue;
    }
    if (!query.relation.empty() && !has_relation(Side::left, item.pair.left) &&
        !has_relation(Side::right, item.pair.right)) {
      continue;
    }
    rows.push_back(n);
  }
  const bool backwards = query.sort.starts_with('-');
  const std::string_view by = std::string_view(query.sort).substr(backwards ? 1 : 0);
  if (by == "left" || by == "right") {
    const Side side = by == "left" ? Side::left : Side::right;
    std::ranges::stable_sort(rows, std::less(), [&](Number n) {
      const EntityId entity = side == Side::left ? items_[n].pair.left : items_[n].pair.right;
      return entity == kNone ? std::string_view() : session_.graphs().graph(side).name(entity);
    });
  } else if (by != "confidence") {
    throw ParameterError("the table is sorted by confidence, left or right");
  }
  if (backwards) std::ranges::reverse(rows);
  return rows;
}

ReviewDesk::json ReviewDesk::row_json(Number number) const {
  const ReviewItem& item = items_[number];
  const auto entity = [&](Side side, EntityId id) {
    return id == kNone ? json(nullptr) : describer_->entity(side, id);
  };
  const std::string verdict = verdict_of(item);
  return {{"item", number},
          {"left", entity(Side::left, item.pair.left)},
          {"right", entity(Side::right, item.pair.right)},
          {"linked", item.linked},
          {"side", item.side == Side::left ? "left" : "right"},
          {"confidence", item.confidence},
          {"verdict", verdict.empty() ? json(nullptr) : json(verdict)}};
}

ReviewDesk::json ReviewDesk::table(const TableQuery& query) const {
  const std::shared_lock lock(mutex_);
  const std::vector<Number> rows = rows_of(query);
  json list = json::array();
  const std::size_t end = std::min(rows.size(), query.offset + std::min(query.limit, kMostRows));
  for (std::size_t n = query.offset; n < end; ++n) list.push_back(row_json(rows[n]));
  std::size_t open = 0;
  for (const Number n : rows) open += items_[n].linked && verdict_of(items_[n]).empty() ? 1 : 0;
  return {{"rows", list}, {"total", rows.size()}, {"open_links", open}, {"offset", query.offset}};
}

ReviewDesk::json ReviewDesk::judge_all(const TableQuery& query, const std::string& name, std::size_t count) {
  const std::unique_lock lock(mutex_);
  const auto verdict = verdict_of_name(name);
  if (!verdict || (*verdict != Verdict::same && *verdict != Verdict::different)) {
    throw ParameterError("several links at a time are judged same or different");
  }
  std::vector<Judgement> judgements;
  for (const Number n : rows_of(query)) {
    const ReviewItem& item = items_[n];
    if (!item.linked || !verdict_of(item).empty()) continue;
    judgements.push_back({.verdict = *verdict,
                          .left = std::string(session_.graphs().left().entity(item.pair.left)),
                          .right = std::string(session_.graphs().right().entity(item.pair.right)),
                          .order = "table",
                          .confidence = item.confidence});
  }
  if (judgements.size() != count) {
    throw ParameterError(
        fmt::format("{} links would be judged, not {}; look at the table again", judgements.size(), count));
  }
  keep(std::move(judgements));
  mine_.clear();  // one key does not take back many
  mine_items_.clear();
  return {{"saved", true}, {"judged", count}, {"counts", counts()}};
}

ReviewDesk::json ReviewDesk::quality(double threshold) const {
  const std::shared_lock lock(mutex_);
  const std::vector<SampledAnswer> answers = sampled_answers(judgements_in_force(session_.judgements()));
  const auto kept = [&](double least, double below) {
    return static_cast<std::size_t>(std::ranges::count_if(sampled_links_, [&](const DecidedLink& link) {
      return link.confidence >= least && link.confidence < below;
    }));
  };
  const auto part = [&](double least, double below) {
    const Estimate estimate = precision_above(answers, least, below);
    json record = estimate_json(estimate);
    const std::size_t links = kept(least, below);
    record["least"] = least;
    record["below"] = below;
    record["links"] = links;
    record["expected_right"] = estimate.share * static_cast<double>(links);
    record["more_answers"] = answers_to_halve(estimate);
    return record;
  };
  constexpr double kEnd = 2;
  json bands = json::array(), thresholds = json::array();
  const std::vector<double> edges = {0, 0.3, 0.5, 0.7, 0.9, 0.95, kEnd};
  for (std::size_t n = 0; n + 1 < edges.size(); ++n) bands.push_back(part(edges[n], edges[n + 1]));
  for (int step = 0; step < 20; ++step) thresholds.push_back(part(step * 0.05, kEnd));
  return {{"all", part(0, kEnd)},
          {"at", part(threshold, kEnd)},
          {"bands", bands},
          {"thresholds", thresholds},
          {"links", sampled_links_.size()}};
}

ReviewDesk::json ReviewDesk::start_learning() {
  if (learning_.exchange(true)) throw ParameterError("learning is going on already");
  if (learner_.joinable()) learner_.join();
  {
    const std::unique_lock lock(mutex_);
    progress_ = std::make_unique<Progress>();
    changes_ = nullptr;
  }
  learner_ = std::thread([this] { learn(); });
  return {{"learning", true}};
}

void ReviewDesk::learn() {
  try {
    std::size_t count = 0;
    {
      const std::unique_lock lock(mutex_);
      count = session_.judgements().size();
      session_.prepare();
    }
    Run run = session_.learn(*progress_);
    const std::unique_lock lock(mutex_);
    const Changes changes = session_.take(std::move(run));
    learned_ = count;
    renew_items();
    const auto listed = [&](const auto& list, const auto& of) {
      json result = json::array();
      for (const auto& one : list) {
        if (result.size() == kMostChanges) break;
        result.push_back(of(one));
      }
      return result;
    };
    const auto link_json = [&](const DecidedLink& link) {
      return json{{"left", describer_->entity(Side::left, link.left)},
                  {"right", describer_->entity(Side::right, link.right)},
                  {"confidence", link.confidence}};
    };
    changes_ = {{"gained", changes.gained.size()},
                {"lost", changes.lost.size()},
                {"changed", changes.changed.size()},
                {"gained_links", listed(changes.gained, link_json)},
                {"lost_links", listed(changes.lost, link_json)},
                {"changed_links", listed(changes.changed, [&](const Changes::Pair& pair) {
                   json record = link_json(pair.after);
                   record["before"] = pair.before.confidence;
                   return record;
                 })}};
  } catch (const std::exception& error) {
    const std::unique_lock lock(mutex_);
    changes_ = {{"error", error.what()}};
  }
  learning_ = false;
}

ReviewDesk::json ReviewDesk::learning() const {
  const std::shared_lock lock(mutex_);
  return {{"learning", learning_.load()},
          {"progress", progress_ ? progress_->record() : json(nullptr)},
          {"changes", changes_},
          {"counts", counts()}};
}

ReviewDesk::json ReviewDesk::save() {
  if (learning_) throw ParameterError("learning is going on; wait for its end");
  const std::unique_lock lock(mutex_);
  if (session_.judgements().size() > learned_) {
    throw ParameterError("there are judgements that were not learned from; learn first");
  }
  session_.save(options_.folder, {.replace = true, .observer = &observer_});
  return {{"saved", true}};
}

std::string ReviewDesk::exported(const std::string& format, bool accepted_only, double least) const {
  const std::shared_lock lock(mutex_);
  const std::vector<Judgement> in_force = judgements_in_force(session_.judgements());
  if (format == "review") return judgement_table(in_force);
  std::vector<ExportedLink> links;
  for (const Judgement& judgement : in_force) {
    if (judgement.verdict != Verdict::same) continue;
    links.push_back({.left = judgement.left,
                     .right = judgement.right,
                     .confidence = 1,
                     .reviewer = judgement.reviewer,
                     .judged = true});
  }
  if (!accepted_only) {
    for (const DecidedLink& link : session_.links()) {
      const auto judged = judged_.find(key_of({link.left, link.right}));
      if (link.confidence < least || (judged != judged_.end() && judged->second == "same")) continue;
      links.push_back({.left = std::string(session_.graphs().left().entity(link.left)),
                       .right = std::string(session_.graphs().right().entity(link.right)),
                       .confidence = link.confidence});
    }
  }
  return links_text(links, format_from_name(format), session_.run().options,
                    session_.pair().source.iri_prefixes);
}

#include "result.h"

#include <dovetail/errors.h>
#include <dovetail/link_metrics.h>
#include <dovetail/text.h>

namespace dovetail::python {

Result::Result(std::shared_ptr<LoadedPair> pair, Run run)
    : left_entities_(pair->graphs.left().entity_count()),
      pair_(std::move(pair)),
      session_(std::make_shared<Session>(pair_, std::move(run))) {
  take_links();
}

Result::Result(SavedRun saved)
    : links_(std::move(saved.links)),
      unmatched_(std::move(saved.unmatched)),
      record_(saved.record),
      left_entities_(saved.left_entities),
      saved_(std::move(saved)) {}

void Result::take_links() {
  const KnowledgeGraph &left = session_->graphs().left(), &right = session_->graphs().right();
  record_ = run_record(session_->run(), session_->pair());
  links_.clear();
  unmatched_.clear();
  for (const DecidedLink& link : session_->links()) {
    links_.push_back({std::string(left.entity(link.left)), std::string(right.entity(link.right)), link.score,
                      link.margin, link.confidence});
  }
  const auto take = [&](Side side, const std::vector<Unmatched>& entities) {
    const KnowledgeGraph &own = side == Side::left ? left : right, &other = side == Side::left ? right : left;
    for (const Unmatched& entity : entities) {
      const bool has = entity.candidate != kNone;
      unmatched_.push_back({.side = side,
                            .entity = std::string(own.entity(entity.entity)),
                            .candidate = has ? std::string(other.entity(entity.candidate)) : std::string(),
                            .score = entity.score,
                            .probability = entity.probability,
                            .reason = reason_name(entity.reason)});
    }
  };
  take(Side::left, session_->run().decisions.unmatched_left);
  take(Side::right, session_->run().decisions.unmatched_right);
}

Session& Result::session(Observer& observer) {
  if (!session_) session_ = std::make_shared<Session>(Session::open(saved_->folder, {}, observer));
  return *session_;
}

std::vector<std::pair<std::string, double>> Result::candidates(const std::string& left, Observer& observer) {
  const Session& now = session(observer);
  const auto entity = now.graphs().left().find(left);
  if (!entity) throw ParameterError(shown(left) + " is not in the left graph; expected an identifier");
  std::vector<std::pair<std::string, double>> result;
  for (const Candidate& other : now.candidates(Side::left, *entity)) {
    result.emplace_back(now.graphs().right().entity(other.entity), other.score);
  }
  return result;
}

void Result::judge(const std::string& left, const std::string& right, bool same, Observer& observer) {
  const Verdict verdict = left.empty() || right.empty() ? Verdict::none
                          : same                        ? Verdict::same
                                                        : Verdict::different;
  session(observer).judge({.verdict = verdict, .left = left, .right = right});
}

std::pair<std::size_t, std::size_t> Result::refresh(Observer& observer) {
  const Changes changes = session(observer).refresh(observer);
  take_links();
  return {changes.gained.size(), changes.lost.size()};
}

nb::ndarray<nb::numpy, double, nb::ndim<1>> Result::numbers(const std::string& column) const {
  auto values = std::make_unique<std::vector<double>>();
  for (const SavedLink& link : links_) {
    values->push_back(column == "score" ? link.score : column == "margin" ? link.margin : link.confidence);
  }
  std::vector<double>* const kept = values.release();
  const nb::capsule owner(kept, [](void* gone) noexcept { delete static_cast<std::vector<double>*>(gone); });
  return {kept->data(), {kept->size()}, owner};
}

const Model& Result::model() {
  if (saved_) {
    if (!model_) model_ = load_run_model(*saved_);
    return *model_;
  }
  if (session_->model().entity_count == 0) {
    throw ParameterError("rules alone learn no embeddings; align with another strategy");
  }
  return session_->model();
}

std::span<const float> Result::entity_embeddings(Side side) {
  const std::size_t left = left_entities_ * model().encoder.dimension;
  const std::span<const float> both = model().entities;
  return side == Side::left ? both.first(left) : both.subspan(left);
}

std::shared_ptr<LoadedPair> Result::pair(Observer& observer) {
  if (!pair_) pair_ = session(observer).shared_pair();
  return pair_;
}

namespace {

nb::dict figures(const PrecisionRecall& metrics) {
  nb::dict result;
  result["predicted"] = metrics.predicted;
  result["gold"] = metrics.gold;
  result["correct"] = metrics.correct;
  result["precision"] = metrics.precision;
  result["recall"] = metrics.recall;
  result["f1"] = metrics.f1;
  return result;
}

}  // namespace

nb::dict Result::evaluate(const std::vector<std::pair<std::string, std::string>>& gold, bool complete) const {
  std::vector<NamedLink> said, known;
  for (const SavedLink& link : links_) {
    said.push_back({link.left, link.right, link.confidence, link.confidence});
  }
  for (const auto& [left, right] : gold) known.push_back({left, right, 1});
  if (!said.empty() && !known.empty() && !share_entities(said, known)) {
    throw ParameterError(
        "gold and the links that were found have no entity in common; expected links of the same two graphs, "
        "left "
        "before right");
  }
  const LinkMetrics metrics = link_metrics(said, known);
  nb::dict result = figures(metrics);
  result["unjudged"] = metrics.unjudged;
  if (complete) result["strict"] = figures(strict_metrics(said, known));
  const Calibration calibration = link_calibration(said, known, complete);
  if (calibration.count > 0) result["calibration_error"] = calibration.expected_error;
  return result;
}

void Result::save(const std::filesystem::path& folder, bool replace, Observer& observer) {
  if (session_) return session_->save(folder, {.replace = replace, .observer = &observer});
  copy_run(*saved_, folder, replace, observer);
}

}  // namespace dovetail::python

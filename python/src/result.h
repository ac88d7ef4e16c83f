#pragma once

#include <dovetail/session.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dovetail::python {

namespace nb = nanobind;

/// What an alignment gave: a session, which of a saved run is opened when its graphs are asked for, and its
/// links as Python shows them.
class Result {
 public:
  Result(std::shared_ptr<LoadedPair> pair, Run run);
  explicit Result(SavedRun saved);

  [[nodiscard]] const std::vector<SavedLink>& links() const { return links_; }
  /// The column of this name of all links.
  [[nodiscard]] nb::ndarray<nb::numpy, double, nb::ndim<1>> numbers(const std::string& column) const;
  [[nodiscard]] const std::vector<SavedUnmatched>& unmatched() const { return unmatched_; }
  /// As run.json.
  [[nodiscard]] const std::string& record() const { return record_; }
  [[nodiscard]] const Model& model();
  [[nodiscard]] std::span<const float> entity_embeddings(Side side);
  [[nodiscard]] std::shared_ptr<LoadedPair> pair(Observer& observer);
  /// `complete`: every link that the gold lacks is wrong.
  [[nodiscard]] nb::dict evaluate(const std::vector<std::pair<std::string, std::string>>& gold,
                                  bool complete) const;
  void save(const std::filesystem::path& folder, bool replace, Observer& observer);

  /// The right entities that a left one may be the same as, best first, with their scores.
  [[nodiscard]] std::vector<std::pair<std::string, double>> candidates(const std::string& left,
                                                                       Observer& observer);
  void judge(const std::string& left, const std::string& right, bool same, Observer& observer);
  /// Links gained and lost.
  [[nodiscard]] std::pair<std::size_t, std::size_t> refresh(Observer& observer);

 private:
  [[nodiscard]] Session& session(Observer& observer);
  void take_links();

  std::vector<SavedLink> links_;
  std::vector<SavedUnmatched> unmatched_;
  std::string record_;
  std::size_t left_entities_;
  std::shared_ptr<LoadedPair> pair_;  // that the session was made of
  std::shared_ptr<Session> session_;  // of a saved run, when it was opened
  std::optional<SavedRun> saved_;     // of one that was saved
  std::optional<Model> model_;        // that it was saved with
};

}  // namespace dovetail::python

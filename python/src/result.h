#pragma once

#include <dovetail/run.h>

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

/// What an alignment gave: one that has just been made, or one that was saved. Of a saved one the model and
/// the graphs are loaded when they are asked for.
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
  void save(const std::filesystem::path& folder, bool replace, Observer& observer) const;

 private:
  std::vector<SavedLink> links_;
  std::vector<SavedUnmatched> unmatched_;
  std::string record_;
  std::size_t left_entities_;
  std::shared_ptr<LoadedPair> pair_;
  std::optional<Run> run_;         // of one that has just been made
  std::optional<SavedRun> saved_;  // or of one that was saved
  std::optional<Model> model_;     // that it was saved with
};

}  // namespace dovetail::python

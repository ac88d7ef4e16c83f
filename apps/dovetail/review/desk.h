#pragma once

#include <dovetail/review.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <shared_mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "review/search.h"

class PairDescriber;

/// What is asked of the table of all links and of entities without one.
struct TableQuery {
  std::string text{};               ///< part of a name or identifier, of either side
  std::string kind{};               ///< link, unmatched; empty: both
  std::string verdict{};            ///< same, different, unsure, none, open (not judged); empty: any
  std::string relation{};           ///< identifier of a relation that one of the entities has
  double least = 0, most = 1;       ///< confidence
  std::string sort = "confidence";  ///< confidence, left, right; - before it: the other way round
  std::size_t offset = 0, limit = 50;
};

/// The work of a review, without the network: what the page asks for and what a person decides. All of it may
/// be called from several threads. Answers are objects in JSON.
class ReviewDesk {
 public:
  using json = nlohmann::json;
  struct Options {
    std::filesystem::path folder;
    std::string reviewer;
    std::size_t threads = 0;
  };
  /// Opens the run and its review.jsonl.
  ReviewDesk(const Options& options, dovetail::Observer& observer);
  ReviewDesk(const ReviewDesk&) = delete;
  ReviewDesk& operator=(const ReviewDesk&) = delete;
  /// Gives up what is being learned.
  ~ReviewDesk();

  [[nodiscard]] json state() const;
  /// The next question that nobody has answered, after the item `after` in that order if one is given;
  /// {"item": null} when there is none.
  [[nodiscard]] json next(const std::string& order, std::optional<std::uint32_t> after, double least,
                          double most, bool blind) const;
  /// One item, or any pair of entities by their numbers.
  [[nodiscard]] json item(std::uint32_t number, bool blind) const;

  /// Takes {"item", "verdict", "choice", "order"}; throws SystemError if it cannot be saved: then it does not
  /// count.
  json judge(const json& request);
  /// Takes the latest judgement of this session back.
  json undo();
  [[nodiscard]] json table(const TableQuery& query) const;
  /// Judges every open row that the query shows; `count` is how many the person was told.
  json judge_all(const TableQuery& query, const std::string& verdict, std::size_t count);
  [[nodiscard]] json quality(double threshold) const;

  json start_learning();
  [[nodiscard]] json learning() const;
  /// Writes the run as it is now, with the judgements, in place of the one that was opened.
  json save();
  /// A file for the person: links judged the same and, unless `accepted_only`, those not judged with at least
  /// this confidence. "review" is the table of judgements.
  [[nodiscard]] std::string exported(const std::string& format, bool accepted_only, double least) const;

 private:
  class Progress;
  using Number = std::uint32_t;

  void renew_items();
  void renew_judged();
  void learn();
  void keep(std::vector<dovetail::Judgement> judgements);
  [[nodiscard]] const dovetail::ReviewItem& item_of(Number number) const;
  [[nodiscard]] std::string verdict_of(const dovetail::ReviewItem& item) const;
  [[nodiscard]] std::vector<Number> rows_of(const TableQuery& query) const;
  [[nodiscard]] json row_json(Number number) const;
  [[nodiscard]] json counts() const;

  Options options_;
  dovetail::Observer& observer_;
  dovetail::Session session_;
  dovetail::JudgementLog log_;
  std::unique_ptr<PairDescriber> describer_;
  std::vector<dovetail::DecidedLink>
      sampled_links_;  ///< of the run as it was opened: questions are drawn from them

  mutable std::shared_mutex mutex_;  ///< guards all below, and the session
  std::vector<dovetail::ReviewItem> items_;
  std::unordered_map<std::string, std::vector<Number>> orders_;  ///< by name
  std::unordered_map<std::string, std::vector<Number>> places_;  ///< of items in these orders
  std::vector<Number> by_confidence_;
  SearchText search_;
  std::unordered_map<std::uint64_t, std::string> judged_;  ///< by pair, or by entity and kNone
  std::vector<std::uint32_t> of_left_, of_right_;          ///< who was judged the same as an entity
  std::vector<dovetail::Judgement> mine_;                  ///< of this session, to take back
  std::vector<Number> mine_items_;                         ///< the items that these were about
  std::size_t learned_ = 0;                                ///< judgements that were learned from
  json changes_;                                           ///< of the last learning

  std::thread learner_;
  std::unique_ptr<Progress> progress_;
  std::atomic<bool> learning_ = false;
};

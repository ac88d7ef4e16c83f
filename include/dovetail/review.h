#pragma once

#include <dovetail/judgements.h>
#include <dovetail/session.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dovetail {

/// A file of judgements that grows. A judgement is on the disk when append() returns. One process at a time
/// may have it open.
class JudgementLog {
 public:
  /// Opens the file, or makes one that only its owner can read. A last line that was cut off while it was
  /// written is removed. Throws SystemError if another process has it open or if it cannot be written,
  /// InputError where it is no file of judgements.
  explicit JudgementLog(std::filesystem::path path);
  JudgementLog(const JudgementLog&) = delete;
  JudgementLog& operator=(const JudgementLog&) = delete;
  ~JudgementLog();

  /// What was in the file when it was opened.
  [[nodiscard]] const std::vector<Judgement>& earlier() const { return earlier_; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Writes judgements and flushes them to the disk. Throws SystemError if that fails; then none of them is
  /// in the file.
  void append(std::span<const Judgement> judgements);

 private:
  std::filesystem::path path_;
  int file_ = -1;
  std::uint64_t size_ = 0;
  std::vector<Judgement> earlier_;
};

/// Something that a person can be asked about: a decided link, or an entity without one and its best
/// candidate.
struct ReviewItem {
  Link pair;               ///< kNone in place of a candidate that an entity does not have
  bool linked = false;     ///< the pair is decided to be the same
  Side side = Side::left;  ///< of the entity without link
  double confidence = 0;   ///< of the link; of an entity without one, that it has a counterpart
};

/// Every decided link, ascending, then left and right entities without one, then pairs that were judged the
/// same and not decided.
[[nodiscard]] std::vector<ReviewItem> review_items(const Session& session);

/// In which order questions are asked.
enum class QuestionOrder : std::uint8_t {
  useful,    ///< what the answer teaches: uncertainty weighed by how many undecided entities are around
  random,    ///< links only, each with the same chance: to estimate how many are right
  doubtful,  ///< least sure first
};
/// "useful", "random", "doubtful".
[[nodiscard]] std::string_view order_name(QuestionOrder order);
/// Throws ParameterError with the known names where `name` is none of them.
[[nodiscard]] QuestionOrder order_of_name(std::string_view name);

/// Numbers of the items, first question first. Items without a pair are left out. The random order follows
/// from the seed and the entities' identifiers.
[[nodiscard]] std::vector<std::uint32_t> ordered_questions(const Session& session,
                                                           std::span<const ReviewItem> items,
                                                           QuestionOrder order, std::uint64_t seed = 1);

/// A share that was estimated from a random sample, with Wilson's interval of 95%.
struct Estimate {
  std::uint64_t count = 0, right = 0;
  double share = 0, low = 0, high = 1;
};
[[nodiscard]] Estimate estimate_share(std::uint64_t right, std::uint64_t count);
/// How many more answers would make the interval half as wide, if the share stays as it is.
[[nodiscard]] std::uint64_t answers_to_halve(const Estimate& estimate);

/// An answer to a question that was drawn at random, and the confidence that the link had.
struct SampledAnswer {
  double confidence;
  bool right;
};
/// The judgements in force that answer random questions; `unsure` is left out.
[[nodiscard]] std::vector<SampledAnswer> sampled_answers(std::span<const Judgement> in_force);
/// The precision of the links with at least this confidence.
[[nodiscard]] Estimate precision_above(std::span<const SampledAnswer> answers, double threshold,
                                       double below = 2);

/// How far two people agree.
struct Agreement {
  std::uint64_t both = 0, agreed = 0;  ///< questions that both answered; those that they answered alike
  double kappa = 0;                    ///< Cohen's; 1 where both always say the same one thing
  std::vector<std::pair<Judgement, Judgement>> disagreed;
};
/// Both lists are judgements; what is in force of each is compared, question by question.
[[nodiscard]] Agreement agreement(std::span<const Judgement> one, std::span<const Judgement> other);

}  // namespace dovetail

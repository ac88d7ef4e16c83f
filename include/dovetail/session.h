#pragma once

#include <dovetail/evidence.h>
#include <dovetail/judgements.h>
#include <dovetail/run.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace dovetail {

/// What a refresh changed, by the numbers of the graphs. Judged pairs are among the links.
struct Changes {
  struct Pair {
    DecidedLink before, after;
  };
  std::vector<DecidedLink> gained, lost;
  std::vector<Pair> changed;  ///< the same two entities with another confidence
};

/// A folder that a session will write its result to.
struct SessionTarget {
  std::filesystem::path folder;
  bool replace = false;                         ///< what Dovetail wrote there before
  std::vector<std::filesystem::path> inputs{};  ///< files that the program reads beside the run's own
};

struct SessionOptions {
  std::size_t threads = 0;     ///< 0: as many as the machine has
  bool keep_literals = false;  ///< load the literals of the graphs too, to show them
  /// Where save() will write; claimed before anything is read, so that nobody else writes there meanwhile. It
  /// may be the folder of the run itself.
  std::optional<SessionTarget> target{};
};

/// A run that can be asked and taught: candidates of entities, reasons for pairs, judgements of people, and
/// links that take these judgements into account. See docs/library.md and examples/review.cpp.
class Session {
 public:
  /// Opens a run that was saved, with its graphs. The model is loaded when it is needed. Throws as open_run()
  /// and load_run_inputs() do.
  [[nodiscard]] static Session open(const std::filesystem::path& folder, const SessionOptions& options,
                                    Observer& observer);
  /// Aligns a pair.
  [[nodiscard]] static Session align(LoadedPair pair, const AlignOptions& options, Observer& observer);
  /// A run that was just made of this pair.
  Session(LoadedPair pair, Run run);
  /// The same with a pair that others use too: they see the links that judgements add at a refresh.
  Session(std::shared_ptr<LoadedPair> pair, Run run);
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  // Asking. All of it is const; several threads may ask at a time.

  [[nodiscard]] const LoadedPair& pair() const;
  [[nodiscard]] std::shared_ptr<LoadedPair> shared_pair() const;
  [[nodiscard]] const GraphPair& graphs() const { return pair().graphs; }
  /// What the last refresh decided, or the run itself.
  [[nodiscard]] const Run& run() const;
  /// What was learned when the pair was aligned; refreshes leave it as it is. Empty in an opened run before
  /// the first refresh(), and where rules alone were used.
  [[nodiscard]] const Model& model() const;
  /// The record of the run that was opened; null for one that was made.
  [[nodiscard]] const SavedRun* saved() const;
  /// The decided links and the pairs judged the same, which have the confidence 1. Ascending.
  [[nodiscard]] const std::vector<DecidedLink>& links() const;
  /// The candidates of an entity on the other side, best first.
  [[nodiscard]] std::span<const Candidate> candidates(Side side, EntityId entity) const;
  /// What speaks for a pair and what against it, the `most` weightiest of each. The first call compares the
  /// relations of the graphs, which takes longer.
  [[nodiscard]] Reasons reasons(const Link& pair, std::size_t most) const;
  /// All that speaks for a pair, added up.
  [[nodiscard]] double evidence(const Link& pair) const;

  // Teaching.

  /// Takes a judgement; it counts for links() at once and for other pairs after refresh(). Throws
  /// ParameterError if an entity is not in its graph.
  void judge(Judgement judgement);
  /// The same for several, which is quicker. Takes all of them or, where it throws, none.
  void judge(std::vector<Judgement> judgements);
  /// The usual judgements. Throw as judge() does.
  void judge_same(const Link& pair);
  void judge_different(const Link& pair);
  void judge_none(Side side, EntityId entity);
  /// All judgements, in the order in which they came.
  [[nodiscard]] std::span<const Judgement> judgements() const;
  /// Adds what files say: triples, links, pairs that are not the same, judgements.
  void add(const MoreFiles& more, Observer& observer);

  /// Decides again with what is known now, from where the run stood when it was opened or made: the same
  /// judgements give the same links, in whatever steps they came. A judged pair is never decided against its
  /// judgement.
  Changes refresh(Observer& observer);

  // The same in three steps, for programs that answer questions meanwhile. prepare() and take() need the
  // session alone; learn() may run beside everything else but add() and these two.
  void prepare();
  [[nodiscard]] Run learn(Observer& observer) const;
  Changes take(Run run);

  /// Writes the run, with judgements and added files, to the folder that was claimed. Once.
  void save(bool report = true);
  /// The same to another folder.
  void save(const std::filesystem::path& folder, const SaveRunOptions& options) const;

 private:
  struct State;
  explicit Session(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace dovetail

#pragma once

#include <dovetail/limits.h>
#include <dovetail/session.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace dovetail {

/// What a run was asked for: all that starting it again takes.
struct RunRequest {
  AlignOptions options;
  PairSource source;
  bool replace = false;                             ///< what is at the target already
  bool report = true;                               ///< write report.html
  std::uint64_t max_expansion = kLargestExpansion;  ///< of compressed inputs
  std::uint64_t fingerprint = 0;  ///< of the graphs and links; 0: they have not been read yet
};

/// How often checkpoints are written.
struct CheckpointTimes {
  double every = 60;  ///< seconds; 0: none is written
  /// Rather less often than that, where writing would take more than a fiftieth of the time; but in any case
  /// once all training is done.
  bool sparing = true;
};

/// An alignment that writes the folder OUT and can go on after an interruption. The folder is claimed before
/// the work begins; checkpoints are kept in OUT.checkpoint until the run is complete.
class AlignJob {
 public:
  /// A new run. `inputs` are files that the program reads beside those of the request. Throws SystemError if
  /// OUT must not be written to, or if there are checkpoints of another run, unless the request is to
  /// replace what is there. The observer must stay valid as long as the job.
  AlignJob(const std::filesystem::path& out, const RunRequest& request,
           const std::vector<std::filesystem::path>& inputs, const CheckpointTimes& times,
           Observer& observer);
  /// A run that was interrupted. Throws SystemError if there is none.
  AlignJob(const std::filesystem::path& out, const CheckpointTimes& times, Observer& observer);
  AlignJob(AlignJob&&) noexcept;
  AlignJob& operator=(AlignJob&&) noexcept;
  ~AlignJob();

  [[nodiscard]] const RunRequest& request() const;
  /// Whether the run was complete already when it was to go on; then there is nothing to do.
  [[nodiscard]] bool complete() const;

  /// Loads the pair, aligns it and writes the folder. `load` is called once. What was done stays in
  /// checkpoints where something else than the work itself ends it; the observer or the exception says how to
  /// go on.
  Session run(const std::function<LoadedPair()>& load, std::size_t threads);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace dovetail

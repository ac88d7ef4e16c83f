#pragma once

#include <dovetail/align_job.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "alignment/progress.h"
#include "common/stopwatch.h"
#include "runs/checked_file.h"

namespace dovetail {

/// Every file and folder that the run reads.
[[nodiscard]] std::vector<std::filesystem::path> inputs_of(const RunRequest& request);

/// A checkpoint that is being read. The trainer's state, which is large, is read when there is a trainer.
class CheckpointReader {
 public:
  /// Throws InputError where the file is not a checkpoint, or one of another version.
  explicit CheckpointReader(const std::filesystem::path& path);

  RunRequest request;
  Progress progress;
  /// Whether a training was going on.
  [[nodiscard]] bool has_trainer() const { return has_trainer_; }
  /// Once, after the progress has been read.
  void restore(Trainer<float>& trainer);

 private:
  CheckedReader reader_;
  bool has_trainer_ = false;
};

/// The checkpoints of a run that writes OUT: files in OUT.checkpoint, of which the last two are kept, so that
/// one that is damaged never ends a run.
class Checkpoints final : public Keeper {
 public:
  /// Nothing is read or written yet. The observer, who is asked whether the work is given up, outlives this.
  Checkpoints(const std::filesystem::path& out, const CheckpointTimes& times, Observer& observer);

  /// Of a new run: writes the first one. Throws SystemError if there are some of another run already, unless
  /// the request is to replace what is there.
  void begin(const RunRequest& request);
  /// Of a run to go on with: reads the newest that is not damaged. Nothing if there is none. Throws
  /// InputError if all are damaged or of another version of Dovetail.
  [[nodiscard]] const RunRequest* open();
  /// The inputs have been read. Throws InputError if they are not those of the checkpoint.
  void loaded(const LoadedPair& pair);
  /// Whether there is more to go on from than the request.
  [[nodiscard]] bool worth_keeping() const { return worth_keeping_; }
  /// Whether open() found one.
  [[nodiscard]] bool resumed() const { return resumed_; }
  void remove();

  [[nodiscard]] bool keeps() const override { return times_.every > 0; }
  void keep(Progress& progress, Trainer<float>* trainer) override;
  [[nodiscard]] Progress kept() override;
  void restore(Trainer<float>& trainer) override;

 private:
  [[nodiscard]] bool is_due(const Progress& progress, Trainer<float>* trainer) const;
  /// Seconds that the next one will take, about. There may be no trainer.
  [[nodiscard]] double cost_of(Trainer<float>* trainer) const;
  void write(Progress& progress, Trainer<float>* trainer);

  std::filesystem::path out_, folder_;
  CheckpointTimes times_;
  Observer& observer_;
  RunRequest request_;
  std::unique_ptr<CheckpointReader> reader_;  // until all of it has been read
  std::uint64_t number_ = 0;                  // of the last one
  bool worth_keeping_ = false, resumed_ = false;
  Stopwatch watch_;
  double written_at_ = 0, cost_ = 0;  // of the last one, in seconds
  bool trainer_written_ = false;      // so that the cost is that of a training
};

}  // namespace dovetail

#include <dovetail/align_job.h>
#include <dovetail/errors.h>

#include <cerrno>
#include <fmt/format.h>
#include <new>
#include <optional>
#include <utility>

#include "alignment/progress.h"
#include "common/stopwatch.h"
#include "formats/output_folder.h"
#include "runs/checkpoints.h"
#include "runs/run_folder.h"
#include "session/save_run.h"

namespace dovetail {

namespace fs = std::filesystem;

struct AlignJob::State {
  State(const fs::path& folder, const Reading& reading, const CheckpointTimes& times, Observer& told)
      : out(folder), observer(told), target(folder, reading), checkpoints(folder, times, told) {}

  fs::path out;
  Observer& observer;
  OutputFolder target;
  Checkpoints checkpoints;
  RunRequest request;
  bool complete = false;

  Session work(const std::function<LoadedPair()>& load, std::size_t threads) {
    AlignOptions options = request.options;
    options.threads = threads;
    options.scratch = target.working_path();
    const Stopwatch watch;
    LoadedPair pair = load();
    checkpoints.loaded(pair);
    const double seconds = watch.seconds();
    Run run = run_alignment(pair, options, observer, checkpoints);
    run.seconds.load = seconds;
    run.seconds.total += seconds;
    write_run(run, pair, target, request.report);
    checkpoints.remove();
    return {std::move(pair), std::move(run)};
  }

  [[nodiscard]] std::string how_to_go_on() const {
    return fmt::format("go on with dovetail align --resume {}", out.string());
  }
  void keep_or_remove() {
    if (!checkpoints.worth_keeping()) return checkpoints.remove();
    observer.warning("what has been done is kept: " + how_to_go_on());
  }
};

AlignJob::AlignJob(const fs::path& out, const RunRequest& request, const std::vector<fs::path>& inputs,
                   const CheckpointTimes& times, Observer& observer)
    : state_(nullptr) {
  FolderTarget wanted = run_target(request.replace, inputs_of(request));
  wanted.reading.inputs.insert(wanted.reading.inputs.end(), inputs.begin(), inputs.end());
  state_ = std::make_unique<State>(out, wanted.reading, times, observer);
  state_->target.prepare(wanted, observer);
  state_->request = request;
  state_->checkpoints.begin(request);
}

AlignJob::AlignJob(const fs::path& out, const CheckpointTimes& times, Observer& observer)
    : state_(std::make_unique<State>(out, Reading{}, times, observer)) {
  const RunRequest* const kept = state_->checkpoints.open();
  state_->complete = fs::exists(out / "run.json") && (kept == nullptr || !kept->replace);
  if (state_->complete) {
    state_->checkpoints.remove();
    return;
  }
  if (kept == nullptr) {
    throw SystemError(
        fmt::format("{}: there is no checkpoint of a run to go on with; start one with dovetail "
                    "align INPUT --out {}",
                    out.string(), out.string()),
        ENOENT);
  }
  state_->request = *kept;
  state_->target.prepare(run_target(kept->replace, inputs_of(*kept)), observer);
}

AlignJob::AlignJob(AlignJob&&) noexcept = default;
AlignJob& AlignJob::operator=(AlignJob&&) noexcept = default;
AlignJob::~AlignJob() = default;

const RunRequest& AlignJob::request() const {
  return state_->request;
}

bool AlignJob::complete() const {
  return state_->complete;
}

Session AlignJob::run(const std::function<LoadedPair()>& load, std::size_t threads) {
  State& state = *state_;
  try {
    return state.work(load, threads);
  } catch (const Cancelled&) {
    if (!state.checkpoints.keeps()) throw;
    throw Cancelled("stopped; " + state.how_to_go_on());
  } catch (const SystemError&) {
    if (state.target.kept_in().empty()) {
      state.keep_or_remove();
    } else {
      state.checkpoints.remove();  // the result is there, in another folder
    }
    throw;
  } catch (const std::bad_alloc&) {
    state.keep_or_remove();
    throw;
  } catch (...) {  // it would end there again
    if (!state.checkpoints.resumed()) state.checkpoints.remove();
    throw;
  }
}

}  // namespace dovetail

#include <dovetail/errors.h>
#include <dovetail/parameters.h>
#include <dovetail/run.h>
#include <dovetail/study.h>

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <numeric>
#include <utility>

#include "common/build_id.h"
#include "common/stopwatch.h"
#include "common/text.h"
#include "graph/fingerprint.h"
#include "study/settings.h"

namespace dovetail {
namespace {

/// Shows the progress of a run as part of the study's; what a run has to say in words would drown the rest.
class RunObserver : public Observer {
 public:
  RunObserver(Observer& observer, std::string name) : observer_(observer), name_(std::move(name)) {}
  void progress(std::string_view task, std::uint64_t done, std::uint64_t total,
                std::string_view unit) override {
    observer_.progress(fmt::format("{}, {}", name_, task), done, total, unit);
  }
  bool cancelled() override { return observer_.cancelled(); }

 private:
  Observer& observer_;
  std::string name_;
};

std::vector<Link> all_links(const SeedLinks& links) {
  std::vector<Link> all = links.train;
  all.insert(all.end(), links.valid.begin(), links.valid.end());
  all.insert(all.end(), links.test.begin(), links.test.end());
  std::ranges::sort(all);
  return all;
}

/// The data of the moment; links can be divided anew without loading again.
class Bench {
 public:
  explicit Bench(const StudyData& data) : data_(data) {}

  [[nodiscard]] std::uint64_t fingerprint() {
    if (data_.fingerprint) return *data_.fingerprint;
    if (!own_fingerprint_) own_fingerprint_ = dovetail::fingerprint(pair().graphs, pair().links, false);
    return *own_fingerprint_;
  }

  /// The same division for all seeds of a study.
  const LoadedPair& divided(std::optional<double> seed_ratio) {
    LoadedPair& loaded = pair();
    if (seed_ratio) {
      loaded.links = split_links(all_, {.seed_ratio = *seed_ratio});
    } else {
      loaded.links = as_loaded_;
    }
    if (loaded.links.test.empty()) {
      throw ParameterError(fmt::format(
          "{}: there are no test links to judge a run by; divide the links with --seed-ratio", data_.name));
    }
    return loaded;
  }

 private:
  LoadedPair& pair() {
    if (!pair_) {
      pair_ = std::make_unique<LoadedPair>(data_.load());
      as_loaded_ = pair_->links;
      all_ = all_links(as_loaded_);
    }
    return *pair_;
  }

  const StudyData& data_;
  std::unique_ptr<LoadedPair> pair_;
  std::optional<std::uint64_t> own_fingerprint_;
  SeedLinks as_loaded_;
  std::vector<Link> all_;
};

double share_reviewed(const std::vector<Turn>& turns) {
  std::size_t trained = 0, reviewed = 0;
  for (std::size_t n = 1; n < turns.size(); ++n) {
    trained += turns[n].trained_on;
    reviewed += turns[n - 1].reviewed;
  }
  return trained == 0 ? 0 : static_cast<double>(reviewed) / static_cast<double>(trained);
}

RunRecord record_of(const Run& run) {
  const Evaluation& evaluation = run.closed.evaluation;
  RunRecord record;
  record.figures = {{"hits@1", evaluation.right_to_left.hits_at_1},
                    {"hits@10", evaluation.right_to_left.hits_at_10},
                    {"mrr", evaluation.right_to_left.mrr},
                    {"hits@1_left_to_right", evaluation.left_to_right.hits_at_1},
                    {"seconds", run.seconds.total},
                    {"train_seconds", run.seconds.train},
                    {"memory", static_cast<double>(run.training.working_bytes)},
                    {"reviewed", share_reviewed(run.training.turns)}};
  record.degrees = run.closed.by_degree;
  return record;
}

class Studying {
 public:
  Studying(const StudyPlan& plan, const std::vector<StudyData>& data, const StudyOptions& options,
           RunStore& store, Observer& observer)
      : data_(data),
        store_(store),
        observer_(observer),
        study_{.plan = plan, .options = options, .data = {}, .sizes = {}, .runs = {}, .command = {}},
        total_(data.size() * plan.variants.size() * options.seeds) {
    for (const StudyData& pair : data) {
      study_.data.push_back(pair.name);
      study_.sizes.push_back(pair.size);
    }
    for (const Variant& variant : plan.variants)
      check_options(configure(variant, options.first_seed).options);
  }

  Study run() {
    for (std::size_t d = 0; d < data_.size(); ++d) {
      Bench bench(data_[d]);
      for (std::size_t v = 0; v < study_.plan.variants.size(); ++v) {
        for (std::size_t s = 0; s < study_.options.seeds; ++s) {
          study_.runs.push_back({.data = d,
                                 .variant = v,
                                 .seed = study_.options.first_seed + s,
                                 .key = {},
                                 .error = {},
                                 .record = {}});
          settle(bench, study_.runs.back());
        }
      }
    }
    return std::move(study_);
  }

 private:
  [[nodiscard]] RunConfiguration configure(const Variant& variant, std::uint64_t seed) const {
    RunConfiguration configuration = study_defaults();
    for (const auto* settings : {&study_.plan.base, &study_.options.settings, &variant.settings}) {
      apply(*settings, configuration);
    }
    configuration.options.seed = seed;
    configuration.options.threads = study_.options.threads;
    return configuration;
  }

  /// Finds the run's result, or makes it.
  void settle(Bench& bench, StudyRun& run) {
    const std::string name = fmt::format("{}, {}, seed {}", data_[run.data].name,
                                         study_.plan.variants[run.variant].name, run.seed);
    const RunConfiguration configuration = configure(study_.plan.variants[run.variant], run.seed);
    const std::string place = fmt::format("run {} of {}", study_.runs.size(), total_);
    try {
      run.key = run_key(configuration, bench.fingerprint(), build_id());
      if (std::optional<RunRecord> kept = store_.find(run.key)) {
        run.record = std::move(*kept);
        run.from_store = true;
        return;
      }
      RunObserver observer(observer_, fmt::format("{}: {}", place, name));
      const LoadedPair& pair = bench.divided(configuration.seed_ratio);
      const Stopwatch watch;
      run.record = record_of(run_alignment(pair, configuration.options, observer));
      store_.keep(run.key, run.record, all_settings(configuration));
      spent_ += watch.seconds();
      ++done_;
      observer_.note(fmt::format("{}: {}: Hits@1 {:.3f}, {:.1f} s; {}", place, name,
                                 run.record.figures.at("hits@1"), run.record.figures.at("seconds"), left()));
    } catch (const Cancelled&) {
      throw;  // no failure of the run: the whole study is given up
    } catch (const std::exception& error) {
      run.error = error.what();
      observer_.warning(fmt::format("{}: {}: failed: {}", place, name, run.error));
    }
  }

  /// By the mean of the runs so far.
  [[nodiscard]] std::string left() const {
    const std::size_t rest = total_ - study_.runs.size();
    if (rest == 0) return "all done";
    const double seconds = spent_ / static_cast<double>(done_) * static_cast<double>(rest);
    return fmt::format("about {} left", duration_text(seconds));
  }

  const std::vector<StudyData>& data_;
  RunStore& store_;
  Observer& observer_;
  Study study_;
  std::size_t total_;
  std::size_t done_ = 0;
  double spent_ = 0;
};

}  // namespace

Study run_study(const StudyPlan& plan, const std::vector<StudyData>& data, const StudyOptions& options,
                RunStore& store, Observer& observer) {
  if (data.empty()) throw ParameterError("a study needs data to run on");
  if (options.seeds == 0) throw ParameterError("seeds is 0; expected 1 or more");
  return Studying(plan, data, options, store, observer).run();
}

}  // namespace dovetail

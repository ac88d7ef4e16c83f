#include <dovetail/run.h>
#include <dovetail/version.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>

#include "alignment/parameters.h"
#include "io/graph_writer.h"
#include "io/model_file.h"
#include "io/output_file.h"
#include "io/pair_json.h"

namespace dovetail {

namespace {

using nlohmann::json;

json options_json(const AlignOptions& options) {
  json all = {{"seed", options.seed}, {"threads", options.threads}};
  visit_parameters(options, [&](const char* room, const char* name, const auto& value, const char* /*help*/) {
    if constexpr (std::is_enum_v<std::decay_t<decltype(value)>>) {
      all[room][name] = enum_name(value);
    } else {
      all[room][name] = value;
    }
  });
  return all;
}

json metrics_json(const RankMetrics& metrics) {
  return {{"count", metrics.count},        {"hits@1", metrics.hits_at_1}, {"hits@5", metrics.hits_at_5},
          {"hits@10", metrics.hits_at_10}, {"mrr", metrics.mrr},          {"mean_rank", metrics.mean_rank}};
}

/// Right to left on top, the direction that the literature prints; both below.
json evaluation_json(const Evaluation& evaluation) {
  json both = metrics_json(evaluation.right_to_left);
  both["direction"] = "right_to_left";
  both["right_to_left"] = metrics_json(evaluation.right_to_left);
  both["left_to_right"] = metrics_json(evaluation.left_to_right);
  return both;
}

json training_json(const TrainingReport& report) {
  json epochs = json::array();
  for (const TrainingReport::Epoch& epoch : report.epochs) {
    epochs.push_back({{"loss", epoch.loss}, {"valid_loss", epoch.valid_loss}});
  }
  return {{"steps", report.steps},
          {"stopped_early", report.stopped_early},
          {"sampling", enum_name(report.sampling)},
          {"working_bytes", report.working_bytes},
          {"epochs", epochs}};
}

json run_json(const Run& run, const LoadedPair& pair, std::size_t links) {
  json record = {{"dovetail", kVersion},
                 {"mode", "basic"},
                 {"configuration", options_json(run.options)},
                 {"data", pair_json(pair)},
                 {"training", training_json(run.training)},
                 {"links", links},
                 {"seconds",
                  {{"load", run.seconds.load},
                   {"train", run.seconds.train},
                   {"match", run.seconds.match},
                   {"total", run.seconds.total}}},
                 {"peak_memory_bytes", run.peak_memory_bytes}};
  if (!pair.links.test.empty()) {
    record["evaluation"] = {{"closed", evaluation_json(run.closed.evaluation)},
                            {"open", evaluation_json(run.open.evaluation)}};
  }
  return record;
}

/// Each left entity with its best candidate; returns how many.
std::size_t write_links(const Candidates& candidates, const GraphPair& graphs,
                        const std::filesystem::path& path) {
  OutputFile file(path);
  file << "left\tright\tscore\tmargin\n";
  std::size_t count = 0;
  for (std::size_t row = 0; row < candidates.entities.size(); ++row) {
    if (candidates.ranked[row].empty()) continue;
    const Candidate& best = candidates.ranked[row].front();
    const std::string_view left = graphs.left().entity(candidates.entities[row]);
    const std::string_view right = graphs.right().entity(best.entity);
    for (const std::string_view name : {left, right}) check_tsv_field(path, name);
    file << left << "\t" << right << fmt::format("\t{:.6f}\t{:.6f}\n", best.score, candidates.margin(row));
    ++count;
  }
  file.commit();
  return count;
}

}  // namespace

void save_run(const Run& run, const LoadedPair& pair, const std::filesystem::path& folder, bool replace) {
  OutputFolder target(folder, replace);
  const std::size_t links = write_links(run.open.left, pair.graphs, target.working_path() / "links.tsv");
  save_model(run.model, target.working_path() / "model.dovetail");
  OutputFile record(target.working_path() / "run.json");
  record << run_json(run, pair, links).dump(2) << "\n";
  record.commit();
  target.commit();
}

}  // namespace dovetail

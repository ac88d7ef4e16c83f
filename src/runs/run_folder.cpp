#include "runs/run_folder.h"

#include <dovetail/parameters.h>
#include <dovetail/version.h>

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "formats/graph_writer.h"
#include "formats/iri.h"
#include "formats/output_file.h"
#include "formats/output_folder.h"
#include "formats/pair_source.h"
#include "runs/candidate_file.h"
#include "runs/model_file.h"
#include "runs/pair_json.h"
#include "runs/saved_run.h"

namespace dovetail {

namespace {

using nlohmann::json;

json metrics_json(const RankMetrics& metrics) {
  return {{"count", metrics.count},        {"hits@1", metrics.hits_at_1}, {"hits@5", metrics.hits_at_5},
          {"hits@10", metrics.hits_at_10}, {"mrr", metrics.mrr},          {"mean_rank", metrics.mean_rank}};
}

json both_directions(const Evaluation& evaluation) {
  return {{"right_to_left", metrics_json(evaluation.right_to_left)},
          {"left_to_right", metrics_json(evaluation.left_to_right)}};
}

/// Right to left on top, the direction that the literature prints; both below.
json evaluation_json(const Alignment& alignment, const AlignOptions& options) {
  json record = metrics_json(alignment.evaluation.right_to_left);
  record["direction"] = "right_to_left";
  record["decoder"] = enum_name(options.deciding.decoder);
  record.update(both_directions(alignment.evaluation));
  record["by_degree"] = degrees_json(alignment.by_degree);
  for (const SignalEvaluation& own : alignment.alone) {
    record[own.signal + "_csls"] = both_directions(own.evaluation);
  }
  if (alignment.plain_sum) record["plain_sum"] = both_directions(*alignment.plain_sum);
  // Pairs that were trained on come from this pool, which a basic run does not look at.
  if (options.mode != Mode::basic) record["mined_from"] = enum_name(options.deciding.pool);
  return record;
}

json precision_json(const PrecisionRecall& figures) {
  return {{"predicted", figures.predicted}, {"gold", figures.gold},     {"correct", figures.correct},
          {"precision", figures.precision}, {"recall", figures.recall}, {"f1", figures.f1}};
}

const char* origin_text(ConfidenceOrigin origin) {
  switch (origin) {
    case ConfidenceOrigin::fitted:
      return "fitted on held-out seeds";
    case ConfidenceOrigin::estimated:
      return "estimated without seeds, from decoys";
    case ConfidenceOrigin::both:
      return "fitted on few held-out seeds and estimated from decoys";
    case ConfidenceOrigin::none:
      break;
  }
  return "not available: Sinkhorn's probability";
}

json decisions_json(const Decisions& decisions, bool judged) {
  json record = {
      {"links", decisions.links.size()},
      {"no_counterpart", without_counterpart(decisions.unmatched_left).size()},
      {"no_counterpart_right", without_counterpart(decisions.unmatched_right).size()},
      {"share_without_counterpart", {{"left", decisions.share_left}, {"right", decisions.share_right}}},
      {"confidence", origin_text(decisions.origin)}};
  if (decisions.origin != ConfidenceOrigin::none) {
    record["expected"] = {{"right", decisions.expected.right},
                          {"precision", decisions.expected.precision},
                          {"precision_low", decisions.expected.precision_low},
                          {"precision_high", decisions.expected.precision_high}};
  }
  if (!judged) return record;
  json bins = json::array();
  for (const Calibration::Bin& bin : decisions.reliability.bins) {
    bins.push_back({{"count", bin.count}, {"confidence", bin.confidence}, {"right", bin.right}});
  }
  record["reliability"] = {{"count", decisions.reliability.count},
                           {"expected_calibration_error", decisions.reliability.expected_error},
                           {"coverage_at_precision_95", decisions.at_95.share},
                           {"bins", bins}};
  json points = json::array();
  for (const CoveragePoint& point : decisions.by_coverage) {
    points.push_back({{"share", point.share},
                      {"least_confidence", point.least_confidence},
                      {"precision", point.precision}});
  }
  record["precision_by_coverage"] = points;
  record["test_links"] = precision_json(decisions.verdicts.links);
  return record;
}

json logistic_json(const LogisticModel& model) {
  return {{"features", model.features},
          {"mean", model.mean},
          {"deviation", model.deviation},
          {"weight", model.weight},
          {"intercept", model.intercept}};
}

json turn_json(const Turn& turn) {
  json record = {{"trained_on", turn.trained_on},
                 {"found", turn.found},
                 {"reviewed", turn.reviewed},
                 {"loss", turn.loss},
                 {"steps", turn.steps},
                 {"train_seconds", turn.train_seconds},
                 {"search_seconds", turn.search_seconds}};
  if (turn.hits_at_1) record["hits@1"] = *turn.hits_at_1;
  if (turn.judged > 0) {
    record["judged"] = turn.judged;
    record["precision"] = static_cast<double>(turn.right) / static_cast<double>(turn.judged);
  }
  return record;
}

json training_json(const TrainingReport& report) {
  json epochs = json::array();
  for (const TrainingReport::Epoch& epoch : report.epochs) {
    epochs.push_back({{"steps", epoch.steps}, {"loss", epoch.loss}, {"valid_loss", epoch.valid_loss}});
  }
  json turns = json::array();
  for (const Turn& turn : report.turns) turns.push_back(turn_json(turn));
  return {{"steps", report.steps},
          {"stopped_early", report.stopped_early},
          {"sampling", enum_name(report.sampling)},
          {"working_bytes", report.working_bytes},
          {"epochs", epochs},
          {"turns", turns}};
}

json run_json(const Run& run, const LoadedPair& pair, const std::filesystem::path& home = {}) {
  json record = {{"dovetail", kVersion},
                 {"mode", enum_name(run.options.mode)},
                 {"strategy", enum_name(run.options.semi.strategy)},
                 {"candidates", enum_name(run.options.deciding.pool)},
                 {"configuration", configuration_json(run.options)},
                 {"inputs", inputs_json(pair, home)},
                 {"data", pair_json(pair)},
                 {"training", training_json(run.training)},
                 {"links", run.decisions.links.size()},
                 {"decisions", decisions_json(run.decisions, !pair.links.test.empty())},
                 {"seconds",
                  {{"load", run.seconds.load},
                   {"train", run.seconds.train},
                   {"match", run.seconds.match},
                   {"confidence", run.seconds.confidence},
                   {"total", run.seconds.total}}},
                 {"planned_memory_bytes", run.planned_memory_bytes},
                 {"peak_memory_bytes", run.peak_memory_bytes}};
  if (run.confidence) {
    record["confidence_model"] = {{"link", logistic_json(run.confidence->link)},
                                  {"none", logistic_json(run.confidence->none)},
                                  {"examples", run.confidence->examples}};
    const LogisticModel& right = run.confidence->none_right;
    if (!right.features.empty()) {
      record["confidence_model"]["none_right"] = logistic_json(right);
      record["confidence_model"]["link_right"] = logistic_json(run.confidence->link_right);
    }
  }
  if (!pair.links.test.empty()) {
    for (const auto& [name, alignment] : {std::pair("closed", &run.closed), {"open", &run.open}}) {
      if (alignment->evaluation.right_to_left.count > 0) {
        record["evaluation"][name] = evaluation_json(*alignment, run.options);
      }
    }
    if (run.structure_only) record["evaluation"]["structure_only"] = both_directions(*run.structure_only);
  }
  return record;
}

void write_links(const std::vector<DecidedLink>& links, const GraphPair& graphs,
                 const std::filesystem::path& path) {
  OutputFile file(path);
  file << "left\tright\tscore\tmargin\tconfidence\n";
  for (const DecidedLink& link : links) {
    const std::string_view left = graphs.left().entity(link.left);
    const std::string_view right = graphs.right().entity(link.right);
    for (const std::string_view name : {left, right}) check_tsv_field(path, name);
    file << left << "\t" << right
         << fmt::format("\t{:.6f}\t{:.6f}\t{:.4f}\n", link.score, link.margin, link.confidence);
  }
  file.commit();
}

/// Entities of both sides that are in no link, with their best candidates.
void write_unmatched(const Decisions& decisions, const GraphPair& graphs, const std::filesystem::path& path) {
  OutputFile file(path);
  file << "side\tentity\tcandidate\tscore\tprobability\treason\n";
  const auto write = [&](Side side, const std::vector<Unmatched>& entities) {
    const Side other = side == Side::left ? Side::right : Side::left;
    for (const Unmatched& entity : entities) {
      const std::string_view name = graphs.graph(side).entity(entity.entity);
      check_tsv_field(path, name);
      file << (side == Side::left ? "left" : "right") << "\t" << name << "\t";
      if (entity.candidate != kNone) file << graphs.graph(other).entity(entity.candidate);
      file << fmt::format("\t{:.6f}\t{:.4f}\t{}\n", entity.score, entity.probability,
                          reason_name(entity.reason));
    }
  };
  write(Side::left, decisions.unmatched_left);
  write(Side::right, decisions.unmatched_right);
  file.commit();
}

}  // namespace

json configuration_json(const AlignOptions& options) {
  json all = {{"threads", options.threads}, {"given", options.given}};
  visit_parameters(options, [&](const char* room, const char* name, const auto& value, const char* /*help*/) {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_enum_v<Value>) {
      all[room][name] = enum_name(value);
    } else if constexpr (std::is_same_v<Value, std::filesystem::path>) {
      all[room][name] = path_text(value);
    } else if constexpr (std::is_same_v<Value, Bytes>) {
      all[room][name] = value.count;
    } else {
      all[room][name] = value;
    }
  });
  return all;
}

namespace {

std::string text_of(const json& record) {
  return record.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string run_record(const Run& run, const LoadedPair& pair) {
  return text_of(run_json(run, pair));
}

FolderTarget run_target(bool replace, std::vector<std::filesystem::path> inputs) {
  return {.kind = FolderKind::run,
          .replace = replace,
          .reading = {.inputs = std::move(inputs)},
          .names = run_file_names()};
}

void write_results(const Run& run, const LoadedPair& pair, OutputFolder& target) {
  write_links(run.decisions.links, pair.graphs, target.working_path() / "links.tsv");
  if (run.options.deciding.pool == CandidatePool::open) {
    write_unmatched(run.decisions, pair.graphs, target.working_path() / "unmatched.tsv");
  }
  const bool open = run.options.deciding.pool == CandidatePool::open;
  write_candidates((open ? run.open : run.closed).left, target.working_path() / kCandidatesFile);
  if (run.model.entity_count > 0) save_model(run.model, target.working_path() / "model.dovetail");
  OutputFile record(target.working_path() / "run.json");
  record << text_of(run_json(run, pair, target.final_path()));
  record.commit();
}

void copy_run(const SavedRun& run, const std::filesystem::path& folder, bool replace, Observer& observer) {
  FolderTarget wanted = run_target(replace, inputs_of(run));
  wanted.reading.run = run.folder;
  wanted.reading.inputs.push_back(run.folder);
  OutputFolder target(folder, wanted, observer);
  for (const auto& [name, entry] : inspect_folder(run.folder).owned.files) {
    const std::filesystem::path copy = target.working_path() / name;
    std::filesystem::create_directories(copy.parent_path());
    copy_flushed(run.folder / name, copy);
    if (entry.kept) target.keep(name);
  }
  target.commit();
}

}  // namespace dovetail

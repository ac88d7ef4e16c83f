#include "summary.h"

#include <dovetail/errors.h>
#include <dovetail/parameters.h>
#include <dovetail/text.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>
#include <vector>

#include "terminal.h"

using namespace dovetail;

namespace {

using nlohmann::ordered_json;

std::string evaluation_table(const Run& run) {
  std::string text = fmt::format("{:<34}{:>9}{:>9}{:>9}\n", "test links", "Hits@1", "Hits@10", "MRR");
  const auto row = [&](const std::string& name, const RankMetrics& metrics) {
    text += fmt::format("{:<34}{:>9.3f}{:>9.3f}{:>9.3f}\n", name, metrics.hits_at_1, metrics.hits_at_10,
                        metrics.mrr);
  };
  const auto rows = [&](const std::string& pool, const Alignment& alignment) {
    const std::string_view decoder = enum_name(run.options.deciding.decoder);
    row(fmt::format("{}, {}, right to left", pool, decoder), alignment.evaluation.right_to_left);
    row(fmt::format("{}, {}, left to right", pool, decoder), alignment.evaluation.left_to_right);
  };
  const bool compare = run.options.deciding.compare;
  const bool open = run.options.deciding.pool == CandidatePool::open;
  if (!open || compare) rows("closed", run.closed);
  for (const SignalEvaluation& own : run.closed.alone) {
    if (run.closed.alone.size() == 1 && run.options.deciding.decoder == Decoder::csls) break;  // the same
    row(fmt::format("closed, {} alone, csls", own.signal), own.evaluation.right_to_left);
  }
  if (run.structure_only) row("closed, structure alone, once", run.structure_only->right_to_left);
  if (open || compare) rows("open", run.open);
  return text;
}

/// How many links are expected to be right, and where that estimate comes from.
std::string expectation(const Decisions& decisions, const DecidingOptions& options, const LoadedPair& pair) {
  if (decisions.links.empty()) {
    if (pair.links.train.size() >=
        std::min(pair.graphs.left().entity_count(), pair.graphs.right().entity_count())) {
      return "\nnothing is left to be found: all entities of a side are in seeds";
    }
    if (options.precision > 0) {
      return fmt::format("\nno set of links has an expected precision of {:g}: links.tsv is empty",
                         options.precision);
    }
    if (options.min_confidence > 0)
      return fmt::format("\nno link has a confidence of {:g}", options.min_confidence);
    return "\nnothing can be said to be the same in both graphs: seeds, names or values that both have would "
           "help";
  }
  if (decisions.origin == ConfidenceOrigin::none) return "\nconfidences: not available";
  const ExpectedPrecision& expected = decisions.expected;
  return fmt::format("\nexpected: {} of them right, precision {:.3f} ({:.3f} to {:.3f}); confidences {}",
                     with_commas(static_cast<std::uint64_t>(std::llround(expected.right))),
                     expected.precision, expected.precision_low, expected.precision_high,
                     decisions.origin == ConfidenceOrigin::estimated ? "estimated without seeds"
                     : decisions.origin == ConfidenceOrigin::both    ? "fitted on few seeds and estimated"
                                                                     : "fitted on held-out seeds");
}

/// The files of the run's folder, by what they hold.
ordered_json files_of(const WrittenRun& written) {
  const Run& run = written.run;
  const std::filesystem::path folder = written.out;
  ordered_json files;
  const auto add = [&](bool exists, const char* key, const char* name) {
    if (exists) files[key] = (folder / name).string();
  };
  add(written.report, "report", "report.html");
  add(true, "links", "links.tsv");
  add(run.options.deciding.pool == CandidatePool::open, "unmatched", "unmatched.tsv");
  add(true, "relations", "relations.tsv");
  add(run.options.deciding.reasons > 0, "evidence", "evidence.jsonl");
  add(true, "record", "run.json");
  add(run.model.entity_count > 0, "model", "model.dovetail");
  return files;
}

double writing_seconds(const WrittenRun& written) {
  return std::max(0.0, written.seconds - written.run.seconds.total);
}

std::string run_text(const WrittenRun& written) {
  const auto& [run, pair, out, report, total] = written;
  std::string text;
  const Decisions& decisions = run.decisions;
  if (!pair.links.test.empty()) {
    text += evaluation_table(run);
    if (decisions.reliability.count > 0) {
      text += fmt::format("links: precision {:.3f}, recall {:.3f}; confidences off by {:.3f} on average\n",
                          decisions.verdicts.links.precision, decisions.verdicts.links.recall,
                          decisions.reliability.expected_error);
    }
  }
  text += fmt::format("{} links found from {} seeds", with_commas(decisions.links.size()),
                      with_commas(pair.links.train.size()));
  if (!decisions.unmatched_left.empty() || !decisions.unmatched_right.empty()) {
    text += fmt::format("; without counterpart: {} left, {} right",
                        with_commas(without_counterpart(decisions.unmatched_left).size()),
                        with_commas(without_counterpart(decisions.unmatched_right).size()));
  }
  text += expectation(decisions, run.options.deciding, pair);
  const RunSeconds& seconds = run.seconds;
  text += fmt::format(
      "\n{:.1f} s (load {:.1f}, train {:.1f}, match {:.1f}, confidence {:.1f}, write {:.1f}), peak memory "
      "{}\n",
      total, seconds.load, seconds.train, seconds.match, seconds.confidence, writing_seconds(written),
      human_bytes(run.peak_memory_bytes));
  std::vector<std::string> names;
  const ordered_json files = files_of(written);  // outlives the loop, as items() of a temporary would not
  for (const ordered_json& file : files) {
    names.push_back(std::filesystem::path(file.get<std::string>()).filename().string());
  }
  return text + fmt::format("{}: {}\n", printable(out), fmt::join(names, ", "));
}

ordered_json run_outcome(const WrittenRun& written) {
  const auto& [run, pair, out, report, total] = written;
  const ordered_json record = ordered_json::parse(run_record(run, pair));
  const ordered_json& decisions = record.at("decisions");
  ordered_json outcome = {
      {"output", out},
      {"files", files_of(written)},
      {"mode", record.at("mode")},
      {"strategy", record.at("strategy")},
      {"pool", record.at("pool")},
      {"seeds", pair.links.train.size()},
      {"links", record.at("links")},
      {"no_counterpart",
       {{"left", decisions.at("no_counterpart")}, {"right", decisions.at("no_counterpart_right")}}},
      {"confidence", decisions.at("confidence")}};
  for (const char* key : {"expected", "test_links"}) {
    if (decisions.contains(key)) outcome[key] = decisions.at(key);
  }
  if (decisions.contains("reliability")) {
    outcome["expected_calibration_error"] = decisions.at("reliability").at("expected_calibration_error");
  }
  if (record.contains("evaluation")) {
    outcome["evaluation"] = record.at("evaluation");
    for (auto& pool : outcome["evaluation"]) pool.erase("by_degree");
  }
  outcome["seconds"] = record.at("seconds");
  outcome["seconds"]["write"] = writing_seconds(written);
  outcome["seconds"]["total"] = total;
  outcome["peak_memory_bytes"] = run.peak_memory_bytes;
  return outcome;
}

}  // namespace

void print_outcome(const ordered_json& record, const std::string& text, bool json, bool quiet) {
  if (json) {
    print_result(json_text(record, 2) + "\n");
  } else if (!quiet) {
    print_summary(fitted(text, STDOUT_FILENO));
  }
}

void print_run(const WrittenRun& written, bool json, bool quiet) {
  if (json) {
    print_result(json_text(run_outcome(written), 2) + "\n");
  } else if (!quiet) {
    print_summary(fitted(run_text(written), STDOUT_FILENO));
  }
}

void refuse_json_beside_output(bool json, const std::string& target) {
  if (json && target.empty()) throw ParameterError("--json needs -o FILE: without it, the result is printed");
}

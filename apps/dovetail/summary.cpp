#include "summary.h"

#include <dovetail/parameters.h>
#include <dovetail/text.h>

#include <cmath>
#include <fmt/format.h>

using namespace dovetail;

namespace {

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

/// How many links are expected to be right, and how that is known.
std::string expectation(const Decisions& decisions, const DecidingOptions& options) {
  if (decisions.links.empty()) {
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

}  // namespace

std::string run_summary(const Run& run, const LoadedPair& pair, const std::string& out, bool report) {
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
  text += expectation(decisions, run.options.deciding);
  text += fmt::format("\n{:.1f} s (load {:.1f}, train {:.1f}, match {:.1f}, confidence {:.1f}), {} at most\n",
                      run.seconds.total, run.seconds.load, run.seconds.train, run.seconds.match,
                      run.seconds.confidence, human_bytes(run.peak_memory_bytes));
  const bool open = run.options.deciding.pool == CandidatePool::open;
  return text + fmt::format("{}: {}links.tsv, {}relations.tsv, {}run.json{}\n", printable(out),
                            report ? "report.html, " : "", open ? "unmatched.tsv, " : "",
                            run.options.deciding.reasons > 0 ? "evidence.jsonl, " : "",
                            run.model.entity_count > 0 ? ", model.dovetail" : "");
}

#include "session/save_run.h"

#include <dovetail/explainer.h>
#include <dovetail/parameters.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/pair_source.h"
#include "runs/evidence_file.h"
#include "runs/run_folder.h"
#include "session/run_report.h"
#include "signals/signal.h"

namespace dovetail {
namespace {

/// Explains every left entity that was in question, one after the other: all reasons at once would take more
/// memory than the graphs.
void explain_to(EvidenceWriter& writer, const Run& run, const Explainer& explainer) {
  const bool open = run.options.deciding.pool == CandidatePool::open;
  const Candidates& candidates = (open ? run.open : run.closed).left;
  std::unordered_map<EntityId, std::vector<const DecidedLink*>> decided;  // an entity may have several
  for (const DecidedLink& link : run.decisions.links) decided[link.left].push_back(&link);
  for (std::size_t row = 0; row < candidates.entities.size(); ++row) {
    const EntityId left = candidates.entities[row];
    EvidenceRecord record{.left = left};
    const std::vector<Candidate>& ranked = candidates.ranked[row];
    for (std::size_t n = 0; n < std::min(kListedCandidates, ranked.size()); ++n) {
      record.candidates.push_back({ranked[n], explainer.evidence(left, ranked[n].entity)});
    }
    const auto found = decided.find(left);
    if (found == decided.end()) {
      writer.add(record);
      continue;
    }
    for (const DecidedLink* const link : found->second) {
      record.link = *link;
      record.reasons = explainer.reasons(left, link->right, run.options.deciding.reasons);
      record.evidence = explainer.evidence(left, link->right);
      writer.add(record);
    }
  }
}

}  // namespace

void write_run(const Run& run, const LoadedPair& pair, OutputFolder& target, bool report) {
  const std::filesystem::path& folder = target.working_path();
  write_results(run, pair, target);
  const Explainer explainer(pair.graphs, run.options, pair.links.train, run.decisions.links,
                            {.values = run.values});
  write_relations(explainer.relations(), pair.graphs, folder / "relations.tsv");
  if (run.values != nullptr) write_attributes(run.attributes, pair.graphs, folder / "attributes.tsv");
  if (run.options.deciding.reasons > 0) {
    EvidenceWriter writer(pair.graphs, folder / "evidence.jsonl");
    explain_to(writer, run, explainer);
    writer.commit();
  }
  if (report) {
    // From what was written, so that the page can be made again just as it is.
    write_report(open_run(folder), pair, run.model, folder / "report.html");
  }
  target.commit();
}

void save_run(const Run& run, const LoadedPair& pair, const std::filesystem::path& folder,
              const SaveRunOptions& options) {
  std::vector<std::filesystem::path> inputs = inputs_of(pair.source);
  std::ranges::copy(path_parameters(run.options), std::back_inserter(inputs));
  Observer quiet;
  OutputFolder target(folder, run_target(options.replace, std::move(inputs)),
                      options.observer == nullptr ? quiet : *options.observer);
  write_run(run, pair, target, options.report);
}

}  // namespace dovetail

#include "session/save_run.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <unordered_map>
#include <utility>
#include <vector>

#include "alignment/explainer.h"
#include "alignment/parameters.h"
#include "common/threads.h"
#include "formats/pair_source.h"
#include "runs/evidence_file.h"
#include "runs/run_folder.h"
#include "session/run_report.h"

namespace dovetail {
namespace {

/// Candidates of each entity that evidence.jsonl lists.
constexpr std::size_t kListedCandidates = 5;

/// Explains every left entity that was in question, one after the other: all reasons at once would take more
/// memory than the graphs.
void explain_to(EvidenceWriter& writer, const Run& run, const Explainer& explainer) {
  const bool open = run.options.deciding.pool == CandidatePool::open;
  const Candidates& candidates = (open ? run.open : run.closed).left;
  std::unordered_map<EntityId, const DecidedLink*> decided;
  for (const DecidedLink& link : run.decisions.links) decided.emplace(link.left, &link);
  for (std::size_t row = 0; row < candidates.entities.size(); ++row) {
    const EntityId left = candidates.entities[row];
    EvidenceRecord record{.left = left};
    if (const auto found = decided.find(left); found != decided.end()) {
      const EntityId right = found->second->right;
      record.link = *found->second;
      record.reasons = explainer.reasons(left, right, run.options.deciding.reasons);
      record.evidence = explainer.evidence(left, right);
    }
    const std::vector<Candidate>& ranked = candidates.ranked[row];
    for (std::size_t n = 0; n < std::min(kListedCandidates, ranked.size()); ++n) {
      record.candidates.push_back({ranked[n], explainer.evidence(left, ranked[n].entity)});
    }
    writer.add(record);
  }
}

}  // namespace

void write_run(const Run& run, const LoadedPair& pair, OutputFolder& target, bool report) {
  const std::filesystem::path& folder = target.working_path();
  write_results(run, pair, target);
  ThreadPool pool(run.options.threads);
  const Explainer explainer(pair.graphs, run.options, pair.links.train, run.decisions.links, pool);
  write_relations(explainer.relations(), pair.graphs, folder / "relations.tsv");
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

#include "session/run_report.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <set>
#include <unordered_map>

#include "alignment/embedding_map.h"
#include "alignment/memory_plan.h"
#include "common/text.h"
#include "formats/output_file.h"
#include "formats/output_folder.h"
#include "report/run_page.h"
#include "runs/evidence_file.h"
#include "runs/json_file.h"
#include "runs/saved_run.h"

namespace dovetail {
namespace {

using nlohmann::json;

// What bounds the page, whatever the size of the graphs.
constexpr std::size_t kShown = 25;      // of the surest links, and of the most doubtful
constexpr std::size_t kMapped = 300;    // links on the map
constexpr std::size_t kBins = 20;       // of confidences
constexpr std::size_t kNameBytes = 80;  // of a name on the map
constexpr const char* kReport = "report.html";

class Report {
 public:
  Report(const SavedRun& run, const LoadedPair& pair) : run_(run), pair_(pair) {
    for (const Link& link : pair.links.test) counterpart_.emplace(link.left, link.right);
  }

  [[nodiscard]] std::string page(const Model& model) const {
    RunReport report;
    report.record = read_json(run_.folder / "run.json");
    report.confidences.assign(kBins, 0);
    for (const SavedLink& link : run_.links) {
      const auto bin = static_cast<std::size_t>(std::max(0.0, link.confidence) * kBins);
      ++report.confidences[std::min(bin, kBins - 1)];
    }
    choose_links(report);
    report.embeds = model.entity_count > 0;
    if (report.embeds && features_are_small(model.encoder, model.entity_count)) draw_map(model, report);
    return run_page(report);
  }

 private:
  void choose_links(RunReport& report) const {
    const std::vector<SavedLink>& links = run_.links;
    std::vector<std::size_t> order(links.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
      return std::pair(links[a].confidence, links[a].margin) >
             std::pair(links[b].confidence, links[b].margin);
    });
    const std::size_t surest = std::min(kShown, (order.size() + 1) / 2);
    const std::size_t doubtful = std::min(kShown, order.size() - surest);
    std::set<std::string> wanted;
    const auto want = [&](std::size_t n) { wanted.insert(links[n].left); };
    std::for_each_n(order.begin(), surest, want);
    std::for_each_n(order.rbegin(), doubtful, want);
    const auto evidence = evidence_of(run_.folder, wanted);
    const auto reported = [&](std::size_t n) { return this->reported(links[n], evidence); };
    std::transform(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(surest),
                   std::back_inserter(report.surest), reported);
    std::transform(order.rbegin(), order.rbegin() + static_cast<std::ptrdiff_t>(doubtful),
                   std::back_inserter(report.doubtful), reported);
  }

  [[nodiscard]] ReportedLink reported(const SavedLink& saved,
                                      const std::map<std::string, nlohmann::ordered_json>& evidence) const {
    const Link link = find_link(run_, pair_.graphs, saved);
    const auto end = [](const KnowledgeGraph& graph, EntityId entity) {
      return ReportedEnd{std::string(graph.entity(entity)), std::string(graph.name(entity)),
                         graph.degree(entity)};
    };
    ReportedLink result{.left = end(pair_.graphs.left(), link.left),
                        .right = end(pair_.graphs.right(), link.right),
                        .score = saved.score,
                        .margin = saved.margin,
                        .confidence = saved.confidence,
                        .correct = {},
                        .evidence = nullptr};
    if (const auto known = counterpart_.find(link.left); known != counterpart_.end()) {
      result.correct = known->second == link.right;
    }
    if (const auto found = evidence.find(saved.left); found != evidence.end())
      result.evidence = found->second;
    return result;
  }

  void draw_map(const Model& model, RunReport& report) const {
    const std::size_t count = std::min(kMapped, run_.links.size());
    std::vector<Link> links;
    std::vector<double> confidences;
    for (std::size_t n = 0; n < count; ++n) {  // ids are shuffled, so that places far apart are a fair choice
      const SavedLink& link = run_.links[n * run_.links.size() / count];
      links.push_back(find_link(run_, pair_.graphs, link));
      confidences.push_back(link.confidence);
    }
    Observer quiet;
    const std::vector<MappedLink> places = embedding_map(pair_.graphs, model, run_.options, links, quiet);
    for (std::size_t n = 0; n < count; ++n) {
      report.map.push_back({{"left", point(places[n].left, pair_.graphs.left().name(links[n].left))},
                            {"right", point(places[n].right, pair_.graphs.right().name(links[n].right))},
                            {"confidence", confidences[n]}});
    }
  }

  static json point(const MapPlace& place, std::string_view name) {
    const auto rounded = [](double value) { return std::round(value * 1e4) / 1e4; };
    return {{"x", rounded(place.x)}, {"y", rounded(place.y)}, {"name", shortened(name, kNameBytes)}};
  }

  const SavedRun& run_;
  const LoadedPair& pair_;
  std::unordered_map<EntityId, EntityId> counterpart_;  // of the test links
};

}  // namespace

void write_report(const SavedRun& run, const LoadedPair& pair, const Model& model,
                  const std::filesystem::path& path) {
  std::string page;
  try {
    page = Report(run, pair).page(model);
  } catch (const json::exception& error) {
    throw InputError(
        run.folder.string(), 0,
        fmt::format("found records of another kind ({}); expected those that this version's align "
                    "writes; align again",
                    error.what()));
  }
  OutputFile file(path);
  file << page;
  file.commit();
}

void write_report(const SavedRun& run, Observer& observer) {
  OutputFolder target(run.folder,
                      {.kind = FolderKind::run,
                       .replace = true,
                       .in_part = true,
                       .into_run = true,
                       .reading = {.inputs = inputs_of(run), .run = run.folder},
                       .names = {kReport}},
                      observer);
  const LoadedPair pair = load_run_inputs(run, false, observer);
  const bool embeds = std::filesystem::exists(run.folder / "model.dovetail");
  write_report(run, pair, embeds ? load_run_model(run) : Model{}, target.working_path() / kReport);
  target.commit();
}

}  // namespace dovetail

#include "graph/merge.h"

#include <dovetail/export.h>
#include <dovetail/version.h>

#include <array>
#include <fmt/format.h>
#include <string>

#include "formats/graph_writer.h"
#include "formats/iri.h"
#include "formats/output_file.h"
#include "graph/entity_types.h"
#include "graph/literal.h"
#include "runs/saved_run.h"

namespace dovetail {

namespace {

constexpr std::string_view kDerivedFrom = "http://www.w3.org/ns/prov#wasDerivedFrom";
constexpr std::string_view kComment = "http://www.w3.org/2000/01/rdf-schema#comment";

/// The seeds, and what was found and is sure enough.
std::vector<Link> all_links(const SavedRun& run, const LoadedPair& pair, double min_confidence) {
  std::vector<Link> links = pair.links.train;
  links.insert(links.end(), pair.links.valid.begin(), pair.links.valid.end());
  for (const SavedLink& link : run.links) {
    if (link.confidence < min_confidence) continue;
    links.push_back(find_link(run, pair.graphs, link));
  }
  return links;
}

/// All that is written: one graph or, in formats that know named graphs, several, so that what comes from
/// where stays visible.
class Merging {
 public:
  enum Part : std::size_t { about, left, right, links };

  explicit Merging(bool named) : named_(named) {}

  MergedGraph& part(Part which) { return parts_.at(named_ ? which : about); }
  void add(const LoadedPair& pair, Side side, const MergedNames& names) {
    part(side == Side::left ? Part::left : Part::right).add(pair.graphs.graph(side), side, names);
  }
  /// Where it comes from, in the words of PROV.
  void add_note(const SavedRun& run, const std::string& text) {
    const PairSource& source = *run.inputs;
    const bool folder = !source.folder.empty();
    derived(left, folder ? source.folder : source.left);
    derived(right, folder ? source.folder : source.right);
    derived(links, std::filesystem::absolute(run.folder / "links.tsv"));
    part(about).literal(name(links), kComment, make_literal(text, {}, {}));
  }

  [[nodiscard]] MergeCounts write(GraphWriter& writer, Observer& observer) && {
    MergeCounts counts;
    for (std::size_t which = 0; which < (named_ ? parts_.size() : 1); ++which) {
      writer.begin_graph(kNames.at(which));
      const KnowledgeGraph graph = std::move(parts_.at(which)).build();
      counts.left_out.entities += write_graph(graph, writer, false, true, "writing", observer).entities;
      counts.triples += graph.triple_count() + graph.literals().size();
    }
    return counts;
  }

 private:
  static constexpr std::array<std::string_view, 4> kNames = {"", "urn:dovetail:left", "urn:dovetail:right",
                                                             "urn:dovetail:links"};

  [[nodiscard]] std::string_view name(Part which) const {
    return named_ ? kNames.at(which) : std::string_view("urn:dovetail:merged");
  }
  void derived(Part which, const std::filesystem::path& source) {
    part(about).triple(name(which), kDerivedFrom, file_iri(source));
  }

  bool named_;
  std::array<MergedGraph, 4> parts_;
};

}  // namespace

MergeCounts merge_run(const SavedRun& run, const std::filesystem::path& path, Format format,
                      const MergeOptions& options, Observer& observer) {
  check_target(path, options.replace, {.inputs = inputs_of(run), .run = run.folder});
  const auto writer = make_graph_writer(path, format);  // refuses what is no format of a graph
  LoadedPair pair = load_run_inputs(run, true, observer);
  if (type_count(pair.graphs.left()) + type_count(pair.graphs.right()) > 0) {
    // Classes go into the merged graph with all that is said of them.
    PairSource source = *run.inputs;
    source.options.keep_literals = source.options.types_as_entities = true;
    pair = load_pair(source, observer);
  }
  const std::vector<Link> links = all_links(run, pair, options.min_confidence);
  const MergedNames names(pair.graphs, links, options.keep);
  const std::vector<MergedNames::Replaced> replaced = names.replaced();

  Merging merging(format == Format::nquads || format == Format::trig);
  // The side whose names are kept comes first, so that its labels are kept too.
  merging.add(pair, options.keep, names);
  merging.add(pair, options.keep == Side::left ? Side::right : Side::left, names);
  for (const auto& [kept, gone] : replaced) merging.part(Merging::links).triple(kept, kSameAs, gone);
  if (format != Format::tsv && format != Format::csv) {
    merging.add_note(run, fmt::format("merged by Dovetail {}: {} entities go by the name of a counterpart",
                                      kVersion, replaced.size()));
  }
  MergeCounts counts = std::move(merging).write(*writer, observer);
  counts.links = links.size();
  counts.replaced = replaced.size();
  writer->commit();
  return counts;
}

}  // namespace dovetail

#include <dovetail/errors.h>
#include <dovetail/export.h>
#include <dovetail/files.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "formats/embedding_writer.h"
#include "formats/format_table.h"
#include "formats/link_writer.h"
#include "formats/output_file.h"
#include "formats/output_folder.h"
#include "graph/merge.h"
#include "runs/saved_run.h"

namespace dovetail {

namespace {

/// By the numbers of the pair's id space, inverse relations left aside.
std::vector<std::string_view> relation_names(const GraphPair& graphs) {
  std::vector<std::string_view> names(graphs.relation_count());
  for (const Side side : {Side::left, Side::right}) {
    const KnowledgeGraph& graph = graphs.graph(side);
    for (RelationId r = 0; r < graph.relation_count(); ++r) {
      names[graphs.shared_relation(side, r)] = graph.relation(r);
    }
  }
  return names;
}

std::vector<std::string> embedding_files(EmbeddingFormat format) {
  if (format == EmbeddingFormat::word2vec) return {"left.vec", "right.vec", "relations.vec"};
  return {"left.npy", "left.txt", "right.npy", "right.txt", "relations.npy", "relations.txt"};
}

LinkFileOptions file_options(const AlignOptions& options, StatementScores scores) {
  const bool names = options.mode == Mode::names;
  return {.score = "confidence",
          .statement_scores = scores,
          .justification = names ? "semapv:CompositeMatching" : "semapv:StructuralMatching"};
}

/// Tables have a column for each side; elsewhere the same label would be the same node.
std::string named_end(Format format, Side side, const std::array<std::string, 2>& iri_prefixes,
                      const std::string& entity) {
  const bool columns = format_entry(format).sided_links;
  return columns ? entity : sided_name(side, iri_prefixes.at(side == Side::left ? 0 : 1), entity);
}

}  // namespace

std::string links_text(std::span<const ExportedLink> links, Format format, const AlignOptions& options,
                       const std::array<std::string, 2>& iri_prefixes) {
  namespace fs = std::filesystem;
  std::string folder = (fs::temp_directory_path() / "dovetail-links-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) {
    throw SystemError(folder + ": cannot make a folder for temporary files", errno);
  }
  const fs::path path = fs::path(folder) / (std::string("links") + format_info(format).extension);
  std::string text;
  try {
    const auto writer = make_link_writer(path, format, file_options(options, StatementScores::none));
    for (const ExportedLink& link : links) {
      const std::string left = named_end(format, Side::left, iri_prefixes, link.left),
                        right = named_end(format, Side::right, iri_prefixes, link.right);
      if (link.judged) {
        writer->curated(left, right, link.confidence, link.reviewer);
      } else {
        writer->link(left, right, link.confidence);
      }
    }
    writer->commit();
    text = read_whole(path);
  } catch (...) {
    fs::remove_all(folder);
    throw;
  }
  fs::remove_all(folder);
  return text;
}

std::uint64_t export_links(const SavedRun& run, const std::filesystem::path& path, Format format,
                           const ExportOptions& options) {
  check_target(path, options.replace, {.inputs = inputs_of(run), .run = run.folder});
  const auto writer = make_link_writer(path, format, file_options(run.options, options.statement_scores));
  const auto prefixes = run.inputs ? run.inputs->iri_prefixes : std::array<std::string, 2>{};
  std::uint64_t count = 0;
  for (const SavedLink& link : run.links) {
    if (link.confidence < options.min_confidence) continue;
    writer->link(named_end(format, Side::left, prefixes, link.left),
                 named_end(format, Side::right, prefixes, link.right), link.confidence);
    ++count;
  }
  writer->commit();
  return count;
}

void export_embeddings(const SavedRun& run, const std::filesystem::path& folder, EmbeddingFormat format,
                       bool replace, Observer& observer) {
  OutputFolder target(folder,
                      {.kind = FolderKind::embeddings,
                       .replace = replace,
                       .reading = {.inputs = inputs_of(run), .run = run.folder},
                       .names = embedding_files(format)},
                      observer);
  const LoadedPair pair = load_run_inputs(run, false, observer);
  const Model model = load_run_model(run);
  const std::size_t dimension = model.encoder.dimension;
  const std::span<const float> entities = model.entities;
  const auto write = [&](const char* stem, std::span<const float> values,
                         std::function<std::string(std::size_t)> name) {
    write_rows({values, dimension, std::move(name)}, target.working_path() / stem, format);
  };
  const auto entity_names = [&](Side side) {
    return [&graph = pair.graphs.graph(side)](std::size_t row) {
      return std::string(graph.entity(static_cast<EntityId>(row)));
    };
  };
  write("left", entities.first(run.left_entities * dimension), entity_names(Side::left));
  write("right", entities.subspan(run.left_entities * dimension), entity_names(Side::right));
  const std::vector<std::string_view> relations = relation_names(pair.graphs);
  write("relations", model.relations, [&](std::size_t row) -> std::string {
    if (row < relations.size()) return std::string(relations[row]);
    if (row < 2 * relations.size()) return "^" + std::string(relations[row - relations.size()]);
    return "self-loop";  // the baseline's edge from each entity to itself
  });
  target.commit();
}

}  // namespace dovetail

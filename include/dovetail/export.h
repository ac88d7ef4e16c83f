#pragma once

#include <dovetail/run.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace dovetail {

struct ExportOptions {
  double min_confidence = 0;  ///< links below it are left out
  StatementScores statement_scores = StatementScores::none;
  bool replace = false;  ///< what is there already
};

/// Writes the links of a run, with their confidences, in a format of kind `links`. "-" is the standard
/// output. Returns how many.
std::uint64_t export_links(const SavedRun& run, const std::filesystem::path& path, Format format,
                           const ExportOptions& options);

/// A link for links_text(), by the identifiers of its ends.
struct ExportedLink {
  std::string left, right;
  double confidence = 0;
  std::string reviewer{};  ///< who confirmed it
  bool judged = false;     ///< a person confirmed it: SSSOM calls that manual curation
};

/// The content of a file of links in a format of kind `links`, not compressed. `options` are those of the run
/// that found them, `iri_prefixes` those of the pair's source.
[[nodiscard]] std::string links_text(std::span<const ExportedLink> links, Format format,
                                     const AlignOptions& options,
                                     const std::array<std::string, 2>& iri_prefixes);

/// Writes the embeddings of a run's model into a new folder: left.*, right.* and relations.*; the inverse of
/// a relation has a row of its own, called ^RELATION. These are what was learned for each entity itself.
/// Needs the run's inputs for the names.
void export_embeddings(const SavedRun& run, const std::filesystem::path& folder, EmbeddingFormat format,
                       bool replace, Observer& observer);

struct MergeOptions {
  Side keep = Side::left;     ///< whose names linked entities keep
  double min_confidence = 0;  ///< links below it join nothing
  bool replace = false;       ///< what is there already
};

struct MergeCounts {
  std::uint64_t links = 0;     ///< that joined entities, seeds included
  std::uint64_t replaced = 0;  ///< entities that go by another name
  std::uint64_t triples = 0;   ///< that were written, literals included
  LeftOut left_out;
};

/// Writes both graphs of a run as one, linked entities under one name and every triple once, literals
/// included, in a format of kind `graph`; "-" is the standard output. A name that was replaced stays known by
/// an owl:sameAs triple. N-Quads and TriG keep what comes from either side in a graph of its own. Needs the
/// run's inputs.
MergeCounts merge_run(const SavedRun& run, const std::filesystem::path& path, Format format,
                      const MergeOptions& options, Observer& observer);

}  // namespace dovetail

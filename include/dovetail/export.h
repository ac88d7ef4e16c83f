#pragma once

#include <dovetail/run.h>

#include <cstdint>
#include <filesystem>

namespace dovetail {

/// How owl:sameAs triples say how sure they are.
enum class StatementScores : std::uint8_t {
  none,
  rdf_star,     ///< << left owl:sameAs right >> sssom:confidence 0.9
  reification,  ///< the same about an rdf:Statement, which every reader of RDF understands
};

struct ExportOptions {
  double min_confidence = 0;  ///< links below it are left out
  StatementScores statement_scores = StatementScores::none;
  bool replace = false;  ///< what is there already
};

/// Writes the links of a run, with their confidences, in a format of kind `links`. "-" is the standard
/// output. Returns how many.
std::uint64_t export_links(const SavedRun& run, const std::filesystem::path& path, Format format,
                           const ExportOptions& options);

enum class EmbeddingFormat : std::uint8_t {
  npy,  ///< NumPy's arrays of 32-bit numbers, [rows, dimension], and a text file with the name of each row
  word2vec,  ///< text: rows and dimension, then a name and its numbers a line
};

/// Writes the embeddings of a run's model into a new folder: left.*, right.* and relations.*; the inverse of
/// a relation has a row of its own, called ^RELATION. These are what was learned for each entity itself.
/// Needs the run's inputs for the names.
void export_embeddings(const SavedRun& run, const std::filesystem::path& folder, EmbeddingFormat format,
                       bool replace, Observer& observer);

}  // namespace dovetail

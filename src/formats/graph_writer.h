#pragma once

#include <dovetail/graph_sink.h>
#include <dovetail/io.h>

#include <filesystem>
#include <memory>

#include "formats/iri.h"

namespace dovetail {

/// A sink that writes a graph file. Nothing appears under the file's name before commit().
class GraphWriter : public GraphSink {
 public:
  /// What follows belongs to the named graph with this IRI, or to none if it is empty. Formats without named
  /// graphs take no notice.
  virtual void begin_graph(std::string_view /*iri*/) {}
  virtual void commit() = 0;
};

/// Creates `path` in a format of kind `graph`.
[[nodiscard]] std::unique_ptr<GraphWriter> make_graph_writer(const std::filesystem::path& path,
                                                             Format format);

/// Hands a whole graph to a sink, entities in the order of their ids. `lists_entities`: also those without
/// triples; `has_literals`: also literals that are no names.
LeftOut write_graph(const KnowledgeGraph& graph, GraphSink& sink, bool lists_entities, bool has_literals,
                    std::string_view task, Observer& observer);

// One for each library that does the writing; make_graph_writer chooses.
[[nodiscard]] std::unique_ptr<GraphWriter> make_line_writer(const std::filesystem::path& path, Format format);
[[nodiscard]] std::unique_ptr<GraphWriter> make_turtle_writer(const std::filesystem::path& path,
                                                              Format format);
[[nodiscard]] std::unique_ptr<GraphWriter> make_rdfxml_writer(const std::filesystem::path& path);

inline constexpr std::string_view kRdfsLabel = "http://www.w3.org/2000/01/rdf-schema#label";

/// Throws UnsupportedError if `text` cannot stand in a table between tabs.
void check_tsv_field(const std::filesystem::path& path, std::string_view text);
/// Throws UnsupportedError if `iri` is a blank node under a label that XML does not allow as a name.
void check_xml_blank(const std::filesystem::path& path, std::string_view iri);
/// Whether XML has a way to write every character of `text`.
[[nodiscard]] bool xml_allows(std::string_view text);
/// An entity or relation in N-Triples: <IRI>, or the label of a blank node.
[[nodiscard]] std::string ntriples_node(std::string_view identifier, IriRole role);
/// `text` as a field of a CSV file, in quotes where it needs them.
[[nodiscard]] std::string csv_field(std::string_view text);

}  // namespace dovetail

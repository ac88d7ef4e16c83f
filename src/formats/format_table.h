#pragma once

#include <dovetail/io.h>

#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "formats/graph_reader.h"
#include "formats/graph_writer.h"
#include "formats/link_reader.h"
#include "formats/link_writer.h"
#include "formats/rdf.h"

namespace dovetail {

/// One format: what it is called, how it is recognised, what reads and writes it. Null: it has no such thing.
/// Everything else goes by this: recognition by name, loading, saving, help texts, and the fuzz target of the
/// same name (tests/fuzz), which feeds the reader.
struct FormatEntry {
  FormatInfo info;
  std::vector<std::string_view> other_extensions{};  ///< beside info.extension, with the dot
  /// Reads RDF statements: of a graph, or links among them.
  void (*read_rdf)(const std::filesystem::path& path, RdfHandler& handler, Observer& observer) = nullptr;
  /// Reads a graph that is not RDF.
  void (*read_graph)(const std::filesystem::path& path, const LoadOptions& options, Side side,
                     GraphBuilder& builder, Observer& observer) = nullptr;
  void (*read_links)(const std::filesystem::path& path, const TableOptions& table, const LinkHandler& handler,
                     Observer& observer) = nullptr;
  std::unique_ptr<GraphWriter> (*write_graph)(const std::filesystem::path& path) = nullptr;
  std::unique_ptr<LinkWriter> (*write_links)(const std::filesystem::path& path,
                                             const LinkFileOptions& options) = nullptr;
  bool named_graphs = false;  ///< its writer puts triples into named graphs
  bool sided_links = false;   ///< links have a column for each side, so that names of both may be the same
  /// Links in any RDF syntax: this one is what is written, and fuzzed.
  Format syntax = Format::automatic;
};

/// All formats but `automatic`.
[[nodiscard]] std::span<const FormatEntry> format_entries();
/// Of a format other than `automatic`.
[[nodiscard]] const FormatEntry& format_entry(Format format);

}  // namespace dovetail

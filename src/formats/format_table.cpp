#include "formats/format_table.h"

#include <dovetail/errors.h>

#include "formats/json_lines.h"

namespace dovetail {
namespace {

using Path = std::filesystem::path;
using enum Format;

template <Format kFormat>
void ntriples_reader(const Path& path, RdfHandler& handler, Observer& observer) {
  read_ntriples(path, kFormat, handler, observer);
}

template <Format kFormat>
void turtle_reader(const Path& path, RdfHandler& handler, Observer& observer) {
  read_turtle(path, kFormat, handler, observer);
}

template <Format kFormat>
std::unique_ptr<GraphWriter> line_writer(const Path& path) {
  return make_line_writer(path, kFormat);
}

template <Format kFormat>
std::unique_ptr<GraphWriter> turtle_writer(const Path& path) {
  return make_turtle_writer(path, kFormat);
}

template <Format kFormat>
void table_reader(const Path& path, const LoadOptions& options, Side side, GraphBuilder& builder,
                  Observer& observer) {
  read_table(path, kFormat, options, side, builder, observer);
}

template <char kSeparator>
void table_links(const Path& path, const TableOptions& table, const LinkHandler& handler,
                 Observer& observer) {
  read_table_links(path, kSeparator, table, handler, observer);
}

}  // namespace

std::span<const FormatEntry> format_entries() {
  static const std::vector<FormatEntry> kAll = {
      // Graphs.
      {.info = {ntriples, FormatKind::graph, "ntriples", ".nt", "RDF, one triple a line"},
       .other_extensions = {".ntriples"},
       .read_rdf = ntriples_reader<ntriples>,
       .write_graph = line_writer<ntriples>},
      {.info = {nquads, FormatKind::graph, "nquads", ".nq", "RDF, one quad a line; graph names are not read"},
       .other_extensions = {".nquads"},
       .read_rdf = ntriples_reader<nquads>,
       .write_graph = line_writer<nquads>,
       .named_graphs = true},
      {.info = {turtle, FormatKind::graph, "turtle", ".ttl", "RDF, Turtle"},
       .other_extensions = {".turtle", ".n3"},
       .read_rdf = turtle_reader<turtle>,
       .write_graph = turtle_writer<turtle>},
      {.info = {trig, FormatKind::graph, "trig", ".trig", "RDF, TriG; graph names are not read"},
       .read_rdf = turtle_reader<trig>,
       .write_graph = turtle_writer<trig>,
       .named_graphs = true},
      {.info = {rdfxml, FormatKind::graph, "rdfxml", ".rdf", "RDF/XML"},
       .other_extensions = {".owl", ".xml"},
       .read_rdf = read_rdfxml,
       .write_graph = make_rdfxml_writer},
      {.info = {tsv, FormatKind::graph, "tsv", ".tsv", "head, relation, tail between tabs"},
       .other_extensions = {".tab"},
       .read_graph = table_reader<tsv>,
       .read_links = table_links<'\t'>,
       .write_graph = line_writer<tsv>},
      {.info = {csv, FormatKind::graph, "csv", ".csv", "head, relation, tail between commas"},
       .read_graph = table_reader<csv>,
       .read_links = table_links<','>,
       .write_graph = line_writer<csv>},
      {.info = {json_lines, FormatKind::table, "jsonl", ".jsonl", "one JSON object a line, an entity each"},
       .other_extensions = {".ndjson"},
       .read_graph = read_json_lines},
      // Folders; pair_writer and load know what is in them.
      {.info = {dbp15k, FormatKind::folder, "dbp15k", "", "ent_ids_1|2, triples_1|2, ref_ent_ids: numbers"}},
      {.info = {openea, FormatKind::folder, "openea", "", "rel_triples_1|2, ent_links, 721_5fold: URIs"}},
      // Links.
      {.info = {links_tsv, FormatKind::links, "links-tsv", ".tsv",
                "left, right and perhaps a score between tabs"},
       .read_links = table_links<'\t'>,
       .write_links = make_tsv_links,
       .sided_links = true},
      {.info = {links_csv, FormatKind::links, "links-csv", ".csv",
                "left, right and perhaps a score between commas"},
       .read_links = table_links<','>,
       .write_links = make_csv_links,
       .sided_links = true},
      {.info = {links_json, FormatKind::links, "links-json", ".json",
                "a list of objects: left, right, perhaps score"},
       .read_links = [](const Path& path, const TableOptions&, const LinkHandler& handler,
                        Observer&) { read_json_links(path, handler); },
       .write_links = make_json_links,
       .sided_links = true},
      {.info = {same_as, FormatKind::links, "sameas", ".nt", "owl:sameAs triples"},
       .write_links = make_same_as_links,
       .syntax = ntriples},
      {.info = {sssom, FormatKind::links, "sssom", ".sssom.tsv",
                "Simple Standard for Sharing Ontology Mappings"},
       .read_links = [](const Path& path, const TableOptions&, const LinkHandler& handler,
                        Observer& observer) { read_sssom(path, handler, observer); },
       .write_links = make_sssom_links},
      {.info = {alignment_api, FormatKind::links, "alignment-api", ".rdf",
                "the Alignment API's RDF/XML (OAEI)"},
       .write_links = make_alignment_api_links,
       .syntax = rdfxml},
  };
  return kAll;
}

const FormatEntry& format_entry(Format format) {
  for (const FormatEntry& entry : format_entries()) {
    if (entry.info.format == format) return entry;
  }
  throw Error("automatic is no format by itself");
}

}  // namespace dovetail

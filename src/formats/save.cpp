#include <dovetail/errors.h>

#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <string>
#include <vector>

#include "common/text.h"
#include "formats/graph_reader.h"
#include "formats/graph_writer.h"
#include "formats/link_reader.h"
#include "formats/link_writer.h"
#include "formats/output_file.h"
#include "formats/pair_writer.h"
#include "graph/merge.h"
#include "graph/naming.h"

namespace dovetail {

namespace {

bool is_rdf(Format format) {
  return format_info(format).kind == FormatKind::graph && format != Format::tsv && format != Format::csv;
}

/// RDF knows a row of a table by an IRI.
class IriSink : public GraphSink {
 public:
  IriSink(const KnowledgeGraph& graph, Side side, GraphSink& sink)
      : prefix_(iri_prefix(graph)), side_(side), sink_(sink) {}

  void relation(Term relation) override { sink_.relation(relation); }
  void entity(Term entity, std::string_view label) override {
    const std::string name = iri(entity);
    sink_.entity({entity.number, name}, label);
  }
  void triple(Term head, Term relation, Term tail) override {
    const std::string from = iri(head), to = iri(tail);
    sink_.triple({head.number, from}, relation, {tail.number, to});
  }
  void literal(Term subject, std::string_view attribute, std::string_view value) override {
    const std::string name = iri(subject);
    sink_.literal({subject.number, name}, attribute, value);
  }

 private:
  [[nodiscard]] std::string iri(Term entity) const { return sided_name(side_, prefix_, entity.identifier); }

  std::string prefix_;
  Side side_;
  GraphSink& sink_;
};

LeftOut write_side(const KnowledgeGraph& graph, Side side, GraphSink& sink, Format format,
                   std::string_view task, Observer& observer) {
  const bool ids = format == Format::dbp15k;
  if (!is_rdf(format) || iri_prefix(graph).empty()) {
    return write_graph(graph, sink, ids, !ids, task, observer);
  }
  IriSink iris(graph, side, sink);
  return write_graph(graph, iris, ids, !ids, task, observer);
}

/// A folder of triples between entities can hold nothing of a graph that has none.
void check_triples(const GraphPair& graphs, Format format) {
  for (const Side side : {Side::left, Side::right}) {
    if (format_info(format).kind != FormatKind::folder || graphs.graph(side).triple_count() > 0) continue;
    throw UnsupportedError(
        fmt::format("the {} graph has no triples between entities, as a table without relations; {} holds "
                    "these first of all: choose ntriples or turtle",
                    side == Side::left ? "left" : "right", format_info(format).name));
  }
}

}  // namespace

LeftOut write_graph(const KnowledgeGraph& graph, GraphSink& sink, bool lists_entities, bool has_literals,
                    std::string_view task, Observer& observer) {
  LeftOut left_out;
  std::vector<bool> named(graph.entity_count(), false);      // by a literal that is written anyway
  std::vector<bool> mentioned(graph.entity_count(), false);  // by a literal
  const std::span<const std::uint32_t> names = name_attributes(graph);
  for (const LiteralTriple& literal : graph.literals()) {
    const bool name = std::ranges::find(names, literal.attribute) != names.end();
    if (name) named[literal.subject] = true;
    mentioned[literal.subject] = mentioned[literal.subject] || has_literals || name;
    left_out.literals += has_literals || name ? 0 : 1;
  }
  const auto entity = [&](EntityId id) { return Term{id, graph.entity(id)}; };
  for (RelationId r = 0; r < graph.relation_count(); ++r) sink.relation({r, graph.relation(r)});
  for (EntityId e = 0; e < graph.entity_count(); ++e) {
    sink.entity(entity(e), named[e] && has_literals ? std::string_view{} : graph.label(e));
    const bool visible = lists_entities || graph.degree(e) > 0 || mentioned[e] || !graph.label(e).empty();
    left_out.entities += visible ? 0 : 1;
  }
  std::uint64_t done = 0;
  for (EntityId e = 0; e < graph.entity_count(); ++e) {
    for (const Edge& edge : graph.edges(e)) {
      if (edge.relation >= graph.relation_count()) break;  // the inverse ones come last
      sink.triple(entity(e), {edge.relation, graph.relation(edge.relation)}, entity(edge.neighbour));
      if (++done % (1 << 16) != 0) continue;
      observer.stop_if_cancelled();
      observer.progress(task, done, graph.triple_count(), "triples");
    }
  }
  for (const LiteralTriple& literal : graph.literals()) {
    sink.literal(entity(literal.subject), graph.attributes()[literal.attribute],
                 graph.literal_values()[literal.value]);
  }
  observer.progress(task, done, graph.triple_count(), "triples");
  return left_out;
}

LeftOut save_graph(const KnowledgeGraph& graph, const std::filesystem::path& path, Format format,
                   bool replace, Observer& observer, const std::vector<std::filesystem::path>& inputs) {
  check_target(path, replace, {.inputs = inputs});
  const auto writer = make_graph_writer(path, format);
  const LeftOut left_out = write_side(graph, Side::left, *writer, format, "writing", observer);
  writer->commit();
  return left_out;
}

LeftOut save_pair(const GraphPair& graphs, const SeedLinks& links, const std::filesystem::path& folder,
                  Format format, bool replace, Observer& observer,
                  const std::vector<std::filesystem::path>& inputs) {
  check_triples(graphs, format);
  const auto writer =
      make_pair_writer(folder, format, {.replace = replace, .reading = {.inputs = inputs}}, observer);
  LeftOut left_out =
      write_side(graphs.left(), Side::left, writer->side(Side::left), format, "writing left", observer);
  const LeftOut right =
      write_side(graphs.right(), Side::right, writer->side(Side::right), format, "writing right", observer);
  left_out.entities += right.entities;
  left_out.literals += right.literals;
  const auto name = [&](Side side, EntityId entity) {
    const KnowledgeGraph& graph = graphs.graph(side);
    return is_rdf(format) && !iri_prefix(graph).empty()
               ? sided_name(side, iri_prefix(graph), graph.entity(entity))
               : std::string(graph.entity(entity));
  };
  const auto write_links = [&](const std::vector<Link>& part, LinkUse use) {
    for (const Link& link : part) {
      const std::string left_name = name(Side::left, link.left), right_name = name(Side::right, link.right);
      writer->link({link.left, left_name}, {link.right, right_name}, use);
    }
  };
  // Links that are all of one use were never divided.
  const bool divided = !links.test.empty() || !links.valid.empty();
  write_links(links.train, divided ? LinkUse::train : LinkUse::any);
  write_links(links.valid, LinkUse::valid);
  write_links(links.test, LinkUse::test);
  writer->commit();
  return left_out;
}

std::uint64_t convert_links(const std::filesystem::path& from, const std::filesystem::path& to, Format format,
                            bool replace, const LoadOptions& options, Observer& observer) {
  check_target(to, replace, {.inputs = {from}});
  const auto writer = make_link_writer(to, format, {});
  std::uint64_t count = 0;
  read_links(
      from, options.links_format, options.links_table,
      [&](const RawLink& link) {
        writer->link(link.left, link.right, link.score);
        ++count;
      },
      observer);
  writer->commit();
  return count;
}

}  // namespace dovetail

#include <dovetail/errors.h>

#include <fmt/format.h>
#include <vector>

#include "common/text.h"
#include "formats/graph_reader.h"
#include "formats/graph_writer.h"
#include "formats/link_reader.h"
#include "formats/link_writer.h"
#include "formats/output_file.h"
#include "formats/pair_writer.h"

namespace dovetail {

LeftOut write_graph(const KnowledgeGraph& graph, GraphSink& sink, bool lists_entities, bool has_literals,
                    std::string_view task, Observer& observer) {
  LeftOut left_out;
  std::vector<bool> named(graph.entity_count(), false);      // by a literal that is written anyway
  std::vector<bool> mentioned(graph.entity_count(), false);  // by a literal
  for (const LiteralTriple& literal : graph.literals()) {
    const bool name = name_preference(graph.attributes()[literal.attribute]).has_value();
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
  const LeftOut left_out = write_graph(graph, *writer, false, true, "writing", observer);
  writer->commit();
  return left_out;
}

LeftOut save_pair(const GraphPair& graphs, const SeedLinks& links, const std::filesystem::path& folder,
                  Format format, bool replace, Observer& observer,
                  const std::vector<std::filesystem::path>& inputs) {
  const auto writer =
      make_pair_writer(folder, format, {.replace = replace, .reading = {.inputs = inputs}}, observer);
  const bool ids = format == Format::dbp15k;
  LeftOut left_out =
      write_graph(graphs.left(), writer->side(Side::left), ids, !ids, "writing left", observer);
  const LeftOut right =
      write_graph(graphs.right(), writer->side(Side::right), ids, !ids, "writing right", observer);
  left_out.entities += right.entities;
  left_out.literals += right.literals;
  const auto write_links = [&](const std::vector<Link>& part, LinkUse use) {
    for (const Link& link : part) {
      writer->link({link.left, graphs.left().entity(link.left)},
                   {link.right, graphs.right().entity(link.right)}, use);
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

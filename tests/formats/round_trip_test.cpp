#include <dovetail/graph_builder.h>

#include <algorithm>
#include <cctype>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <string>

#include "formats/graph_reader.h"
#include "formats/link_reader.h"
#include "formats/link_writer.h"
#include "formats/support.h"
#include "graph/literal.h"

namespace dovetail::test {
namespace {

/// A string of up to `length` pieces, each one of `pieces`.
rc::Gen<std::string> text_of(std::vector<std::string> pieces, int length) {
  return rc::gen::map(rc::gen::resize(length, rc::gen::container<std::vector<std::string>>(
                                                  rc::gen::elementOf(std::move(pieces)))),
                      [](const std::vector<std::string>& parts) {
                        std::string text;
                        for (const std::string& part : parts) text += part;
                        return text;
                      });
}

/// Identifiers: IRIs with odd but legal characters, and blank nodes.
rc::Gen<std::string> identifier(std::string base) {
  const auto iri = rc::gen::map(
      text_of({"a", "B", "7", "_", "-", "x.y", "~", "%20", "%C3%A9", "é", "漢", "😀", "(", ")", "'",
               "*", "!", "$", "&", "+", ",",   ";", "=",   ":",      "@", "/",  "?", "[", "]", "#"},
              8),
      [base](const std::string& tail) { return base + tail; });
  const auto blank = rc::gen::map(text_of({"a", "b", "x", "7", "_", "-"}, 5),
                                  [](const std::string& tail) { return "_:n" + tail; });
  return rc::gen::weightedOneOf<std::string>({{5, iri}, {1, blank}});
}

rc::Gen<std::string> relation_name() {
  return rc::gen::map(text_of({"a", "B", "7", "_", "-", "é", "漢"}, 6),
                      [](const std::string& tail) { return "http://r.example/p#r" + tail; });
}

rc::Gen<std::string> some_text() {
  return text_of({"a", "Z", " ",  "  ", "\"", "\\", "'", "\n",   "\t", "\r",  ",",        ";",      "<",
                  ">", "&", "^^", "@",  "#",  ".",  "é", "漢字", "😀",  "\\n", "\xC2\xA0", "\"\"\"", "]]>"},
                 10);
}

rc::Gen<std::string> literal_value() {
  return rc::gen::mapcat(some_text(), [](const std::string& text) {
    return rc::gen::map(rc::gen::inRange(0, 3), [text](int kind) {
      return make_literal(text, kind == 1 ? "en-GB" : "",
                          kind == 2 ? "http://www.w3.org/2001/XMLSchema#token" : "");
    });
  });
}

struct Description {
  std::set<Row> triples;
  std::multiset<Row> literals;
};

/// A small graph in which every entity has a triple.
Description any_graph(const std::string& base) {
  Description graph;
  const auto entities =
      *rc::gen::nonEmpty(rc::gen::resize(8, rc::gen::unique<std::vector<std::string>>(identifier(base))));
  const auto relations =
      *rc::gen::nonEmpty(rc::gen::resize(4, rc::gen::container<std::vector<std::string>>(relation_name())));
  const auto entity = rc::gen::elementOf(entities);
  for (const std::string& head : entities) {
    const int triples = *rc::gen::inRange(1, 4);
    for (int i = 0; i < triples; ++i) graph.triples.insert({head, *rc::gen::elementOf(relations), *entity});
  }
  const int literals = *rc::gen::inRange(0, 6);
  for (int i = 0; i < literals; ++i) {
    const std::string attribute = *rc::gen::element<std::string>(
        "http://x/attribute", "http://www.w3.org/2000/01/rdf-schema#label", "http://xmlns.com/foaf/0.1/name");
    graph.literals.insert({*entity, attribute, *literal_value()});
  }
  return graph;
}

KnowledgeGraph built(const Description& description) {
  GraphBuilder builder;
  builder.keep_literals(true);
  for (const Row& row : description.triples) {
    const auto head = builder.entity(row[0]);
    builder.triple(head, builder.relation(row[1]), builder.entity(row[2]));
  }
  for (const Row& row : description.literals)
    add_literal(builder, builder.entity(row[0]), row[1], row[2], {});
  return std::move(builder).build(std::nullopt);
}

/// Literals as their values: two spellings of one text are the same, as are languages in any case.
std::multiset<Row> values_of(const std::multiset<Row>& literals) {
  std::multiset<Row> rows;
  for (const Row& row : literals) {
    const LiteralParts parts = split_literal(row[2]);
    std::string language(parts.language);
    std::transform(language.begin(), language.end(), language.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    rows.insert({row[0], row[1], make_literal(parts.text, language, parts.datatype)});
  }
  return rows;
}

void expect_same(const KnowledgeGraph& read, const KnowledgeGraph& written, bool with_literals = true) {
  RC_ASSERT(triples_of(read) == triples_of(written));
  RC_ASSERT(labels_of(read) == labels_of(written));
  RC_ASSERT(entities_of(read) == entities_of(written));
  if (with_literals) RC_ASSERT(values_of(literals_of(read)) == values_of(literals_of(written)));
}

void graph_survives(Format format) {
  const Workspace here;
  const KnowledgeGraph graph = built(any_graph("http://x.example/"));
  const auto path = here / (std::string("graph") + format_info(format).extension);
  Listener listener;
  const LeftOut left_out = save_graph(graph, path, format, false, listener);
  RC_ASSERT(left_out.entities == 0U);
  RC_ASSERT(left_out.literals == 0U);
  expect_same(graph_in(path), graph);
}

RC_GTEST_PROP(RoundTripOfAGraph, NTriples, ()) {
  graph_survives(Format::ntriples);
}
RC_GTEST_PROP(RoundTripOfAGraph, NQuads, ()) {
  graph_survives(Format::nquads);
}
RC_GTEST_PROP(RoundTripOfAGraph, Turtle, ()) {
  graph_survives(Format::turtle);
}
RC_GTEST_PROP(RoundTripOfAGraph, TriG, ()) {
  graph_survives(Format::trig);
}
RC_GTEST_PROP(RoundTripOfAGraph, RdfXml, ()) {
  graph_survives(Format::rdfxml);
}
RC_GTEST_PROP(RoundTripOfAGraph, Tsv, ()) {
  graph_survives(Format::tsv);
}
RC_GTEST_PROP(RoundTripOfAGraph, Csv, ()) {
  graph_survives(Format::csv);
}

/// Links between entities with the same place in both graphs, divided or not.
SeedLinks any_links(const GraphPair& graphs) {
  std::vector<Link> links;
  const auto count =
      static_cast<EntityId>(std::min(graphs.left().entity_count(), graphs.right().entity_count()));
  for (EntityId i = 0; i < count; ++i) links.push_back({i, count - 1 - i});
  SeedLinks seeds;
  const bool divided = *rc::gen::arbitrary<bool>();
  for (std::size_t i = 0; i < links.size(); ++i) {
    const int use = !divided || i == 0 ? 0 : i == 1 ? 2 : *rc::gen::inRange(0, 3);
    (use == 0 ? seeds.train : use == 1 ? seeds.valid : seeds.test).push_back(links[i]);
  }
  return seeds;
}

void pair_survives(Format format) {
  const Workspace here;
  const GraphPair graphs(built(any_graph("http://left.example/")), built(any_graph("http://right.example/")));
  const SeedLinks links = any_links(graphs);
  Listener listener;
  (void)save_pair(graphs, links, here / "pair", format, false, listener);
  LoadOptions options = keep_all();
  options.split.seed_ratio = 1;  // undivided links are all for training then
  const LoadedPair read = load_folder(here / "pair", options, listener);
  RC_ASSERT(listener.warnings.empty());
  const bool has_literals = format != Format::dbp15k;
  if (has_literals) {
    expect_same(read.graphs.left(), graphs.left());
    expect_same(read.graphs.right(), graphs.right());
  } else {
    RC_ASSERT(triples_of(read.graphs.left()) == triples_of(graphs.left()));
    RC_ASSERT(triples_of(read.graphs.right()) == triples_of(graphs.right()));
  }
  const auto names = [&](const GraphPair& pair, const std::vector<Link>& part) {
    std::set<Pair> set;
    for (const Link& link : part) set.emplace(pair.left().entity(link.left), pair.right().entity(link.right));
    return set;
  };
  RC_ASSERT(names(read.graphs, read.links.train) == names(graphs, links.train));
  RC_ASSERT(names(read.graphs, read.links.valid) == names(graphs, links.valid));
  RC_ASSERT(names(read.graphs, read.links.test) == names(graphs, links.test));
}

RC_GTEST_PROP(RoundTripOfAPair, Ids, ()) {
  pair_survives(Format::dbp15k);
}
RC_GTEST_PROP(RoundTripOfAPair, OpenEa, ()) {
  pair_survives(Format::openea);
}
RC_GTEST_PROP(RoundTripOfAPair, NTriples, ()) {
  pair_survives(Format::ntriples);
}
RC_GTEST_PROP(RoundTripOfAPair, Turtle, ()) {
  pair_survives(Format::turtle);
}
RC_GTEST_PROP(RoundTripOfAPair, RdfXml, ()) {
  pair_survives(Format::rdfxml);
}
RC_GTEST_PROP(RoundTripOfAPair, Csv, ()) {
  pair_survives(Format::csv);
}
RC_GTEST_PROP(RoundTripOfAPair, Tsv, ()) {
  pair_survives(Format::tsv);
}

void links_survive(Format format) {
  using Scored = std::tuple<std::string, std::string, std::optional<double>>;
  const Workspace here;
  std::vector<Scored> links;
  const int count = *rc::gen::inRange(1, 10);
  for (int i = 0; i < count; ++i) {
    const int score = *rc::gen::inRange(-1, 101);
    links.emplace_back(*identifier("http://left.example/"), *identifier("http://right.example/"),
                       score < 0 ? std::nullopt : std::optional(score / 100.0));
  }
  const auto path = here / (std::string("links") + format_info(format).extension);
  const auto writer = make_link_writer(path, format, {});
  for (const auto& [left, right, score] : links) writer->link(left, right, score);
  writer->commit();
  std::vector<Scored> read;
  Listener listener;
  read_links(
      path, Format::automatic, {},
      [&](const RawLink& link) { read.emplace_back(link.left, link.right, link.score); }, listener);
  for (auto& link : links) {
    if (format == Format::same_as) std::get<2>(link).reset();
    if (format == Format::alignment_api && !std::get<2>(link)) std::get<2>(link) = 1;
  }
  RC_ASSERT(read == links);
}

RC_GTEST_PROP(RoundTripOfLinks, Tsv, ()) {
  links_survive(Format::links_tsv);
}
RC_GTEST_PROP(RoundTripOfLinks, Csv, ()) {
  links_survive(Format::links_csv);
}
RC_GTEST_PROP(RoundTripOfLinks, Json, ()) {
  links_survive(Format::links_json);
}
RC_GTEST_PROP(RoundTripOfLinks, SameAs, ()) {
  links_survive(Format::same_as);
}
RC_GTEST_PROP(RoundTripOfLinks, Sssom, ()) {
  links_survive(Format::sssom);
}
RC_GTEST_PROP(RoundTripOfLinks, AlignmentApi, ()) {
  links_survive(Format::alignment_api);
}

}  // namespace
}  // namespace dovetail::test

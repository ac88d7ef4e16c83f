// What is learned of a pair after it was loaded: more triples, more links, pairs that are not the same.
#include <dovetail/errors.h>
#include <dovetail/graph_builder.h>
#include <dovetail/judgements.h>

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include "common/text.h"
#include "formats/folders.h"
#include "formats/graph_reader.h"
#include "formats/names.h"
#include "formats/pair_source.h"

namespace dovetail {
namespace {

namespace fs = std::filesystem;

/// Takes links, in ascending order, out of a list; returns how many were there.
std::size_t take_out(std::span<const Link> gone, std::vector<Link>& links) {
  return std::erase_if(links, [&](const Link& link) { return std::ranges::binary_search(gone, link); });
}

std::vector<Link> sorted(std::vector<Link> links) {
  std::ranges::sort(links);
  links.erase(std::unique(links.begin(), links.end()), links.end());
  return links;
}

KnowledgeGraph grown(KnowledgeGraph graph, Side side, const fs::path& file, std::span<const GivenName> names,
                     const LoadOptions& options, Observer& observer) {
  const std::size_t known = graph.entity_count();
  GraphBuilder builder(std::move(graph));
  read_graph(file, options, side, builder, observer);
  for (const GivenName& given : names) {
    const auto entity = builder.find(given.entity);
    if (entity && *entity >= known) builder.label(*entity, given.name);
  }
  return std::move(builder).build(side_seed(options, side));
}

GraphPair grown(GraphPair graphs, const MoreFiles& more, Observer& observer) {
  if (more.left.empty() && more.right.empty()) return graphs;
  const std::vector<GivenName> names =
      more.options.names.empty() ? std::vector<GivenName>{} : read_names(more.options.names);
  return build_both(more.options.threads, [&](Side side) {
    KnowledgeGraph graph = std::move(graphs).take(side);
    const fs::path& file = side == Side::left ? more.left : more.right;
    return file.empty() ? std::move(graph)
                        : grown(std::move(graph), side, file, names, more.options, observer);
  });
}

/// Reads what the files say of links.
class MoreLinks {
 public:
  MoreLinks(const GraphPair& graphs, const LoadOptions& options, Observer& observer)
      : graphs_(graphs), options_(options), observer_(observer) {}

  [[nodiscard]] LinkCollector collector() const {
    return {entity_finder(graphs_), graphs_.left().entity_count(), graphs_.right().entity_count(),
            options_.strict, observer_};
  }

  [[nodiscard]] std::vector<Link> read(LinkCollector& collector, const fs::path& path) const {
    return path.empty() ? std::vector<Link>{}
                        : collector.read(path, options_.links_format, options_.links_table);
  }

 private:
  const GraphPair& graphs_;
  const LoadOptions& options_;
  Observer& observer_;
};

void add_links(const MoreFiles& more, const GraphPair& graphs, SeedLinks& links, Observer& observer) {
  const MoreLinks files(graphs, more.options, observer);
  LinkCollector apart_reader = files.collector();
  apart_reader.allow(Cardinality::many_to_many);
  const std::vector<Link> apart = sorted(files.read(apart_reader, more.not_links));
  if (const std::size_t given_up = take_out(apart, links.train) + take_out(apart, links.valid);
      given_up > 0) {
    observer.warning(fmt::format("{}: {} of its pairs {} a seed; now {} not the same",
                                 more.not_links.string(), with_commas(given_up),
                                 given_up == 1 ? "was" : "were", given_up == 1 ? "it is" : "they are"));
  }
  LinkCollector reader = files.collector();
  reader.allow(more.options.cardinality);
  reader.know(links.train);
  reader.know(links.valid);
  reader.welcome_known(true);  // a list of links that has grown
  const std::vector<Link> train = files.read(reader, more.links);
  reader.welcome_known(false);
  if (std::vector<Link> both = sorted(train); take_out(apart, both) > 0) {
    throw InputError(more.not_links.string(), 0,
                     fmt::format("found pairs that are links in {}; expected pairs that are not the same",
                                 more.links.string()));
  }
  take_out(sorted(train), links.test);  // what is learned from is no test
  reader.know(links.test);
  const std::vector<Link> test = files.read(reader, more.test_links);
  take_out(sorted(train), links.apart);
  links.train.insert(links.train.end(), train.begin(), train.end());
  links.test.insert(links.test.end(), test.begin(), test.end());
  links.apart.insert(links.apart.end(), apart.begin(), apart.end());
  links.apart = sorted(std::move(links.apart));
  for (const fs::path& path : {more.links, more.not_links, more.test_links}) {
    if (!path.empty()) links.origin += ", " + printable(path.filename().string());
  }
  links.unknown += reader.unknown() + apart_reader.unknown();
  links.repeated += reader.repeated();
}

/// As loading the pair again needs it.
MoreFiles settled(MoreFiles more, const PairSource& source) {
  visit_files(more, [](const char* /*name*/, fs::path& path) {
    if (!path.empty()) path = fs::absolute(path);
  });
  more.options.shuffle_seed = source.options.shuffle_seed;
  more.options.keep_literals = source.options.keep_literals;
  more.options.cardinality = source.options.cardinality;
  more.options.types_as_entities = source.options.types_as_entities;
  return more;
}

}  // namespace

LoadedPair add_files(LoadedPair pair, const MoreFiles& given, Observer& observer) {
  const MoreFiles more = settled(given, pair.source);
  pair.graphs = grown(std::move(pair.graphs), more, observer);
  forget_shared_identifiers(pair);  // what files say counts more than what two graphs call by one name
  add_links(more, pair.graphs, pair.links, observer);
  if (!more.judgements.empty()) {
    apply_judgements(pair.graphs, judgements_in_force(read_judgements(more.judgements)), pair.links);
    pair.links.origin += ", " + printable(more.judgements.filename().string());
  }
  link_shared_identifiers(pair);
  pair.source.more.push_back(more);
  return pair;
}

}  // namespace dovetail

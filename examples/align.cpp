// Two small graphs in memory, aligned: build graphs, run, look at links and at the reasons for one.
#include <dovetail/explainer.h>
#include <dovetail/graph_builder.h>
#include <dovetail/session.h>

#include <cstdio>
#include <string>
#include <utility>

namespace {

/// People and towns, the same on both sides but for the names.
dovetail::KnowledgeGraph make_graph(const std::string& language) {
  dovetail::GraphBuilder builder;
  const auto entity = [&](const char* kind, int n) {
    return builder.entity("http://" + language + ".example/" + kind + std::to_string(n));
  };
  const std::uint32_t lives_in = builder.relation(language + ":livesIn");
  const std::uint32_t knows = builder.relation(language + ":knows");
  for (int n = 0; n < 60; ++n) {
    builder.triple(entity("person", n), lives_in, entity("town", n % 7));
    builder.triple(entity("person", n), knows, entity("person", (n * n + 3) % 60));
    builder.triple(entity("person", n), knows, entity("person", (n * 5 + 1) % 60));
  }
  return std::move(builder).build(language == "left" ? 1 : 2);
}

}  // namespace

int main() {
  using namespace dovetail;
  LoadedPair pair{.graphs = {make_graph("left"), make_graph("right")}, .links = {}, .format = "in memory"};
  for (int n = 0; n < 20; ++n) {  // what is known already
    const std::string name = "/person" + std::to_string(n);
    pair.links.train.push_back({*pair.graphs.left().find("http://left.example" + name),
                                *pair.graphs.right().find("http://right.example" + name)});
  }
  AlignOptions options;
  options.encoder.dimension = 32;
  Observer quiet;
  const Session session = Session::align(std::move(pair), options, quiet);
  const GraphPair& graphs = session.graphs();
  std::size_t right = 0;
  for (const DecidedLink& link : session.links()) {
    right += graphs.left().name(link.left) == graphs.right().name(link.right) ? 1 : 0;
  }
  std::printf("more than half found: %s\n", right > 25 ? "yes" : "no");
  const DecidedLink& first = session.links().front();
  const Reasons reasons = session.reasons({first.left, first.right}, 3);
  std::printf("something speaks for the first link: %s\n", reasons.in_favour.empty() ? "no" : "yes");
}

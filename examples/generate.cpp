// A synthetic pair that goes to a sink of one's own instead of to files: here one that counts.
#include <dovetail/generate.h>
#include <dovetail/observer.h>

#include <cstdio>

namespace {

class Counter : public dovetail::GraphSink {
 public:
  void relation(dovetail::Term /*relation*/) override {}
  void entity(dovetail::Term /*entity*/, std::string_view /*label*/) override { ++entities; }
  void triple(dovetail::Term /*head*/, dovetail::Term /*relation*/, dovetail::Term /*tail*/) override {
    ++triples;
  }
  void literal(dovetail::Term /*subject*/, std::string_view /*attribute*/,
               std::string_view /*value*/) override {}

  std::size_t entities = 0, triples = 0;
};

class PairCounter : public dovetail::PairSink {
 public:
  dovetail::GraphSink& side(dovetail::Side side) override {
    return side == dovetail::Side::left ? left : right;
  }
  void link(dovetail::Term /*left*/, dovetail::Term /*right*/, dovetail::LinkUse /*use*/) override {
    ++links;
  }

  Counter left, right;
  std::size_t links = 0;
};

}  // namespace

int main() {
  dovetail::GenerateOptions options;
  options.entities = 1000;
  dovetail::Observer quiet;
  PairCounter counter;
  dovetail::generate_pair(options, counter, quiet);
  std::printf("%zu + %zu entities, %zu links\n", counter.left.entities, counter.right.entities,
              counter.links);
}

#include "evidence/class_links.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "formats/support.h"
#include "graph/entity_types.h"
#include "pairs/sparse_scores.h"

namespace dovetail::test {
namespace {

/// n entities, each a person or an address by turns, in other words on each side; every fourth person is an
/// artist as well.
std::string people(const std::string& side, const char* person, const char* address, std::size_t count) {
  const std::string type = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>";
  std::string text;
  for (std::size_t n = 0; n < count; ++n) {
    const std::string entity = fmt::format("<http://{}/e{}>", side, n);
    text += fmt::format("{} {} <http://{}/{}> .\n", entity, type, side, n % 2 == 0 ? person : address);
    if (n % 8 == 0) text += fmt::format("{} {} <http://{}/Artist> .\n", entity, type, side);
    text += fmt::format("{} <http://{}/knows> <http://{}/e{}> .\n", entity, side, side, (n + 1) % count);
  }
  return text;
}

TEST(ClassLinks, ClassesWithTheSameMembersAreFoundAndOthersAreNot) {
  const Workspace here;
  Observer quiet;
  LoadOptions options;
  options.shuffle_seed = std::nullopt;
  const LoadedPair pair =
      load_files(here.write("left.nt", people("left", "Person", "Address", 40)),
                 here.write("right.nt", people("right", "Mensch", "Adresse", 40)), "", options, quiet);
  const GraphPair& graphs = pair.graphs;
  SparseBuilder beliefs(graphs.left().entity_count(), graphs.right().entity_count());
  for (std::size_t n = 0; n < 40; ++n) {
    const auto left = graphs.left().find(fmt::format("http://left/e{}", n));
    const auto right = graphs.right().find(fmt::format("http://right/e{}", n));
    ASSERT_TRUE(left && right);
    beliefs.add(*left, *right, 0.5F);
  }
  std::vector<std::string> found;
  for (const ClassLink& link : class_links(graphs, beliefs.build())) {
    found.push_back(fmt::format("{} {} {:.3f} {:.3f} {:.1f}", last_part(classes_of(graphs.left())[link.left]),
                                last_part(classes_of(graphs.right())[link.right]), link.left_in_right,
                                link.right_in_left, link.seen));
  }
  std::ranges::sort(found);
  // 20 persons of belief .5, five of them artists, and one unseen pair more.
  EXPECT_EQ(found,
            (std::vector<std::string>{"Address Adresse 0.909 0.909 10.0", "Artist Artist 0.714 0.714 2.5",
                                      "Artist Mensch 0.714 0.227 2.5", "Person Artist 0.227 0.714 2.5",
                                      "Person Mensch 0.909 0.909 10.0"}));
}

}  // namespace
}  // namespace dovetail::test

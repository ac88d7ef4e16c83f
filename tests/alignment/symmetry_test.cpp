// A whole alignment by rules, which start from nothing random: the same links whatever the ids are, and with
// the two graphs in the other order the same links the other way round.
#include <dovetail/generate.h>
#include <dovetail/run.h>

#include <algorithm>
#include <gtest/gtest.h>

#include "formats/pair_writer.h"
#include "formats/support.h"

namespace dovetail::test {
namespace {

class SymmetryOfAlignment : public testing::Test {
 protected:
  SymmetryOfAlignment() {
    GenerateOptions options;
    options.entities = 400;
    options.labels = false;
    options.difference.dangling = 0;  // nobody can say which pair is right for those
    options.difference.overlap = 0.9;
    options.split.seed_ratio = 0.3;
    Observer quiet;
    const auto writer = make_pair_writer(here / "pair", Format::tsv, false);
    generate_pair(resolve_options(options), *writer, quiet);
    writer->commit();
    // The other way round.
    std::istringstream lines(content_of(here / "pair/train_links.tsv"));
    std::string swapped, header;
    std::getline(lines, header);
    for (std::string left, right; std::getline(lines, left, '\t') && std::getline(lines, right);) {
      swapped += right + "\t" + left + "\n";
    }
    here.write("swapped.tsv", swapped);
  }

  /// The links found, left name first.
  std::set<Pair> links(bool swapped, std::uint64_t shuffle_seed) {
    Observer quiet;
    LoadOptions load;
    load.shuffle_seed = shuffle_seed;
    const auto left = here / "pair/left.tsv", right = here / "pair/right.tsv";
    const LoadedPair pair = swapped ? load_files(right, left, here / "swapped.tsv", load, quiet)
                                    : load_files(left, right, here / "pair/train_links.tsv", load, quiet);
    AlignOptions options;
    options.mode = Mode::semi;
    options.semi.strategy = Strategy::rules;
    options.deciding.decoder = Decoder::assignment;
    options.deciding.calibrate = false;
    const auto run = run_alignment(pair, options, quiet);
    std::set<Pair> names;
    for (const DecidedLink& link : run.decisions.links) {
      const std::string one(pair.graphs.left().entity(link.left)),
          other(pair.graphs.right().entity(link.right));
      names.insert(swapped ? Pair(other, one) : Pair(one, other));
    }
    return names;
  }

  Workspace here;
};

/// What is in one of the sets only.
std::size_t difference(const std::set<Pair>& a, const std::set<Pair>& b) {
  std::vector<Pair> only;
  std::ranges::set_symmetric_difference(a, b, std::back_inserter(only));
  return only.size();
}

TEST_F(SymmetryOfAlignment, IdsAndSidesDoNotMatter) {
  const std::set<Pair> found = links(false, 1);
  ASSERT_GT(found.size(), 100U);
  // Pairs that rules cannot tell apart are decided by the ids, and by who is asked first; there are few.
  const std::size_t few = found.size() / 20;
  EXPECT_LE(difference(links(false, 2), found), few);
  EXPECT_LE(difference(links(true, 1), found), few);
}

}  // namespace
}  // namespace dovetail::test

// A whole alignment finds the same links whatever the order of the two graphs and of the lines of their
// files; and by rules, which start from nothing random, whatever the ids are.
#include <dovetail/generate.h>
#include <dovetail/parameters.h>
#include <dovetail/run.h>

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <tuple>

#include "common/random.h"
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
    const auto writer = make_pair_writer(here / "pair", Format::tsv, {}, quiet);
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

/// How a run is given its pair.
enum class Given { as_it_is, swapped, shuffled };

class OrderOfInput : public testing::TestWithParam<std::pair<Mode, Strategy>> {
 protected:
  OrderOfInput() {
    GenerateOptions options;
    options.entities = 300;
    options.difference.dangling = 0.2;
    options.split.seed_ratio = 0.3;
    const auto writer = make_pair_writer(here / "pair", Format::tsv, {}, quiet);
    generate_pair(resolve_options(options), *writer, quiet);
    writer->commit();
  }

  /// The lines of a file of the pair, without its header.
  std::vector<std::string> lines_of(const std::string& name) {
    std::istringstream text(content_of(here / ("pair/" + name)));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    lines.erase(lines.begin());
    return lines;
  }
  std::filesystem::path written(const std::string& name, const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return here.write(name, text);
  }

  LoadedPair load(Given given) {
    std::vector<std::string> left = lines_of("left.tsv"), right = lines_of("right.tsv"),
                             links = lines_of("train_links.tsv");
    left.resize(left.size() * 9 / 10);  // the graphs differ in size
    if (given == Given::shuffled) {
      for (std::vector<std::string>* const lines : {&left, &right, &links}) {
        Random(5).shuffle(std::span(*lines));
      }
    }
    if (given == Given::swapped) {
      std::swap(left, right);
      for (std::string& line : links) {
        const std::size_t tab = line.find('\t');
        line = line.substr(tab + 1) + "\t" + line.substr(0, tab);
      }
    }
    return load_files(written("a.tsv", left), written("b.tsv", right), written("l.tsv", links), {}, quiet);
  }

  /// The links, with what a run says of each, as if the sides were not swapped.
  std::map<Pair, std::pair<float, double>> links(Given given) {
    const LoadedPair pair = load(given);
    AlignOptions options;
    std::tie(options.mode, options.semi.strategy) = GetParam();
    options.encoder.dimension = 32;
    const auto run = run_alignment(pair, options, quiet);
    std::map<Pair, std::pair<float, double>> names;
    for (const DecidedLink& link : run.decisions.links) {
      std::string one(pair.graphs.left().entity(link.left)), other(pair.graphs.right().entity(link.right));
      if (given == Given::swapped) std::swap(one, other);
      names[Pair(one, other)] = {link.score, link.confidence};
    }
    return names;
  }

  Observer quiet;
  Workspace here;
};

TEST_P(OrderOfInput, DoesNotMatter) {
  const auto found = links(Given::as_it_is);
  ASSERT_GT(found.size(), 50U);
  EXPECT_EQ(links(Given::swapped), found);
  EXPECT_EQ(links(Given::shuffled), found);
}

INSTANTIATE_TEST_SUITE_P(
    Symmetry, OrderOfInput,
    testing::Values(std::pair(Mode::semi, Strategy::best), std::pair(Mode::names, Strategy::best),
                    std::pair(Mode::semi, Strategy::restart), std::pair(Mode::semi, Strategy::paper),
                    std::pair(Mode::basic, Strategy::best)),
    [](const auto& way) {
      return fmt::format("{}_{}", enum_name(way.param.first), enum_name(way.param.second));
    });

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

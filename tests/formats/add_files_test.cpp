#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/support.h"
#include "graph/fingerprint.h"

namespace dovetail::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class AddFiles : public testing::Test {
 protected:
  [[nodiscard]] LoadedPair pair(const LoadOptions& options = {}) {
    return load_files(here.write("left.tsv", "a\tp\tb\nb\tp\tc\nc\tq\ta\n"),
                      here.write("right.tsv", "x\tp\ty\ny\tp\tz\nz\tr\tx\n"),
                      here.write("seeds.tsv", "a\tx\nb\ty\n"), options, listener);
  }
  [[nodiscard]] std::string error(const MoreFiles& more) {
    return error_of([&] { (void)add_files(pair(), more, listener); });
  }

  Workspace here;
  Listener listener;
};

TEST_F(AddFiles, GraphsGrowAndNumbersStay) {
  for (const std::optional<std::uint64_t> seed :
       {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(7)}) {
    LoadOptions options;
    options.shuffle_seed = seed;
    const LoadedPair before = pair(options);
    const LoadedPair after = add_files(
        pair(options), {.left = here.write("more.tsv", "b\tp\td\nd\ts\te\na\tp\tb\nf\tq\ta\n")}, listener);
    EXPECT_EQ(triples_of(after.graphs.left()), (std::set<Row>{{"a", "p", "b"},
                                                              {"b", "p", "c"},
                                                              {"c", "q", "a"},
                                                              {"b", "p", "d"},
                                                              {"d", "s", "e"},
                                                              {"f", "q", "a"}}));
    EXPECT_EQ(triples_of(after.graphs.right()), triples_of(before.graphs.right()));
    EXPECT_EQ(after.graphs.left().duplicate_count(), 1U);
    ASSERT_EQ(after.graphs.left().entity_count(), 6U);
    for (EntityId entity = 0; entity < 3; ++entity) {
      EXPECT_EQ(after.graphs.left().entity(entity), before.graphs.left().entity(entity));
    }
    for (RelationId relation = 0; relation < 2; ++relation) {
      EXPECT_EQ(after.graphs.left().relation(relation), before.graphs.left().relation(relation));
    }
    EXPECT_EQ(after.links.train, before.links.train);
    for (EntityId entity = 0; entity < 6; ++entity) {
      EXPECT_EQ(after.graphs.left().find(after.graphs.left().entity(entity)), entity);
    }
  }
}

TEST_F(AddFiles, LabelsAndLiteralsStay) {
  const auto base =
      here.write("a.nt", "<a> <http://www.w3.org/2000/01/rdf-schema#label> \"A\" .\n<a> <p> <b> .\n");
  const auto more =
      here.write("b.nt",
                 "<c> <http://www.w3.org/2000/01/rdf-schema#label> \"C\" .\n"
                 "<a> <http://www.w3.org/2000/01/rdf-schema#label> \"other\" .\n<c> <p> <a> .\n");
  LoadOptions options;
  options.keep_literals = true;
  const LoadedPair pair = add_files(load_files(base, base, {}, options, listener), {.left = more}, listener);
  EXPECT_EQ(labels_of(pair.graphs.left()), (std::map<std::string, std::string>{{"a", "A"}, {"c", "C"}}));
  EXPECT_EQ(literals_of(pair.graphs.left()).size(), 3U);
  EXPECT_EQ(pair.graphs.left().literal_count(), 3U);
  EXPECT_EQ(labels_of(pair.graphs.right()), (std::map<std::string, std::string>{{"a", "A"}}));
}

TEST_F(AddFiles, WhatWasAddedIsLoadedAgain) {
  LoadedPair grown =
      add_files(pair(), {.left = here.write("l.tsv", "d\tp\ta\n"), .right = here.write("r.tsv", "w\tp\tx\n")},
                listener);
  grown = add_files(std::move(grown),
                    {.links = here.write("more.tsv", "d\tw\n"),
                     .not_links = here.write("not.tsv", "c\tx\nc\ty\na\tz\n"),
                     .test_links = here.write("test.tsv", "c\tz\n")},
                    listener);
  EXPECT_EQ(links_of(grown, grown.links.train), (std::set<Pair>{{"a", "x"}, {"b", "y"}, {"d", "w"}}));
  EXPECT_EQ(links_of(grown, grown.links.apart), (std::set<Pair>{{"c", "x"}, {"c", "y"}, {"a", "z"}}));
  EXPECT_EQ(links_of(grown, grown.links.test), (std::set<Pair>{{"c", "z"}}));
  EXPECT_TRUE(std::ranges::is_sorted(grown.links.apart));
  const LoadedPair again = load_pair(grown.source, listener);
  EXPECT_EQ(fingerprint(again.graphs, again.links, true), fingerprint(grown.graphs, grown.links, true));
  PairSource shorter = grown.source;
  shorter.more.pop_back();
  const LoadedPair less = load_pair(shorter, listener);
  EXPECT_NE(fingerprint(less.graphs, less.links, true), fingerprint(grown.graphs, grown.links, true));
  EXPECT_TRUE(listener.warnings.empty());
}

TEST_F(AddFiles, WhatIsNewCountsMore) {
  // A seed that is none, and the other way round.
  const LoadedPair corrected = add_files(pair(), {.not_links = here.write("not.tsv", "a\tx\n")}, listener);
  EXPECT_EQ(links_of(corrected, corrected.links.train), (std::set<Pair>{{"b", "y"}}));
  ASSERT_EQ(listener.warnings.size(), 1U);
  EXPECT_THAT(listener.warnings[0], HasSubstr("1 of its pairs was a seed"));
  LoadedPair after = add_files(pair(), {.not_links = here.write("not.tsv", "c\tz\n")}, listener);
  after = add_files(std::move(after), {.links = here.write("more.tsv", "c\tz\n")}, listener);
  EXPECT_TRUE(after.links.apart.empty());
  EXPECT_EQ(after.links.train.size(), 3U);
  // With the wrong seed gone its entity may have another.
  const LoadedPair changed = add_files(
      pair(), {.links = here.write("more.tsv", "a\tz\n"), .not_links = here.write("not.tsv", "a\tx\n")},
      listener);
  EXPECT_EQ(links_of(changed, changed.links.train), (std::set<Pair>{{"b", "y"}, {"a", "z"}}));
}

TEST_F(AddFiles, ContradictionsAreRefused) {
  EXPECT_THAT(error({.links = here.write("more.tsv", "a\tz\n")}), HasSubstr("found a second link of"));
  EXPECT_THAT(
      error({.links = here.write("more.tsv", "c\tz\n"), .not_links = here.write("not.tsv", "c\tz\n")}),
      AllOf(HasSubstr("not.tsv"), HasSubstr("found pairs that are links in")));
  EXPECT_THAT(error({.not_links = here.write("not.tsv", "x\ta\n")}), HasSubstr("swap"));
  LoadOptions strict;
  strict.strict = true;
  EXPECT_THAT(error({.not_links = here.write("not.tsv", "a\tnobody\n"), .options = strict}),
              HasSubstr("which is in neither graph"));
}

}  // namespace
}  // namespace dovetail::test

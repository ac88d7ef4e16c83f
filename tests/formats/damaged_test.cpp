// Input that is damaged or put together in unlucky ways: noticed, or read as it was meant.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <zstd.h>

#include "common/random.h"
#include "common/text.h"
#include "formats/support.h"

namespace dovetail::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kX = "<http://x/a> <http://x/p> <http://x/b> .\n";

std::string triples(std::size_t count) {
  Random random(7);
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += "<http://x/" + std::to_string(random.below(1000)) + "> <http://x/p> <http://x/" +
            std::to_string(random.below(1000)) + "> .\n";
  }
  return text;
}

/// As the programs of that name write it: zstd's with a checksum, which the library leaves out unless asked.
std::string packed(const std::string& text, const std::string& extension) {
  if (extension != ".zst") return compressed(text, extension);
  std::string bytes(ZSTD_compressBound(text.size()), '\0');
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  bytes.resize(ZSTD_compress2(context, bytes.data(), bytes.size(), text.data(), text.size()));
  ZSTD_freeCCtx(context);
  return bytes;
}

class Damaged : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, Damaged, testing::ValuesIn(kCompressions),
                         [](const auto& which) { return which.param.substr(1); });

TEST_P(Damaged, OneBitIsNoticedOrMeansNothing) {
  const Workspace here;
  const std::string good = packed(triples(400), GetParam());
  const std::set<Row> expected = triples_of(graph_in(here.write("a.nt" + GetParam(), good)));
  Random random(11);
  std::size_t refused = 0;
  for (int trial = 0; trial < 500; ++trial) {
    std::string bytes = good;
    const std::uint64_t bit = random.below(8 * bytes.size());
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    const auto path = here.write("a.nt" + GetParam(), bytes);
    std::set<Row> read;
    if (!error_of([&] { read = triples_of(graph_in(path)); }).empty()) {
      ++refused;
      continue;
    }
    EXPECT_EQ(read, expected) << "bit " << bit;
  }
  EXPECT_GT(refused, 450U);
}

TEST_P(Damaged, DataBehindTheEndAreNoticed) {
  const Workspace here;
  const std::string good = packed(triples(400), GetParam());
  for (const std::string tail : {"garbage", "\x1f", "B", "\x1f\x8bgarbage", "BZh9garbage"}) {
    const auto path = here.write("a.nt" + GetParam(), good + tail);
    EXPECT_THAT(error_of([&] { (void)graph_in(path); }), HasSubstr("damaged")) << tail;
  }
}

TEST_P(Damaged, TheHeaderOfALaterPartIsNoticed) {
  const Workspace here;
  const std::string part = packed(triples(100), GetParam());
  std::string bytes = part + part;
  bytes[part.size()] = 'x';
  const auto path = here.write("a.nt" + GetParam(), bytes);
  EXPECT_THAT(error_of([&] { (void)graph_in(path); }), HasSubstr("damaged"));
}

TEST(Damaged, ZerosBehindTheEndArePadding) {
  for (const std::string extension : {".gz", ".bz2", ".xz"}) {
    const std::string bytes = packed(kX, extension) + std::string(300'000, '\0');
    EXPECT_EQ(graph_from("a.nt" + extension, bytes).triple_count(), 1U) << extension;
  }
  for (const std::string extension : {".gz", ".bz2"}) {
    const Workspace here;
    const auto path = here.write("a.nt" + extension, packed(kX, extension) + std::string(512, '\0') + "x");
    EXPECT_THAT(error_of([&] { (void)graph_in(path); }), HasSubstr("damaged")) << extension;
  }
}

TEST(Damaged, IsSaidRatherThanWhatTheTextLooksLike) {
  const Workspace here;
  // Stored, not compressed, so that a byte of the text itself can change.
  const std::string text = "<http://x/a> <http://x/p> <http://x/b> .\n";
  std::string bytes = std::string("\x1f\x8b\x08\0\0\0\0\0\0\x03\x01", 11);
  bytes += static_cast<char>(text.size());
  bytes += '\0';
  bytes += static_cast<char>(~text.size());
  bytes += '\xFF';
  bytes += text;
  bytes.replace(bytes.find("http"), 1, "\xE4");
  bytes += std::string("\0\0\0\0", 4) + static_cast<char>(text.size()) + std::string("\0\0\0", 3);
  const auto path = here.write("a.nt.gz", bytes);
  EXPECT_THAT(error_of([&] { (void)graph_in(path); }), HasSubstr("damaged"));
}

TEST(ByteOrderMark, AtTheStartOfALaterLineIsNoText) {
  const std::string mark = "\xEF\xBB\xBF";
  const std::set<Row> both = {{"http://x/a", "http://x/p", "http://x/b"},
                              {"http://x/c", "http://x/p", "http://x/b"}};
  const std::string nt = "<http://x/c> <http://x/p> <http://x/b> .\n";
  EXPECT_EQ(triples_of(graph_from("a.nt", mark + kX + mark + nt + mark)), both);
  EXPECT_EQ(triples_of(graph_from("a.ttl", mark + kX + mark + nt)), both);
  const std::string tsv =
      "http://x/a\thttp://x/p\thttp://x/b\n" + mark + "http://x/c\thttp://x/p\thttp://x/b\n";
  EXPECT_EQ(triples_of(graph_from("a.tsv", tsv)), both);
  const std::string within = "http://x/a\thttp://x/p\t" + mark + "b\n";
  EXPECT_THAT(entities_of(graph_from("a.tsv", within)), Contains(mark + "b")) << "elsewhere it is text";
}

TEST(ByteOrderMark, WithinAQuotedFieldIsText) {
  const std::string mark = "\xEF\xBB\xBF";
  const std::string csv = mark + "head,relation,tail\n" + mark + "a,p,\"b\n" + mark + "c\"\n" + mark + "\n" +
                          mark + mark + "\"a\n" + mark + "\",p,d\n";
  EXPECT_EQ(triples_of(graph_from("a.csv", csv)),
            (std::set<Row>{{"a", "p", "b\n" + mark + "c"}, {"a\n" + mark, "p", "d"}}));
}

TEST(ByteOrderMark, IsFoundWhereverBlocksEnd) {
  const std::string mark = "\xEF\xBB\xBF";
  std::string text;
  for (int i = 0; i < 40'000; ++i)
    text += mark + "http://x/" + std::to_string(i) + "\thttp://x/p\thttp://x/b\n";
  const KnowledgeGraph graph = graph_from("a.tsv", text);
  EXPECT_EQ(graph.triple_count(), 40'000U);
  for (const std::string& name : entities_of(graph)) EXPECT_EQ(name.find(mark), std::string::npos);
}

TEST(BlankLabels, ThatAreGeneratedAreNoneOfTheFilesOwn) {
  const std::string turtle =
      "_:nameless-1 <http://x/p> [ <http://x/q> <http://x/a> ] .\n"
      "[ <http://x/q> <http://x/b> ] <http://x/p> _:nameless-2 .\n"
      "_:nameless-2 <http://x/r> _:nameless-1000000000000 , _:nameless-1 .\n";
  const auto graph = graph_from("a.ttl", turtle);
  EXPECT_EQ(graph.entity_count(), 7U) << "five blank nodes, two others";
  EXPECT_THAT(entities_of(graph), Contains("_:nameless-1"));
  const std::string xml =
      "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:x=\"http://x/\">"
      "<rdf:Description><x:p rdf:resource=\"http://x/a\"/></rdf:Description>"
      "<rdf:Description rdf:nodeID=\"genid1\"><x:q rdf:resource=\"http://x/a\"/></rdf:Description>"
      "<rdf:Description rdf:nodeID=\"genid2\"><x:r rdf:resource=\"http://x/a\"/></rdf:Description>"
      "<rdf:Description><x:s rdf:resource=\"http://x/a\"/></rdf:Description></rdf:RDF>";
  EXPECT_EQ(graph_from("a.rdf", xml).entity_count(), 5U) << "four blank nodes and a";
}

TEST(BlankLabels, OfTheFilesOwnStayAsTheyAre) {
  const auto names = [](const std::string& label) {
    return entities_of(graph_from("a.ttl", "_:" + label + " <http://x/p> <http://x/b> .\n"));
  };
  for (const std::string label : {"b1", "B1", "nameless-1", "nameless-01", "genid1"}) {
    EXPECT_THAT(names(label), Contains("_:" + label));
  }
  EXPECT_NE(error_from("a.ttl", "_:B1 <http://x/p> _:b1 .\n"), "") << "serd makes one node of them";
}

class LinkFile : public testing::Test {
 protected:
  LoadedPair load(const std::map<std::string, std::string>& links) {
    std::map<std::string, std::string> files = links;
    files["left.nt"] = "<http://x/a> <http://x/p> <http://x/\xC3\xA9> .\n_:n <http://x/p> <http://x/a> .\n";
    files["right.nt"] = "<http://y/a> <http://y/p> <http://y/b> .\n_:n <http://y/p> <http://y/a> .\n";
    return load_folder(here_.folder("pair", files), {}, listener_);
  }
  Workspace here_;
  Listener listener_;
};

TEST_F(LinkFile, OfWhichNoLinkIsKnownIsRefused) {
  EXPECT_THAT(error_of([&] {
                (void)load({{"train_links.tsv", "http://x/no\thttp://y/no\n"}});
              }),
              HasSubstr("found no link between entities of the two graphs among 1"));
}

TEST_F(LinkFile, ThatRepeatsTheSeedsIsReported) {
  const LoadedPair pair =
      load({{"train_links.tsv", "http://x/a\thttp://y/a\n"}, {"test_links.tsv", "http://x/a\thttp://y/a\n"}});
  EXPECT_THAT(pair.links.test, IsEmpty());
  EXPECT_THAT(listener_.warnings, ElementsAre(HasSubstr("1 of 1 link is given as a seed")));
}

TEST_F(LinkFile, WithoutALinkIsReported) {
  (void)load({{"train_links.tsv", "left\tright\n"}});
  EXPECT_THAT(listener_.warnings, ElementsAre(HasSubstr("there is no link in it")));
}

TEST_F(LinkFile, OfAnExportNamesTheSameEntities) {
  const LoadedPair pair = load({{"train_links.tsv", "http://x/%C3%A9\thttp://y/b\n_:left_n\t_:right_n\n"}});
  EXPECT_EQ(links_of(pair, pair.links.train),
            (std::set<Pair>{{"http://x/\xC3\xA9", "http://y/b"}, {"_:n", "_:n"}}));
}

TEST(Printable, SpellsOutWhatIsNotUtf8) {
  EXPECT_EQ(printable("a\xFF\xC3(\xC3\xA9\xE2\x82"), "a\\xFF\\xC3(\xC3\xA9\\xE2\\x82");
  EXPECT_EQ(printable("\xED\xA0\x80\xF4\x90\x80\x80"), "\\xED\\xA0\\x80\\xF4\\x90\\x80\\x80");
}

}  // namespace
}  // namespace dovetail::test

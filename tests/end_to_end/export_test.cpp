#include <dovetail/run.h>

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "end_to_end/program.h"

namespace dovetail::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// One run for all tests, which only read it.
class ExportProgram : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    home = std::make_unique<Workspace>();
    ASSERT_EQ(dovetail({"generate", made("pair"), "--entities", "300", "--seed-ratio", "0.3", "-q"}).code, 0);
    const Outcome run =
        dovetail({"align", made("pair"), "--out", made("run"), "--dimension", "16", "--mode", "semi", "-q"});
    ASSERT_EQ(run.code, 0) << run.err;
  }
  static void TearDownTestSuite() { home.reset(); }

  static std::string made(const std::string& name) { return (*home / name).string(); }
  [[nodiscard]] std::string at(const std::string& name) const { return (here / name).string(); }

  [[nodiscard]] static Outcome exported(const std::string& to, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {"export", made("run"), "--to", to};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return dovetail(arguments);
  }

  inline static std::unique_ptr<Workspace> home;
  Workspace here;
};

using Scored = std::tuple<std::string, std::string, double>;

std::vector<Scored> links_in(const std::filesystem::path& path) {
  std::vector<Scored> links;
  Listener listener;
  for (const NamedLink& link : load_links(path, Format::automatic, {}, listener)) {
    links.emplace_back(link.left, link.right, link.score);
  }
  return links;
}

TEST_F(ExportProgram, EveryFormatOfLinksHoldsTheSameLinksAndConfidences) {
  const std::vector<Scored> expected = links_in(made("run/links.tsv"));
  ASSERT_GT(expected.size(), 100U);
  for (const auto& [format, file] : {std::pair("tsv", "l.tsv"),
                                     {"csv", "l.csv"},
                                     {"json", "l.json"},
                                     {"sssom", "l.sssom.tsv"},
                                     {"alignment-api", "l.rdf"}}) {
    const Outcome run = exported(format, {"-o", at(file)});
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr(std::to_string(expected.size()) + " links as " + format));
    EXPECT_EQ(links_in(here / file), expected) << format;
  }
  EXPECT_EQ(here.files().size(), 5U) << "and nothing beside them";
}

TEST_F(ExportProgram, SameAsSaysHowSureItIsIfAsked) {
  const std::vector<Scored> expected = links_in(made("run/links.tsv"));
  const Outcome plain = exported("sameas");
  EXPECT_EQ(std::count(plain.out.begin(), plain.out.end(), '\n'), static_cast<long>(expected.size()));
  ASSERT_EQ(exported("sameas", {"--confidence", "reification", "-o", at("l.nt")}).code, 0);
  const KnowledgeGraph graph = graph_in(here / "l.nt");
  EXPECT_EQ(graph.literal_count(), expected.size());
  std::multiset<std::string> values, scores;
  for (const Row& row : literals_of(graph)) {
    EXPECT_EQ(row[1], "https://w3id.org/sssom/confidence");
    values.insert(row[2]);
  }
  for (const auto& [left, right, score] : expected) {
    scores.insert(fmt::format("\"{:.6f}\"^^<http://www.w3.org/2001/XMLSchema#decimal>", score));
  }
  EXPECT_EQ(values, scores);
  EXPECT_EQ(links_in(here / "l.nt").size(), expected.size()) << "the links themselves are there too";
  const auto& [left, right, score] = expected[0];
  EXPECT_THAT(exported("sameas", {"--confidence", "rdf-star"}).out,
              HasSubstr(fmt::format("<< <{}> <http://www.w3.org/2002/07/owl#sameAs> <{}> >> "
                                    "<https://w3id.org/sssom/confidence> \"{:.6f}\"",
                                    left, right, score)));
}

TEST_F(ExportProgram, DoubtfulLinksCanBeLeftOut) {
  const std::vector<Scored> all = links_in(made("run/links.tsv"));
  // On this easy pair links are about equally sure: just below and just above the surest one.
  double surest = 0;
  for (const Scored& link : all) surest = std::max(surest, std::get<2>(link));
  for (const double bound : {surest - 0.00005, surest + 0.0001}) {
    std::vector<Scored> expected = all;
    std::erase_if(expected, [&](const Scored& link) { return std::get<2>(link) < bound; });
    ASSERT_EQ(expected.empty(), bound > surest);
    ASSERT_EQ(
        exported("tsv", {"--min-confidence", fmt::format("{:.6f}", bound), "-o", at("sure.tsv"), "--force"})
            .code,
        0);
    EXPECT_EQ(links_in(here / "sure.tsv"), expected);
  }
}

TEST_F(ExportProgram, PrintsTheSameAsItWrites) {
  const Outcome printed = exported("json");
  ASSERT_EQ(exported("json", {"-o", at("l.json"), "--quiet"}).code, 0);
  EXPECT_EQ(printed.code, 0);
  EXPECT_THAT(printed.err, IsEmpty());
  EXPECT_EQ(printed.out, content_of(here / "l.json"));
  EXPECT_EQ(nlohmann::json::parse(printed.out)[0].size(), 3U);
}

/// The numbers of a NumPy file of 32-bit numbers, row after row, and what its header says.
std::pair<std::string, std::vector<float>> npy(const std::filesystem::path& path) {
  const std::string bytes = content_of(path);
  EXPECT_THAT(bytes, StartsWith(std::string("\x93NUMPY\x01\0", 8)));
  const auto length = static_cast<std::size_t>(static_cast<unsigned char>(bytes[8])) +
                      256 * static_cast<std::size_t>(static_cast<unsigned char>(bytes[9]));
  EXPECT_EQ((10 + length) % 64, 0U);
  std::vector<float> values((bytes.size() - 10 - length) / sizeof(float));
  std::memcpy(values.data(), bytes.data() + 10 + length, values.size() * sizeof(float));
  return {bytes.substr(10, length), values};
}

TEST_F(ExportProgram, EmbeddingsComeWithTheirNames) {
  ASSERT_EQ(exported("npy", {"-o", at("numbers")}).code, 0);
  const SavedRun run = open_run(made("run"));
  const Model model = load_run_model(run);
  Listener listener;
  const LoadedPair pair = load_run_inputs(run, false, listener);
  const auto [header, left] = npy(here / "numbers/left.npy");
  EXPECT_THAT(header, StartsWith("{'descr': '<f4', 'fortran_order': False, 'shape': (300, 16), }"));
  EXPECT_EQ(left, std::vector<float>(model.entities.begin(), model.entities.begin() + 300 * 16));
  EXPECT_EQ(npy(here / "numbers/right.npy").second,
            std::vector<float>(model.entities.begin() + 300 * 16, model.entities.end()));
  EXPECT_EQ(npy(here / "numbers/relations.npy").second, model.relations);
  std::string names;
  for (EntityId e = 0; e < 300; ++e) names += std::string(pair.graphs.left().entity(e)) + "\n";
  EXPECT_EQ(content_of(here / "numbers/left.txt"), names);
  const std::string relations = content_of(here / "numbers/relations.txt");
  EXPECT_EQ(std::count(relations.begin(), relations.end(), '\n'), static_cast<long>(model.relation_rows));
  EXPECT_EQ(std::count(relations.begin(), relations.end(), '^'), static_cast<long>(model.relation_rows / 2));
}

TEST_F(ExportProgram, Word2vecHoldsTheSameNumbers) {
  ASSERT_EQ(exported("word2vec", {"-o", at("words")}).code, 0);
  const Model model = load_run_model(open_run(made("run")));
  std::istringstream file(content_of(here / "words/left.vec"));
  std::size_t rows = 0, dimension = 0;
  file >> rows >> dimension;
  EXPECT_EQ(rows, 300U);
  EXPECT_EQ(dimension, 16U);
  std::vector<float> values;
  for (std::string name; file >> name;) {
    EXPECT_THAT(name, StartsWith("http://left.example/"));
    for (std::size_t i = 0; i < dimension; ++i) file >> values.emplace_back();
  }
  EXPECT_EQ(values, std::vector<float>(model.entities.begin(), model.entities.begin() + 300 * 16));
}

TEST_F(ExportProgram, ReplacesNothingUnlessForced) {
  here.write("l.tsv", "mine");
  EXPECT_EQ(exported("tsv", {"-o", at("l.tsv")}).code, 2);
  EXPECT_EQ(content_of(here / "l.tsv"), "mine");
  EXPECT_EQ(exported("tsv", {"-o", at("l.tsv"), "--force"}).code, 0);
  EXPECT_NE(content_of(here / "l.tsv"), "mine");
  EXPECT_EQ(exported("npy", {"-o", at("e")}).code, 0);
  EXPECT_EQ(exported("npy", {"-o", at("e")}).code, 2);
  EXPECT_EQ(exported("npy", {"-o", at("e"), "--force"}).code, 0);
}

TEST_F(ExportProgram, MergeMakesOneGraphOfBoth) {
  const Outcome run = dovetail({"merge", made("run"), "--to", "ntriples", "-o", at("merged.nt.gz")});
  ASSERT_EQ(run.code, 0) << run.err;
  const KnowledgeGraph merged = graph_in(here / "merged.nt.gz");
  const SavedRun saved = open_run(made("run"));
  Listener listener;
  const LoadedPair pair = load_run_inputs(saved, false, listener);
  const std::size_t linked = saved.links.size() + pair.links.train.size();
  // Every name is still there; the note adds three.
  EXPECT_EQ(merged.entity_count(), 600U + 3);
  const std::set<Row> triples = triples_of(merged);
  EXPECT_EQ(std::count_if(triples.begin(), triples.end(),
                          [](const Row& row) { return row[1].ends_with("sameAs"); }),
            static_cast<long>(linked));
  const Outcome printed = dovetail({"merge", made("run"), "--to", "ntriples"});
  here.write("printed.nt", printed.out);
  EXPECT_EQ(triples_of(graph_in(here / "printed.nt")), triples);
  EXPECT_EQ(dovetail({"merge", made("run"), "--to", "ntriples", "-o", at("merged.nt.gz")}).code, 2);
  EXPECT_THAT(dovetail({"merge", made("run"), "--to", "dbp15k"}).err, HasSubstr("turtle"));
}

TEST_F(ExportProgram, SaysWhatItNeeds) {
  EXPECT_THAT(exported("npy").err, HasSubstr("-o FOLDER"));
  EXPECT_THAT(exported("xml").err, HasSubstr("sssom"));
  const Outcome other = dovetail({"export", made("pair"), "--to", "tsv"});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("a folder that align has written"));
  EXPECT_THAT(other.out, IsEmpty());
}

}  // namespace
}  // namespace dovetail::test

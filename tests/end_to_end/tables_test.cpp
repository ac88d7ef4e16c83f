#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "end_to_end/program.h"

namespace dovetail::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// Two tables about the same shops. `right_id` says what id the right table has for the n-th shop; the order
/// of rows is not that of the left table.
class Tables : public testing::Test {
 protected:
  static constexpr int kShops = 40;

  static std::string shop(int n) {
    static const std::vector<std::string> kFirst = {"Golden", "Silver", "Old", "Little", "Royal"};
    static const std::vector<std::string> kLast = {"Dragon", "Harbour", "Mill", "Garden",
                                                   "Bridge", "Lantern", "Oak",  "Kettle"};
    return kFirst[static_cast<std::size_t>(n) % 5] + " " + kLast[static_cast<std::size_t>(n / 5)];
  }
  static std::string phone(int n) { return fmt::format("415-{:03}-{:04}", 100 + 7 * n, (n * 7919) % 10'000); }

  void write_tables(int (*right_id)(int)) const {
    std::string left = "id,name,phone,city\n", right = "id,title,tel,town\n";
    for (int n = 0; n < kShops; ++n) {
      left += fmt::format("{},{},{},{}\n", n, shop(n), phone(n), n % 2 == 0 ? "Rome" : "Oslo");
      const int other = kShops - 1 - n;
      right += fmt::format("{},{},{},{}\n", right_id(other), shop(other), phone(other),
                           other % 2 == 0 ? "Rome" : "Oslo");
    }
    here.write("shops.csv", left);
    here.write("stores.csv", right);
  }

  [[nodiscard]] std::string at(const std::string& name) const { return (here / name).string(); }

  void succeed(const std::vector<std::string>& arguments) const {
    const Outcome run = dovetail(arguments);
    ASSERT_EQ(run.code, 0) << run.err;
  }

  /// Left and right of links.tsv.
  [[nodiscard]] std::set<Pair> links_in(const std::string& run) const {
    std::set<Pair> links;
    std::istringstream lines(content_of(here / run / "links.tsv"));
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
      const std::size_t tab = line.find('\t');
      links.emplace(line.substr(0, tab), line.substr(tab + 1, line.find('\t', tab + 1) - tab - 1));
    }
    return links;
  }

  Workspace here;
};

TEST_F(Tables, IdsAreNoEvidence) {
  write_tables([](int n) { return n; });
  succeed({"align", at("shops.csv"), at("stores.csv"), "--out", at("same"), "--quiet"});
  write_tables([](int n) { return 1000 + (n * 17) % kShops; });
  succeed({"align", at("shops.csv"), at("stores.csv"), "--out", at("other"), "--quiet"});
  std::set<Pair> renumbered;
  for (const auto& [left, right] : links_in("same")) {
    renumbered.emplace(left, fmt::format("{}", 1000 + (std::stoi(right) * 17) % kShops));
  }
  EXPECT_EQ(links_in("other"), renumbered);
  EXPECT_GE(renumbered.size(), 36U);
  for (const auto& [left, right] : links_in("same")) EXPECT_EQ(left, right);
}

TEST_F(Tables, EqualIdsAreNeverJoined) {
  // What has the same id is never the same.
  write_tables([](int n) { return (n + 1) % kShops; });
  succeed({"align", at("shops.csv"), at("stores.csv"), "--out", at("run"), "--quiet"});
  const std::set<Pair> links = links_in("run");
  ASSERT_GE(links.size(), 36U);
  for (const std::string format : {"sameas", "sssom", "alignment-api"}) {
    const std::string file = at("out." + std::string(format == "sameas"  ? "nt"
                                                     : format == "sssom" ? "sssom.tsv"
                                                                         : "rdf"));
    succeed({"export", at("run"), "--to", format, "-o", file});
    EXPECT_THAT(content_of(file),
                AllOf(HasSubstr("urn:dovetail:left:shops/"), HasSubstr("urn:dovetail:right:stores/")));
    // Read again, they are links of the same rows.
    Listener listener;
    const LoadedPair pair = load_files(here / "shops.csv", here / "stores.csv", file, keep_all(), listener);
    EXPECT_EQ(links_of(pair, pair.links.train), links) << format;
  }
  succeed({"merge", at("run"), "--to", "ntriples", "-o", at("merged.nt")});
  const KnowledgeGraph merged = graph_in(here / "merged.nt");
  const auto rows = [&](const std::string& prefix) {
    std::set<std::string> found;
    for (const std::string& name : entities_of(merged)) {
      if (name.starts_with(prefix)) found.insert(name);
    }
    return found.size();
  };
  EXPECT_EQ(rows("urn:dovetail:left:shops/"), 40U);
  EXPECT_EQ(rows("urn:dovetail:right:stores/"), 40U);  // as owl:sameAs at least
  // Every cell is there: of a left row, and of its partner under the left name.
  const std::multiset<Row> literals = literals_of(merged);
  for (const auto& [left, right] : links) {
    const std::string name = "urn:dovetail:left:shops/" + left;
    EXPECT_TRUE(literals.contains(
        Row{name, "urn:dovetail:relation:phone", fmt::format("\"{}\"", phone(std::stoi(left)))}));
    EXPECT_TRUE(literals.contains(
        Row{name, "urn:dovetail:relation:tel", fmt::format("\"{}\"", phone(std::stoi(left)))}));
  }
  succeed({"align", at("shops.csv"), at("stores.csv"), "--out", at("named"), "--quiet", "--iri-prefix",
           "http://a.example/", "--iri-prefix", "http://b.example/"});
  const Outcome same = dovetail({"export", at("named"), "--to", "sameas"});
  EXPECT_THAT(same.out, AllOf(HasSubstr("<http://a.example/7>"), HasSubstr("<http://b.example/8>")));
  const Outcome one =
      dovetail({"align", at("shops.csv"), at("stores.csv"), "--out", at("x"), "--iri-prefix", "http://a/"});
  EXPECT_EQ(one.code, 2);
  EXPECT_THAT(one.err, HasSubstr("--iri-prefix must be given twice"));
}

TEST_F(Tables, NamesComeFromAColumnAndNotFromIds) {
  write_tables([](int n) { return n + 5; });
  const Outcome run =
      dovetail({"align", at("shops.csv"), at("stores.csv"), "--out", at("run"), "--mode", "names"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out + run.err, AllOf(HasSubstr("shops.csv: names of entities are taken from name"),
                                       HasSubstr("stores.csv: names of entities are taken from title")));
  std::size_t right = 0;
  const std::set<Pair> links = links_in("run");
  for (const auto& [l, r] : links) right += std::stoi(l) + 5 == std::stoi(r) ? 1 : 0;
  EXPECT_GE(right, 36U);
}

TEST_F(Tables, ClassesAreInNoLink) {
  std::string left, right;
  for (int n = 0; n < kShops; ++n) {
    for (const auto& [text, side] : {std::pair(&left, "l"), {&right, "r"}}) {
      const std::string entity = fmt::format("<http://{}/{}>", side, n);
      *text += fmt::format("{} <http://www.w3.org/2000/01/rdf-schema#label> \"{}\" .\n", entity, shop(n));
      *text += fmt::format("{} <http://x/phone> \"{}\" .\n", entity, phone(n));
      *text += fmt::format("{} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://{}/Shop> .\n",
                           entity, side);
      *text += fmt::format("{} <http://x/next> <http://{}/{}> .\n", entity, side, (n + 1) % kShops);
    }
  }
  here.write("l.nt", left);
  here.write("r.nt", right);
  succeed({"align", at("l.nt"), at("r.nt"), "--out", at("run"), "--quiet"});
  EXPECT_EQ(links_in("run").size(), 40U);
  EXPECT_THAT(content_of(here / "run/links.tsv") + content_of(here / "run/unmatched.tsv"),
              Not(HasSubstr("Shop")));
  succeed({"align", at("l.nt"), at("r.nt"), "--out", at("all"), "--quiet", "--types-as-entities"});
  EXPECT_THAT(content_of(here / "all/links.tsv") + content_of(here / "all/unmatched.tsv"),
              HasSubstr("http://l/Shop"));
  // Merged, the classes are there.
  const Outcome merged = dovetail({"merge", at("run"), "--to", "ntriples"});
  EXPECT_THAT(merged.out, HasSubstr("<http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://l/Shop>"));
  EXPECT_THAT(merged.out, HasSubstr("<http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://r/Shop>"));
  // Other values than those that the run was made from.
  here.write("l.nt", left.replace(left.find("415-"), 4, "416-"));
  EXPECT_EQ(dovetail({"merge", at("run"), "--to", "ntriples"}).code, 2);
}

TEST_F(Tables, InspectListsAttributes) {
  write_tables([](int n) { return n; });
  const Outcome text = dovetail({"inspect", at("shops.csv"), at("stores.csv")});
  ASSERT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out,
              AllOf(HasSubstr("attributes, left"), HasSubstr("\"phone\""), HasSubstr("Golden Dragon")));
  const auto found =
      nlohmann::json::parse(dovetail({"inspect", at("shops.csv"), at("stores.csv"), "--json"}).out);
  std::map<std::string, nlohmann::json> attributes;
  for (const auto& one : found["left"]["attributes"]) attributes[one["name"]] = one;
  ASSERT_EQ(attributes.size(), 3U);
  EXPECT_EQ(attributes["phone"]["type"], "code");
  EXPECT_EQ(attributes["name"]["type"], "text");
  EXPECT_EQ(attributes["city"]["distinct"], 2);
  EXPECT_EQ(attributes["city"]["entities"], 40);
  EXPECT_EQ(attributes["city"]["examples"], nlohmann::json({"Rome", "Oslo"}));
}

TEST_F(Tables, NewRowsAndNewCellsAreAddedLater) {
  write_tables([](int n) { return n; });
  succeed({"align", at("shops.csv"), at("stores.csv"), "--out", at("run"), "--quiet"});
  here.write("more_shops.csv", "id,name,phone,city\n900,Blue Cellar,415-999-0001,Bern\n3,,415-888-0001,\n");
  here.write("more_stores.csv", "id,title,tel,town\n901,Blue Cellar,415-999-0001,Bern\n");
  succeed({"update", at("run"), "--left", at("more_shops.csv"), "--right", at("more_stores.csv"), "--out",
           at("grown"), "--quiet"});
  EXPECT_THAT(links_in("grown"), Contains(Pair{"900", "901"}));
}

TEST_F(Tables, ConvertToAFormatOfTriplesIsRefused) {
  write_tables([](int n) { return n; });
  const Outcome run = dovetail({"convert", at("shops.csv"), at("stores.csv"), at("ids"), "--to", "dbp15k"});
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("no triples between entities"));
  EXPECT_FALSE(std::filesystem::exists(here / "ids"));
}

}  // namespace
}  // namespace dovetail::test

#include "literal/name_text.h"

#include <dovetail/graph_builder.h>

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <optional>
#include <rapidcheck/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace dovetail {
namespace {

std::string latin(std::string_view label) {
  return NameNormaliser(true).words({label, false});
}
std::string own_script(std::string_view label) {
  return NameNormaliser(false).words({label, false});
}
std::string identifier(std::string_view text) {
  return NameNormaliser(true).words({text, true});
}
std::string for_vectors(std::string_view label) {
  return NameNormaliser(true).words_for_vectors({label, false});
}

TEST(NameText, SplitsOnWhatIsNoLetterOrDigit) {
  EXPECT_EQ(latin("The Big-Sleep (1978 film)"), "the big sleep 1978 film");
  EXPECT_EQ(latin("  L'Aquila,  AC/DC\t\n"), "l aquila ac dc");
  EXPECT_EQ(latin("R2D2"), "r2d2");
  EXPECT_EQ(latin("«Ünder–line»"), "under line");  // the way through ICU
  EXPECT_EQ(latin("5½"), "51 2");
}

TEST(NameText, MayLeaveNothing) {
  for (const char* text : {"", "   ", "?!", "…—", "\xF0\x9F\x98\x80"}) {
    EXPECT_EQ(latin(text), "") << text;
    EXPECT_EQ(own_script(text), "") << text;
    EXPECT_EQ(for_vectors(text), "") << text;
  }
}

TEST(NameText, TakesAwayAccentsAndCase) {
  EXPECT_EQ(own_script("Zurovići"), "zurovici");
  EXPECT_EQ(own_script("Zurovic\xCC\x81i"), "zurovici");  // decomposed
  EXPECT_EQ(own_script("ÇELİK"), "celik");
  EXPECT_EQ(own_script("Straße STRASSE"), "strasse strasse");
  EXPECT_EQ(own_script("ﬁn Ｆｕｌｌ Ⅳ"), "fin full iv");
  EXPECT_EQ(own_script("ΟΔΟΣ οδός"), "οδοσ οδοσ");  // one sigma for both
  EXPECT_EQ(own_script("ЁЖ ёж"), "еж еж");
}

TEST(NameText, MarksThatMakeAnotherLetterStay) {
  EXPECT_EQ(own_script("ガーナ"), "ガーナ");          // not kana ka
  EXPECT_EQ(own_script("दिल्ली"), "दिल्ली");            // vowels are marks
  EXPECT_EQ(own_script("서울"), "서울");              // composed again
  EXPECT_EQ(own_script("مُحَمَّد"), own_script("محمد"));  // points are left out as often as not
}

TEST(NameText, WritesOtherScriptsInLatin) {
  EXPECT_EQ(latin("Москва"), "moskva");
  EXPECT_EQ(latin("Ильич"), "ilic");  // the soft sign cuts no word in two
  EXPECT_EQ(latin("Αθήνα"), "athena");
  EXPECT_EQ(latin("北京"), "beijing");
  EXPECT_EQ(latin("民族陣線 (法國)"), "minzuzhenxian faguo");
  EXPECT_EQ(latin("とうきょう"), "toukyou");
  EXPECT_EQ(latin("दिल्ली"), "dilli");
  EXPECT_EQ(latin("Søren Łódź ß"), "soren lodz ss");
}

TEST(NameText, DecodesIdentifiers) {
  EXPECT_EQ(identifier("S%C3%A3o_Paulo"), "sao paulo");
  EXPECT_EQ(identifier("AC%2fDC"), "ac dc");
  EXPECT_EQ(identifier("100%_sure_%4"), "100 sure 4");
  EXPECT_EQ(identifier("100%25"), "100");
  EXPECT_EQ(identifier("bad%FFbytes"), "bad bytes");
  EXPECT_EQ(latin("S%C3%A3o"), "s c3 a3o");  // a label is not encoded
}

TEST(NameText, CutsWordsForVectorsWhereAScriptDoesNot) {
  EXPECT_EQ(for_vectors("北京大学"), "北京 大学");
  EXPECT_EQ(for_vectors("Zürich, L'Aquila"), "zurich l aquila");
  EXPECT_EQ(for_vectors("Москва 1980"), "москва 1980");
}

RC_GTEST_PROP(NameTextProperty, IsNormalOnce, (const std::string& junk)) {
  // Whatever the bytes, the words of the words are the same words, and no space is too many.
  const auto code =
      *rc::gen::container<std::string>(rc::gen::element('a', 'Z', ' ', '%', '_', '\xC3', '\xA9', '\0'));
  for (const std::string& text : {junk, code}) {
    const std::string words = own_script(text);
    RC_ASSERT(own_script(words) == words);
    RC_ASSERT(words.find("  ") == std::string::npos);
    RC_ASSERT(words.empty() || (words.front() != ' ' && words.back() != ' '));
  }
}

/// The share of identifiers that are taken for codes.
double codes_among(const std::vector<std::string>& identifiers) {
  GraphBuilder builder;
  const std::uint32_t relation = builder.relation("r");
  for (const std::string& identifier : identifiers) {
    builder.triple(builder.entity("http://x/" + identifier), relation,
                   builder.entity("http://x/" + identifier));
  }
  const KnowledgeGraph graph = std::move(builder).build(std::nullopt);
  const std::vector<std::uint8_t> codes = code_identifiers(graph, NameSource::automatic);
  return static_cast<double>(std::ranges::count(codes, 1)) / static_cast<double>(codes.size());
}

std::vector<std::string> numbered(const std::string& format, std::size_t count) {
  std::vector<std::string> identifiers;
  for (std::size_t n = 0; n < count; ++n) identifiers.push_back(fmt::format(fmt::runtime(format), n));
  return identifiers;
}

TEST(NameText, IdentifiersThatAreCodesAreNoNames) {
  for (const char* const format : {"x{}", "Q{}", "n{:04}", "person{}", "entity_{}", "L{:06}", "item-{}-b",
                                   "{:08x}", "550e8400-e29b-41d4-a716-4466{:08x}", "m.0{:03}x{}z"}) {
    std::vector<std::string> identifiers;
    for (std::size_t n = 0; n < 300; ++n) identifiers.push_back(fmt::format(fmt::runtime(format), n, n));
    EXPECT_GT(codes_among(identifiers), 0.99) << format;
  }
  EXPECT_EQ(codes_among(numbered("x{}", 3)), 1);
  // Several kinds, each with numbers of its own.
  std::vector<std::string> kinds = numbered("person{}", 100);
  for (const char* const kind : {"address{}", "city{}"}) {
    const std::vector<std::string> more = numbered(kind, 60);
    kinds.insert(kinds.end(), more.begin(), more.end());
  }
  EXPECT_EQ(codes_among(kinds), 1);
}

TEST(NameText, CodesAmongNamesAreNoNamesAndNamesWithNumbersAre) {
  std::vector<std::string> names;
  for (std::size_t n = 0; n < 26 * 20; ++n) {
    names.push_back(
        fmt::format("{}ville_{}ton", static_cast<char>('A' + n % 26), static_cast<char>('a' + n / 26)));
  }
  std::vector<std::string> some = names;
  some.insert(some.end(),
              {"A380", "Apollo_11", "Apollo_12", "Area_51", "1984_(novel)", "R2D2", "Boeing_747"});
  EXPECT_EQ(codes_among(some), 0);
  std::vector<std::string> half = names;
  for (const std::string& code : numbered("Q{:05}", names.size())) half.push_back(code);
  EXPECT_NEAR(codes_among(half), 0.5, 0.001);
  EXPECT_EQ(codes_among({"Apollo_11"}), 0);
}

TEST(NameText, KnowsWhereNamesComeFrom) {
  GraphBuilder builder;
  const auto add = [&](const char* name, const char* label) {
    const std::uint32_t entity = builder.add_entity(name);
    if (label != nullptr) builder.label(entity, label);
  };
  add("http://x/Big_Ben", "The Clock");
  add("http://x/Big_Ben", nullptr);
  add("http://x/1984", nullptr);
  add("1984", nullptr);
  add("1984", "The Novel");
  add("_:b7", nullptr);
  const KnowledgeGraph graph = std::move(builder).build(std::nullopt);
  const auto names = [&](NameSource source) {
    std::vector<std::string> out;
    NameNormaliser normaliser(true);
    for (EntityId e = 0; e < graph.entity_count(); ++e)
      out.push_back(normaliser.words(name_text(graph, e, source)));
    return out;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names(NameSource::automatic), (Names{"the clock", "big ben", "1984", "", "the novel", ""}));
  EXPECT_EQ(names(NameSource::labels), (Names{"the clock", "", "", "", "the novel", ""}));
  EXPECT_EQ(names(NameSource::identifiers), (Names{"big ben", "big ben", "1984", "", "", ""}));
}

}  // namespace
}  // namespace dovetail

#include "literal/name_text.h"

#include <dovetail/graph_builder.h>

#include <gtest/gtest.h>
#include <optional>
#include <rapidcheck/gtest.h>
#include <string>

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

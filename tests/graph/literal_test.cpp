#include "graph/literal.h"

#include <gtest/gtest.h>
#include <string>

#include "formats/iri.h"

namespace dovetail {
namespace {

TEST(Literal, IsPutTogetherWithEscapes) {
  EXPECT_EQ(make_literal("a\tb\nc\rd\"e\\f'é", {}, {}), R"("a\tb\nc\rd\"e\\f'é")");
  EXPECT_EQ(make_literal("a", "en", {}), R"("a"@en)");
  EXPECT_EQ(make_literal("", {}, "http://x/t"), R"(""^^<http://x/t>)");
}

TEST(Literal, IsTakenApart) {
  const LiteralParts tagged = split_literal(R"("a\tb\n\"c\"\\ \u00E9\U0001F600"@en-GB)");
  EXPECT_EQ(tagged.text, "a\tb\n\"c\"\\ é😀");
  EXPECT_EQ(tagged.language, "en-GB");
  EXPECT_EQ(tagged.datatype, "");
  const LiteralParts typed = split_literal(R"("7"^^<http://x/t>)");
  EXPECT_EQ(typed.text, "7");
  EXPECT_EQ(typed.language, "");
  EXPECT_EQ(typed.datatype, "http://x/t");
}

TEST(Literal, IsToldFromOtherText) {
  for (const char* yes : {R"("")", R"("a")", R"("a \" b")", R"("a"@en)", R"("a"^^<http://x/t>)", R"("\\")"}) {
    EXPECT_TRUE(is_literal(yes)) << yes;
  }
  for (const char* no : {"", "a", R"(")", R"("a)", R"("a" b)", R"("a"@)", R"("a\")", R"("\q")", R"("\u00")",
                         R"("a"b")", R"("a"^^<http://x/t)", R"("a"^^<>x)", R"("a"@en "b")"}) {
    EXPECT_FALSE(is_literal(no)) << no;
  }
}

TEST(Iri, IsWhatItWasWhereItWasOne) {
  for (const char* iri : {"http://x/é%20a", "urn:isbn:1", "_:a1", "mailto:a@b"})
    EXPECT_EQ(to_iri(iri, IriRole::entity), iri);
}

TEST(Iri, IsMadeOfOtherNames) {
  EXPECT_EQ(to_iri("http://x/a b<>", IriRole::entity), "http://x/a%20b%3C%3E");
  EXPECT_EQ(to_iri("Deh Bonyad", IriRole::entity), "urn:dovetail:entity:Deh%20Bonyad");
  EXPECT_EQ(to_iri("50%/a#b", IriRole::entity), "urn:dovetail:entity:50%25%2Fa%23b");
  EXPECT_EQ(to_iri("7", IriRole::relation), "urn:dovetail:relation:_7");
  EXPECT_EQ(to_iri("Star_Trek:_Voyager", IriRole::entity), "urn:dovetail:entity:Star_Trek:_Voyager");
  EXPECT_EQ(to_iri("_:a", IriRole::relation), "urn:dovetail:relation:__:a")
      << "no blank node says how things relate";
}

}  // namespace
}  // namespace dovetail

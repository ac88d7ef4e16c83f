#include <dovetail/errors.h>
#include <dovetail/judgements.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "encoder/tiny_pair.h"
#include "formats/support.h"

namespace dovetail::test {
namespace {

Judgement same(const std::string& left, const std::string& right) {
  return {.verdict = Verdict::same, .left = left, .right = right};
}
Judgement different(const std::string& left, const std::string& right) {
  return {.verdict = Verdict::different, .left = left, .right = right};
}
Judgement none_left(const std::string& left) {
  return {.verdict = Verdict::none, .left = left, .right = ""};
}
Judgement undone(const std::string& left, const std::string& right) {
  return {.verdict = Verdict::undone, .left = left, .right = right};
}

std::vector<Judgement> in_force(const std::vector<Judgement>& all) {
  return judgements_in_force(all);
}

TEST(Judgements, ALaterOneAboutTheSamePairReplacesTheEarlier) {
  EXPECT_EQ(in_force({same("a", "A"), different("a", "A")}), std::vector{different("a", "A")});
  EXPECT_EQ(in_force({different("a", "A"), same("a", "A")}), std::vector{same("a", "A")});
}

TEST(Judgements, AnEntityHasOneCounterpart) {
  EXPECT_EQ(in_force({same("a", "A"), same("a", "B")}), std::vector{same("a", "B")});
  EXPECT_EQ(in_force({same("a", "A"), same("b", "A")}), std::vector{same("b", "A")});
  EXPECT_EQ(in_force({same("a", "A"), none_left("a")}), std::vector{none_left("a")});
  EXPECT_EQ(in_force({none_left("a"), same("a", "A")}), std::vector{same("a", "A")});
  // What was replaced takes nothing with it when it is replaced again.
  EXPECT_EQ(in_force({same("a", "A"), same("a", "B"), same("c", "A")}),
            (std::vector{same("a", "B"), same("c", "A")}));
}

TEST(Judgements, DifferentOnesOfOneEntityStandTogether) {
  const std::vector all{different("a", "A"), different("a", "B"), same("a", "C")};
  EXPECT_EQ(in_force(all), all);
}

TEST(Judgements, UndoingBringsBackWhatHeldBefore) {
  EXPECT_EQ(in_force({same("a", "A"), undone("a", "A")}), std::vector<Judgement>{});
  EXPECT_EQ(in_force({same("a", "A"), same("a", "B"), undone("a", "B")}), std::vector{same("a", "A")});
  EXPECT_EQ(in_force({same("a", "A"), different("a", "A"), undone("a", "A"), undone("a", "A")}),
            std::vector<Judgement>{});
  EXPECT_EQ(in_force({undone("a", "A"), same("a", "A")}), std::vector{same("a", "A")});
}

TEST(Judgements, AreLearnedFrom) {
  const GraphPair pair = tiny_pair(6, 2, 12, 1);
  const auto left = [&](EntityId entity) { return std::string(pair.left().entity(entity)); };
  const auto right = [&](EntityId entity) { return std::string(pair.right().entity(entity)); };
  SeedLinks links;
  links.train = {{0, 0}, {1, 1}, {2, 2}};
  links.test = {{3, 3}, {4, 4}};
  links.apart = {{3, 4}, {5, 5}};
  Judgement chosen = same(left(3), right(4));
  chosen.instead_of = right(3);
  Judgement alone{.verdict = Verdict::none, .left = "", .right = right(5)};
  Judgement stranger = same("nobody", right(1));
  const std::vector<Judgement> all{same(left(0), right(1)), different(left(2), right(2)), chosen, alone,
                                   stranger};
  apply_judgements(pair, all, links);
  EXPECT_THAT(links.train, testing::UnorderedElementsAre(Link{0, 1}, Link{3, 4}));
  EXPECT_TRUE(links.test.empty());  // both test links are about entities that were judged
  EXPECT_THAT(links.apart, testing::ElementsAre(Link{2, 2}, Link{3, 3}, Link{5, 5}, Link{kNone, 5}));
  EXPECT_EQ(links.unknown, 1U);
  EXPECT_TRUE(kept_apart(links.apart, {0, 5}));
  EXPECT_TRUE(kept_apart(links.apart, {2, 2}));
  EXPECT_FALSE(kept_apart(links.apart, {2, 3}));
}

TEST(Judgements, AreTheSameAfterWritingAndReading) {
  const Workspace here;
  Judgement full{.verdict = Verdict::same,
                 .left = "http://a.example/\"quoted\"",
                 .right = "_:b\n",
                 .instead_of = "Ж",
                 .reviewer = "Ann <a@example.org>",
                 .time = "2026-01-31T12:34:56Z",
                 .order = "random",
                 .confidence = 0.25};
  const std::vector all{full, none_left("x"), undone("x", "")};
  std::string text;
  for (const Judgement& judgement : all) text += judgement_line(judgement) + "\n";
  EXPECT_EQ(read_judgements(here.write("review.jsonl", text)), all);
  // A line that was cut off while it was written never counted.
  EXPECT_EQ(read_judgements(here.write("cut.jsonl", text.substr(0, text.size() - 5))),
            (std::vector{full, none_left("x")}));
  EXPECT_EQ(read_judgements(here.write("whole.jsonl", text.substr(0, text.size() - 1))), all);
}

TEST(Judgements, OfAnotherFormAreRefusedWithTheLine) {
  const Workspace here;
  const auto error = [&](const std::string& line) {
    return error_of([&] {
      (void)read_judgements(here.write("bad.jsonl", judgement_line(none_left("x")) + "\n" + line + "\n"));
    });
  };
  for (const char* line :
       {"", "same a b", "[]", R"({"verdict": "same", "left": "a"})", R"({"verdict": "perhaps", "left": "a"})",
        R"({"verdict": "none", "left": "a", "right": "b"})", R"({"verdict": "same", "left": 1, "right": 2})",
        R"({"verdict": "different", "left": "a", "right": "b", "confidence": "high"})"}) {
    EXPECT_THAT(error(line), testing::HasSubstr("bad.jsonl:2:")) << line;
    EXPECT_THAT(error(line), testing::HasSubstr("expected")) << line;
  }
}

}  // namespace
}  // namespace dovetail::test

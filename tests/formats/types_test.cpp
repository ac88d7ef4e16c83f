// Classes, the objects of rdf:type, are no entities.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>

#include "formats/support.h"
#include "graph/entity_types.h"
#include "graph/fingerprint.h"

namespace dovetail::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kType = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";
const std::string kSubClassOf = "http://www.w3.org/2000/01/rdf-schema#subClassOf";
const std::string kLabel = "http://www.w3.org/2000/01/rdf-schema#label";

std::string line(const std::string& head, const std::string& relation, const std::string& tail) {
  return "<" + head + "> <" + relation + "> " + (tail.starts_with('"') ? tail : "<" + tail + ">") + " .\n";
}

/// The ontology stands before, between and behind the entities.
const std::string kPeople =
    line("Person", kLabel, "\"person\"") + line("Person", kSubClassOf, "Agent") +
    line("Agent", kSubClassOf, "Thing") + line("Person", kType, "Class") + line("ann", "knows", "bob") +
    line("ann", kType, "Person") + line("ann", kType, "Pilot") + line("ann", kType, "Person") +
    line("ann", "age", "\"7\"") + line("bob", kType, "Person") + line("bob", "sees", "Agent") +
    line("Pilot", "wears", "cap") + line("cap", kLabel, "\"cap\"");

LoadOptions with_types() {
  LoadOptions options = keep_all();
  options.types_as_entities = false;
  return options;
}

using Types = std::map<std::string, std::set<std::string>>;

Types types_of(const KnowledgeGraph& graph) {
  Types types;
  for (EntityId e = 0; e < graph.entity_count(); ++e) {
    for (const std::uint32_t type : types_of(graph, e))
      types[std::string(graph.entity(e))].emplace(classes_of(graph)[type]);
  }
  return types;
}

TEST(Types, AreNoEntities) {
  for (const bool shuffled : {false, true}) {
    LoadOptions options = with_types();
    if (shuffled) options.shuffle_seed = 7;
    const KnowledgeGraph graph = graph_from("a.nt", kPeople, options);
    EXPECT_THAT(entities_of(graph), ElementsAre("ann", "bob", "cap"));
    EXPECT_THAT(triples_of(graph), ElementsAre(Row{"ann", "knows", "bob"}));
    EXPECT_THAT(literals_of(graph), ElementsAre(Row{"ann", "age", "\"7\""}, Row{"cap", kLabel, "\"cap\""}));
    EXPECT_EQ(graph.literal_count(), 2U);
    EXPECT_EQ(labels_of(graph), (std::map<std::string, std::string>{{"cap", "cap"}}));
    EXPECT_EQ(types_of(graph), (Types{{"ann", {"Person", "Pilot"}}, {"bob", {"Person"}}}));
    EXPECT_EQ(type_count(graph), 3U);
    for (const std::string name : {"ann", "bob", "cap"}) EXPECT_EQ(graph.entity(*graph.find(name)), name);
    EXPECT_EQ(graph.find("Person"), std::nullopt);
  }
}

TEST(Types, AreEntitiesWhereThatIsAskedFor) {
  const KnowledgeGraph graph = graph_from("a.nt", kPeople, keep_all());
  EXPECT_EQ(graph.entity_count(), 8U);
  EXPECT_EQ(graph.triple_count(), 9U);
  EXPECT_EQ(type_count(graph), 0U);
  EXPECT_THAT(types_of(graph), IsEmpty());
}

TEST(Types, OfOtherFormats) {
  const Types expected = {{"ann", {"Person"}}};
  for (const auto& [name, text] : std::map<std::string, std::string>{
           {"a.tsv", "ann\trdf:type\tPerson\nann\tknows\tbob\n"},
           {"b.tsv", "ann\t" + kType + "\tPerson\nann\tknows\tbob\n"},
           {"c.csv", "head,relation,tail\nann,rdf:type,Person\nann,knows,bob\n"},
           {"d.ttl", "@base <urn:x/> . <ann> a <Person> ; <knows> <bob> .\n"}}) {
    const KnowledgeGraph graph = graph_from(name, text, with_types());
    EXPECT_EQ(graph.entity_count(), 2U) << name;
    EXPECT_EQ(types_of(graph).size(), 1U) << name;
  }
  const KnowledgeGraph table =
      graph_from("t.csv", "id,name,type\n1,Ann,Person\n2,Bob,\n3,Cy,Pilot\n", with_types());
  EXPECT_EQ(types_of(table), (Types{{"1", {"Person"}}, {"3", {"Pilot"}}}));
}

TEST(Types, NothingButClassesIsRefused) {
  EXPECT_THAT(error_from("a.nt", line("a", kType, "b") + line("b", kType, "a"), with_types()),
              HasSubstr("--types-as-entities"));
}

TEST(Types, MayBeAddedLater) {
  const Workspace here;
  Listener listener;
  const auto first = here.write("a.nt", line("ann", "knows", "bob") + line("ann", kType, "Person"));
  // bob is an entity by now and stays one.
  const auto more = here.write(
      "b.nt", line("cy", kType, "Person") + line("dog", kType, "bob") + line("Person", kLabel, "\"person\""));
  LoadOptions options = with_types();
  options.shuffle_seed = 3;
  const LoadedPair pair = load_files(first, first, {}, options, listener);
  const std::uint64_t before = fingerprint(pair.graphs, pair.links, false);
  const LoadedPair grown =
      add_files(load_files(first, first, {}, options, listener), {.left = more}, listener);
  EXPECT_THAT(entities_of(grown.graphs.left()), ElementsAre("ann", "bob", "cy", "dog"));
  EXPECT_EQ(types_of(grown.graphs.left()),
            (Types{{"ann", {"Person"}}, {"cy", {"Person"}}, {"dog", {"bob"}}}));
  EXPECT_EQ(types_of(grown.graphs.right()), (Types{{"ann", {"Person"}}}));
  EXPECT_NE(fingerprint(grown.graphs, grown.links, false), before);
  // The same classes, other entities of them.
  const auto other = here.write("c.nt", line("ann", "knows", "bob") + line("bob", kType, "Person"));
  const LoadedPair changed = load_files(other, first, {}, options, listener);
  EXPECT_NE(fingerprint(changed.graphs, changed.links, false), before);
}

TEST(Types, ALongChainOfClassesTakesNoTime) {
  std::string text = line("ann", kType, "0") + line("ann", "knows", "bob");
  for (int n = 0; n < 50'000; ++n) text += line(std::to_string(n), kSubClassOf, std::to_string(n + 1));
  EXPECT_EQ(graph_from("a.nt", text, with_types()).entity_count(), 2U);
}

TEST(Fingerprint, TellsLiteralsApartWhereTheyCount) {
  const Workspace here;
  Listener listener;
  const auto pair = [&](const std::string& text) {
    const auto file = here.write("a.nt", text);
    return load_files(file, file, {}, keep_all(), listener);
  };
  const std::string one = line("ann", "age", "\"7\""), two = line("ann", "size", "\"8\"");
  const LoadedPair first = pair(one + two), turned = pair(two + one),
                   other = pair(one + line("ann", "size", "\"9\""));
  EXPECT_EQ(fingerprint(first.graphs, first.links, true), fingerprint(turned.graphs, turned.links, true));
  EXPECT_NE(fingerprint(first.graphs, first.links, true), fingerprint(other.graphs, other.links, true));
  EXPECT_EQ(fingerprint(first.graphs, first.links, false), fingerprint(other.graphs, other.links, false));
}

}  // namespace
}  // namespace dovetail::test

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "formats/support.h"

namespace dovetail::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Files = std::map<std::string, std::string>;

class Folder : public testing::Test {
 protected:
  LoadedPair load(const Files& files, const LoadOptions& options = keep_all()) {
    std::filesystem::remove_all(here / "pair");
    return load_folder(here.folder("pair", files), options, listener);
  }
  std::string error(const Files& files, const LoadOptions& options = keep_all()) {
    return error_of([&] { (void)load(files, options); });
  }
  Workspace here;
  Listener listener;
};

// --- DBP15K ------------------------------------------------------------------------------------------------

const Files kIds = {{"ent_ids_1", "0\thttp://l/a\n1\thttp://l/b\n2\thttp://l/c\n"},
                    {"ent_ids_2", "10\thttp://r/a\n11\thttp://r/b\n12\thttp://r/c\n"},
                    {"triples_1", "0\t5\t1\n1\t6\t2\n0\t5\t1\n"},
                    {"triples_2", "10\t5\t11\n"},
                    {"ref_ent_ids", "0\t10\n1\t11\n"}};

Files changed(Files files, const std::string& name, const std::string& text) {
  files[name] = text;
  return files;
}
Files without(Files files, const std::string& name) {
  files.erase(name);
  return files;
}

TEST_F(Folder, OfIdsHasTheUrisOfItsEntities) {
  const LoadedPair pair = load(kIds);
  EXPECT_EQ(pair.format, "DBP15K ids");
  EXPECT_THAT(triples_of(pair.graphs.left()),
              ElementsAre(Row{"http://l/a", "5", "http://l/b"}, Row{"http://l/b", "6", "http://l/c"}));
  EXPECT_EQ(pair.graphs.left().duplicate_count(), 1U);
  EXPECT_THAT(entities_of(pair.graphs.right()), ElementsAre("http://r/a", "http://r/b", "http://r/c"));
  EXPECT_EQ(pair.links.size(), 2U);
  EXPECT_THAT(listener.warnings, IsEmpty());
}

TEST_F(Folder, OfIdsMayLackUris) {
  const LoadedPair pair = load(without(without(kIds, "ent_ids_1"), "ent_ids_2"));
  EXPECT_THAT(entities_of(pair.graphs.left()), ElementsAre("0", "1", "2"));
  EXPECT_THAT(entities_of(pair.graphs.right()), ElementsAre("10", "11"));
  EXPECT_EQ(pair.links.size(), 2U);
}

TEST_F(Folder, OfIdsMayHaveRelations) {
  const LoadedPair pair = load(
      changed(changed(kIds, "rel_ids_1", "5\thttp://l/p\n6\thttp://l/q\n"), "rel_ids_2", "5\thttp://r/p\n"));
  EXPECT_THAT(triples_of(pair.graphs.left()), ElementsAre(Row{"http://l/a", "http://l/p", "http://l/b"},
                                                          Row{"http://l/b", "http://l/q", "http://l/c"}));
  EXPECT_THAT(triples_of(pair.graphs.right()), ElementsAre(Row{"http://r/a", "http://r/p", "http://r/b"}));
}

TEST_F(Folder, OfIdsMayHaveCarriageReturnsMarksAndNoFinalLineEnd) {
  Files files;
  for (const auto& [name, text] : kIds) {
    std::string changed_text = "\xEF\xBB\xBF";
    for (const char c : text) changed_text += c == '\n' ? std::string("\r\n") : std::string(1, c);
    changed_text.resize(changed_text.size() - 2);
    files[name] = changed_text;
  }
  const LoadedPair pair = load(files);
  EXPECT_EQ(triples_of(pair.graphs.left()), triples_of(load(kIds).graphs.left()));
  EXPECT_TRUE(pair.graphs.right().find("http://r/c"));
  EXPECT_EQ(pair.links.size(), 2U);
}

TEST_F(Folder, OfIdsUsesGivenSplitsUnderEachOfTheirNames) {
  for (const std::array<const char*, 3>& names : {std::array{"sup_ent_ids", "ref_ent_ids", "valid_ent_ids"},
                                                  std::array{"sup_pairs", "ref_pairs", "valid_pairs"},
                                                  std::array{"train_links", "test_links", "valid_links"}}) {
    Files files = without(kIds, "ref_ent_ids");
    files[names[0]] = "0\t10\n";
    files[names[1]] = "1\t11\n";
    files[names[2]] = "2\t12\n";
    const LoadedPair pair = load(files);
    EXPECT_THAT(links_of(pair, pair.links.train), ElementsAre(Pair{"http://l/a", "http://r/a"}));
    EXPECT_THAT(links_of(pair, pair.links.test), ElementsAre(Pair{"http://l/b", "http://r/b"}));
    EXPECT_THAT(links_of(pair, pair.links.valid), ElementsAre(Pair{"http://l/c", "http://r/c"}));
  }
}

TEST_F(Folder, OfIdsKeepsValidLinksOutOfASplit) {
  const LoadedPair pair = load(changed(kIds, "valid_pairs", "2\t12\n"));
  EXPECT_THAT(links_of(pair, pair.links.valid), ElementsAre(Pair{"http://l/c", "http://r/c"}));
  EXPECT_EQ(pair.links.test.size(), 2U);
}

TEST_F(Folder, OfIdsTakesItsTranslatedNames) {
  const LoadedPair pair = load(
      changed(kIds, "translated_names.json", "[[0, [\"the\", \"a\"]], [11, [\"b\"]], [99, [\"none\"]]]"));
  EXPECT_EQ(pair.graphs.left().name(*pair.graphs.left().find("http://l/a")), "the a");
  EXPECT_EQ(labels_of(pair.graphs.right()).size(), 1U);
}

TEST_F(Folder, OfIdsMayBeCompressed) {
  for (const std::string& extension : kCompressions) {
    Files files;
    for (const auto& [name, text] : kIds) files[name + extension] = compressed(text, extension);
    const LoadedPair pair = load(files);
    EXPECT_EQ(pair.graphs.left().triple_count(), 2U) << extension;
    EXPECT_EQ(pair.links.size(), 2U);
  }
}

TEST_F(Folder, OfIdsTakesAnyNumbers) {
  const LoadedPair pair = load({{"ent_ids_1", "999999999999999999\ta\n0\tb\n70000\tc\n5\td\n"},
                                {"ent_ids_2", "123456789012\tx\n7\ty\n"},
                                {"triples_1", "999999999999999999\t999999999999999998\t0\n70000\t1\t5\n"},
                                {"triples_2", "123456789012\t0\t7\n"},
                                {"ref_ent_ids", "999999999999999999\t123456789012\n0\t7\n"}});
  EXPECT_THAT(triples_of(pair.graphs.left()),
              ElementsAre(Row{"a", "999999999999999998", "b"}, Row{"c", "1", "d"}));
  EXPECT_EQ(pair.links.size(), 2U);
}

TEST_F(Folder, OfIdsSaysWhatIsWrong) {
  const auto broken = [&](const std::string& name, const std::string& text) {
    return error(changed(kIds, name, text));
  };
  EXPECT_THAT(broken("triples_1", "0\t5\t1\n\n0\t5\n"),
              HasSubstr("triples_1:3: found 2 columns; expected 3"));
  EXPECT_THAT(broken("triples_1", "0\t5\t1\t2\n"), HasSubstr("triples_1:1: found 4 columns; expected 3"));
  EXPECT_THAT(broken("triples_1", "0 5 1\n"), HasSubstr("triples_1:1: found 1 column; expected 3"));
  EXPECT_THAT(broken("triples_1", "0\t5\t1\n0\tfive\t1\n"),
              HasSubstr("triples_1:2: found \"five\" in column 2; expected an id"));
  EXPECT_THAT(broken("triples_1", "0\t5\t-1\n"),
              HasSubstr("triples_1:1: found \"-1\" in column 3; expected an id"));
  EXPECT_THAT(broken("triples_1", "0\t\t1\n"),
              HasSubstr("triples_1:1: found \"\" in column 2; expected an id"));
  EXPECT_THAT(broken("triples_1", "1234567890123456789\t5\t1\n"), HasSubstr("in column 1; expected an id"));
  EXPECT_THAT(broken("triples_1", "0\t5\t1\n0\t5\t7\n"),
              AllOf(HasSubstr("triples_1:2: found id 7"), HasSubstr("ent_ids_1; expected")));
  EXPECT_THAT(broken("ent_ids_2", "10\tx\n10\ty\n"), HasSubstr("ent_ids_2:2: found id 10 a second time"));
  EXPECT_THAT(broken("ent_ids_2", "10\n"), HasSubstr("ent_ids_2:1: found one column; expected two"));
  EXPECT_THAT(broken("ent_ids_2", "10\tx\ty\n"), HasSubstr("ent_ids_2:1: found over two columns"));
  EXPECT_THAT(broken("ent_ids_2", "ten\tx\n"),
              HasSubstr("ent_ids_2:1: found \"ten\" in column 1; expected an id"));
  EXPECT_THAT(broken("rel_ids_1", "5\tp\n5\tq\n"), HasSubstr("rel_ids_1:2: found id 5 a second time"));
  EXPECT_THAT(broken("ref_ent_ids", "0\t10\n1\televen\n"),
              HasSubstr("ref_ent_ids:2: found \"eleven\" in column 2; expected an id"));
  EXPECT_THAT(broken("ref_ent_ids", "0\t10\n0\t1\n"),
              AllOf(HasSubstr("ref_ent_ids:2: "), HasSubstr("two entities of the left graph")));
  EXPECT_THAT(broken("ref_ent_ids", "0\t10\n0\t11\n"),
              HasSubstr("ref_ent_ids:2: found a second link of \"0\""));
  EXPECT_THAT(broken("ref_ent_ids", "10\t0\n"), HasSubstr("swap"));
  EXPECT_THAT(error(without(kIds, "triples_2")), HasSubstr("triples_2: there is no such file"));
  EXPECT_THAT(error(changed(kIds, "sup_ent_ids", "0\t11\n")), HasSubstr("second link of \"0\""))
      << "also across files";
}

// --- OpenEA ------------------------------------------------------------------------------------------------

const Files kOpenEa = {{"rel_triples_1", "http://l/a\thttp://l/p\thttp://l/b\nhead\trelation\ttail\n"},
                       {"rel_triples_2", "A\tp\tB\n"},
                       {"attr_triples_1",
                        "http://l/a\thttp://l/area\t6480.0^^<http://www.w3.org/2001/XMLSchema#double>\n"
                        "http://l/a\thttp://l/note\tsome text, with\ttab\n"
                        "http://l/b\thttp://www.w3.org/2000/01/rdf-schema#label\t\"B\"@en\n"
                        "http://l/c\thttp://l/note\tonly here\r\n"},
                       {"ent_links", "http://l/a\tA\nhttp://l/b\tB\n"}};

TEST_F(Folder, OfOpenEaHasLiterals) {
  const LoadedPair pair = load(kOpenEa);
  EXPECT_EQ(pair.format, "OpenEA");
  EXPECT_THAT(triples_of(pair.graphs.left()),
              ElementsAre(Row{"head", "relation", "tail"}, Row{"http://l/a", "http://l/p", "http://l/b"}));
  EXPECT_THAT(
      literals_of(pair.graphs.left()),
      ElementsAre(Row{"http://l/a", "http://l/area", "\"6480.0\"^^<http://www.w3.org/2001/XMLSchema#double>"},
                  Row{"http://l/a", "http://l/note", "\"some text, with\\ttab\""},
                  Row{"http://l/b", "http://www.w3.org/2000/01/rdf-schema#label", "\"B\"@en"},
                  Row{"http://l/c", "http://l/note", "\"only here\""}));
  EXPECT_EQ(labels_of(pair.graphs.left()), (std::map<std::string, std::string>{{"http://l/b", "B"}}));
  EXPECT_EQ(pair.links.size(), 2U);
}

TEST_F(Folder, OfOpenEaHasFoldsToChooseFrom) {
  Files files = kOpenEa;
  for (const std::string fold : {"1", "2"}) {
    const bool first = fold == "1";
    files["721_5fold/" + fold + "/train_links"] = first ? "http://l/a\tA\n" : "http://l/b\tB\n";
    files["721_5fold/" + fold + "/test_links"] = first ? "http://l/b\tB\n" : "http://l/a\tA\n";
  }
  files["721_5fold/2/train_links"] += "head\tp_is_no_entity\n";
  LoadOptions options = keep_all();
  LoadedPair pair = load(files, options);
  EXPECT_THAT(links_of(pair, pair.links.train), ElementsAre(Pair{"http://l/a", "A"}));
  EXPECT_THAT(links_of(pair, pair.links.test), ElementsAre(Pair{"http://l/b", "B"}));
  options.fold = 2;
  pair = load(files, options);
  EXPECT_THAT(links_of(pair, pair.links.train), ElementsAre(Pair{"http://l/b", "B"}));
  EXPECT_EQ(pair.links.unknown, 1U);
  options.fold = 6;
  EXPECT_THAT(error(files, options), HasSubstr("there is no fold 6; expected 1 to 5"));
}

TEST_F(Folder, OfOpenEaTakesGivenNames) {
  LoadOptions options = keep_all();
  options.names = here.write("names.json", "[[\"A\", \"given\"], [\"http://l/b\", \"not this\"]]");
  const LoadedPair pair = load(kOpenEa, options);
  EXPECT_EQ(labels_of(pair.graphs.right())["A"], "given");
  EXPECT_EQ(labels_of(pair.graphs.left())["http://l/b"], "B");
}

TEST_F(Folder, OfOpenEaMayBeCompressed) {
  for (const std::string& extension : kCompressions) {
    Files files;
    for (const auto& [name, text] : kOpenEa) files[name + extension] = compressed(text, extension);
    EXPECT_EQ(load(files).graphs.left().literal_count(), 4U) << extension;
  }
}

TEST_F(Folder, OfOpenEaSaysWhatIsWrong) {
  EXPECT_THAT(error(changed(kOpenEa, "attr_triples_2", "A\tp\tv\nA\tp\n")),
              HasSubstr("attr_triples_2:2: found 2 columns; expected 3"));
  EXPECT_THAT(error(changed(kOpenEa, "rel_triples_2", "A\tp\tB\nA\tp\n")),
              HasSubstr("rel_triples_2:2: found 2 columns; expected 3"));
  EXPECT_THAT(error(without(kOpenEa, "rel_triples_2")), HasSubstr("rel_triples_2: there is no such file"));
}

// --- left.* and right.* ------------------------------------------------------------------------------------

TEST_F(Folder, OfFilesMayMixFormats) {
  const LoadedPair pair =
      load({{"left.nt.gz", compressed("<http://l/a> <http://l/p> <http://l/b> .\n", ".gz")},
            {"right.csv", "A,p,B\n"},
            {"links.nt", "<http://l/a> <http://www.w3.org/2002/07/owl#sameAs> <A> .\n"},
            {"translated_names.json", "[[\"A\", \"name\"]]"}});
  EXPECT_EQ(pair.format, "files");
  EXPECT_EQ(pair.links.size(), 1U);
  EXPECT_EQ(labels_of(pair.graphs.right())["A"], "name");
}

TEST_F(Folder, OfFilesUsesGivenSplits) {
  const LoadedPair pair = load({{"left.tsv", "a\tp\tb\nb\tp\tc\n"},
                                {"right.tsv", "A\tp\tB\nB\tp\tC\n"},
                                {"train_links.tsv", "a\tA\n"},
                                {"valid_links.tsv", "b\tB\n"},
                                {"test_links.csv", "c,C\n"}});
  EXPECT_THAT(links_of(pair, pair.links.train), ElementsAre(Pair{"a", "A"}));
  EXPECT_THAT(links_of(pair, pair.links.valid), ElementsAre(Pair{"b", "B"}));
  EXPECT_THAT(links_of(pair, pair.links.test), ElementsAre(Pair{"c", "C"}));
}

TEST_F(Folder, OfFilesWantsOneOfEach) {
  EXPECT_THAT(error({{"left.tsv", "a\tp\tb\n"}, {"left.nt", ""}, {"right.tsv", "a\tp\tb\n"}}),
              HasSubstr("both left.nt and left.tsv"));
}

TEST_F(Folder, OfNoKnownKindIsRefused) {
  EXPECT_THAT(error({{"readme.txt", "x"}}),
              AllOf(HasSubstr("a folder of no known kind, with \"readme.txt\" in it"),
                    HasSubstr("expected triples_1")));
  EXPECT_THAT(error({{"left.nt", "x"}}), HasSubstr("no known kind"));
  EXPECT_THAT(error({{"base/triples_1", "0\t0\t0\n"}}), HasSubstr("its folder base looks like one"));
  EXPECT_THAT(error_of([&] { (void)load_folder(here / "none", {}, listener); }), HasSubstr("no such folder"));
  EXPECT_THAT(error_of([&] { (void)load_folder(here.write("file", "x"), {}, listener); }),
              HasSubstr("expected a folder"));
}

}  // namespace
}  // namespace dovetail::test

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "end_to_end/program.h"

namespace dovetail::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

/// Two good graphs and their links, one of which each test spoils.
class BadInput : public testing::Test {
 protected:
  BadInput() {
    here.write("left.nt",
               "<http://l/a> <http://l/p> <http://l/b> .\n<http://l/b> <http://l/p> <http://l/c> .\n");
    here.write("right.nt",
               "<http://r/a> <http://r/p> <http://r/b> .\n<http://r/b> <http://r/p> <http://r/c> .\n");
    here.write("links.tsv", "http://l/a\thttp://r/a\nhttp://l/b\thttp://r/b\n");
    here.folder("ids", {{"ent_ids_1", "0\tl0\n1\tl1\n"},
                        {"ent_ids_2", "2\tr0\n3\tr1\n"},
                        {"triples_1", "0\t0\t1\n"},
                        {"triples_2", "2\t0\t3\n"},
                        {"ref_ent_ids", "0\t2\n1\t3\n"}});
  }

  [[nodiscard]] std::string at(const std::string& name) const { return (here / name).string(); }

  /// Inspects and converts; both must end in the same one message, which is returned without the path.
  std::string refusal_of(std::vector<std::string> inputs, const std::vector<std::string>& options = {}) {
    for (std::string& input : inputs) input = at(input);
    const auto before = tree_of(here.path());
    std::vector<std::string> inspect = {"inspect"};
    inspect.insert(inspect.end(), inputs.begin(), inputs.end());
    inspect.insert(inspect.end(), options.begin(), options.end());
    const std::string message = refusal(inspect);
    std::vector<std::string> convert = {"convert"};
    convert.insert(convert.end(), inputs.begin(), inputs.end());
    convert.push_back(at("out"));
    convert.insert(convert.end(), options.begin(), options.end());
    convert.insert(convert.end(), {"--to", "ntriples"});
    EXPECT_EQ(refusal(convert), message);
    EXPECT_EQ(tree_of(here.path()), before) << "something was left behind";
    EXPECT_FALSE(std::filesystem::exists(here / "out"));
    EXPECT_FALSE(std::filesystem::exists(here / "out.partial"));
    return message;
  }

  std::string two_files(const std::string& left) { return refusal_of({left, "right.nt"}); }
  std::string with_links(const std::string& text, std::vector<std::string> options = {}) {
    here.write("links.tsv", text);
    options.insert(options.end(), {"--links", at("links.tsv")});
    return refusal_of({"left.nt", "right.nt"}, options);
  }
  std::string ids_with(const std::string& name, const std::string& text) {
    here.write("ids/" + name, text);
    return refusal_of({"ids"});
  }

  Workspace here;

 private:
  std::string refusal(const std::vector<std::string>& arguments) const {
    const Outcome run = dovetail(arguments);
    EXPECT_EQ(run.code, 2) << run.err;
    EXPECT_THAT(run.out, IsEmpty());
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << "one message, not this: " << run.err;
    EXPECT_THAT(run.err, StartsWith("dovetail: "));
    std::string message = run.err.substr(std::min<std::size_t>(run.err.size(), 10));
    const std::string folder = here.path().string() + "/";
    if (message.starts_with(folder)) message.erase(0, folder.size());
    return message;
  }
};

TEST_F(BadInput, MissingFile) {
  EXPECT_THAT(two_files("none.nt"), StartsWith("none.nt: cannot open the file: No such file"));
  EXPECT_THAT(refusal_of({"left.nt", "right.nt"}, {"--links", at("none")}), StartsWith("none: cannot open"));
  EXPECT_THAT(refusal_of({"left.nt", "right.nt"}, {"--names", at("none")}), StartsWith("none: cannot open"));
}

TEST_F(BadInput, MissingFolder) {
  const Outcome run = dovetail({"inspect", at("none")});
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("none: there is no such folder"));
}

TEST_F(BadInput, EmptyFile) {
  here.write("empty.nt", "");
  EXPECT_THAT(two_files("empty.nt"), StartsWith("empty.nt: the file is empty; expected at least one line"));
  EXPECT_THAT(ids_with("triples_1", ""), StartsWith("ids/triples_1: the file is empty; expected"));
}

TEST_F(BadInput, WrongNumberOfColumns) {
  here.write("bad.tsv", "a\tp\tb\na\tp\n");
  EXPECT_THAT(two_files("bad.tsv"), StartsWith("bad.tsv:2: found 2 columns; expected 3"));
  EXPECT_THAT(ids_with("triples_2", "2\t0\t3\n2\t0\t3\t4\n"),
              StartsWith("ids/triples_2:2: found 4 columns; expected 3"));
}

TEST_F(BadInput, IdThatIsNoNumber) {
  EXPECT_THAT(ids_with("triples_1", "0\t0\t1\n0\t0\tone\n"),
              StartsWith("ids/triples_1:2: found \"one\" in column 3; expected an id"));
}

TEST_F(BadInput, IdOfNoNumberInLinks) {
  EXPECT_THAT(ids_with("ref_ent_ids", "0\t2\none\t3\n"),
              StartsWith("ids/ref_ent_ids:2: found \"one\" in column 1; expected an id"));
}

TEST_F(BadInput, IdWithNoEntity) {
  EXPECT_THAT(ids_with("triples_1", "0\t0\t1\n0\t0\t99\n"),
              StartsWith("ids/triples_1:2: found id 99, which has no entity in ent_ids_1; expected"));
}

TEST_F(BadInput, InvalidUtf8) {
  here.write("bad.nt",
             "<http://l/a> <http://l/p> <http://l/b> .\n<http://l/\xE9> <http://l/p> <http://l/b> .\n");
  EXPECT_THAT(two_files("bad.nt"),
              StartsWith("bad.nt:2: byte 0xE9 in column 11 is not UTF-8; expected UTF-8 text"));
}

TEST_F(BadInput, TruncatedCompressedFiles) {
  std::string text;
  for (int i = 0; i < 5000; ++i)
    text += "<http://l/" + std::to_string(i * 7919 % 10007) + "> <http://l/p> <http://l/b> .\n";
  for (const std::string& extension : kCompressions) {
    const std::string bytes = compressed(text, extension);
    here.write("bad.nt" + extension, bytes.substr(0, bytes.size() * 2 / 3));
    EXPECT_THAT(two_files("bad.nt" + extension),
                AllOf(StartsWith("bad.nt" + extension + ": damaged or incomplete compressed data"),
                      HasSubstr("expected the whole file")));
  }
}

TEST_F(BadInput, LinkWithinOneGraph) {
  EXPECT_THAT(with_links("http://l/a\thttp://r/a\nhttp://l/b\thttp://l/c\n"),
              StartsWith("links.tsv:2: found a link between two entities of the left graph, \"http://l/b\" "
                         "and \"http://l/c\"; expected"));
}

TEST_F(BadInput, LinkToAnUnknownEntityIfStrict) {
  EXPECT_THAT(with_links("http://l/a\thttp://r/a\nhttp://l/b\thttp://r/none\n", {"--strict"}),
              StartsWith("links.tsv:2: found a link to \"http://r/none\", which is in neither graph; "
                         "expected an entity of the right graph"));
}

TEST_F(BadInput, LinkToAnUnknownEntityIsElseAWarningWithACount) {
  here.write("links.tsv", "http://l/a\thttp://r/a\nhttp://l/b\thttp://r/none\nx\ty\n");
  for (const bool quiet : {false, true}) {
    std::vector<std::string> arguments = {"inspect", at("left.nt"), at("right.nt"), "--links",
                                          at("links.tsv")};
    if (quiet) arguments.emplace_back("--quiet");
    const Outcome run = dovetail(arguments);
    EXPECT_EQ(run.code, 0);
    EXPECT_THAT(
        run.err,
        MatchesRegex("warning: .*/links.tsv: 2 of 3 links name an entity that is in neither graph, the first "
                     "\"http://r/none\" in line 2; left out\n"));
    EXPECT_THAT(run.out, HasSubstr("2 more name an unknown entity"));
  }
}

TEST_F(BadInput, EntityLinkedTwice) {
  here.write("links.tsv", "http://l/a\thttp://r/a\nhttp://l/b\thttp://r/a\n");
  const Outcome run =
      dovetail({"align", at("left.nt"), at("right.nt"), "--links", at("links.tsv"), "--output", at("out")});
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("links.tsv:2: found a second link of \"http://r/a\"; expected"));
  EXPECT_FALSE(std::filesystem::exists(here / "out"));
}

TEST_F(BadInput, BrokenRdf) {
  here.write("bad.ttl", "@prefix : <http://l/> .\n:a :p :b .\n:a :p .\n");
  EXPECT_THAT(two_files("bad.ttl"), AllOf(StartsWith("bad.ttl:3: "), HasSubstr("expected Turtle")));
  here.write("bad.nt", "<http://l/a> <http://l/p> <http://l/b> .\n<http://l/a> <http://l/p> .\n");
  EXPECT_THAT(two_files("bad.nt"), StartsWith("bad.nt:2: found \".\" in column 27; expected an object"));
  here.write("bad.rdf",
             "<?xml version=\"1.0\"?>\n<rdf:RDF "
             "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n<rdf:Description>\n</rdf:RDF>\n");
  EXPECT_THAT(two_files("bad.rdf"), AllOf(StartsWith("bad.rdf:4: "), HasSubstr("expected RDF/XML")));
}

TEST_F(BadInput, FolderOfNoKnownKind) {
  here.folder("other", {{"readme.md", "x"}});
  EXPECT_THAT(refusal_of({"other"}),
              StartsWith("other: a folder of no known kind, with \"readme.md\" in it; expected"));
}

TEST_F(BadInput, BothFilesBadIsOneMessageToo) {
  here.write("bad1.nt", "x\n");
  here.write("bad2.nt", "x\n");
  EXPECT_THAT(refusal_of({"bad1.nt", "bad1.nt"}), StartsWith("bad1.nt:1: "));
}

TEST_F(BadInput, ControlCharactersNeverReachTheTerminal) {
  const std::string evil =
      "\x1b]0;evil\x07\x1b[2J\xC2\x9B"
      "31m";
  here.write("links.tsv", "http://l/a\t" + evil + "\n");
  const auto raw = [](const Outcome& run) {
    const std::string all = run.out + run.err;
    return all.find('\x1b') != std::string::npos || all.find('\x07') != std::string::npos ||
           all.find("\xC2\x9B") != std::string::npos;
  };
  const std::vector<std::string> inspect = {"inspect", at("left.nt"), at("right.nt"), "--links"};
  const auto with = [](std::vector<std::string> arguments, const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  };
  EXPECT_FALSE(raw(dovetail(with(inspect, {at("links.tsv")}))));
  EXPECT_FALSE(raw(dovetail(with(inspect, {at("links.tsv"), "--strict"}))));
  EXPECT_FALSE(raw(dovetail(with(inspect, {at(evil)}))));
  here.write(evil + ".tsv", "http://l/a\thttp://r/a\n");
  const Outcome named = dovetail(with(inspect, {at(evil + ".tsv")}));
  EXPECT_EQ(named.code, 0) << named.err;
  EXPECT_FALSE(raw(named));
  here.write("bad.ttl", "@prefix : <http://l/> .\n:a " + evil + ":p :b .\n");
  EXPECT_FALSE(raw(dovetail({"inspect", at("bad.ttl"), at("right.nt")})));
  here.write("bad.rdf", "<?xml version=\"1.0\"?>\n<a" + evil + "/>\n");
  EXPECT_FALSE(raw(dovetail({"inspect", at("bad.rdf"), at("right.nt")})));
  EXPECT_FALSE(raw(dovetail({evil})));
  EXPECT_FALSE(raw(dovetail({"inspect", "--" + evil})));
  EXPECT_FALSE(raw(dovetail({"convert", at("left.nt"), at(evil + ".nt"), "--to", "ntriples"})));
  here.folder("odd", {{evil, "x"}});
  EXPECT_FALSE(raw(dovetail({"inspect", at("odd")})));
}

}  // namespace
}  // namespace dovetail::test

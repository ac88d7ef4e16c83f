// Input that nobody has by accident. Each ends in one message and exit code 2, soon, and with little memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "end_to_end/program.h"
#include "end_to_end/terminal.h"

namespace dovetail::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kRdfStart =
    "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:l=\"http://l/\">\n";

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  all.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

class HostileInput : public testing::Test {
 protected:
  HostileInput() { here.write("right.nt", "<http://r/a> <http://r/p> <http://r/b> .\n"); }

  [[nodiscard]] std::string at(const std::string& name) const { return (here / name).string(); }

  static std::string refusal(const std::vector<std::string>& arguments) {
    const Outcome run = dovetail(arguments);
    EXPECT_EQ(run.code, 2) << run.err;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    EXPECT_LT(run.err.size(), 1000U);
    return run.err;
  }
  /// Of a graph of this name and content.
  std::string refusal_of(const std::string& name, std::string_view content) const {
    here.write(name, content);
    return refusal({"inspect", at(name), at("right.nt")});
  }

  Workspace here;
};

TEST_F(HostileInput, LineOfAGigabyte) {
  here.write("long.nt", "<http://l/");
  std::filesystem::resize_file(here / "long.nt", 1 << 30);  // takes no room on the disk
  EXPECT_THAT(refusal({"inspect", at("long.nt"), at("right.nt")}),
              HasSubstr("long.nt:1: a line or record of over 64 MiB; expected one triple or link a line"));
  here.write("long.toml", "mode = ");
  std::filesystem::resize_file(here / "long.toml", 1 << 30);
  EXPECT_THAT(refusal({"config", "--from", at("long.toml")}), HasSubstr("long.toml: found over 64.0 MiB"));
}

TEST_F(HostileInput, IdOfTwoToThe63) {
  for (const std::string id : {"9223372036854775808", "18446744073709551616", "1000000000000000000"}) {
    here.folder("ids", {{"triples_1", "0\t0\t" + id + "\n"}, {"triples_2", "2\t0\t3\n"}});
    EXPECT_THAT(refusal({"inspect", at("ids")}),
                HasSubstr("triples_1:1: found \"" + id +
                          "\" in column 3; expected an id, a whole number below 10^18"));
  }
}

TEST_F(HostileInput, HeaderThatClaimsTooMuch) {
  ASSERT_EQ(dovetail({"generate", at("pair"), "-n", "200", "--seed-ratio", "0.3", "-q"}).code, 0);
  const auto with = [&](const std::string& vectors) {
    here.write("words.vec", vectors);
    return refusal(
        {"align", at("pair"), "--mode", "names", "--word-vectors", at("words.vec"), "-o", at("out"), "-q"});
  };
  EXPECT_THAT(with("3 4294967296\nthe 1 2 3\n"),
              HasSubstr("words.vec:1: found vectors of 4294967296 numbers; expected"));
  EXPECT_THAT(with("4294967296 3\nthe 1 2 3\n"), HasSubstr("the file ends after 1 of 4,294,967,296 words"));
  EXPECT_THAT(with("3 60000\nthe 1 2 3\n"), HasSubstr("expected 60000 numbers as the header says"));
  EXPECT_FALSE(std::filesystem::exists(here / "out"));
}

TEST_F(HostileInput, CompressedFileThatFillsTheMemory) {
  const std::string text =
      "<http://l/a> <http://l/p> <http://l/b> .\n" + repeated("# nothing at all, again\n", 3 << 20);
  for (const std::string extension : {".gz", ".zst"}) {
    here.write("bomb.nt" + extension, compressed(text, extension));
    const std::vector<std::string> inspect = {"inspect", at("bomb.nt" + extension), at("right.nt")};
    EXPECT_THAT(refusal(inspect), HasSubstr("of compressed data; expected at most 200 times as much"));
    std::vector<std::string> trusting = inspect;
    trusting.insert(trusting.end(), {"--max-expansion", "0"});
    EXPECT_EQ(dovetail(trusting).code, 0);
  }
}

TEST_F(HostileInput, DeeplyNestedTurtle) {
  const std::string start = "@prefix : <http://l/> .\n:a :p ";
  for (const std::string open : {"[ :p ", "( "}) {
    for (const char* name : {"deep.ttl", "deep.trig"}) {
      EXPECT_THAT(refusal_of(name, start + repeated(open, 1'000'000)), HasSubstr("nested too deeply"));
    }
  }
  here.write("deep.ttl", start + repeated("[ :p ", 100) + ":b" + repeated("]", 100) + " .\n");
  EXPECT_EQ(dovetail({"inspect", at("deep.ttl"), at("right.nt")}).code, 0) << "so much is no attack";
}

TEST_F(HostileInput, DeeplyNestedXml) {
  EXPECT_THAT(refusal_of("deep.rdf", kRdfStart + repeated("<rdf:Description><l:p>", 500'000)),
              HasSubstr("expected RDF/XML"));
}

TEST_F(HostileInput, XmlWhoseEntitiesMultiply) {
  std::string text = "<?xml version=\"1.0\"?>\n<!DOCTYPE rdf:RDF [\n<!ENTITY x0 \"xxxxxxxxxx\">\n";
  for (int i = 1; i < 12; ++i) {
    text +=
        "<!ENTITY x" + std::to_string(i) + " \"" + repeated("&x" + std::to_string(i - 1) + ";", 10) + "\">\n";
  }
  text += "]>\n" + kRdfStart +
          "<rdf:Description rdf:about=\"http://l/a\"><l:p>&x11;</l:p></rdf:Description></rdf:RDF>\n";
  EXPECT_THAT(refusal_of("many.rdf", text), HasSubstr("expected RDF/XML"));
}

TEST_F(HostileInput, DeeplyNestedJson) {
  const std::string deep = repeated("[", 200'000);
  here.write("left.nt", "<http://l/a> <http://l/p> <http://l/b> .\n");
  here.write("deep.json", deep);
  const std::vector<std::string> inspect = {"inspect", at("left.nt"), at("right.nt")};
  for (const std::string option : {"--names", "--links"}) {
    std::vector<std::string> arguments = inspect;
    arguments.insert(arguments.end(), {option, at("deep.json")});
    EXPECT_THAT(refusal(arguments), HasSubstr("deep.json:"));
  }
  here.write("run/run.json", "{\"configuration\": " + deep);
  EXPECT_THAT(refusal({"export", at("run"), "--to", "tsv"}), HasSubstr("run.json:1: found no JSON"));
  EXPECT_THAT(refusal({"config", "--from", at("run/run.json")}), HasSubstr("run.json:1: found no JSON"));
}

TEST_F(HostileInput, NamesOfMegabytes) {
  const std::string name(2 << 20, 'x');
  const auto expected = HasSubstr(":1: found a name of 2.0 MiB, \"");
  EXPECT_THAT(refusal_of("long.tsv", "a\tp\t" + name + "\n"), expected);
  EXPECT_THAT(refusal_of("long.csv", name + ",p,b\n"), expected);
  EXPECT_THAT(refusal_of("long.nt", "<http://l/a> <http://l/p> <http:" + name.substr(5) + "> .\n"), expected);
  EXPECT_THAT(refusal_of("long.ttl", "<http://l/a> <http:" + name.substr(5) + "> <http://l/b> .\n"),
              expected);
  const std::string label = " <http://www.w3.org/2000/01/rdf-schema#label> \"" + name + "\" .\n";
  EXPECT_THAT(refusal_of("label.nt", "<http://l/a>" + label),
              AllOf(expected, HasSubstr("expected at most 64.0 KiB")));
  here.write("text.nt", "<http://l/a> <http://l/abstract> \"" + name +
                            "\" .\n<http://l/a> <http://l/p> <http://l/b> .\n");
  EXPECT_EQ(dovetail({"inspect", at("text.nt"), at("right.nt")}).code, 0)
      << "a text that is no name may be long";
  here.write("names.json", "[[\"http://l/a\", \"" + name + "\"]]");
  EXPECT_THAT(refusal({"inspect", at("text.nt"), at("right.nt"), "--names", at("names.json")}),
              HasSubstr("names.json: found a name of 2.0 MiB"));
  here.folder("ids",
              {{"ent_ids_1", "0\t" + name + "\n"}, {"triples_1", "0\t0\t0\n"}, {"triples_2", "2\t0\t3\n"}});
  EXPECT_THAT(refusal({"inspect", at("ids")}), expected);
}

TEST_F(HostileInput, NamesAreNeverObeyedByATerminal) {
  // A window's title, a new colour, the same as one character of C1, and text that runs backwards.
  const std::string evil = "\x1b]0;evil\x07\x1b[2J\xC2\x9B\x33\x31m\xE2\x80\xAE\x7F";
  here.write("left.tsv", "a" + evil + "\tp\tb" + evil + "\nb" + evil + "\tp\tc\nc\tp\ta" + evil + "\n");
  here.write("right.tsv", "x" + evil + "\tp\ty" + evil + "\ny" + evil + "\tp\tz\nz\tp\tx" + evil + "\n");
  here.write("links.tsv", "a" + evil + "\tx" + evil + "\n");
  ASSERT_EQ(dovetail({"align", at("left.tsv"), at("right.tsv"), "--links", at("links.tsv"), "--out",
                      at("out"), "--mode", "basic", "--none-above", "1", "-q"})
                .code,
            0);
  const std::string entity = "b" + evil;
  const std::vector<std::vector<std::string>> commands = {
      {"explain", at("out"), entity},        {"explain", at("out"), entity, "--json"},
      {"export", at("out"), "--to", "tsv"},  {"export", at("out"), "--to", "csv"},
      {"export", at("out"), "--to", "json"}, {"export", at("out"), "--to", "sssom"}};
  for (const auto& command : commands) {
    const auto [text, status] = on_terminal(command);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << text;
    EXPECT_THAT(text, AllOf(HasSubstr("31m"), Not(HasSubstr("\x1b")), Not(HasSubstr("\x07")))) << command[2];
    EXPECT_THAT(text,
                AllOf(Not(HasSubstr("\xC2\x9B")), Not(HasSubstr("\xE2\x80\xAE")), Not(HasSubstr("\x7F"))));
  }
  // A file or a pipe gets the names as they are.
  EXPECT_THAT(dovetail({"export", at("out"), "--to", "tsv"}).out, HasSubstr(entity));
}

TEST_F(HostileInput, NamesNeverBecomePaths) {
  const std::string up = "../../../../../../../../../../tmp/dovetail-evil";
  here.write("in/left.tsv", up + "1\t" + up + "2\t" + up + "3\n" + up + "3\tp\t" + up + "1\n");
  here.write("in/right.tsv", up + "1\t" + up + "2\t" + up + "3\n" + up + "3\tp\t" + up + "1\n");
  here.write("in/links.tsv", up + "1\t" + up + "1\n");
  const auto run = [&](std::vector<std::string> arguments) {
    arguments.emplace_back("-q");
    const Outcome done = dovetail(arguments);
    EXPECT_EQ(done.code, 0) << done.err;
  };
  run({"align", at("in/left.tsv"), at("in/right.tsv"), "--links", at("in/links.tsv"), "--mode", "basic",
       "--out", at("in/out")});
  for (const std::string form : {"npy", "word2vec"})
    run({"export", at("in/out"), "--to", form, "-o", at("in/" + form)});
  for (const std::string form : {"openea", "dbp15k", "turtle", "rdfxml"}) {
    run({"convert", at("in/left.tsv"), at("in/right.tsv"), at("in/pair-" + form), "--to", form});
  }
  run({"merge", at("in/out"), "--to", "trig", "-o", at("in/merged.trig")});
  EXPECT_EQ(here.files(), (std::set<std::string>{"in", "right.nt"}));
  for (const auto& entry : std::filesystem::directory_iterator("/tmp")) {
    EXPECT_THAT(entry.path().filename().string(), Not(HasSubstr("dovetail-evil")));
  }
}

}  // namespace
}  // namespace dovetail::test

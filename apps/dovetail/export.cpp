#include <dovetail/errors.h>
#include <dovetail/export.h>
#include <dovetail/files.h>
#include <dovetail/text.h>

#include <array>
#include <fmt/format.h>
#include <memory>
#include <optional>

#include "inputs.h"
#include "terminal.h"
#include "verbs.h"

using namespace dovetail;

namespace {

struct ExportVerb {
  std::string run;
  std::string to;
  std::string target;
  std::string statement_scores = "none";
  ExportOptions options;
};

/// What can be exported: links in one of their formats, or else embeddings.
struct Exported {
  const char* name;
  std::optional<Format> links;
  EmbeddingFormat embeddings;
  const char* description;
};

constexpr std::array<Exported, 8> kExports = {{
    {"tsv", Format::links_tsv, {}, "links between tabs: left, right, confidence"},
    {"csv", Format::links_csv, {}, "the same between commas"},
    {"json", Format::links_json, {}, "a list of objects with the same keys"},
    {"sameas", Format::same_as, {}, "owl:sameAs triples as N-Triples"},
    {"sssom", Format::sssom, {}, "Simple Standard for Sharing Ontology Mappings"},
    {"alignment-api", Format::alignment_api, {}, "the Alignment API's RDF/XML (OAEI)"},
    {"npy", {}, EmbeddingFormat::npy, "embeddings for NumPy, and their names, in a folder"},
    {"word2vec", {}, EmbeddingFormat::word2vec, "embeddings as text, in a folder"},
}};

const Exported& exported(const std::string& name) {
  for (const Exported& one : kExports) {
    if (name == one.name) return one;
  }
  throw ParameterError(fmt::format("{} is not a format to export", shown(name)));
}

StatementScores statement_scores(const std::string& name) {
  if (name == "rdf-star") return StatementScores::rdf_star;
  return name == "reification" ? StatementScores::reification : StatementScores::none;
}

void export_run(const ExportVerb& verb, const CommonOptions& common) {
  TerminalObserver observer(common.quiet);
  const Exported& what = exported(verb.to);
  if (!what.links && verb.target.empty()) {
    throw ParameterError(fmt::format("{} are several files; expected a folder for them: -o FOLDER", verb.to));
  }
  const SavedRun run = open_run(verb.run);
  if (!what.links) {
    export_embeddings(run, verb.target, what.embeddings, verb.options.replace, observer);
    observer.clear();
    if (!common.quiet) {
      print_summary(fmt::format("{}: embeddings of {} and {} entities and of their relations as {}\n",
                                printable(verb.target), with_commas(run.left_entities),
                                with_commas(run.right_entities), verb.to));
    }
    return;
  }
  ExportOptions options = verb.options;
  options.statement_scores = statement_scores(verb.statement_scores);
  const std::uint64_t count =
      export_links(run, verb.target.empty() ? kStandardOutput : verb.target, *what.links, options);
  if (!common.quiet && !verb.target.empty()) {
    print_summary(fmt::format("{}: {} links as {}\n", printable(verb.target), with_commas(count), verb.to));
  }
}

}  // namespace

void add_export(CLI::App& app, CommonOptions& common) {
  auto verb = std::make_shared<ExportVerb>();
  CLI::App* sub = app.add_subcommand("export", "Write a run's links or embeddings for others");
  sub->group("Verbs");
  set_usage(*sub, "Usage: dovetail export OUT --to FORMAT [-o FILE] [OPTIONS]");
  sub->add_option("OUT", verb->run, "The folder that align has written")->required()->type_name("");
  std::vector<std::string> names;
  std::string footer = "Formats:\n";
  for (const Exported& one : kExports) {
    names.emplace_back(one.name);
    footer += fmt::format("  {:<15}{}\n", one.name, one.description);
  }
  sub->add_option("--to", verb->to, "Format to write: see below")
      ->required()
      ->check(one_of(names))
      ->type_name("FORMAT");
  sub->add_option("-o,--output", verb->target, "What to write; else links are\nprinted")->type_name("FILE");
  add_number(*sub, "--min-confidence", verb->options.min_confidence, kShare, "Leave out links below it");
  sub->add_option("--confidence", verb->statement_scores, "In sameas: none, rdf-star, reification")
      ->type_name("HOW")
      ->check(one_of({"none", "rdf-star", "reification"}));
  sub->add_flag("--force", verb->options.replace, "Replace what is there");
  sub->footer(footer +
              "\nExamples:\n"
              "  dovetail export alignment --to sssom -o links.sssom.tsv\n"
              "  dovetail export alignment --to sameas --min-confidence 0.9 > links.nt\n"
              "  dovetail export alignment --to npy -o embeddings");
  sub->callback([verb, &common] { export_run(*verb, common); });
}

#include <dovetail/errors.h>
#include <dovetail/export.h>
#include <dovetail/files.h>
#include <dovetail/text.h>

#include <array>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "inputs.h"
#include "summary.h"
#include "terminal.h"
#include "terminal_observer.h"
#include "verbs.h"

using namespace dovetail;

namespace {

struct ExportVerb {
  std::string run;
  std::string to;
  std::string target;
  std::string statement_scores = "none";
  bool json = false;
  ExportOptions options;
};

/// A format of links or of embeddings.
struct Exported {
  const char* name;
  std::optional<Format> links;
  EmbeddingFormat embeddings;
  const char* description;
};

constexpr std::array<Exported, 8> kExports = {{
    {"tsv", Format::links_tsv, {}, "links as TSV: left, right, confidence"},
    {"csv", Format::links_csv, {}, "links as CSV"},
    {"json", Format::links_json, {}, "links as a list of objects"},
    {"sameas", Format::same_as, {}, "links as owl:sameAs in N-Triples"},
    {"sssom", Format::sssom, {}, "links as SSSOM (Simple Standard for Sharing Mappings)"},
    {"alignment-api", Format::alignment_api, {}, "links as RDF/XML of the Alignment API (OAEI)"},
    {"npy", {}, EmbeddingFormat::npy, "embeddings for NumPy with the names of rows, a folder"},
    {"word2vec", {}, EmbeddingFormat::word2vec, "embeddings as text, a folder"},
}};

const Exported& exported(const std::string& name) {
  for (const Exported& one : kExports) {
    if (name == one.name) return one;
  }
  throw ParameterError(fmt::format("{} is not a format of export", shown(name)));
}

StatementScores statement_scores(const std::string& name) {
  if (name == "rdf-star") return StatementScores::rdf_star;
  return name == "reification" ? StatementScores::reification : StatementScores::none;
}

void export_vectors(const ExportVerb& verb, const SavedRun& run, EmbeddingFormat format,
                    const CommonOptions& common) {
  TerminalObserver observer(common.quiet);
  export_embeddings(run, verb.target, format, verb.options.replace, observer);
  observer.clear();
  print_outcome({{"output", verb.target},
                 {"format", verb.to},
                 {"left_entities", run.left_entities},
                 {"right_entities", run.right_entities}},
                fmt::format("{}: embeddings of {} and {} entities and of their relations as {}\n",
                            printable(verb.target), with_commas(run.left_entities),
                            with_commas(run.right_entities), verb.to),
                verb.json, common.quiet);
}

void export_run(const ExportVerb& verb, const CommonOptions& common) {
  const Exported& what = exported(verb.to);
  if (!what.links && verb.target.empty()) {
    throw ParameterError(
        fmt::format("{} writes several files; expected a folder for them: -o FOLDER", verb.to));
  }
  refuse_json_beside_output(verb.json, verb.target);
  const SavedRun run = open_run(verb.run);
  if (!what.links) return export_vectors(verb, run, what.embeddings, common);
  ExportOptions options = verb.options;
  options.statement_scores = statement_scores(verb.statement_scores);
  const std::uint64_t count =
      export_links(run, verb.target.empty() ? kStandardOutput : verb.target, *what.links, options);
  if (verb.target.empty()) return;
  print_outcome({{"output", verb.target}, {"format", verb.to}, {"links", count}},
                fmt::format("{}: {} links as {}\n", printable(verb.target), with_commas(count), verb.to),
                verb.json, common.quiet);
}

}  // namespace

void add_export(CLI::App& app, CommonOptions& common) {
  auto verb = std::make_shared<ExportVerb>();
  std::vector<std::string> names;
  std::string notes = "Formats:\n";
  for (const Exported& one : kExports) {
    names.emplace_back(one.name);
    notes += fmt::format("  {:<15}{}\n", one.name, one.description);
  }
  CLI::App& sub =
      new_verb(app, "export", "Write the links or embeddings of a run in another format",
               {.usage = {"dovetail export OUT --to FORMAT [-o FILE] [OPTIONS]"},
                .examples = {"dovetail export alignment --to sssom -o links.sssom.tsv",
                             "dovetail export alignment --to sameas --min-confidence 0.9 > links.nt",
                             "dovetail export alignment --to npy -o embeddings"},
                .notes = notes});
  sub.add_option("OUT", verb->run, "Folder that align has written")->required()->type_name("");
  sub.add_option("--to,--format", verb->to, "Format to write")
      ->required()
      ->check(one_of(names))
      ->type_name("FORMAT");
  add_output(sub, verb->target, "File or folder to write; without it, links are printed", "FILE");
  add_force(sub, verb->options.replace);
  add_number(sub, "--min-confidence", verb->options.min_confidence, kShare,
             "Leave out links with a lower confidence");
  sub.add_option("--confidence", verb->statement_scores,
                 "How --to sameas writes confidences: none, rdf-star or reification")
      ->type_name("HOW")
      ->capture_default_str()
      ->check(one_of({"none", "rdf-star", "reification"}));
  add_json(sub, verb->json, "Print the number of links and the path as JSON; needs -o");
  common.add_to(sub, {});
  sub.callback([verb, &common] { export_run(*verb, common); });
}

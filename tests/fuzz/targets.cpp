#include "fuzz/targets.h"

#include <dovetail/align.h>
#include <dovetail/errors.h>
#include <dovetail/graph_builder.h>
#include <dovetail/io.h>
#include <dovetail/judgements.h>
#include <dovetail/parameters.h>
#include <dovetail/run.h>

#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "common/text.h"
#include "config_file.h"
#include "formats/attribute_file.h"
#include "formats/byte_source.h"
#include "formats/format.h"
#include "formats/format_table.h"
#include "formats/graph_reader.h"
#include "formats/id_table.h"
#include "formats/link_reader.h"
#include "formats/names.h"
#include "formats/support.h"
#include "formats/word_vectors.h"
#include "runs/checkpoints.h"
#include "runs/evidence_file.h"
#include "runs/model_file.h"
#include "values/value_table.h"

namespace dovetail::test {
namespace {

/// A file that is nowhere but in memory, for readers take a path.
class MemoryFile {
 public:
  MemoryFile() : file_(memfd_create("fuzz", MFD_CLOEXEC)), path_(fmt::format("/proc/self/fd/{}", file_)) {}
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(file_); }

  const std::filesystem::path& hold(std::string_view bytes) {
    if (ftruncate(file_, 0) != 0 ||
        pwrite(file_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
      throw std::runtime_error("cannot fill the file in memory");
    }
    return path_;
  }

 private:
  int file_;
  std::filesystem::path path_;
};

const std::filesystem::path& file_of(std::string_view bytes) {
  static MemoryFile file;
  return file.hold(bytes);
}

void graph(Format format, std::string_view bytes) {
  Observer quiet;
  LoadOptions options = keep_all();
  options.graph_format = format;
  GraphBuilder builder;
  read_graph(file_of(bytes), options, Side::left, builder, quiet);
  (void)std::move(builder).build(std::nullopt);
}

void wide_table(std::string_view bytes) {
  Observer quiet;
  LoadOptions options = keep_all();
  options.graph_format = Format::csv;
  options.wide_table = {.form = TableForm::table,
                        .id_columns = {},
                        .multi_value = ";",
                        .relation_columns = {},
                        .iri_prefixes = {}};
  GraphBuilder builder;
  read_graph(file_of(bytes), options, Side::left, builder, quiet);
  const KnowledgeGraph graph = std::move(builder).build(std::nullopt);
  const ValueTable table(graph);  // every cell is looked at for what it may be
}

/// Each line is what a typed literal may hold, and as such a cell.
void typed_literal(std::string_view bytes) {
  static constexpr std::array<std::string_view, 6> kTypes = {"",        "date",   "gYear",
                                                             "decimal", "double", "boolean"};
  GraphBuilder builder;
  builder.keep_literals(true);
  const std::uint32_t entity = builder.entity("a");
  for (std::size_t n = 0; !bytes.empty(); ++n) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    const std::string_view type = kTypes.at(n % kTypes.size());
    const std::string iri = type.empty() ? "" : "http://www.w3.org/2001/XMLSchema#" + std::string(type);
    const std::string literal = make_literal(bytes.substr(0, end), "", iri);
    if (is_utf8(bytes.substr(0, end)) && split_literal(literal).text != bytes.substr(0, end)) {
      throw std::logic_error("a literal is lost");
    }
    builder.literal(entity, "p", literal);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  (void)builder.find_names();
  const KnowledgeGraph graph = std::move(builder).build(std::nullopt);
  const ValueTable table(graph);
}

void links(Format format, std::string_view bytes) {
  Observer quiet;
  (void)load_links(file_of(bytes), format, {}, quiet);
}

std::string written_graph(const FormatEntry& entry) {
  const Workspace here;
  const auto writer = entry.write_graph(here / "graph");
  const Term relation{0, "http://x/p"}, head{0, "http://x/a"}, tail{1, "http://x/b"};
  writer->relation(relation);
  writer->entity(head, "A");
  writer->entity(tail, "");
  writer->triple(head, relation, tail);
  writer->commit();
  return content_of(here / "graph");
}

std::string written_links(const FormatEntry& entry) {
  const Workspace here;
  const auto writer = entry.write_links(here / "links", {});
  writer->link("http://x/a", "http://y/b", 0.5);
  writer->commit();
  return content_of(here / "links");
}

/// One for each format that has a reader.
void add_formats(std::vector<FuzzTarget>& targets) {
  for (const FormatEntry& entry : format_entries()) {
    const Format format = entry.syntax == Format::automatic ? entry.info.format : entry.syntax;
    FuzzTarget target{.name = entry.info.name, .read = {}};
    if (entry.info.kind == FormatKind::links) {
      target.read = [format](std::string_view bytes) { links(format, bytes); };
      if (entry.write_links != nullptr) target.written = [&entry] { return written_links(entry); };
    } else if (entry.info.kind != FormatKind::folder) {
      target.read = [format](std::string_view bytes) { graph(format, bytes); };
      if (entry.write_graph != nullptr) target.written = [&entry] { return written_graph(entry); };
    }
    if (target.read) targets.push_back(std::move(target));
  }
}

void format(std::string_view bytes) {
  (void)recognise_graph(file_of(bytes));
  (void)recognise_links(file_of(bytes));
}

void compressed_bytes(std::string_view bytes) {
  (void)read_whole(file_of(bytes));
}

void id_rows(std::string_view bytes) {
  Observer quiet;
  IdMap numbers;
  std::uint32_t count = 0;
  read_id_rows<3>(file_of(bytes), quiet, [&](const std::array<std::uint64_t, 3>& ids, std::uint64_t) {
    for (const std::uint64_t id : ids) {
      if (numbers.find(id) == kNone) numbers.insert(id, count++);
      if (numbers.find(id) >= count) throw std::logic_error("an id is lost");
    }
  });
}

void id_names(std::string_view bytes) {
  Observer quiet;
  std::size_t size = 0;
  read_id_names(file_of(bytes), quiet,
                [&](std::uint64_t, std::string_view name, std::uint64_t) { size += name.size(); });
}

void names(std::string_view bytes) {
  (void)read_names(file_of(bytes));
}

void attributes(std::string_view bytes) {
  Observer quiet;
  for (const AttributeRule& rule : read_attribute_rules(file_of(bytes), quiet)) {
    if (rule.left.empty() || rule.right.empty() || rule.line == 0) throw std::logic_error("an empty rule");
  }
}

void word_vectors(std::string_view bytes) {
  Observer quiet;
  StringTable wanted;
  for (const char* word : {"the", "of", "paris", "zurich"}) wanted.append(word);
  (void)read_word_vectors(
      file_of(bytes), wanted, [](std::string_view word) { return std::string(word.substr(0, 5)); }, quiet);
}

void config(std::string_view bytes) {
  AlignOptions options;
  read_config(file_of(bytes), options);
  check_options(options);
}

void model(std::string_view bytes) {
  (void)load_model(file_of(bytes));
}

void checkpoint(std::string_view bytes) {
  const CheckpointReader reader(file_of(bytes));
  check_options(reader.request.options);
}

/// A run's folder in which one file is what the bytes say.
void run_folder(const std::string& name, std::string_view bytes, void (*open)(const std::filesystem::path&)) {
  static const Workspace here;
  here.write(
      name + "/run.json",
      R"({"configuration": {}, "data": {"left": {"entities": 1}, "right": {"entities": 1}}, "inputs": null})");
  here.write(name + "/links.tsv", "left\tright\tscore\tmargin\tconfidence\na\tb\t1\t1\t1\n");
  here.write(name + "/" + name, bytes);
  open(here / name);
}

void open_folder(const std::filesystem::path& folder) {
  (void)open_run(folder);
}

void run_json(std::string_view bytes) {
  run_folder("run.json", bytes, open_folder);
}

void links_table(std::string_view bytes) {
  run_folder("links.tsv", bytes, open_folder);
}

void evidence(std::string_view bytes) {
  run_folder("evidence.jsonl", bytes,
             [](const std::filesystem::path& folder) { (void)find_evidence(folder, "a"); });
}

void judgements(std::string_view bytes) {
  const std::vector<Judgement> read = read_judgements(file_of(bytes));
  for (const Judgement& judgement : judgements_in_force(read)) {
    if (!(parse_judgement(judgement_line(judgement), "again", 1) == judgement)) {
      throw std::logic_error("a judgement is another one after writing and reading");
    }
  }
}

std::vector<FuzzTarget> all_targets() {
  std::vector<FuzzTarget> all = {
      FuzzTarget{"wide-table", wide_table}, FuzzTarget{"typed-literal", typed_literal},
      FuzzTarget{"id-rows", id_rows},       FuzzTarget{"id-names", id_names},
      FuzzTarget{"format", format},         FuzzTarget{"compressed", compressed_bytes},
      FuzzTarget{"names", names},           FuzzTarget{"word-vectors", word_vectors},
      FuzzTarget{"config", config},         FuzzTarget{"model", model},
      FuzzTarget{"checkpoint", checkpoint}, FuzzTarget{"run-json", run_json},
      FuzzTarget{"run-links", links_table}, FuzzTarget{"evidence", evidence},
      FuzzTarget{"attributes", attributes}, FuzzTarget{"judgements", judgements},
  };
  add_formats(all);
  return all;
}

}  // namespace

std::span<const FuzzTarget> fuzz_targets() {
  static const std::vector<FuzzTarget> kTargets = all_targets();
  return kTargets;
}

void feed(const FuzzTarget& target, std::string_view bytes) {
  try {
    target.read(bytes);
  } catch (const Error&) {  // refused, with a message
  }
}

}  // namespace dovetail::test

#include <dovetail/errors.h>
#include <dovetail/graph_builder.h>

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <string>

#include "common/random.h"
#include "common/text.h"
#include "formats/folders.h"
#include "formats/format.h"
#include "formats/graph_reader.h"
#include "formats/names.h"
#include "formats/output_folder.h"
#include "formats/wide_table.h"
#include "graph/entity_types.h"
#include "graph/naming.h"

namespace dovetail {

namespace fs = std::filesystem;

std::optional<std::uint64_t> side_seed(const LoadOptions& options, Side /*side*/) {
  // The order depends on what a graph's entities are called, so that a seed for both gives two permutations;
  // and with the sides swapped each graph keeps its own.
  return options.shuffle_seed;
}

fs::path find_file(const fs::path& folder, const std::string& name) {
  for (const char* suffix : {"", ".gz", ".bz2", ".xz", ".zst"}) {
    if (fs::path path = folder / (name + suffix); fs::is_regular_file(path)) return path;
  }
  return {};
}

fs::path need_file(const fs::path& folder, const std::string& name) {
  fs::path path = find_file(folder, name);
  if (path.empty())
    throw InputError((folder / name).string(), 0, "there is no such file; expected it in this folder");
  return path;
}

SeedLinks read_seed_links(const LinkFiles& files, const LinkCollector& collector, const SplitOptions& split,
                          const std::function<std::vector<Link>(const fs::path&)>& read) {
  SeedLinks links;
  const auto read_if_there = [&](const fs::path& path) {
    return path.empty() ? std::vector<Link>{} : read(path);
  };
  if (!files.any.empty()) {
    links = split_links(read(files.any), split);
    links.origin = fmt::format("{}, {}", printable(files.any.filename().string()), links.origin);
  } else {
    links.train = read_if_there(files.train);
    links.valid = read_if_there(files.valid);
    links.test = read_if_there(files.test);
    for (const fs::path& path : {files.train, files.valid, files.test}) {
      if (!path.empty())
        links.origin +=
            fmt::format("{}{}", links.origin.empty() ? "" : ", ", printable(path.filename().string()));
    }
    links.origin += links.origin.empty() ? "none" : ", as given";
  }
  links.unknown = collector.unknown();
  links.repeated = collector.repeated();
  return links;
}

SeedLinks read_seed_links(const LinkFiles& files, const GraphPair& graphs, const LoadOptions& options,
                          Observer& observer) {
  LinkCollector collector(entity_finder(graphs), graphs.left().entity_count(), graphs.right().entity_count(),
                          options.strict, observer);
  collector.allow(options.cardinality);
  return read_seed_links(files, collector, options.split, [&](const fs::path& path) {
    return collector.read(path, options.links_format, options.links_table);
  });
}

namespace {

KnowledgeGraph load_named_graph(const fs::path& path, Side side, std::span<const GivenName> names,
                                const LoadOptions& options, Observer& observer) {
  GraphBuilder builder;
  read_graph(path, options, side, builder, observer);
  for (const GivenName& given : names) {
    if (const auto entity = builder.find(given.entity)) builder.label(*entity, given.name);
  }
  if (const std::vector<std::string> found =
          names.empty() && options.shuffle_seed ? builder.find_names() : std::vector<std::string>{};
      !found.empty()) {
    observer.note(fmt::format("{}: names of entities are taken from {}", printable(path.filename().string()),
                              fmt::join(found, ", ")));
  }
  KnowledgeGraph graph = std::move(builder).build(side_seed(options, side));
  if (graph.entity_count() == 0 && classes_of(graph).size() > 0) {
    throw InputError(path.string(), 0,
                     "found nothing but classes; expected entities; to align classes, say "
                     "--types-as-entities");
  }
  return graph;
}

/// The file `stem`.* of a folder, whatever its format; empty if there is none.
fs::path with_any_extension(const fs::path& folder, const std::string& stem) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_regular_file() && name.starts_with(stem + ".")) found.push_back(entry.path());
  }
  if (found.size() > 1) {
    std::sort(found.begin(), found.end());
    throw InputError(folder.string(), 0,
                     fmt::format("found both {} and {}; expected one file called {}.*",
                                 found[0].filename().string(), found[1].filename().string(), stem));
  }
  return found.empty() ? fs::path{} : found[0];
}

std::string listing(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  if (names.empty()) return "nothing";
  std::sort(names.begin(), names.end());
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < 5; ++i) text += (i == 0 ? "" : ", ") + shown(names[i], 30);
  return names.size() > 5 ? text + ", …" : text;
}

}  // namespace

KnowledgeGraph load_graph(const fs::path& path, const LoadOptions& options, Observer& observer) {
  const std::vector<GivenName> names =
      options.names.empty() ? std::vector<GivenName>{} : read_names(options.names);
  KnowledgeGraph graph = load_named_graph(path, Side::left, names, options, observer);
  check_table_options(options, {&graph, nullptr});
  return graph;
}

std::vector<NamedLink> load_links(const fs::path& path, Format format, const TableOptions& table,
                                  Observer& observer) {
  std::vector<NamedLink> links;
  read_links(
      path, format, table,
      [&](const RawLink& link) {
        links.push_back({std::string(link.left), std::string(link.right), link.score.value_or(1),
                         link.confident ? link.score : std::nullopt});
      },
      observer);
  return links;
}

namespace {

/// As load_files(), but for identifiers that both graphs have.
LoadedPair load_given_files(const fs::path& left, const fs::path& right, const fs::path& links,
                            const LoadOptions& options, Observer& observer) {
  const std::vector<GivenName> names =
      options.names.empty() ? std::vector<GivenName>{} : read_names(options.names);
  GraphPair graphs = build_both(options.threads, [&](Side side) {
    return load_named_graph(side == Side::left ? left : right, side, names, options, observer);
  });
  check_table_options(options, {&graphs.left(), &graphs.right()});
  // A user's own links are all there to learn from, unless a split is asked for.
  const LinkFiles files = options.split_files ? LinkFiles{links, {}, {}, {}} : LinkFiles{{}, links, {}, {}};
  SeedLinks seeds = read_seed_links(files, graphs, options, observer);
  PairSource source = {.left = fs::absolute(left), .right = fs::absolute(right), .options = options};
  if (!links.empty()) source.links = fs::absolute(links);
  source.iri_prefixes = {std::string(iri_prefix(graphs.left())), std::string(iri_prefix(graphs.right()))};
  const bool rows = !source.iri_prefixes[0].empty() || !source.iri_prefixes[1].empty();
  return {std::move(graphs), std::move(seeds), "files", std::move(source), rows};
}

}  // namespace

LoadedPair load_files(const fs::path& left, const fs::path& right, const fs::path& links,
                      const LoadOptions& options, Observer& observer) {
  LoadedPair pair = load_given_files(left, right, links, options, observer);
  link_shared_identifiers(pair);
  return pair;
}

LoadedPair load_files_folder(const fs::path& folder, const LoadOptions& options, Observer& observer) {
  LoadOptions own = options;
  if (own.names.empty()) own.names = find_file(folder, "translated_names.json");
  LoadedPair pair = load_given_files(with_any_extension(folder, "left"), with_any_extension(folder, "right"),
                                     {}, own, observer);
  const LinkFiles files = {with_any_extension(folder, "links"), with_any_extension(folder, "train_links"),
                           with_any_extension(folder, "valid_links"),
                           with_any_extension(folder, "test_links")};
  pair.links = read_seed_links(files, pair.graphs, own, observer);
  return pair;
}

namespace {

LoadedPair load_folder_of_any_kind(const fs::path& folder, const LoadOptions& options, Observer& observer) {
  if (!fs::exists(folder)) throw SystemError(folder.string() + ": there is no such folder", ENOENT);
  if (!fs::is_directory(folder)) throw SystemError(folder.string() + ": this is a file; expected a folder");
  if (!find_file(folder, "triples_1").empty()) return load_id_folder(folder, options, observer);
  if (!find_file(folder, "rel_triples_1").empty()) return load_openea_folder(folder, options, observer);
  if (!with_any_extension(folder, "left").empty() && !with_any_extension(folder, "right").empty()) {
    return load_files_folder(folder, options, observer);
  }
  const bool growing = fs::is_directory(folder / "base");
  throw InputError(
      folder.string(), 0,
      fmt::format("a folder of no known kind, with {} in it; expected triples_1 and triples_2 (DBP15K), "
                  "rel_triples_1 and rel_triples_2 (OpenEA), or left.* and right.*{}",
                  listing(folder), growing ? "; its folder base looks like one" : ""));
}

}  // namespace

LoadedPair load_folder(const fs::path& folder, const LoadOptions& options, Observer& observer) {
  finish_installation(folder);
  LoadedPair pair = load_folder_of_any_kind(folder, options, observer);
  pair.source = {.folder = fs::absolute(folder),
                 .options = options,
                 .iri_prefixes = {std::string(iri_prefix(pair.graphs.left())),
                                  std::string(iri_prefix(pair.graphs.right()))}};
  link_shared_identifiers(pair);
  return pair;
}

namespace {

LoadedPair load_first_files(const PairSource& source, Observer& observer) {
  if (!source.folder.empty()) return load_folder(source.folder, source.options, observer);
  if (source.left.empty()) throw ParameterError("the pair comes from no file and cannot be loaded again");
  return load_files(source.left, source.right, source.links, source.options, observer);
}

}  // namespace

std::vector<fs::path> pipes_of(const PairSource& source) {
  std::vector<fs::path> files = {source.left, source.right, source.links, source.options.names};
  for (const MoreFiles& more : source.more) {
    files.insert(files.end(),
                 {more.left, more.right, more.links, more.not_links, more.test_links, more.options.names});
  }
  std::erase_if(files, [](const fs::path& file) { return file.empty() || !is_pipe(file); });
  return files;
}

LoadedPair load_pair(const PairSource& source, Observer& observer) {
  for (const fs::path& pipe : pipes_of(source)) {
    throw InputError(
        pipe.string(), 0,
        "found a pipe, which cannot be read a second time; expected a file; write what comes through "
        "it to a file and align again from there");
  }
  LoadedPair pair = load_first_files(source, observer);
  for (const MoreFiles& more : source.more) pair = add_files(std::move(pair), more, observer);
  return pair;
}

}  // namespace dovetail

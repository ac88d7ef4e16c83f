#pragma once

#include <dovetail/errors.h>
#include <dovetail/io.h>

#include <archive.h>
#include <archive_entry.h>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace dovetail::test {

/// A folder of a test's own that vanishes with it.
class Workspace {
 public:
  Workspace() {
    std::string name = (std::filesystem::temp_directory_path() / "dovetail-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a folder for the test");
    path_ = name;
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  ~Workspace() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// Writes a file, and the folders on the way to it.
  std::filesystem::path write(const std::string& name, std::string_view content) const {
    const std::filesystem::path path = path_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  /// Several files of one folder, which is returned.
  std::filesystem::path folder(const std::string& name,
                               const std::map<std::string, std::string>& files) const {
    std::filesystem::create_directories(path_ / name);
    for (const auto& [file, content] : files) write(name + "/" + file, content);
    return path_ / name;
  }
  /// What is in the folder, by name.
  [[nodiscard]] std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }

 private:
  std::filesystem::path path_;
};

inline std::string content_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// `text` as gzip (".gz"), bzip2, xz or zstd ("") would leave it.
inline std::string compressed(std::string_view text, const std::string& extension) {
  std::vector<char> bytes(text.size() + (1 << 16));
  std::size_t used = 0;
  archive* writer = archive_write_new();
  archive_write_set_format_raw(writer);
  if (extension == ".gz") archive_write_add_filter_gzip(writer);
  if (extension == ".bz2") archive_write_add_filter_bzip2(writer);
  if (extension == ".xz") archive_write_add_filter_xz(writer);
  if (extension == ".zst") archive_write_add_filter_zstd(writer);
  archive_write_set_bytes_in_last_block(writer, 1);
  archive_write_open_memory(writer, bytes.data(), bytes.size(), &used);
  archive_entry* entry = archive_entry_new();
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_write_header(writer, entry);
  archive_write_data(writer, text.data(), text.size());
  archive_write_close(writer);
  archive_entry_free(entry);
  archive_write_free(writer);
  return {bytes.data(), used};
}

inline const std::vector<std::string> kCompressions = {".gz", ".bz2", ".xz", ".zst"};

/// Keeps what the library warns of.
class Listener : public Observer {
 public:
  void warning(const std::string& text) override {
    const std::lock_guard lock(mutex_);
    warnings.push_back(text);
  }
  void note(const std::string& text) override {
    const std::lock_guard lock(mutex_);
    notes.push_back(text);
  }
  std::vector<std::string> warnings, notes;

 private:
  std::mutex mutex_;
};

using Row = std::array<std::string, 3>;
using Pair = std::pair<std::string, std::string>;

inline std::set<Row> triples_of(const KnowledgeGraph& graph) {
  std::set<Row> rows;
  for (EntityId e = 0; e < graph.entity_count(); ++e) {
    for (const Edge& edge : graph.edges(e)) {
      if (edge.relation >= graph.relation_count()) continue;
      rows.insert({std::string(graph.entity(e)), std::string(graph.relation(edge.relation)),
                   std::string(graph.entity(edge.neighbour))});
    }
  }
  return rows;
}

inline std::multiset<Row> literals_of(const KnowledgeGraph& graph) {
  std::multiset<Row> rows;
  for (const LiteralTriple& literal : graph.literals()) {
    rows.insert({std::string(graph.entity(literal.subject)),
                 std::string(graph.attributes()[literal.attribute]),
                 std::string(graph.literal_values()[literal.value])});
  }
  return rows;
}

/// Labels by entity; entities without one are left out.
inline std::map<std::string, std::string> labels_of(const KnowledgeGraph& graph) {
  std::map<std::string, std::string> labels;
  for (EntityId e = 0; e < graph.entity_count(); ++e) {
    if (!graph.label(e).empty()) labels.emplace(graph.entity(e), graph.label(e));
  }
  return labels;
}

inline std::set<std::string> entities_of(const KnowledgeGraph& graph) {
  std::set<std::string> names;
  for (EntityId e = 0; e < graph.entity_count(); ++e) names.emplace(graph.entity(e));
  return names;
}

inline std::set<Pair> links_of(const LoadedPair& pair, const std::vector<Link>& links) {
  std::set<Pair> names;
  for (const Link& link : links) {
    names.emplace(pair.graphs.left().entity(link.left), pair.graphs.right().entity(link.right));
  }
  return names;
}

/// Everything kept, nothing shuffled.
inline LoadOptions keep_all() {
  LoadOptions options;
  options.keep_literals = true;
  options.types_as_entities = true;
  options.shuffle_seed.reset();
  return options;
}

inline KnowledgeGraph graph_in(const std::filesystem::path& path, const LoadOptions& options = keep_all()) {
  Listener listener;
  return load_graph(path, options, listener);
}

/// The graph that a file of this name and content is read as.
inline KnowledgeGraph graph_from(const std::string& name, std::string_view content,
                                 const LoadOptions& options = keep_all()) {
  const Workspace here;
  return graph_in(here.write(name, content), options);
}

/// The message of the Error that `work` ends in; empty if it ends in none.
inline std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

/// The same without the path of the workspace: "a.nt:3: found ...".
inline std::string error_from(const std::string& name, std::string_view content,
                              const LoadOptions& options = keep_all()) {
  const Workspace here;
  const auto path = here.write(name, content);
  std::string message = error_of([&] { (void)graph_in(path, options); });
  if (message.starts_with(here.path().string())) message.erase(0, here.path().string().size() + 1);
  return message;
}

}  // namespace dovetail::test

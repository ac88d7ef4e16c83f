#pragma once

#include <dovetail/deciding.h>
#include <dovetail/graph.h>
#include <dovetail/link_metrics.h>
#include <dovetail/links.h>
#include <dovetail/observer.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

/// Every outside form Dovetail reads or writes; formats() describes them.
enum class Format : std::uint8_t {
  automatic,
  // one graph in one file
  ntriples,
  nquads,
  turtle,
  trig,
  rdfxml,
  tsv,
  csv,
  // one graph in one file, read only
  json_lines,
  // two graphs and their links in one folder
  dbp15k,
  openea,
  // links in one file
  links_tsv,
  links_csv,
  links_json,
  same_as,
  sssom,
  alignment_api,
};

/// `table` is that of graphs which are read and not written.
enum class FormatKind : std::uint8_t { graph, table, folder, links };

struct FormatInfo {
  Format format;
  FormatKind kind;
  const char* name;       ///< as the command line spells it
  const char* extension;  ///< with the dot; empty for folders
  const char* description;
};

/// How owl:sameAs triples say how sure they are.
enum class StatementScores : std::uint8_t {
  none,
  rdf_star,     ///< << left owl:sameAs right >> sssom:confidence 0.9
  reification,  ///< the same about an rdf:Statement, which every reader of RDF understands
};

enum class EmbeddingFormat : std::uint8_t {
  npy,  ///< NumPy's arrays of 32-bit numbers, [rows, dimension], and a text file with the name of each row
  word2vec,  ///< text: rows and dimension, then a name and its numbers a line
};

/// All formats but `automatic`.
[[nodiscard]] const std::vector<FormatInfo>& formats();
[[nodiscard]] const FormatInfo& format_info(Format format);
/// Throws ParameterError with the known names where `name` is none of them.
[[nodiscard]] Format format_from_name(std::string_view name);

/// How tables (TSV, CSV) are read: which columns, and whether the first line names them.
struct TableOptions {
  /// Names or 1-based numbers of the columns for head, relation, tail, or left, right and perhaps score;
  /// empty: by the header's usual names, or else the first ones.
  std::vector<std::string> columns;
  /// Whether there is a header; unset: by looking at the first line.
  std::optional<bool> header;
};

/// What a TSV or CSV file of a graph holds.
enum class TableForm : std::uint8_t {
  automatic,  ///< by its content
  table,      ///< one row an entity, one column an attribute, with a header
  triples,    ///< head, relation, tail
};

/// How tables with one row an entity are read.
struct WideTableOptions {
  TableForm form = TableForm::automatic;
  /// The column with the entities' ids: one for both sides, or the left and the right one; none: a column
  /// called id, else the first with distinct cells, else the row's number.
  std::vector<std::string> id_columns;
  std::string multi_value;  ///< what separates several values in a cell; empty: nothing does
  /// Columns that hold ids: of the same table ("cites") or of another one beside it ("author=people.csv").
  std::vector<std::string> relation_columns;
  /// What makes IRIs of the left and the right table's ids; none: made from the files' names.
  std::vector<std::string> iri_prefixes;
};

/// What is made of entities that have the same absolute IRI in both graphs.
enum class SharedIdentifiers : std::uint8_t {
  automatic,  ///< seeds, but in folders that bring links of their own
  seeds,      ///< links to learn from
  ignore,     ///< nothing: an identifier says nothing about the other graph
};

struct LoadOptions {
  Format graph_format = Format::automatic;
  Format links_format = Format::automatic;
  TableOptions graph_table;
  TableOptions links_table;
  WideTableOptions wide_table;
  /// Attributes that name entities, the best first, beside rdfs:label and its like.
  std::vector<std::string> name_properties;
  /// A JSON file with names for the entities, as `translated_names.json` of the DBP15K folders; a folder's
  /// own one is found by itself.
  std::filesystem::path names;
  int fold = 1;         ///< which of an OpenEA folder's splits
  bool strict = false;  ///< a link that names an unknown entity is an error instead of a warning
  Cardinality cardinality = Cardinality::one_to_one;  ///< in how many links an entity may be
  SharedIdentifiers shared_identifiers = SharedIdentifiers::automatic;
  bool keep_literals = false;  ///< keep literal triples, for writing the graphs out again
  /// Classes, the objects of rdf:type, are entities like others and rdf:type is a relation like others.
  bool types_as_entities = false;
  /// Entity ids are shuffled with this seed, so that no position tells which belong together; unset: ids
  /// follow the files.
  std::optional<std::uint64_t> shuffle_seed = 1;
  /// How links are divided where the source does not say.
  SplitOptions split;
  /// Whether the links of a file are divided too. A folder's undivided links always are; a user's own file
  /// is all there to learn from unless this is set.
  bool split_files = false;
  std::size_t threads = 0;  ///< 0: as many as the machine has
};

/// Files that add to a pair; empty: none.
struct MoreFiles {
  std::filesystem::path left{}, right{};  ///< triples, of old entities and new ones
  std::filesystem::path links{};          ///< links to learn from
  std::filesystem::path not_links{};      ///< pairs known not to be the same, in the formats of links
  std::filesystem::path test_links{};     ///< links to evaluate with
  std::filesystem::path judgements{};     ///< what people decided, as dovetail review keeps it
  LoadOptions options{};                  ///< formats, tables, names and strictness
};

/// Where a pair was loaded from: all that loading it again takes. Paths are absolute.
struct PairSource {
  std::filesystem::path folder{};         ///< or, if empty, the next three
  std::filesystem::path left{}, right{};  ///< both empty for a pair that comes from no file
  std::filesystem::path links{};          ///< empty where none were given
  LoadOptions options{};
  std::vector<MoreFiles> more{};  ///< added since, one after the other
  /// What makes IRIs of the ids of tables, by side; empty for other graphs.
  std::array<std::string, 2> iri_prefixes{};
};

/// The files of a source that can be read once only.
[[nodiscard]] std::vector<std::filesystem::path> pipes_of(const PairSource& source);

/// The seed that shuffles the entities of one side. The sides need permutations of their own: graphs of the
/// same size that list counterparts in the same order would otherwise end up with the same numbers for them.
[[nodiscard]] std::optional<std::uint64_t> side_seed(const LoadOptions& options, Side side);

struct LoadedPair {
  GraphPair graphs;
  SeedLinks links;
  std::string format;  ///< what was recognised, in words
  PairSource source{};
  /// Entities are rows of tables: their ids are counted or chosen for one table and mean nothing in the
  /// other.
  bool local_identifiers = false;
  /// Of the links to learn from, how many of the last ones are in no file: both graphs have the same IRI.
  std::size_t shared_identifiers = 0;
};

/// Loads a folder of a known kind: DBP15K ids, OpenEA, or files named left, right and links of any format, as
/// `convert` and `generate` write them.
[[nodiscard]] LoadedPair load_folder(const std::filesystem::path& folder, const LoadOptions& options,
                                     Observer& observer);
/// Loads two graph files and, unless `links` is empty, a file of links.
[[nodiscard]] LoadedPair load_files(const std::filesystem::path& left, const std::filesystem::path& right,
                                    const std::filesystem::path& links, const LoadOptions& options,
                                    Observer& observer);
/// Adds what files say to a pair. Entities and relations keep their numbers within their graphs; new ones
/// follow. What is new counts more: a pair said not to be the same is no seed any longer, and the other way
/// round.
[[nodiscard]] LoadedPair add_files(LoadedPair pair, const MoreFiles& more, Observer& observer);
/// Loads a pair again.
[[nodiscard]] LoadedPair load_pair(const PairSource& source, Observer& observer);
/// Loads one graph file.
[[nodiscard]] KnowledgeGraph load_graph(const std::filesystem::path& path, const LoadOptions& options,
                                        Observer& observer);

/// Reads a file of links as they stand, names unchecked; links without a score get 1.
[[nodiscard]] std::vector<NamedLink> load_links(const std::filesystem::path& path, Format format,
                                                const TableOptions& table, Observer& observer);

/// What a format had no place for when a graph was written in it.
struct LeftOut {
  std::uint64_t entities = 0;  ///< entities without triples, where a format consists of triples
  std::uint64_t literals = 0;  ///< literals other than names, where a format knows none
};

/// Writes one graph to a file in a format of kind `graph`. Nothing appears under that name unless all went
/// well; an existing file is an error unless `replace`. None of the `inputs`, the files and folders that the
/// graph came from, is ever replaced.
LeftOut save_graph(const KnowledgeGraph& graph, const std::filesystem::path& path, Format format,
                   bool replace, Observer& observer, const std::vector<std::filesystem::path>& inputs = {});
/// Writes two graphs and their links to a folder; a format of kind `graph` gives left.*, right.* and
/// links.tsv, or train_links.tsv, valid_links.tsv and test_links.tsv if the links are divided. With
/// `replace`, files that Dovetail wrote there before are replaced, and no others.
LeftOut save_pair(const GraphPair& graphs, const SeedLinks& links, const std::filesystem::path& folder,
                  Format format, bool replace, Observer& observer,
                  const std::vector<std::filesystem::path>& inputs = {});
/// Copies links from one file to another in a format of kind `links`; returns how many.
std::uint64_t convert_links(const std::filesystem::path& from, const std::filesystem::path& to, Format format,
                            bool replace, const LoadOptions& options, Observer& observer);

}  // namespace dovetail

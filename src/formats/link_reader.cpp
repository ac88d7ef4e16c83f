#include "formats/link_reader.h"

#include <dovetail/errors.h>

#include <array>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <utility>

#include "common/text.h"
#include "formats/format.h"
#include "formats/format_table.h"
#include "formats/iri.h"
#include "formats/table.h"
#include "formats/table_shape.h"
#include "graph/merge.h"
#include "graph/naming.h"

namespace dovetail {

namespace {

/// Names below `@prefix p: <iri> .` lines are prefixed ones; elsewhere a colon means nothing.
class Prefixes {
 public:
  bool declare(std::string_view line) {
    if (!line.starts_with("@prefix")) return false;
    const std::size_t colon = line.find(':');
    const std::size_t open = line.find('<');
    const std::size_t close = line.rfind('>');
    if (colon > open || close == std::string_view::npos) return false;
    std::string_view name = line.substr(7, colon - 7);
    name.remove_prefix(std::min(name.find_first_not_of(" \t"), name.size()));
    prefixes_[std::string(name)] = line.substr(open + 1, close - open - 1);
    return true;
  }

  std::string_view expand(std::string_view name, std::string& scratch) const {
    if (prefixes_.empty()) return name;
    const std::size_t colon = name.find(':');
    const auto found =
        colon == std::string_view::npos ? prefixes_.end() : prefixes_.find(name.substr(0, colon));
    if (found == prefixes_.end()) return name;
    scratch = found->second;
    scratch += name.substr(found->first.size() + 1);
    return scratch;
  }

 private:
  std::map<std::string, std::string, std::less<>> prefixes_;
};

/// Whether a title says that numbers are probabilities of being right.
bool names_confidence(std::string_view title) {
  return same_name(title, "confidence") || same_name(title, "probability") || same_name(title, "measure");
}

}  // namespace

void read_table_links(const std::filesystem::path& path, char separator, const TableOptions& options,
                      const LinkHandler& handler, Observer& observer) {
  static const std::array<ColumnRole, 3> kRoles = {
      {{"left", {"left", "source", "subject", "entity1", "subject_id", "from", "head", "id1"}},
       {"right", {"right", "target", "object", "entity2", "object_id", "to", "tail", "id2"}},
       {"score", {"confidence", "score", "measure", "probability", "weight"}, true}}};
  const TableShape shape = table_shape_of(path, separator);
  TableReader table(path, shape.columns > 1 ? shape.separator : separator, observer);
  Prefixes prefixes;
  std::vector<std::string_view> row;
  do {
    if (!table.next(row)) table.fail("no line with content; expected a link");
  } while (prefixes.declare(row[0]));
  bool is_header = false;
  const auto columns = find_columns(table, row, options, kRoles, is_header);
  // A first line that is unlike all others names the columns, whatever it calls them.
  if (!options.header && !is_header && shape.titled) {
    is_header = true;
    observer.note(fmt::format("{}: the first line ({}, {}) is taken for titles of columns, not for a link",
                              printable(path.string()), shown(row[*columns[0]]), shown(row[*columns[1]])));
  }
  const bool confident = is_header && columns[2] && names_confidence(row[*columns[2]]);
  if (!is_header && options.columns.empty() && row.size() > kRoles.size()) {
    table.fail(fmt::format(
        "found {} columns; expected 2 (left, right) and perhaps a score; choose them by number or "
        "give the file a header",
        row.size()));
  }
  const std::size_t width = row.size();
  std::string left;
  std::string right;
  bool may_be_header = !is_header && !options.header;
  for (bool more = !is_header || table.next(row); more; more = table.next(row)) {
    if (row.size() != width) {
      table.fail(fmt::format("found {} column{}; expected {} as in the first line", row.size(),
                             plural(row.size()), width));
    }
    for (std::size_t i = 0; i < 2; ++i) {
      if (row[*columns[i]].empty())
        table.fail(fmt::format("the {} is empty; expected a name", kRoles[i].name));
    }
    RawLink link{};
    link.left = prefixes.expand(row[*columns[0]], left);
    link.right = prefixes.expand(row[*columns[1]], right);
    link.line = table.line();
    link.confident = confident;
    if (columns[2] && !row[*columns[2]].empty()) {
      link.score = parse_number(row[*columns[2]]);
      if (!link.score) {
        table.fail(fmt::format("found {} in column {}; expected a number, the link's score",
                               shown(row[*columns[2]]), *columns[2] + 1));
      }
    }
    link.may_be_header = std::exchange(may_be_header, false);
    handler(link);
  }
}

bool means_same(std::string_view predicate) {
  return predicate == kSameAs || predicate == "http://www.w3.org/2004/02/skos/core#exactMatch";
}

void read_links(const std::filesystem::path& path, Format format, const TableOptions& table,
                const LinkHandler& handler, Observer& observer) {
  if (format == Format::automatic || format_entry(format).syntax != Format::automatic) {
    format = recognise_links(path);
  }
  const FormatEntry& entry = format_entry(format);
  if (entry.info.kind == FormatKind::folder) {
    throw ParameterError(
        fmt::format("{} is the format of a folder, not of a file of links", entry.info.name));
  }
  if (entry.read_links != nullptr) {
    entry.read_links(path, table, handler, observer);
  } else {
    read_rdf_links(path, format, handler, observer);
  }
}

LinkCollector::Find entity_finder(const GraphPair& graphs) {
  return [&graphs](Side side, std::string_view text) {
    const KnowledgeGraph& graph = graphs.graph(side);
    const std::string_view prefix = iri_prefix(graph);
    auto found = graph.find(text);
    if (!found && !prefix.empty() && text.starts_with(prefix)) {
      found = graph.find(percent_decoded(text.substr(prefix.size()), [](unsigned char) { return true; }));
    }
    return found.value_or(kNone);
  };
}

LinkCollector::LinkCollector(Find find, std::size_t left_count, std::size_t right_count, bool strict,
                             Observer& observer)
    : find_(std::move(find)),
      strict_(strict),
      observer_(observer),
      partner_of_left_(left_count, kNone),
      partner_of_right_(right_count, kNone),
      in_earlier_file_(left_count, false) {}

std::vector<Link> LinkCollector::read(const std::filesystem::path& path, Format format,
                                      const TableOptions& table) {
  const std::string file = path.string();
  std::uint64_t count = 0;
  std::vector<Link> links;
  std::optional<std::pair<std::string, std::string>> header;
  const auto take = [&](const RawLink& raw) {
    const EntityId left = find_exported(Side::left, raw.left);
    const EntityId right = find_exported(Side::right, raw.right);
    if (raw.may_be_header && left == kNone && right == kNone && !strict_) {
      header = {std::string(raw.left), std::string(raw.right)};
      return;
    }
    ++count;
    if (!accept(left, right, links)) reject(file, raw, left, right);
  };
  read_links(path, format, table, take, observer_);
  if (header && links.empty()) {  // no other line is better
    ++count;
    reject(file, {header->first, header->second, std::nullopt, 1}, kNone, kNone);
  } else if (header) {
    observer_.note(fmt::format("{}: the first line, {} and {}, is taken for a header: no entity is called so",
                               file, shown(header->first), shown(header->second)));
  }
  end_file(file, count, links);
  return links;
}

EntityId LinkCollector::find_exported(Side side, std::string_view text) const {
  if (const EntityId found = find_(side, text); found != kNone) return found;
  const std::string prefix = sided_name(side, "", "_:");
  if (text.starts_with(prefix)) return find_(side, "_:" + std::string(text.substr(prefix.size())));
  if (text.find('%') == std::string_view::npos) return kNone;
  return find_(side, percent_decoded(text, [](unsigned char byte) { return byte >= 0x80; }));
}

void LinkCollector::end_file(const std::string& file, std::uint64_t count, std::span<const Link> links) {
  if (count == 0) observer_.warning(file + ": there is no link in it");
  if (count > 0 && unknown_in_file_ == count) {
    throw InputError(
        file, 0,
        fmt::format("found no link between entities of the two graphs among {}: {} is in neither; "
                    "expected links of these graphs; do graphs and links belong together?",
                    with_commas(count), first_unknown_));
  }
  if (known_in_file_ > 0 && !known_are_welcome_) {
    observer_.warning(
        fmt::format("{}: {} of {} link{} {} given as a seed or in an earlier file too; left out here{}", file,
                    with_commas(known_in_file_), with_commas(count), plural(count),
                    known_in_file_ == 1 ? "is" : "are", links.empty() ? ", so that none remains" : ""));
  }
  for (const Link& link : links) in_earlier_file_[link.left] = true;
  known_in_file_ = 0;
  if (unknown_in_file_ > 0) {
    observer_.warning(
        fmt::format("{}: {} of {} link{} name{} an entity that is in neither graph, the first {}; left out",
                    file, with_commas(unknown_in_file_), with_commas(count), plural(count),
                    unknown_in_file_ == 1 ? "s" : "", first_unknown_));
  }
  unknown_ += unknown_in_file_;
  unknown_in_file_ = 0;
}

void LinkCollector::reject(const std::string& file, const RawLink& raw, EntityId left, EntityId right) {
  const auto refuse = [&](const std::string& problem) { throw InputError(file, raw.line, problem); };
  if (left != kNone && right != kNone) {
    const bool known = cardinality_ == Cardinality::many_to_many ? pairs_.contains({left, right})
                                                                 : partner_of_right_[right] == left;
    if (known) {
      ++repeated_;
      if (in_earlier_file_[left]) ++known_in_file_;
      return;
    }
    const bool right_again = partner_of_right_[right] != kNone;
    refuse(fmt::format(
        "found a second link of {}; expected each entity in one link at most; remove one of the "
        "two, or align with --cardinality {}",
        shown(partner_of_left_[left] != kNone ? raw.left : raw.right), right_again ? "n:m" : "1:n"));
  }
  const bool right_in_left = find_(Side::left, raw.right) != kNone;
  const bool left_in_right = find_(Side::right, raw.left) != kNone;
  if (left == kNone && right == kNone && right_in_left && left_in_right) {
    refuse(fmt::format(
        "found a link from the right graph ({}) to the left one ({}); expected left, then right; swap "
        "the columns or the graphs",
        shown(raw.left), shown(raw.right)));
  }
  if ((left != kNone && right_in_left) || (right != kNone && left_in_right)) {
    refuse(fmt::format("found a link between two entities of the {} graph, {} and {}; expected one of each",
                       left != kNone ? "left" : "right", shown(raw.left), shown(raw.right)));
  }
  const std::string_view missing = left == kNone ? raw.left : raw.right;
  if (strict_) {
    refuse(fmt::format("found a link to {}, which is in neither graph; expected an entity of the {} graph",
                       shown(missing), left == kNone ? "left" : "right"));
  }
  if (unknown_in_file_++ == 0) first_unknown_ = fmt::format("{} in line {}", shown(missing), raw.line);
}

}  // namespace dovetail

#pragma once

#include <dovetail/io.h>
#include <dovetail/links.h>
#include <dovetail/observer.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "formats/id_table.h"

namespace dovetail {

/// A link as a file states it.
struct RawLink {
  std::string_view left;
  std::string_view right;
  std::optional<double> score;
  std::uint64_t line;
  bool confident = false;      ///< the score is called a confidence, a probability of being right
  bool may_be_header = false;  ///< the first row of a table, in which nothing says what it is
};

/// Whether an RDF predicate says that subject and object are the same: owl:sameAs or skos:exactMatch.
[[nodiscard]] bool means_same(std::string_view predicate);

using LinkHandler = std::function<void(const RawLink&)>;

/// Reads a file of links of any format and hands each to `handler`.
void read_links(const std::filesystem::path& path, Format format, const TableOptions& table,
                const LinkHandler& handler, Observer& observer);

// One for each reader; format_table chooses.
void read_table_links(const std::filesystem::path& path, char separator, const TableOptions& options,
                      const LinkHandler& handler, Observer& observer);
void read_rdf_links(const std::filesystem::path& path, Format syntax, const LinkHandler& handler,
                    Observer& observer);
void read_json_links(const std::filesystem::path& path, const LinkHandler& handler);
void read_sssom(const std::filesystem::path& path, const LinkHandler& handler, Observer& observer);

/// Turns the names in links into entities and checks that the links make sense together: each joins the two
/// graphs, and no entity is in two of them, also not across several files.
class LinkCollector {
 public:
  /// `find` looks an entity up in the graph of a side; kNone if it is not there.
  using Find = std::function<EntityId(Side, std::string_view)>;
  LinkCollector(Find find, std::size_t left_count, std::size_t right_count, bool strict, Observer& observer);

  /// Links that are known already.
  void know(std::span<const Link> links) {
    for (const Link& link : links) {
      partner_of_left_[link.left] = link.right;
      partner_of_right_[link.right] = link.left;
      in_earlier_file_[link.left] = true;
      if (cardinality_ == Cardinality::many_to_many) pairs_.insert(link);
    }
  }
  /// In how many links an entity may be; one to one unless this says otherwise.
  void allow(Cardinality cardinality) { cardinality_ = cardinality; }
  /// Whether a file may repeat links that are known, without a warning.
  void welcome_known(bool welcome) { known_are_welcome_ = welcome; }

  /// Reads one file. A link to an unknown entity is left out, counted and reported at the end of the file,
  /// or refused if strict. A file of which all links are unknown is refused, one that repeats links of
  /// earlier files reported.
  [[nodiscard]] std::vector<Link> read(const std::filesystem::path& path, Format format,
                                       const TableOptions& table);
  /// The same for a file of two columns of ids, which `find_id`(side, id) looks up at `places`(ids).
  template <typename FindId, typename Places>
  [[nodiscard]] std::vector<Link> read_ids(const std::filesystem::path& path, const FindId& find_id,
                                           const Places& places);

  [[nodiscard]] std::uint64_t unknown() const { return unknown_; }
  [[nodiscard]] std::uint64_t repeated() const { return repeated_; }

 private:
  /// Takes the link if there is nothing wrong with it.
  bool accept(EntityId left, EntityId right, std::vector<Link>& links) {
    if (left == kNone || right == kNone) return false;
    if (cardinality_ == Cardinality::one_to_one && partner_of_left_[left] != kNone) return false;
    if (cardinality_ != Cardinality::many_to_many && partner_of_right_[right] != kNone) return false;
    if (cardinality_ == Cardinality::many_to_many && !pairs_.insert({left, right}).second) return false;
    partner_of_left_[left] = right;
    partner_of_right_[right] = left;
    links.push_back({left, right});
    return true;
  }
  /// Counts or refuses a link that was not accepted.
  void reject(const std::string& file, const RawLink& raw, EntityId left, EntityId right);
  /// As the graph has it, or as export writes it: blank nodes by their side, other letters in percent codes.
  [[nodiscard]] EntityId find_exported(Side side, std::string_view text) const;
  /// Warns about links of a file with `count` ones that were left out, of which `links` were taken.
  void end_file(const std::string& file, std::uint64_t count, std::span<const Link> links);

  Find find_;
  bool strict_;
  Cardinality cardinality_ = Cardinality::one_to_one;
  bool known_are_welcome_ = false;
  Observer& observer_;
  std::set<Link> pairs_;                   // only where entities may be in several on both sides
  std::vector<EntityId> partner_of_left_;  // the last of them
  std::vector<EntityId> partner_of_right_;
  std::uint64_t unknown_ = 0;
  std::uint64_t repeated_ = 0;
  std::vector<bool> in_earlier_file_;  // by left entity
  std::uint64_t unknown_in_file_ = 0;
  std::uint64_t known_in_file_ = 0;  // from earlier files
  std::string first_unknown_;
};

/// Finds entities by their identifiers, rows of tables also by their IRIs. The graphs must stay.
[[nodiscard]] LinkCollector::Find entity_finder(const GraphPair& graphs);

template <typename FindId, typename Places>
std::vector<Link> LinkCollector::read_ids(const std::filesystem::path& path, const FindId& find_id,
                                          const Places& places) {
  const std::string file = path.string();
  std::uint64_t count = 0;
  std::vector<Link> links;
  read_waiting_rows<2>(path, observer_, places, [&](std::span<const IdRow<2>> rows) {
    std::vector<Link> found;  // all of them before the first is looked at: memory answers side by side
    for (const auto& [ids, line] : rows) {
      found.push_back({find_id(Side::left, ids[0]), find_id(Side::right, ids[1])});
    }
    for (const auto& [left, right] : found) {
      if (left != kNone) __builtin_prefetch(partner_of_left_.data() + left, 1);
      if (right != kNone) __builtin_prefetch(partner_of_right_.data() + right, 1);
    }
    for (std::size_t n = 0; n < rows.size(); ++n) {
      if (accept(found[n].left, found[n].right, links)) continue;
      const auto& [ids, line] = rows[n];
      const std::string left_id = std::to_string(ids[0]), right_id = std::to_string(ids[1]);
      reject(file, {left_id, right_id, std::nullopt, line}, found[n].left, found[n].right);
    }
    count += rows.size();
  });
  end_file(file, count, links);
  return links;
}

}  // namespace dovetail

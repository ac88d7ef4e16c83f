#pragma once

#include <dovetail/io.h>
#include <dovetail/links.h>
#include <dovetail/observer.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

/// A link as a file states it.
struct RawLink {
  std::string_view left;
  std::string_view right;
  std::optional<double> score;
  std::uint64_t line;
};

/// Whether an RDF predicate says that subject and object are the same: owl:sameAs or skos:exactMatch.
[[nodiscard]] bool means_same(std::string_view predicate);

using LinkHandler = std::function<void(const RawLink&)>;

/// Reads a file of links of any format and hands each to `handler`.
void read_links(const std::filesystem::path& path, Format format, const TableOptions& table,
                const LinkHandler& handler, Observer& observer);

// The formats that are more than a table, each in a file of its own.
void read_rdf_links(const std::filesystem::path& path, Format syntax, const LinkHandler& handler,
                    Observer& observer);
void read_sssom(const std::filesystem::path& path, const LinkHandler& handler, Observer& observer);

/// Turns the names in links into entities and checks that the links make sense together: each joins the two
/// graphs, and no entity is in two of them, also not across several files.
class LinkCollector {
 public:
  /// `find` looks an entity up in the graph of a side.
  using Find = std::function<std::optional<EntityId>(Side, std::string_view)>;
  LinkCollector(Find find, std::size_t left_count, std::size_t right_count, bool strict, Observer& observer);

  /// Reads one file. A link to an unknown entity is left out, counted and reported at the end of the file,
  /// or refused if strict.
  [[nodiscard]] std::vector<Link> read(const std::filesystem::path& path, Format format,
                                       const TableOptions& table);

  [[nodiscard]] std::uint64_t unknown() const { return unknown_; }
  [[nodiscard]] std::uint64_t repeated() const { return repeated_; }

 private:
  void add(const std::string& file, const RawLink& raw, std::vector<Link>& links);
  [[noreturn]] void refuse(const std::string& file, const RawLink& raw, const std::string& problem) const;

  Find find_;
  bool strict_;
  Observer& observer_;
  std::vector<EntityId> partner_of_left_;
  std::vector<EntityId> partner_of_right_;
  std::uint64_t unknown_ = 0;
  std::uint64_t repeated_ = 0;
  std::string first_unknown_;
};

}  // namespace dovetail

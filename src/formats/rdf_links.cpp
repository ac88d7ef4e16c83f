#include <dovetail/errors.h>

#include <fmt/format.h>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/text.h"
#include "formats/link_reader.h"
#include "formats/rdf.h"
#include "graph/literal.h"

namespace dovetail {

namespace {

/// Links in RDF: owl:sameAs and skos:exactMatch triples, and the cells of the Alignment API, whose parts come
/// as separate statements about the same cell.
class LinksFromRdf : public RdfHandler {
 public:
  LinksFromRdf(std::string file, const LinkHandler& handler) : file_(std::move(file)), handler_(handler) {}

  void statements(std::span<const RdfStatement> batch) override {
    for (const RdfStatement& one : batch) take(one);
  }

  void finish();

 private:
  void take(const RdfStatement& statement) {
    if (means_same(statement.predicate)) {
      if (statement.literal) {
        throw InputError(file_, statement.line,
                         fmt::format("found the literal {}; expected an entity", shown(statement.object)));
      }
      ++count_;
      handler_({statement.subject, statement.object, std::nullopt, statement.line});
      return;
    }
    // Some writers end the namespace in #, some in nothing at all.
    static constexpr std::string_view kNamespace =
        "http://knowledgeweb.semanticweb.org/heterogeneity/alignment";
    if (!statement.predicate.starts_with(kNamespace)) return;
    std::string_view part = statement.predicate.substr(kNamespace.size());
    if (part.starts_with('#') || part.starts_with('/')) part.remove_prefix(1);
    if (part != "entity1" && part != "entity2" && part != "measure" && part != "relation") return;
    const auto [place, added] = cell_of_.try_emplace(std::string(statement.subject), cells_.size());
    if (added) cells_.emplace_back();
    Cell& cell = cells_[place->second];
    cell.line = statement.line;
    const std::string value =
        statement.literal ? split_literal(statement.object).text : std::string(statement.object);
    if (part == "entity1") cell.left = value;
    if (part == "entity2") cell.right = value;
    if (part == "measure") cell.score = measure(statement.line, value);
    if (part == "relation") cell.same = value == "=";
  }

  struct Cell {
    std::string left;
    std::string right;
    std::optional<double> score;
    bool same = true;
    std::uint64_t line = 0;
  };

  [[nodiscard]] double measure(std::uint64_t line, const std::string& text) const {
    const std::optional<double> score = parse_number(text);
    if (!score)
      throw InputError(file_, line, fmt::format("found the measure {}; expected a number", shown(text)));
    return *score;
  }

  std::string file_;
  const LinkHandler& handler_;
  std::vector<Cell> cells_;  // in the file's order
  std::unordered_map<std::string, std::size_t> cell_of_;
  std::uint64_t count_ = 0;
};

void LinksFromRdf::finish() {
  for (const Cell& cell : cells_) {
    if (cell.left.empty() || cell.right.empty()) {
      throw InputError(file_, cell.line, "found a Cell with one entity only; expected entity1 and entity2");
    }
    if (!cell.same) continue;
    ++count_;
    handler_({cell.left, cell.right, cell.score, cell.line, cell.score.has_value()});
  }
  if (count_ == 0) {
    throw InputError(file_, 0,
                     "no owl:sameAs or skos:exactMatch triple and no Alignment Cell found; expected links");
  }
}

}  // namespace

void read_rdf_links(const std::filesystem::path& path, Format syntax, const LinkHandler& handler,
                    Observer& observer) {
  LinksFromRdf links(path.string(), handler);
  read_rdf(path, syntax, links, observer);
  links.finish();
}

}  // namespace dovetail

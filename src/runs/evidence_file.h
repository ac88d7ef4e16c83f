#pragma once

#include <dovetail/align.h>
#include <dovetail/deciding.h>
#include <dovetail/evidence.h>

#include <cstddef>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "formats/output_file.h"

namespace dovetail {

/// Candidates of each entity that evidence.jsonl lists.
inline constexpr std::size_t kListedCandidates = 5;

/// What is known of a left entity that was in question.
struct EvidenceRecord {
  struct Listed {
    Candidate candidate;
    double evidence;  ///< all that speaks for it, added up
  };
  EntityId left;
  std::optional<DecidedLink> link{};  ///< what was decided; nothing: no link
  double evidence = 0;                ///< all that speaks for the link, added up
  Reasons reasons{};                  ///< for the link and against it
  std::vector<Listed> candidates{};   ///< best first
};

/// Writes one line of JSON for each left entity.
class EvidenceWriter {
 public:
  /// The graphs must stay valid as long as the writer.
  EvidenceWriter(const GraphPair& graphs, const std::filesystem::path& path) : graphs_(graphs), file_(path) {}
  void add(const EvidenceRecord& record);
  void commit() { file_.commit(); }

 private:
  const GraphPair& graphs_;
  OutputFile file_;
};

/// The lines of a run's evidence that are about an entity: its identifier, or its name, on either side. Where
/// it has no link, `unmatched` says why, as unmatched.tsv does, and which entity its best candidate is linked
/// to. An unmatched right entity, by its identifier, has a record of its own, with `right` in the place of
/// `left`.
[[nodiscard]] std::vector<nlohmann::ordered_json> find_evidence(const std::filesystem::path& folder,
                                                                const std::string& entity);

/// The lines of a run's evidence about left entities, by identifier; none where no evidence was kept.
[[nodiscard]] std::map<std::string, nlohmann::ordered_json> evidence_of(const std::filesystem::path& folder,
                                                                        const std::set<std::string>& left);

/// Writes which attributes correspond, in the order given.
void write_attributes(std::span<const AttributeLink> links, const GraphPair& graphs,
                      const std::filesystem::path& path);
/// The relations of both graphs that mean the same.
void write_relations(std::span<const RelationLink> relations, const GraphPair& graphs,
                     const std::filesystem::path& path);

}  // namespace dovetail

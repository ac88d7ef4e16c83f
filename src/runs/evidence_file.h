#pragma once

#include <dovetail/run.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "alignment/explainer.h"

namespace dovetail {

/// For each left entity that was in question, one line of JSON: its candidates, the one that was decided on,
/// and what speaks for that and against it.
void write_evidence(const Run& run, const Explainer& explainer, const GraphPair& graphs,
                    const std::filesystem::path& path);

/// The lines of a run's evidence that are about an entity: its identifier, or its name, on either side.
[[nodiscard]] std::vector<nlohmann::ordered_json> find_evidence(const std::filesystem::path& folder,
                                                                const std::string& entity);

/// The lines of a run's evidence about left entities, by identifier; none where no evidence was kept.
[[nodiscard]] std::map<std::string, nlohmann::ordered_json> evidence_of(const std::filesystem::path& folder,
                                                                        const std::set<std::string>& left);

/// The relations of both graphs that mean the same.
/// Writes which attributes correspond, in the order given.
void write_attributes(std::span<const AttributeLink> links, const GraphPair& graphs,
                      const std::filesystem::path& path);
void write_relations(const Explainer& explainer, const GraphPair& graphs, const std::filesystem::path& path);

}  // namespace dovetail

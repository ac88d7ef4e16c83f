#pragma once

#include <dovetail/run.h>

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace dovetail {

/// What configuration_json() was made of. Parameters that it does not have keep their defaults: it may be an
/// older one. Throws ParameterError, or nlohmann's exceptions, where it is something else.
[[nodiscard]] AlignOptions options_of_json(const nlohmann::json& configuration);

/// The options that a run.json says its run had.
[[nodiscard]] AlignOptions read_run_options(const std::filesystem::path& path);

/// links.tsv and unmatched.tsv of a run's folder; the latter is only there where all entities were looked at.
[[nodiscard]] std::vector<SavedLink> read_run_links(const std::filesystem::path& folder);
[[nodiscard]] std::vector<SavedUnmatched> read_unmatched(const std::filesystem::path& folder);

/// Every file and folder that using the run may read, its own folder aside.
[[nodiscard]] std::vector<std::filesystem::path> inputs_of(const SavedRun& run);

/// A link of the run in the ids of its graphs. Throws InputError where they do not have such entities.
[[nodiscard]] Link find_link(const SavedRun& run, const GraphPair& graphs, const SavedLink& link);

}  // namespace dovetail

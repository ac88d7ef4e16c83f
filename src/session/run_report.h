#pragma once

#include <dovetail/run.h>

#include <filesystem>

namespace dovetail {

/// Writes the page of a run that is in a folder already. The pair and the model are the run's; a model
/// without entities is that of rules alone.
void write_report(const SavedRun& run, const LoadedPair& pair, const Model& model,
                  const std::filesystem::path& path);

}  // namespace dovetail

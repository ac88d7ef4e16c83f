#pragma once

#include <dovetail/io.h>

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

namespace dovetail {

/// Where a pair came from, for run.json: files, how they are read, and a fingerprint of what was in them;
/// null for a pair that came from no file. Files in the folder `home`, an absolute path, go by their names
/// there, so that the folder can be moved.
[[nodiscard]] nlohmann::json inputs_json(const LoadedPair& pair, const std::filesystem::path& home = {});

/// The same without the fingerprint.
[[nodiscard]] nlohmann::json source_json(const PairSource& source, const std::filesystem::path& home = {});

/// The same back; nothing for null. Throws nlohmann's exceptions, or ParameterError, where it is something
/// else.
[[nodiscard]] std::optional<PairSource> source_of_json(const nlohmann::json& inputs,
                                                       const std::filesystem::path& home = {});

/// Every file and folder that loading the pair reads.
[[nodiscard]] std::vector<std::filesystem::path> inputs_of(const PairSource& source);

/// The files of MoreFiles that say something of the pair: visit(name, path) for each, empty ones included.
template <typename Files, typename Visit>
void visit_files(Files& more, const Visit& visit) {
  visit("left", more.left);
  visit("right", more.right);
  visit("links", more.links);
  visit("not_links", more.not_links);
  visit("test_links", more.test_links);
  visit("judgements", more.judgements);
}

}  // namespace dovetail

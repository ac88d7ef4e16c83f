#pragma once

#include <dovetail/io.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/threads.h"
#include "formats/link_reader.h"

namespace dovetail {

// One loader for each kind of folder; load_folder() chooses.
[[nodiscard]] LoadedPair load_id_folder(const std::filesystem::path& folder, const LoadOptions& options,
                                        Observer& observer);
[[nodiscard]] LoadedPair load_openea_folder(const std::filesystem::path& folder, const LoadOptions& options,
                                            Observer& observer);
[[nodiscard]] LoadedPair load_files_folder(const std::filesystem::path& folder, const LoadOptions& options,
                                           Observer& observer);

/// `folder/name`, or that with .gz, .bz2, .xz or .zst behind it; empty if none is there.
[[nodiscard]] std::filesystem::path find_file(const std::filesystem::path& folder, const std::string& name);
/// The same, but throws InputError if none is there.
[[nodiscard]] std::filesystem::path need_file(const std::filesystem::path& folder, const std::string& name);

/// Where links are and what they are for. If only `any` is given they are divided.
struct LinkFiles {
  std::filesystem::path any, train, valid, test;
};

/// Reads the files that are there with `read`; divides what is not divided as `split` says.
[[nodiscard]] SeedLinks read_seed_links(
    const LinkFiles& files, const LinkCollector& collector, const SplitOptions& split,
    const std::function<std::vector<Link>(const std::filesystem::path&)>& read);
/// The same for files that name entities by their identifiers.
[[nodiscard]] SeedLinks read_seed_links(const LinkFiles& files, const GraphPair& graphs,
                                        const LoadOptions& options, Observer& observer);

/// Makes seeds of entities that have the same absolute IRI in both graphs and are in no link, nor known to be
/// apart, if the options of the source say so; settles these if they are automatic. Rows of tables never are
/// the same by their ids: where seeds were asked for a ParameterError says so.
void link_shared_identifiers(LoadedPair& pair);
/// Takes these seeds back, before links are added that may say otherwise.
void forget_shared_identifiers(LoadedPair& pair);

/// Builds the left and the right graph, on two threads if there are two.
template <typename Build>
[[nodiscard]] GraphPair build_both(std::size_t threads, const Build& build) {
  std::optional<KnowledgeGraph> left;
  std::optional<KnowledgeGraph> right;
  ThreadPool pool(threads == 1 ? 1 : 2);
  pool.run(2, [&](std::size_t side) {
    (side == 0 ? left : right).emplace(build(side == 0 ? Side::left : Side::right));
  });
  return {std::move(*left), std::move(*right)};
}

}  // namespace dovetail

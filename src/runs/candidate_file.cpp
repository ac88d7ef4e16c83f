#include "runs/candidate_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

#include "runs/checked_file.h"

namespace dovetail {
namespace {

constexpr std::string_view kCandidateMagic = "DOVETAIL CANDIDATES\n";
constexpr std::uint32_t kCandidateVersion = 1;
/// As many as a person can choose from with one key.
constexpr std::size_t kMost = 9;

void sort_ranked(std::vector<Candidate>& ranked) {
  std::ranges::stable_sort(ranked, [](const Candidate& a, const Candidate& b) {
    return a.score != b.score ? a.score > b.score : a.entity < b.entity;
  });
}

}  // namespace

void write_candidates(const Candidates& left, const std::filesystem::path& path) {
  std::vector<std::uint32_t> counts;
  std::vector<Candidate> all;
  for (const std::vector<Candidate>& ranked : left.ranked) {
    const std::size_t count = std::min(kMost, ranked.size());
    counts.push_back(static_cast<std::uint32_t>(count));
    all.insert(all.end(), ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(count));
  }
  CheckedWriter file(path, kCandidateMagic, kCandidateVersion,
                     nlohmann::json{{"entities", left.entities.size()}, {"candidates", all.size()}}.dump());
  file.write_values(std::span<const EntityId>(left.entities));
  file.write_values(std::span<const std::uint32_t>(counts));
  file.write_values(std::span<const Candidate>(all));
  file.commit();
}

void read_candidates(const std::filesystem::path& path, const GraphSizes& graphs, Candidates& left) {
  if (!std::filesystem::exists(path)) return;
  CheckedReader reader(path, "list of candidates", kCandidateMagic);
  if (reader.version() > kCandidateVersion) {
    reader.fail(fmt::format("it is of format {}, written by a later version of Dovetail", reader.version()));
  }
  std::vector<std::uint32_t> counts;
  std::vector<Candidate> all;
  try {
    const nlohmann::json header = nlohmann::json::parse(reader.header());
    reader.read_values(left.entities, header.at("entities"));
    reader.read_values(counts, header.at("entities"));
    reader.read_values(all, header.at("candidates"));
  } catch (const nlohmann::json::exception&) {
    reader.fail("its header is damaged");
  }
  reader.finish();
  std::uint64_t total = 0;
  for (const std::uint32_t count : counts) total += count;
  const auto beyond = [](std::size_t limit) { return [limit](EntityId entity) { return entity >= limit; }; };
  if (total != all.size() || std::ranges::any_of(left.entities, beyond(graphs.left_entities)) ||
      std::ranges::any_of(all, beyond(graphs.right_entities), &Candidate::entity)) {
    reader.fail("its numbers are not those of the run's graphs");
  }
  auto next = all.begin();
  for (const std::uint32_t count : counts) {
    left.ranked.emplace_back(next, next + count);
    next += count;
  }
}

Candidates other_side(const Candidates& candidates) {
  std::map<EntityId, std::vector<Candidate>> rows;
  for (std::size_t n = 0; n < candidates.entities.size(); ++n) {
    for (const Candidate& other : candidates.ranked[n]) {
      rows[other.entity].push_back({candidates.entities[n], other.score});
    }
  }
  Candidates result;
  for (auto& [entity, ranked] : rows) {
    sort_ranked(ranked);
    result.entities.push_back(entity);
    result.ranked.push_back(std::move(ranked));
  }
  return result;
}

}  // namespace dovetail

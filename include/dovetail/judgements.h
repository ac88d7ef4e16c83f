#pragma once

#include <dovetail/links.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

/// What a person says of two entities, or of one.
enum class Verdict : std::uint8_t {
  same,       ///< the two are the same
  different,  ///< the two are not the same
  unsure,     ///< the person cannot tell; nothing is learned from it
  none,       ///< the entity has no counterpart
  undone,     ///< takes back the latest judgement about the same two entities
};

/// One answer of a person. Entities go by their identifiers, so that a judgement outlives the run.
struct Judgement {
  Verdict verdict = Verdict::unsure;
  /// Both for a pair; of `none`, the entity alone, on its side.
  std::string left{}, right{};
  /// Where the person chose another right entity than the program had proposed: the one proposed, which is so
  /// judged different. Else empty.
  std::string instead_of{};
  std::string reviewer{};
  std::string time{};   ///< UTC, 2026-01-31T12:34:56Z
  std::string order{};  ///< in which order the question was asked: "random", "useful", ...
  /// The confidence of the program in the pair when the person judged; nothing if it had no link there.
  std::optional<double> confidence{};

  bool operator==(const Judgement&) const = default;
};

/// "same", "different", "unsure", "none", "undone".
[[nodiscard]] std::string_view verdict_name(Verdict verdict);
/// Nothing for a name that is none of them.
[[nodiscard]] std::optional<Verdict> verdict_of_name(std::string_view name);

/// The judgements that hold, oldest first: those that were neither taken back nor replaced by a later one. A
/// later judgement about the same pair replaces an earlier one; `same` and `none` also replace every earlier
/// `same` and `none` about either of their entities, since an entity has one counterpart at most.
[[nodiscard]] std::vector<Judgement> judgements_in_force(std::span<const Judgement> all);

/// Brings known links in line with judgements that are in force: pairs judged the same become links to learn
/// from, in place of others of their entities; pairs judged different are kept apart, and so is an entity
/// without counterpart from everything. Judgements about entities that the graphs do not have are counted in
/// SeedLinks::unknown. A judged pair is no test link any longer.
void apply_judgements(const GraphPair& graphs, std::span<const Judgement> in_force, SeedLinks& links);

/// One line of a file of judgements, without a line end: an object in JSON.
[[nodiscard]] std::string judgement_line(const Judgement& judgement);
/// Reads a line. Throws InputError with the file's name and the line's number where it is something else.
[[nodiscard]] Judgement parse_judgement(std::string_view line, const std::string& file, std::uint64_t number);
/// Judgements as a table for other tools, with tabs and a header: left, right, verdict, instead_of, reviewer,
/// time, order, confidence. Tabs and line ends in texts become spaces.
[[nodiscard]] std::string judgement_table(std::span<const Judgement> judgements);
/// Reads a file of judgements, such as review.jsonl. A last line without a line end was cut off while it was
/// written and is left out, unless it can be read.
[[nodiscard]] std::vector<Judgement> read_judgements(const std::filesystem::path& path);

}  // namespace dovetail

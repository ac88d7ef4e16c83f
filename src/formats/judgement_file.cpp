#include <dovetail/errors.h>
#include <dovetail/files.h>
#include <dovetail/judgements.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/text.h"

namespace dovetail {
namespace {

// The order of fields is for people who look into the file.
using nlohmann::ordered_json;

constexpr std::string_view kExpected =
    R"(expected {"verdict": "same", "left": "...", "right": "..."}, as dovetail review writes)";

std::string text_field(const ordered_json& record, const char* name) {
  const auto found = record.find(name);
  return found == record.end() ? std::string() : found->get<std::string>();
}

}  // namespace

std::string judgement_line(const Judgement& judgement) {
  ordered_json record = {{"time", judgement.time},
                         {"reviewer", judgement.reviewer},
                         {"verdict", verdict_name(judgement.verdict)},
                         {"left", judgement.left},
                         {"right", judgement.right}};
  if (!judgement.instead_of.empty()) record["instead_of"] = judgement.instead_of;
  if (!judgement.order.empty()) record["order"] = judgement.order;
  if (judgement.confidence) record["confidence"] = *judgement.confidence;
  return record.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

Judgement parse_judgement(std::string_view line, const std::string& file, std::uint64_t number) {
  const auto fail = [&](const std::string& found) {
    throw InputError(file, number, fmt::format("found {}; {}", found, kExpected));
  };
  const ordered_json record = ordered_json::parse(line, nullptr, false);
  if (!record.is_object()) fail(shown(line));
  Judgement judgement;
  try {
    const std::string verdict = text_field(record, "verdict");
    const auto known = verdict_of_name(verdict);
    if (!known) fail(fmt::format("the verdict {}", shown(verdict)));
    judgement = {.verdict = *known,
                 .left = text_field(record, "left"),
                 .right = text_field(record, "right"),
                 .instead_of = text_field(record, "instead_of"),
                 .reviewer = text_field(record, "reviewer"),
                 .time = text_field(record, "time"),
                 .order = text_field(record, "order")};
    if (const auto found = record.find("confidence"); found != record.end() && !found->is_null()) {
      judgement.confidence = found->get<double>();
    }
  } catch (const ordered_json::exception&) {
    fail(shown(line));
  }
  const bool one = judgement.left.empty() != judgement.right.empty();
  const bool two = !judgement.left.empty() && !judgement.right.empty();
  const bool fits = judgement.verdict == Verdict::undone ? one || two
                    : judgement.verdict == Verdict::none ? one
                                                         : two;
  if (!fits) fail(fmt::format("the verdict {} without its entities", shown(verdict_name(judgement.verdict))));
  return judgement;
}

std::vector<Judgement> read_judgements(const std::filesystem::path& path) {
  const std::string text = read_whole(path);
  std::vector<Judgement> judgements;
  std::uint64_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    const bool whole = end != std::string::npos;
    const std::string_view line = std::string_view(text).substr(begin, (whole ? end : text.size()) - begin);
    ++number;
    if (whole || ordered_json::accept(line))
      judgements.push_back(parse_judgement(line, path.string(), number));
    begin = whole ? end + 1 : text.size();
  }
  return judgements;
}

std::string judgement_table(std::span<const Judgement> judgements) {
  const auto cell = [](std::string text) {
    for (char& c : text) c = c == '\t' || c == '\n' || c == '\r' ? ' ' : c;
    return text;
  };
  std::string table = "left\tright\tverdict\tinstead_of\treviewer\ttime\torder\tconfidence\n";
  for (const Judgement& judgement : judgements) {
    table += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", cell(judgement.left), cell(judgement.right),
                         verdict_name(judgement.verdict), cell(judgement.instead_of),
                         cell(judgement.reviewer), cell(judgement.time), cell(judgement.order),
                         judgement.confidence ? fmt::format("{:.4f}", *judgement.confidence) : "");
  }
  return table;
}

}  // namespace dovetail

#include "runs/saved_run.h"

#include <dovetail/errors.h>
#include <dovetail/files.h>
#include <dovetail/parameters.h>
#include <dovetail/run.h>

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "common/text.h"
#include "formats/iri.h"
#include "formats/output_folder.h"
#include "formats/pair_source.h"
#include "formats/table.h"
#include "graph/fingerprint.h"
#include "runs/candidate_file.h"
#include "runs/json_file.h"
#include "runs/model_file.h"
#include "runs/run_folder.h"

namespace dovetail {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The header of a table that align wrote, and then its rows; other columns may have been added.
class RunTable {
 public:
  RunTable(const fs::path& path, const std::vector<std::string_view>& names) : table_(path, '\t', quiet_) {
    std::vector<std::string_view> header;
    if (!table_.next(header)) table_.fail("no line with content; expected the header that align writes");
    width_ = header.size();
    for (const std::string_view name : names) {
      const auto at = std::find(header.begin(), header.end(), name);
      if (at == header.end()) {
        table_.fail(fmt::format("found no column {}; expected the header that align writes", shown(name)));
      }
      columns_.push_back(static_cast<std::size_t>(at - header.begin()));
    }
  }

  bool next() {
    if (!table_.next(row_)) return false;
    if (row_.size() != width_) {
      table_.fail(fmt::format("found {} column{}; expected {} as in the header", row_.size(),
                              plural(row_.size()), width_));
    }
    return true;
  }
  /// A field of the row, by its place among the names.
  [[nodiscard]] std::string text(std::size_t which) const { return std::string(row_[columns_[which]]); }
  [[noreturn]] void fail(const std::string& problem) const { table_.fail(problem); }
  [[nodiscard]] double number(std::size_t which) const {
    const auto value = parse_number(row_[columns_[which]]);
    if (!value) table_.fail(fmt::format("found {}; expected a number", shown(row_[columns_[which]])));
    return *value;
  }

 private:
  Observer quiet_;
  TableReader table_;
  std::size_t width_ = 0;
  std::vector<std::size_t> columns_;
  std::vector<std::string_view> row_;
};

UnmatchedReason reason_of(const std::string& text) {
  for (const UnmatchedReason reason :
       {UnmatchedReason::no_candidate, UnmatchedReason::no_counterpart, UnmatchedReason::taken}) {
    if (text == reason_name(reason)) return reason;
  }
  return UnmatchedReason::unsure;
}

LogisticModel logistic_of(const json& record) {
  LogisticModel model;
  record.at("features").get_to(model.features);
  for (std::string& feature : model.features) {  // 0.1.0 called the signal by what it gathers
    constexpr std::string_view kOld = "evidence";
    if (feature.starts_with(kOld)) feature.replace(0, kOld.size(), "rules");
  }
  record.at("mean").get_to(model.mean);
  record.at("deviation").get_to(model.deviation);
  record.at("weight").get_to(model.weight);
  record.at("intercept").get_to(model.intercept);
  return model;
}

/// Reads parts of a record; where it is not as expected, that is an InputError.
template <typename Read>
void read_record(const fs::path& path, const Read& read) {
  const json record = read_json(path);
  try {
    read(record);
  } catch (const json::exception& error) {
    throw InputError(path.string(), 0,
                     fmt::format("found another record ({}); expected one that this version's align writes; "
                                 "align again",
                                 error.what()));
  } catch (const ParameterError& error) {
    throw InputError(path.string(), 0,
                     fmt::format("{}; the run is of another version of Dovetail: align again", error.what()));
  }
}

}  // namespace

std::vector<SavedUnmatched> read_unmatched(const fs::path& folder) {
  std::vector<SavedUnmatched> entities;
  const fs::path path = folder / "unmatched.tsv";
  if (!fs::exists(path)) return entities;  // only written where all entities were looked at
  RunTable table(path, {"side", "entity", "candidate", "score", "probability", "reason"});
  while (table.next()) {
    entities.push_back({.side = table.text(0) == "left" ? Side::left : Side::right,
                        .entity = table.text(1),
                        .candidate = table.text(2),
                        .score = table.number(3),
                        .probability = table.number(4),
                        .reason = table.text(5)});
  }
  return entities;
}

std::vector<SavedLink> read_run_links(const fs::path& folder) {
  RunTable table(folder / "links.tsv", {"left", "right", "score", "margin", "confidence"});
  std::vector<SavedLink> links;
  while (table.next()) {
    links.push_back({table.text(0), table.text(1), table.number(2), table.number(3), table.number(4)});
  }
  return links;
}

AlignOptions options_of_json(const json& configuration) {
  AlignOptions options;
  for (const auto& room : configuration) {
    if (!room.is_object()) continue;
    for (const auto& [name, value] : room.items()) {
      // Only a path can look like one.
      set_parameter(options, name,
                    value.is_string() ? path_of_text(value.get<std::string>()).string() : value.dump());
    }
  }
  options.threads = configuration.value("threads", options.threads);
  options.given = configuration.value("given", options.given);  // 0.1.0 does not say
  return options;
}

AlignOptions read_run_options(const fs::path& path) {
  AlignOptions options;
  read_record(path, [&](const json& record) { options = options_of_json(record.at("configuration")); });
  return options;
}

Link find_link(const SavedRun& run, const GraphPair& graphs, const SavedLink& link) {
  const auto find = [&](Side side, const std::string& name) {
    if (const auto entity = graphs.graph(side).find(name)) return *entity;
    throw InputError((run.folder / "links.tsv").string(), 0,
                     fmt::format("found {}; expected an entity of the {} graph; align again", shown(name),
                                 side == Side::left ? "left" : "right"));
  };
  return {find(Side::left, link.left), find(Side::right, link.right)};
}

std::vector<fs::path> inputs_of(const SavedRun& run) {
  std::vector<fs::path> inputs = path_parameters(run.options);
  if (run.inputs) std::ranges::copy(inputs_of(*run.inputs), std::back_inserter(inputs));
  return inputs;
}

namespace {

/// Changes with every installation, at its beginning and at its end.
std::optional<FileStamp> manifest_stamp(const fs::path& folder) {
  const auto status = status_of(folder / kManifestName);
  return status ? std::optional(FileStamp(*status)) : std::nullopt;
}

SavedRun read_run(const fs::path& folder) {
  if (!fs::is_directory(folder)) {
    throw SystemError(folder.string() + ": there is no such folder; expected one that align has written",
                      ENOENT);
  }
  if (!fs::exists(folder / "run.json")) {
    throw InputError(folder.string(), 0, "found no run.json in it; expected a folder that align has written");
  }
  SavedRun run;
  run.folder = folder;
  read_record(folder / "run.json", [&](const json& record) {
    run.options = options_of_json(record.at("configuration"));
    run.left_entities = record.at("data").at("left").at("entities");
    run.right_entities = record.at("data").at("right").at("entities");
    const json& inputs = record.at("inputs");
    run.inputs = source_of_json(inputs, fs::absolute(folder));
    if (run.inputs) run.fingerprint = inputs.at("fingerprint");
    if (record.contains("confidence_model")) {
      const json& model = record.at("confidence_model");
      run.confidence =
          ConfidenceModel{.link = logistic_of(model.at("link")), .none = logistic_of(model.at("none"))};
      if (model.contains("none_right")) {
        run.confidence->none_right = logistic_of(model.at("none_right"));
        run.confidence->link_right = logistic_of(model.at("link_right"));
      }
      run.confidence->examples = model.value("examples", std::size_t{0});
    }
  });
  run.record = read_whole(folder / "run.json");
  run.links = read_run_links(folder);
  run.unmatched = read_unmatched(folder);
  return run;
}

}  // namespace

SavedRun open_run(const fs::path& folder) {
  while (true) {
    finish_installation(folder);
    const auto before = manifest_stamp(folder);
    try {
      SavedRun run = read_run(folder);
      if (manifest_stamp(folder) == before) return run;
    } catch (const Error&) {
      if (manifest_stamp(folder) == before) throw;
    }  // another process has just replaced the run
  }
}

Model load_run_model(const SavedRun& run) {
  const fs::path path = run.folder / "model.dovetail";
  if (!fs::exists(path)) {
    throw InputError(run.folder.string(), 0,
                     "found no model.dovetail in it; expected one, which rules alone do not make: align with "
                     "another strategy");
  }
  Model model = load_model(path);
  if (model.entity_count != run.left_entities + run.right_entities ||
      model.entity_count < run.left_entities) {
    throw InputError(
        path.string(), 0,
        fmt::format("found a model of {} entities; expected {}, as run.json says; align again",
                    with_commas(model.entity_count), with_commas(run.left_entities + run.right_entities)));
  }
  return model;
}

Run load_decisions(const SavedRun& saved, const LoadedPair& pair) {
  const GraphPair& graphs = pair.graphs;
  Run run;
  run.options = saved.options;
  run.graphs = sizes_of(graphs);
  run.confidence = saved.confidence;
  for (const SavedLink& link : saved.links) {
    const Link ends = find_link(saved, graphs, link);
    run.decisions.links.push_back({.left = ends.left,
                                   .right = ends.right,
                                   .score = static_cast<float>(link.score),
                                   .margin = static_cast<float>(link.margin),
                                   .confidence = link.confidence});
  }
  for (const SavedUnmatched& entity : saved.unmatched) {
    const Side other = entity.side == Side::left ? Side::right : Side::left;
    const auto found = graphs.graph(entity.side).find(entity.entity);
    if (!found) {
      throw InputError((saved.folder / "unmatched.tsv").string(), 0,
                       fmt::format("found {}; expected an entity; align again", shown(entity.entity)));
    }
    auto& list = entity.side == Side::left ? run.decisions.unmatched_left : run.decisions.unmatched_right;
    list.push_back({.entity = *found,
                    .candidate = graphs.graph(other).find(entity.candidate).value_or(kNone),
                    .score = static_cast<float>(entity.score),
                    .probability = entity.probability,
                    .reason = reason_of(entity.reason)});
  }
  const bool open = run.options.deciding.pool == CandidatePool::open;
  Alignment& ranked = open ? run.open : run.closed;
  read_candidates(saved.folder / kCandidatesFile, run.graphs, ranked.left);
  ranked.right = other_side(ranked.left);
  return run;
}

LoadedPair load_run_inputs(const SavedRun& run, bool keep_literals, Observer& observer) {
  if (!run.inputs) {
    throw InputError((run.folder / "run.json").string(), 0,
                     "the graphs of this run came from no file; expected files, which can be read again");
  }
  PairSource source = *run.inputs;
  const bool had_literals = source.options.keep_literals;
  source.options.keep_literals = keep_literals || had_literals;
  LoadedPair pair = load_pair(source, observer);
  if (fingerprint(pair.graphs, pair.links, had_literals) != run.fingerprint) {
    throw InputError(
        (source.folder.empty() ? source.left : source.folder).string(), 0,
        fmt::format(
            "found other graphs or links than those that {} was made from; expected them as they were; "
            "align again",
            run.folder.string()));
  }
  return pair;
}

}  // namespace dovetail

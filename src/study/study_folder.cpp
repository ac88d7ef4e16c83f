#include "study/study_folder.h"

#include <dovetail/errors.h>
#include <dovetail/study.h>
#include <dovetail/version.h>

#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "common/build_id.h"
#include "common/machine.h"
#include "formats/byte_source.h"
#include "formats/file_places.h"
#include "formats/output_file.h"
#include "runs/pair_json.h"
#include "study/settings.h"
#include "study/tables.h"

namespace dovetail {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

json settings_json(const std::vector<Setting>& settings) {
  json record = json::object();
  for (const Setting& setting : settings) record[setting.key] = setting.value;
  return record;
}

/// What the file of a run begins with; one that is damaged is known by it.
constexpr std::string_view kRunMagic = "{\n  \"dovetail\": \"";

class FolderStore final : public RunStore {
 public:
  FolderStore(fs::path folder, const std::vector<fs::path>& inputs) : runs_(std::move(folder)) {
    check_outside(inputs);
    std::error_code error;
    fs::create_directories(runs_, error);
    if (error) {
      throw SystemError(fmt::format("{}: cannot make this folder: {}", runs_.string(), error.message()));
    }
  }

  /// A file that is damaged counts as none: the run is done again. Throws SystemError, before the work, if
  /// the file is not Dovetail's, so that the run could not be kept.
  std::optional<RunRecord> find(const std::string& key) override {
    const fs::path place = path(key);
    if (!status_of(place)) return std::nullopt;
    const json record = record_at(place);
    try {
      RunRecord run;
      run.figures = record.at("figures").get<Figures>();
      for (const json& group : record.at("degrees")) {
        run.degrees.push_back(
            {.least = group.at("least"), .count = group.at("count"), .hits_at_1 = group.at("hits@1")});
      }
      return run;
    } catch (const json::exception&) {
      return std::nullopt;
    }
  }

  void keep(const std::string& key, const RunRecord& record,
            const std::vector<Setting>& configuration) override {
    if (status_of(path(key))) static_cast<void>(record_at(path(key)));
    OutputFile file(path(key), kRunMagic);
    file << nlohmann::ordered_json{{"dovetail", kVersion},
                                   {"build", build_id()},
                                   {"configuration", settings_json(configuration)},
                                   {"figures", record.figures},
                                   {"degrees", degrees_json(record.degrees)}}
                .dump(2, ' ', false, json::error_handler_t::replace)
         << "\n";
    file.commit();
  }

 private:
  /// The record of a run, discarded where it is damaged. Throws SystemError if the file is not Dovetail's.
  static json record_at(const fs::path& place) {
    const std::string text = is_real_file(place) ? read_whole(place) : std::string();
    json record = json::parse(text, nullptr, false);
    const bool ours = text.starts_with(kRunMagic) || (record.is_object() && record.contains("dovetail"));
    if (!ours) refuse(place);
    return record;
  }

  /// What the study reads stays as it is.
  void check_outside(const std::vector<fs::path>& inputs) const {
    std::error_code error;
    const auto there = place_of(runs_);
    const FilePlace place =
        there ? *there : FilePlace{.path = fs::weakly_canonical(fs::absolute(runs_), error)};
    for (const fs::path& input : inputs) {
      const auto read = input.empty() ? std::nullopt : place_of(input);
      if (!read || !((there && read->same(place)) || read->is_below(place) || place.is_below(*read)))
        continue;
      throw SystemError(fmt::format("{}: this command reads {}; choose another folder for its runs",
                                    runs_.string(), input.string()),
                        EEXIST);
    }
  }

  [[noreturn]] static void refuse(const fs::path& place) {
    throw SystemError(fmt::format("{}: a run is to be kept here, but Dovetail did not write this; it is not "
                                  "touched: move it elsewhere or choose another folder with --runs",
                                  place.string()),
                      EEXIST);
  }

  [[nodiscard]] fs::path path(const std::string& key) const { return runs_ / (key + ".json"); }

  fs::path runs_;
};

json summaries_json(const Study& study) {
  json list = json::array();
  for (std::size_t d = 0; d < study.data.size(); ++d) {
    for (std::size_t v = 0; v < study.plan.variants.size(); ++v) {
      const Variant& variant = study.plan.variants[v];
      json figures = json::object();
      for (const std::string& key : study.plan.figures) {
        const Summary summary = summarise(study, d, v, key);
        const double scale = figure_info(key).scale;
        if (summary.count == 0) continue;
        figures[key] = {{"mean", summary.mean / scale},
                        {"deviation", summary.deviation / scale},
                        {"runs", summary.count}};
      }
      json row = {{"data", study.data[d]},
                  {"variant", variant.name},
                  {"settings", settings_json(variant.settings)},
                  {"figures", figures}};
      if (!study.plan.axis.empty()) row["x"] = study.plan.by_size ? study.sizes[d] : variant.x;
      list.push_back(row);
    }
  }
  return list;
}

json study_json(const Study& study) {
  json runs = json::array();
  for (const StudyRun& run : study.runs) {
    json record = {{"data", study.data[run.data]},
                   {"variant", study.plan.variants[run.variant].name},
                   {"seed", run.seed},
                   {"key", run.key}};
    if (run.error.empty()) {
      record["figures"] = run.record.figures;
      record["degrees"] = degrees_json(run.record.degrees);
    } else {
      record["error"] = run.error;
    }
    runs.push_back(record);
  }
  return {{"dovetail", kVersion},
          {"study", study.plan.name},
          {"title", study.plan.title},
          {"command", study.command},
          {"machine", machine_text()},
          {"seeds", study.options.seeds},
          {"settings", settings_json(study.options.settings)},
          {"axis", study.plan.axis},
          {"notes", make_notes(study)},
          {"summary", summaries_json(study)},
          {"runs", runs}};
}

/// In quotes if need be, as RFC 4180 has it.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string study_csv(const Study& study) {
  Figures all;
  for (const StudyRun& run : study.runs) all.insert(run.record.figures.begin(), run.record.figures.end());
  std::string text = "data,variant,seed,error";
  for (const auto& [key, value] : all) text += "," + key;
  text += "\n";
  for (const StudyRun& run : study.runs) {
    text += fmt::format("{},{},{},{}", csv_field(study.data[run.data]),
                        csv_field(study.plan.variants[run.variant].name), run.seed, csv_field(run.error));
    for (const auto& [key, value] : all) {
      const auto found = run.record.figures.find(key);
      text += found == run.record.figures.end() ? "," : fmt::format(",{}", found->second);
    }
    text += "\n";
  }
  return text;
}

void write(const fs::path& path, const std::string& text) {
  OutputFile file(path);
  file << text;
  file.commit();
}

}  // namespace

std::unique_ptr<RunStore> folder_store(const fs::path& folder, const std::vector<fs::path>& inputs) {
  return std::make_unique<FolderStore>(folder, inputs);
}

FolderTarget study_target(std::vector<fs::path> inputs) {
  return {.kind = FolderKind::study,
          .in_part = true,
          .reading = {.inputs = std::move(inputs)},
          .names = study_file_names()};
}

void write_study(const Study& study, OutputFolder& target) {
  const fs::path& folder = target.working_path();
  write(folder / "study.csv", study_csv(study));
  write(folder / "study.json", study_json(study).dump(2, ' ', false, json::error_handler_t::replace) + "\n");
  write(folder / "study.md", study_markdown(study));
  write(folder / "study.html", study_page(study));
  target.commit();
}

void save_study(const Study& study, const fs::path& folder) {
  Observer quiet;
  OutputFolder target(folder, study_target({}), quiet);
  write_study(study, target);
}

namespace {

/// The folders on the way to the study's own.
void make_parents(const std::filesystem::path& out) {
  std::error_code ignored;
  const std::filesystem::path folder = name_beside(std::filesystem::absolute(out), "");
  std::filesystem::create_directories(folder.parent_path(), ignored);  // where it cannot, the target says so
}

}  // namespace

StudyFolder::StudyFolder(const std::filesystem::path& folder, std::vector<std::filesystem::path> inputs,
                         Observer& observer) {
  check_place(folder, {.inputs = inputs});
  make_parents(folder);
  target_ = std::make_unique<OutputFolder>(folder, study_target(std::move(inputs)), observer);
}

StudyFolder::~StudyFolder() = default;

const std::filesystem::path& StudyFolder::path() const {
  return target_->final_path();
}

void StudyFolder::write(const Study& study) {
  write_study(study, *target_);
}

}  // namespace dovetail

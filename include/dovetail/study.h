#pragma once

#include <dovetail/align.h>
#include <dovetail/evaluation.h>
#include <dovetail/io.h>
#include <dovetail/observer.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

class OutputFolder;

/// A key of the configuration and what it is set to, both as the command line spells them. Beside the
/// parameters of an alignment there are `preset` (default, paper, gcn-align), which sets all of them, and
/// `seed-ratio`, the share of the links that is learned from.
struct Setting {
  std::string key, value;
};

/// One of the things that a study compares: a name, and in what it differs from the study's base.
struct Variant {
  std::string name;
  std::vector<Setting> settings;
  std::string series;  ///< the line of the chart that it is on; empty: there is only one
  double x = 0;        ///< its place there, where the plan has a numeric axis
};

/// How figures follow the numeric axis, fitted by least squares.
enum class Trend : std::uint8_t {
  none,
  linear,  ///< a + b x
  power,   ///< a x^b
};

struct StudyPlan {
  std::string name;
  std::string title;
  std::vector<Setting> base{};  ///< what the study sets before the user does
  std::vector<Variant> variants{};
  std::vector<std::string> figures;  ///< keys of Figures that are shown
  std::string axis{};                ///< name and unit of the numeric axis; empty: variants have no order
  bool by_size = false;              ///< the axis is StudyData::size, not Variant::x
  bool by_degree = false;            ///< Hits@1 by the degree of entities, instead of one figure
  Trend trend = Trend::none;
};

struct StudyName {
  const char* name;
  const char* help;
};
/// The studies that the paper makes, and some more.
[[nodiscard]] const std::vector<StudyName>& study_names();
/// Throws ParameterError with the known names where there is no such study.
[[nodiscard]] StudyPlan study_plan(std::string_view name);

/// A key and the values that it takes one after the other.
struct Sweep {
  std::string key;
  std::vector<std::string> values;
};
/// Every combination of the values.
[[nodiscard]] StudyPlan sweep_plan(const std::vector<Sweep>& sweeps);

/// A pair of graphs that a study runs on.
struct StudyData {
  std::string name;
  std::function<LoadedPair()> load;
  /// What tells it from other data without loading it; unset: its content.
  std::optional<std::uint64_t> fingerprint;
  double size = 0;  ///< entities a side, where the study is about size
};

/// What a run is judged by: hits@1, hits@10, mrr (closed world, right to left, as the literature prints),
/// hits@1_left_to_right, seconds, train_seconds, memory (bytes that training worked in), reviewed (share of
/// the pairs trained on after the first turn that had been trained on before).
using Figures = std::map<std::string, double>;

struct RunRecord {
  Figures figures;
  std::vector<DegreeHits> degrees;
};

/// Where runs are kept, so that none is done twice.
class RunStore {
 public:
  RunStore() = default;
  RunStore(const RunStore&) = delete;
  RunStore& operator=(const RunStore&) = delete;
  virtual ~RunStore() = default;
  /// `key` is that of a configuration and of data; see StudyRun.
  [[nodiscard]] virtual std::optional<RunRecord> find(const std::string& key) = 0;
  virtual void keep(const std::string& key, const RunRecord& record,
                    const std::vector<Setting>& configuration) = 0;
};

struct StudyRun {
  std::size_t data = 0, variant = 0;  ///< numbers in the study
  std::uint64_t seed = 1;
  std::string key;    ///< hash of effective configuration, data and version
  std::string error;  ///< why it failed; empty if it did not
  bool from_store = false;
  RunRecord record;
};

struct StudyOptions {
  std::vector<Setting> settings;  ///< the user's own, over the plan's base
  std::size_t seeds = 1;
  std::uint64_t first_seed = 1;
  std::optional<double> against;  ///< a Hits@1 to test the mean against
  std::size_t threads = 0;
};

struct Study {
  StudyPlan plan;
  StudyOptions options;
  std::vector<std::string> data;  ///< names
  std::vector<double> sizes;      ///< of the data
  std::vector<StudyRun> runs;     ///< by data, variant, seed
  std::string command;            ///< that repeats it; for the reader
};

/// Runs what the store does not have yet. A run that fails is reported and does not end the study; settings
/// that make no sense throw ParameterError before anything is run.
[[nodiscard]] Study run_study(const StudyPlan& plan, const std::vector<StudyData>& data,
                              const StudyOptions& options, RunStore& store, Observer& observer);

/// The tables of a study, for a terminal.
[[nodiscard]] std::string study_text(const Study& study);

/// Keeps runs in a folder, which it makes if need be, each under its key.
/// Files there that are not records of Dovetail's runs are neither read nor replaced, and links not followed.
/// Throws SystemError if the folder is, holds or lies in one of the `inputs`.
[[nodiscard]] std::unique_ptr<RunStore> folder_store(const std::filesystem::path& folder,
                                                     const std::vector<std::filesystem::path>& inputs = {});
/// Writes study.csv, study.json, study.md and study.html, in place of what an earlier study left there.
void save_study(const Study& study, const std::filesystem::path& folder);

/// The folder of a study, claimed before the work begins; the folders on the way to it are made. `inputs` are
/// the files and folders that the program reads.
class StudyFolder {
 public:
  StudyFolder(const std::filesystem::path& folder, std::vector<std::filesystem::path> inputs,
              Observer& observer);
  StudyFolder(const StudyFolder&) = delete;
  StudyFolder& operator=(const StudyFolder&) = delete;
  ~StudyFolder();

  /// Where it will be, absolute and without symbolic links.
  [[nodiscard]] const std::filesystem::path& path() const;
  /// save_study() to it. Once.
  void write(const Study& study);

 private:
  std::unique_ptr<OutputFolder> target_;
};

}  // namespace dovetail

#pragma once

#include <dovetail/align.h>
#include <dovetail/calibration.h>
#include <dovetail/io.h>
#include <dovetail/link_metrics.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dovetail {

struct ValueModel;

/// Seconds of wall time that each part of a run took.
struct RunSeconds {
  double load = 0;
  double train = 0;  ///< of semi-supervised training, the searches between its turns included
  double match = 0;
  double confidence = 0;
  double total = 0;
};

/// Why an entity is left without a link.
enum class UnmatchedReason : std::uint8_t {
  no_candidate,    ///< nothing on the other side is like it
  no_counterpart,  ///< it is likely to have no counterpart
  taken,           ///< its best candidate is linked to another entity, or is likely to have no counterpart
  unsure,          ///< its link was too unsure for what was asked for
};

/// An entity that is left without a link.
struct Unmatched {
  EntityId entity;
  EntityId candidate = kNone;  ///< its best candidate on the other side; kNone: it has none
  float score = 0;             ///< of that candidate, the decoder's
  double probability = 1;      ///< of having no counterpart
  UnmatchedReason reason = UnmatchedReason::no_candidate;
};

/// As files spell it: "no counterpart", "candidate taken".
[[nodiscard]] const char* reason_name(UnmatchedReason reason);

/// Those that are likely to have no counterpart.
[[nodiscard]] std::vector<EntityId> without_counterpart(const std::vector<Unmatched>& unmatched);

/// How the confidences of links were obtained.
enum class ConfidenceOrigin : std::uint8_t {
  none,       ///< not available: the decoder's probabilities stand in for them
  fitted,     ///< on seeds that were held out of a training
  estimated,  ///< without seeds, from decoys
  both,       ///< fitted on few held-out seeds, and estimated
};

/// What was decided for the entities of the pools.
struct Decisions {
  std::vector<DecidedLink> links;
  /// The pools' entities that are in no link; only where the pools are open.
  std::vector<Unmatched> unmatched_left, unmatched_right;
  /// Estimated share of each pool's entities that have no counterpart; only where the pools are open.
  double share_left = 0, share_right = 0;
  ConfidenceOrigin origin = ConfidenceOrigin::none;
  ExpectedPrecision expected;              ///< of the links, by their confidences
  Calibration reliability;                 ///< of the links whose truth is known; count 0 if none is
  Coverage at_95;                          ///< of these, what can be kept at a precision of .95
  std::vector<CoveragePoint> by_coverage;  ///< how precise they are if only the surest of them are kept
  VerdictMetrics verdicts;                 ///< of the links, against the test links
};

/// How many entities and relations the two graphs of a run have.
struct GraphSizes {
  std::size_t left_entities = 0, right_entities = 0;
  std::size_t left_relations = 0, right_relations = 0;
};
[[nodiscard]] GraphSizes sizes_of(const GraphPair& graphs);

/// One whole run: what was asked for, what came out, how it went.
struct Run {
  AlignOptions options;  ///< with everything automatic settled
  GraphSizes graphs;     ///< that it was made of
  Model model;           ///< of no entities where rules alone were used
  TrainingReport training;
  /// Ranked against every entity of the other side that is in no seed: what a user gets.
  Alignment open;
  /// Ranked among the test links' own entities, as the literature does; only if there are test links.
  Alignment closed;
  /// Structure alone, trained once, ranked as `closed`: beside a run with names, if there are test links.
  std::optional<Evaluation> structure_only;
  Decisions decisions;
  std::optional<ConfidenceModel> confidence;  ///< that the decisions' confidences were made with, if fitted
  std::vector<AttributeLink> attributes;      ///< that correspond, most telling first; where values were used
  std::shared_ptr<const ValueModel> values;   ///< all that was learned of values, for reasons; or null
  RunSeconds seconds;
  std::uint64_t planned_memory_bytes = 0;  ///< what it was expected to take
  std::uint64_t peak_memory_bytes = 0;
};

/// Trains on the pair's seed links and ranks everything else. The caller fills in seconds.load.
[[nodiscard]] Run run_alignment(const LoadedPair& pair, const AlignOptions& options, Observer& observer);

/// Goes on from an earlier run with what the pair has more than it had then, from its model, its links and
/// its confidence model. The options are those of the earlier run.
[[nodiscard]] Run update_alignment(const LoadedPair& pair, const Run& before, const AlignOptions& options,
                                   Observer& observer);

struct SaveRunOptions {
  bool replace = false;          ///< the run that is there already; else that is an error
  bool report = true;            ///< write report.html
  Observer* observer = nullptr;  ///< is told what else stays in the folder
};

/// Writes links.tsv, run.json, the model and a page that shows them to a folder, which appears when it is
/// complete. Of a folder that is there, only files that Dovetail wrote are replaced. Throws SystemError where
/// the pair's own files are there.
void save_run(const Run& run, const LoadedPair& pair, const std::filesystem::path& folder,
              const SaveRunOptions& options);

/// The content of run.json for a run.
[[nodiscard]] std::string run_record(const Run& run, const LoadedPair& pair);

/// A link of a saved run, by the names of its two ends.
struct SavedLink {
  std::string left, right;
  double score, margin, confidence;  ///< as those of DecidedLink
};

/// An entity without a link in a saved run.
struct SavedUnmatched {
  Side side;
  std::string entity, candidate;  ///< an empty candidate: it has none
  double score, probability;      ///< as those of Unmatched
  std::string reason;             ///< as reason_name() has it
};

/// What the folder of a run says, without the graphs and the model, which are large and loaded when needed.
struct SavedRun {
  std::filesystem::path folder;
  AlignOptions options;  ///< with everything automatic settled
  std::vector<SavedLink> links;
  std::vector<SavedUnmatched> unmatched;  ///< of both sides; none where only test entities were looked at
  std::size_t left_entities = 0, right_entities = 0;
  std::optional<PairSource> inputs;  ///< nothing where the graphs came from no file
  std::uint64_t fingerprint = 0;     ///< of the graphs and links that were there
  std::string record;                ///< run.json as it stands
  std::optional<ConfidenceModel> confidence;
};

/// Reads what save_run wrote. Throws SystemError if there is no such folder, InputError where a file in it is
/// not as it was written.
[[nodiscard]] SavedRun open_run(const std::filesystem::path& folder);
/// Copies a saved run, as far as Dovetail wrote its folder, to another one.
void copy_run(const SavedRun& run, const std::filesystem::path& folder, bool replace, Observer& observer);
/// The model of a saved run.
[[nodiscard]] Model load_run_model(const SavedRun& run);
/// The graphs and links of a saved run. Throws InputError if they are not what they were then.
[[nodiscard]] LoadedPair load_run_inputs(const SavedRun& run, bool keep_literals, Observer& observer);
/// What a saved run decided, by the numbers of its graphs, which are those of `pair`: options, links,
/// unmatched entities, candidates and the confidence model; not the model, the training and the figures.
[[nodiscard]] Run load_decisions(const SavedRun& run, const LoadedPair& pair);
/// The options that a run.json says its run had.
[[nodiscard]] AlignOptions read_run_options(const std::filesystem::path& path);
/// A loaded pair in numbers, as `inspect --json` and run.json show it: an object in JSON.
[[nodiscard]] std::string pair_record(const LoadedPair& pair);
/// Writes report.html of a saved run again. Needs its inputs.
void write_report(const SavedRun& run, Observer& observer);

}  // namespace dovetail

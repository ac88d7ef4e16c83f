#include "runs/checkpoints.h"

#include <dovetail/errors.h>
#include <dovetail/parameters.h>
#include <dovetail/version.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>

#include "formats/file_places.h"
#include "formats/pair_source.h"
#include "graph/fingerprint.h"
#include "runs/run_folder.h"
#include "runs/saved_run.h"

namespace dovetail {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view kKind = "checkpoint";
constexpr std::string_view kCheckpointMagic = "DOVETAIL CHECKPOINT\n";
constexpr std::uint32_t kCheckpointVersion = 2;
constexpr std::string_view kStem = "checkpoint.";
constexpr std::string_view kPartial = ".partial";
/// Writing may take this share of the time: with the one after training, which is written in any case, it is
/// still below a fiftieth.
constexpr double kWritingShare = 0.015;
/// Bytes a second that a disk takes, as long as none has been measured.
constexpr double kDiskSpeed = 200e6;

json request_json(const RunRequest& request) {
  return {{"dovetail", kVersion},
          {"configuration", configuration_json(request.options)},
          {"inputs", source_json(request.source)},
          {"replace", request.replace},
          {"report", request.report},
          {"fingerprint", request.fingerprint},
          {"max_expansion", request.max_expansion}};
}

/// Whether a file begins as checkpoints do, or is empty or cut off before that can be told.
bool begins_as_checkpoint(const fs::path& path) {
  std::string head(kCheckpointMagic.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  return kCheckpointMagic.starts_with(head);
}

/// Those in a folder, the newest first; links are not followed. `ending` is that of files that are complete,
/// or of those that are being written.
std::map<std::uint64_t, fs::path, std::greater<>> files_in(const fs::path& folder,
                                                           std::string_view ending = {}) {
  std::map<std::uint64_t, fs::path, std::greater<>> files;
  std::error_code none;
  if (!is_real_folder(folder)) return files;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kStem) || !is_real_file(entry.path())) continue;
    std::uint64_t number = 0;
    const char* const last = name.data() + name.size();
    const auto [end, error] = std::from_chars(name.data() + kStem.size(), last, number);
    if (error != std::errc() || std::string_view(end, last) != ending) continue;
    if (begins_as_checkpoint(entry.path())) files.emplace(number, entry.path());
  }
  return files;
}

/// What is there must be Dovetail's: a folder of checkpoints, or one with nothing in it.
void check_folder(const fs::path& folder, const fs::path& out) {
  std::error_code none;
  if (!status_of(folder)) return;
  if (is_real_folder(folder) &&
      (fs::is_empty(folder, none) || !files_in(folder).empty() || !files_in(folder, kPartial).empty())) {
    return;
  }
  throw SystemError(
      fmt::format(
          "{}: Dovetail did not make this; it is not touched, but its place is needed: move or remove "
          "it, or choose another name than {}",
          folder.string(), out.string()),
      EEXIST);
}

}  // namespace

std::vector<fs::path> inputs_of(const RunRequest& request) {
  std::vector<fs::path> inputs = inputs_of(request.source);
  std::ranges::copy(path_parameters(request.options), std::back_inserter(inputs));
  return inputs;
}

CheckpointReader::CheckpointReader(const fs::path& path) : reader_(path, kKind, kCheckpointMagic) {
  try {
    const json header = json::parse(reader_.header());
    if (reader_.version() != kCheckpointVersion || header.at("dovetail") != kVersion) {
      throw UnsupportedError(fmt::format(
          "{}: found a checkpoint of format {}, written by Dovetail {}; expected format {} of {}: go "
          "on with the version that wrote it, or align again with --force",
          path.string(), reader_.version(), header.value("dovetail", ""), kCheckpointVersion, kVersion));
    }
    request.options = options_of_json(header.at("configuration"));
    const auto source = source_of_json(header.at("inputs"));
    if (!source) reader_.fail("its inputs came from no file");
    request.source = *source;
    header.at("replace").get_to(request.replace);
    header.at("report").get_to(request.report);
    header.at("fingerprint").get_to(request.fingerprint);
    header.at("max_expansion").get_to(request.max_expansion);
  } catch (const json::exception&) {
    reader_.fail("its header is damaged");
  } catch (const ParameterError& error) {
    reader_.fail(error.what());
  }
  reader_(progress, has_trainer_);
  if (progress.trained) progress.trained->parameters.all_changed();
}

void CheckpointReader::restore(Trainer<float>& trainer) {
  trainer.visit_state(reader_);
  reader_.finish();
  trainer.restored();
}

Checkpoints::Checkpoints(const fs::path& out, const CheckpointTimes& times, Observer& observer)
    : out_(out),
      folder_(name_beside(resolved_target(out), ".checkpoint")),
      times_(times),
      observer_(observer) {}

void Checkpoints::begin(const RunRequest& request) {
  if (keeps()) check_folder(folder_, out_);
  if (!files_in(folder_).empty() && !request.replace) {
    throw SystemError(
        fmt::format("{}: a run to {} was stopped and can go on: use --resume {}, or --force to start anew",
                    folder_.string(), out_.string(), out_.string()),
        EEXIST);
  }
  remove();
  request_ = request;
  if (!keeps()) return;
  std::error_code error;
  fs::create_directory(folder_, error);
  if (error) throw SystemError(fmt::format("{}: cannot write: {}", folder_.string(), error.message()));
  Progress nothing;
  try {
    write(nothing, nullptr);
  } catch (...) {
    remove();
    throw;
  }
}

const RunRequest* Checkpoints::open() {
  const auto files = files_in(folder_);
  std::string reason;
  for (const auto& [number, path] : files) {
    try {
      CheckedReader::check_whole(path, kKind);
      reader_ = std::make_unique<CheckpointReader>(path);
      request_ = reader_->request;
      number_ = number;  // damaged ones after it are replaced by the next
      worth_keeping_ = resumed_ = true;
      if (!reason.empty()) observer_.warning(fmt::format("{}; the one before it is used", reason));
      return &request_;
    } catch (const InputError& error) {
      if (reason.empty()) reason = error.what();
    }
  }
  if (!reason.empty()) {
    throw InputError(folder_.string(), 0,
                     fmt::format("no checkpoint is usable; align again with --force ({})", reason));
  }
  return nullptr;
}

void Checkpoints::loaded(const LoadedPair& pair) {
  const std::uint64_t found = fingerprint(pair.graphs, pair.links, true);
  if (request_.fingerprint != 0 && request_.fingerprint != found) {
    const PairSource& source = request_.source;
    throw InputError((source.folder.empty() ? source.left : source.folder).string(), 0,
                     fmt::format("found other graphs or links than those that the run to {} began with; "
                                 "expected them as they were; align again with --force",
                                 out_.string()));
  }
  request_.fingerprint = found;
}

void Checkpoints::remove() {
  std::error_code ignored;
  for (const std::string_view ending : {std::string_view(), kPartial}) {
    for (const auto& [number, path] : files_in(folder_, ending)) fs::remove(path, ignored);
  }
  if (is_real_folder(folder_)) fs::remove(folder_, ignored);  // unless something else is in it
}

bool Checkpoints::is_due(const Progress& progress, Trainer<float>* trainer) const {
  if (!keeps()) return false;
  if (observer_.cancelled() || progress.trained) return true;
  const double since = watch_.seconds() - written_at_;
  if (times_.sparing && since * kWritingShare < cost_of(trainer)) return false;
  const bool at_turn = trainer == nullptr || progress.position.steps == 0;
  return at_turn || since >= times_.every;
}

double Checkpoints::cost_of(Trainer<float>* trainer) const {
  if (trainer == nullptr || trainer_written_) return cost_;
  const std::size_t embeddings = trainer->parameters().entities.span().size_bytes();
  return 3 * static_cast<double>(embeddings) / kDiskSpeed;  // and two running means for each number
}

void Checkpoints::keep(Progress& progress, Trainer<float>* trainer) {
  // A training that has just begun begins in the same way again, and is large.
  if (trainer != nullptr && trainer->steps() == 0 && progress.position.falls == 0) trainer = nullptr;
  if (!is_due(progress, trainer)) return;
  try {
    write(progress, trainer);
    worth_keeping_ = progress.turn || progress.trained || progress.position.steps > 0;
  } catch (const SystemError& error) {
    observer_.warning(fmt::format("no checkpoint was written, and the run goes on: {}", error.what()));
    written_at_ = watch_.seconds();
  }
}

void Checkpoints::write(Progress& progress, Trainer<float>* trainer) {
  const double begun = watch_.seconds();
  bool has_trainer = trainer != nullptr;
  CheckedWriter file(folder_ / fmt::format("{}{}", kStem, number_ + 1), kCheckpointMagic, kCheckpointVersion,
                     request_json(request_).dump(-1, ' ', false, json::error_handler_t::replace));
  file(progress, has_trainer);
  if (has_trainer) trainer->visit_state(file);
  file.commit();
  ++number_;
  std::error_code ignored;
  for (const auto& [number, old] : files_in(folder_)) {
    if (number + 1 < number_) fs::remove(old, ignored);
  }
  written_at_ = watch_.seconds();
  cost_ = written_at_ - begun;
  trainer_written_ |= has_trainer;
}

Progress Checkpoints::kept() {
  if (!reader_) return {};
  Progress progress = std::move(reader_->progress);
  if (!reader_->has_trainer()) reader_.reset();
  return progress;
}

void Checkpoints::restore(Trainer<float>& trainer) {
  if (!reader_) return;
  reader_->restore(trainer);
  reader_.reset();
}

}  // namespace dovetail

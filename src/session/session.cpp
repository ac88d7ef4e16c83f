#include <dovetail/errors.h>
#include <dovetail/explainer.h>
#include <dovetail/files.h>
#include <dovetail/parameters.h>
#include <dovetail/session.h>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <mutex>
#include <system_error>
#include <utility>

#include "common/stopwatch.h"
#include "common/text.h"
#include "formats/output_file.h"
#include "formats/pair_source.h"
#include "runs/given_files.h"
#include "runs/run_folder.h"
#include "runs/saved_run.h"
#include "session/save_run.h"
#include "signals/signal.h"

namespace dovetail {

namespace fs = std::filesystem;

struct Session::State {
  explicit State(std::shared_ptr<LoadedPair> shared)
      : owner(std::move(shared)), pair(*owner), known(pair.links) {}

  std::shared_ptr<LoadedPair> owner;
  LoadedPair& pair;  ///< its links are those of the last refresh, judgements included
  SeedLinks known;   ///< links without judgements
  Run base;          ///< as it was opened or made; refreshes start from it
  std::optional<Run> refreshed;
  std::optional<SavedRun> saved;
  bool model_loaded = true;
  std::vector<Judgement> judgements;
  std::vector<DecidedLink> links;
  std::size_t threads = 0;
  double load_seconds = 0;

  // Claimed when the session was opened.
  std::unique_ptr<OutputFolder> target;
  std::unique_ptr<GivenFiles> given;

  mutable std::mutex explaining;
  mutable std::unique_ptr<Explainer> explainer;

  [[nodiscard]] const Run& now() const { return refreshed ? *refreshed : base; }
  [[nodiscard]] const Alignment& ranked() const {
    return now().options.deciding.pool == CandidatePool::open ? now().open : now().closed;
  }
  [[nodiscard]] const Explainer& reasons() const;
  void renew_links();
  /// Writes the run with what people judged, so that loading it again finds the same.
  void write(OutputFolder& folder, GivenFiles& given, bool report) const;
};

namespace {

bool by_ends(const DecidedLink& a, const DecidedLink& b) {
  return Link{a.left, a.right} < Link{b.left, b.right};
}

/// The folder that a session's result goes to.
FolderTarget wanted_target(const SessionTarget& target, const SavedRun& before) {
  std::error_code none;
  const bool in_place = fs::equivalent(target.folder, before.folder, none);
  FolderTarget wanted = run_target(target.replace || in_place, inputs_of(before));
  std::ranges::copy(target.inputs, std::back_inserter(wanted.reading.inputs));
  if (!in_place) wanted.reading.inputs.push_back(before.folder);
  wanted.reading.run = before.folder;
  wanted.into_run = true;
  return wanted;
}

void check_judgement(const GraphPair& graphs, const Judgement& judgement) {
  for (const auto& [side, identifier] :
       {std::pair(Side::left, &judgement.left), {Side::right, &judgement.right}}) {
    if (identifier->empty() || graphs.graph(side).find(*identifier)) continue;
    throw ParameterError(fmt::format("{} is not in the {} graph; expected an entity's identifier",
                                     shown(*identifier), side == Side::left ? "left" : "right"));
  }
  const bool entity = judgement.left.empty() != judgement.right.empty();
  const bool pair = !judgement.left.empty() && !judgement.right.empty();
  if (judgement.verdict == Verdict::none     ? entity
      : judgement.verdict == Verdict::undone ? entity || pair
                                             : pair) {
    return;
  }
  throw ParameterError(fmt::format("the verdict {} is of {}; expected {}", verdict_name(judgement.verdict),
                                   pair ? "two entities" : "one entity", pair ? "one" : "two"));
}

Changes changes(const std::vector<DecidedLink>& before, const std::vector<DecidedLink>& after) {
  constexpr double kSame = 5e-4;  // confidences are written with four digits
  Changes result;
  auto old = before.begin();
  for (const DecidedLink& link : after) {
    for (; old != before.end() && by_ends(*old, link); ++old) result.lost.push_back(*old);
    if (old == before.end() || by_ends(link, *old)) {
      result.gained.push_back(link);
      continue;
    }
    if (std::abs(old->confidence - link.confidence) > kSame) result.changed.push_back({*old, link});
    ++old;
  }
  result.lost.insert(result.lost.end(), old, before.end());
  return result;
}

}  // namespace

const Explainer& Session::State::reasons() const {
  const std::lock_guard lock(explaining);
  if (!explainer) {
    AlignOptions options = now().options;
    options.threads = threads;
    explainer = std::make_unique<Explainer>(pair.graphs, options, pair.links.train, now().decisions.links,
                                            LearnedBySignals{.values = now().values});
  }
  return *explainer;
}

/// What was decided, where no judgement says otherwise, and what was judged the same.
void Session::State::renew_links() {
  SeedLinks judged;
  const std::vector<Judgement> in_force = judgements_in_force(judgements);
  apply_judgements(pair.graphs, in_force, judged);
  std::vector<bool> left(pair.graphs.left().entity_count(), false),
      right(pair.graphs.right().entity_count(), false);
  links.clear();
  for (const Link& link : judged.train) {
    left[link.left] = right[link.right] = true;
    links.push_back({.left = link.left, .right = link.right, .score = 1, .margin = 0, .confidence = 1});
  }
  for (const DecidedLink& link : now().decisions.links) {
    if (!left[link.left] && !right[link.right] && !kept_apart(judged.apart, {link.left, link.right})) {
      links.push_back(link);
    }
  }
  std::ranges::sort(links, by_ends);
}

void Session::State::write(OutputFolder& folder, GivenFiles& given_files, bool report) const {
  const bool from_files = !pair.source.folder.empty() || !pair.source.left.empty();
  const PairSource source = pair.source;
  // Files that add() took are settled already where the folder was claimed.
  if (from_files && &given_files != given.get()) given_files.settle(pair.source);
  if (from_files && !judgements.empty()) {
    const fs::path file = folder.working_path() / "review.jsonl";
    std::string text;
    for (const Judgement& judgement : judgements) text += judgement_line(judgement) + "\n";
    write_whole(file, text);
    MoreFiles more{.judgements = file};
    more.options.shuffle_seed = source.options.shuffle_seed;
    PairSource judged;
    judged.more.push_back(given_files.take(more));
    given_files.settle(judged);
    pair.source.more.push_back(judged.more.front());
    fs::remove(file);
  }
  write_run(now(), pair, folder, report);
  pair.source = source;
}

Session::Session(std::unique_ptr<State> state) : state_(std::move(state)) {
  state_->renew_links();
}

Session::Session(LoadedPair pair, Run run)
    : Session(std::make_shared<LoadedPair>(std::move(pair)), std::move(run)) {}

Session::Session(std::shared_ptr<LoadedPair> pair, Run run)
    : state_(std::make_unique<State>(std::move(pair))) {
  state_->base = std::move(run);
  state_->threads = state_->base.options.threads;
  state_->renew_links();
}

Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Session Session::open(const fs::path& folder, const SessionOptions& options, Observer& observer) {
  std::unique_ptr<OutputFolder> target;
  if (options.target) {
    if (!fs::is_directory(folder)) static_cast<void>(open_run(folder));  // it says so
    target = std::make_unique<OutputFolder>(options.target->folder,
                                            Reading{.inputs = options.target->inputs, .run = folder});
  }
  SavedRun saved = open_run(folder);
  if (target) target->prepare(wanted_target(*options.target, saved), observer);
  const Stopwatch watch;
  auto state = std::make_unique<State>(
      std::make_shared<LoadedPair>(load_run_inputs(saved, options.keep_literals, observer)));
  state->load_seconds = watch.seconds();
  state->base = load_decisions(saved, state->pair);
  state->model_loaded = false;
  state->threads = options.threads;
  if (target) state->given = std::make_unique<GivenFiles>(folder, *target);
  state->target = std::move(target);
  state->saved = std::move(saved);
  return Session(std::move(state));
}

Session Session::align(LoadedPair pair, const AlignOptions& options, Observer& observer) {
  Run run = run_alignment(pair, options, observer);
  return {std::move(pair), std::move(run)};
}

const LoadedPair& Session::pair() const {
  return state_->pair;
}

std::shared_ptr<LoadedPair> Session::shared_pair() const {
  return state_->owner;
}

const Run& Session::run() const {
  return state_->now();
}

const Model& Session::model() const {
  return state_->base.model;
}

const SavedRun* Session::saved() const {
  return state_->saved ? &*state_->saved : nullptr;
}

const std::vector<DecidedLink>& Session::links() const {
  return state_->links;
}

std::span<const Candidate> Session::candidates(Side side, EntityId entity) const {
  const Candidates& all = side == Side::left ? state_->ranked().left : state_->ranked().right;
  const auto at = std::ranges::lower_bound(all.entities, entity);
  if (at == all.entities.end() || *at != entity) return {};
  return all.ranked[static_cast<std::size_t>(at - all.entities.begin())];
}

Reasons Session::reasons(const Link& pair, std::size_t most) const {
  return state_->reasons().reasons(pair.left, pair.right, most);
}

double Session::evidence(const Link& pair) const {
  return state_->reasons().evidence(pair.left, pair.right);
}

void Session::judge(Judgement judgement) {
  judge(std::vector{std::move(judgement)});
}

void Session::judge(std::vector<Judgement> judgements) {
  for (const Judgement& judgement : judgements) check_judgement(graphs(), judgement);
  std::ranges::move(judgements, std::back_inserter(state_->judgements));
  state_->renew_links();
}

void Session::judge_same(const Link& pair) {
  judge({.verdict = Verdict::same,
         .left = std::string(graphs().left().entity(pair.left)),
         .right = std::string(graphs().right().entity(pair.right))});
}

void Session::judge_different(const Link& pair) {
  judge({.verdict = Verdict::different,
         .left = std::string(graphs().left().entity(pair.left)),
         .right = std::string(graphs().right().entity(pair.right))});
}

void Session::judge_none(Side side, EntityId entity) {
  Judgement judgement{.verdict = Verdict::none};
  (side == Side::left ? judgement.left : judgement.right) = graphs().graph(side).entity(entity);
  judge(std::move(judgement));
}

std::span<const Judgement> Session::judgements() const {
  return state_->judgements;
}

void Session::add(const MoreFiles& more, Observer& observer) {
  LoadedPair& pair = state_->pair;
  pair.links = state_->known;
  pair = add_files(std::move(pair), state_->given ? state_->given->take(more) : more, observer);
  if (state_->given) state_->given->settle(pair.source);
  state_->known = pair.links;
  const std::lock_guard lock(state_->explaining);
  state_->explainer.reset();  // of the graphs as they were
}

void Session::prepare() {
  State& state = *state_;
  if (!state.model_loaded) {
    const AlignOptions& options = state.base.options;
    const bool rules_alone = options.mode != Mode::basic && options.semi.strategy == Strategy::rules;
    // Tables without relations leave structure nothing to learn from.
    const GraphSizes& sizes = state.base.graphs;
    const bool trained = !rules_alone && sizes.left_relations > 0 && sizes.right_relations > 0;
    if (trained) state.base.model = load_run_model(*state.saved);
    state.model_loaded = true;
  }
  state.pair.links = state.known;
  apply_judgements(state.pair.graphs, judgements_in_force(state.judgements), state.pair.links);
}

Run Session::learn(Observer& observer) const {
  AlignOptions options = state_->base.options;
  options.threads = state_->threads;
  if (state_->target) options.scratch = state_->target->working_path();
  return update_alignment(state_->pair, state_->base, options, observer);
}

Changes Session::take(Run run) {
  run.seconds.load = state_->load_seconds;
  run.seconds.total += state_->load_seconds;
  const std::vector<DecidedLink> before = state_->links;
  state_->refreshed = std::move(run);
  {
    const std::lock_guard lock(state_->explaining);
    state_->explainer.reset();
  }
  state_->renew_links();
  return changes(before, state_->links);
}

Changes Session::refresh(Observer& observer) {
  prepare();
  return take(learn(observer));
}

void Session::save(bool report) {
  if (!state_->target) throw ParameterError("the session has no target; expected a folder to save it to");
  state_->write(*state_->target, *state_->given, report);
}

void Session::save(const fs::path& folder, const SaveRunOptions& options) const {
  Observer quiet;
  Observer& observer = options.observer == nullptr ? quiet : *options.observer;
  const State& state = *state_;
  if (state.saved && !state.refreshed) return copy_run(*state.saved, folder, options.replace, observer);
  std::vector<fs::path> inputs = inputs_of(state.pair.source);
  std::ranges::copy(path_parameters(state.now().options), std::back_inserter(inputs));
  const FolderTarget wanted =
      state.saved ? wanted_target({.folder = folder, .replace = options.replace}, *state.saved)
                  : run_target(options.replace, std::move(inputs));
  OutputFolder target(folder, wanted, observer);
  GivenFiles given(state.saved ? state.saved->folder : target.final_path(), target);
  state.write(target, given, options.report);
}

}  // namespace dovetail

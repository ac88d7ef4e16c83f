#include "study/settings.h"

#include <dovetail/errors.h>
#include <dovetail/numbers.h>
#include <dovetail/parameters.h>

#include <fmt/format.h>
#include <span>

#include "common/hash.h"
#include "common/text.h"

namespace dovetail {
namespace {

AlignOptions preset(const std::string& name) {
  if (name == "default") return study_defaults().options;
  AlignOptions options;
  if (name == "paper") {
    options = paper_options();
  } else if (name == "gcn-align") {
    options = gcn_align_options();
  } else {
    throw ParameterError(fmt::format("preset is {}; expected default, paper, gcn-align", shown(name)));
  }
  const DecidingOptions& deciding = study_defaults().options.deciding;
  options.deciding.calibrate = deciding.calibrate;
  options.deciding.compare = deciding.compare;
  return options;
}

}  // namespace

RunConfiguration study_defaults() {
  RunConfiguration configuration;
  AlignOptions& options = configuration.options;
  options.mode = Mode::basic;
  options.deciding.calibrate = false;
  options.deciding.compare = false;
  options.deciding.pool = CandidatePool::test;
  return configuration;
}

void apply(const std::vector<Setting>& settings, RunConfiguration& configuration) {
  for (const Setting& setting : settings) {
    if (setting.key == "preset") {
      const std::size_t threads = configuration.options.threads;
      configuration.options = preset(setting.value);
      configuration.options.threads = threads;
    } else if (setting.key == "seed-ratio") {
      constexpr Range kSeedRatio = {.least = 0.0001, .most = 1, .open = true};
      configuration.seed_ratio = read_real_number(setting.key, setting.value, kSeedRatio);
    } else {
      set_parameter(configuration.options, setting.key, setting.value);
    }
  }
}

std::vector<Setting> all_settings(const RunConfiguration& configuration) {
  std::vector<Setting> settings;
  if (configuration.seed_ratio) {
    settings.push_back({"seed-ratio", fmt::format("{}", *configuration.seed_ratio)});
  }
  for (const auto& [key, value] : parameter_texts(configuration.options)) settings.push_back({key, value});
  return settings;
}

std::string run_key(const RunConfiguration& configuration, std::uint64_t data, std::string_view build) {
  Hash hash;
  hash.add(build);
  for (const Setting& setting : all_settings(configuration)) {
    hash.add(setting.key);
    hash.add(setting.value);
  }
  hash.add(std::span<const std::uint64_t>(&data, 1));
  return fmt::format("{:016x}", hash.value());
}

}  // namespace dovetail

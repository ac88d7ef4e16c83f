#include <dovetail/config.h>
#include <dovetail/errors.h>
#include <dovetail/parameters.h>

#include <fmt/format.h>
#include <string>

#include "common/text.h"

namespace dovetail {

namespace {

/// What costs most is left out: more turns, confidences, comparisons, and more than half of the dimensions.
/// On DBP15K's Chinese pair that is Hits@1 .702 instead of .709 for basic, in a fifth of the time.
AlignOptions fast_options() {
  AlignOptions options;
  options.mode = Mode::basic;
  options.encoder.dimension = 128;
  options.deciding.compare = false;
  options.deciding.calibrate = false;
  return options;
}

/// What a double quotation mark or a backslash would end or begin is safe between single ones.
std::string in_quotes(std::string_view text) {
  const char* const mark = text.find_first_of("\"\\") == std::string_view::npos ? "\"" : "'";
  return fmt::format("{}{}{}", mark, text, mark);
}

/// As TOML spells it.
template <typename Value>
std::string value_text(const Value& value) {
  if constexpr (std::is_enum_v<Value>) {
    return in_quotes(enum_name(value));
  } else if constexpr (std::is_same_v<Value, std::filesystem::path>) {
    return in_quotes(value.string());
  } else if constexpr (std::is_same_v<Value, Bytes>) {
    return fmt::format("{}", value.count);
  } else {
    const std::string text = fmt::format("{}", value);
    // TOML's whole numbers have a sign, so that seeds beyond 63 bits have to be texts.
    return std::is_integral_v<Value> && static_cast<double>(value) >= 0x1p63 ? in_quotes(text) : text;
  }
}

template <typename Value>
std::string range_of(const Range& range) {
  if constexpr (std::is_same_v<Value, Bytes>) {
    return range_text(NumberKind::size, range);
  } else if constexpr (kIsNumber<Value>) {
    return range_text(kNumberKind<Value>, range);
  } else {
    return "";
  }
}

struct Parameter {
  std::string room, name, value, help, range;
};

std::vector<Parameter> parameters_of(const AlignOptions& options) {
  std::vector<Parameter> all;
  visit_parameters(options, [&](const char* room, const char* name, const auto& value, const char* help,
                                const Range& range) {
    all.push_back(
        {room, name, value_text(value), on_one_line(help), range_of<std::decay_t<decltype(value)>>(range)});
  });
  return all;
}

/// "`mode` = "basic", ...": in what a preset differs from the defaults.
std::string differences(const AlignOptions& options) {
  const std::vector<Parameter> own = parameters_of(options), usual = parameters_of({});
  std::string text;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i].value == usual[i].value) continue;
    text += fmt::format("{}`{}` {}", text.empty() ? "" : ", ", own[i].name, own[i].value);
  }
  return text;
}

}  // namespace

const std::vector<Preset>& presets() {
  static const std::vector<Preset> kAll = {
      {"basic", "structure, trained once on the seeds"},
      {"semi", "structure, trained again on what was found"},
      {"names", "names beside structure"},
      {"paper", "PSR basic as its authors describe it"},
      {"gcn-align", "the baseline that the paper starts from"},
      {"fast", "structure, once, small, without confidences"},
  };
  return kAll;
}

AlignOptions preset_options(std::string_view name) {
  AlignOptions options;
  if (name == "paper") return paper_options();
  if (name == "gcn-align") return gcn_align_options();
  if (name == "fast") return fast_options();
  if (name == "basic") {
    options.mode = Mode::basic;
  } else if (name == "semi") {
    options.mode = Mode::semi;
  } else if (name == "names") {
    options.mode = Mode::names;
  } else {
    std::string known;
    for (const Preset& preset : presets())
      known += fmt::format("{}{}", known.empty() ? "" : ", ", preset.name);
    throw ParameterError(fmt::format("{} is not a preset; expected one of {}", shown(name), known));
  }
  return options;
}

std::string config_text(const AlignOptions& options, std::string_view title) {
  constexpr std::size_t kColumn = 36;  // where remarks begin
  std::string text = fmt::format("# {}\n", title);
  std::string room;
  for (const Parameter& parameter : parameters_of(options)) {
    if (parameter.room != room) text += fmt::format("\n[{}]\n", room = parameter.room);
    const std::string setting = fmt::format("{} = {}", parameter.name, parameter.value);
    text += fmt::format("{:<{}}  # {}\n", setting, kColumn, parameter.help);
  }
  return text;
}

std::string parameters_page() {
  std::string text =
      "# Parameters\n\n"
      "Made by `dovetail config --markdown`. Each is an option of `dovetail align` (`--dimension 200`), a "
      "key of a\n"
      "configuration file (`dimension = 200`, for `--config`), a keyword of `dovetail.align` in Python with "
      "_ for -\n"
      "(`dimension=200`), and an entry of `configuration` in a run's `run.json`.\n"
      "[defaults.md](defaults.md) has the measurements behind the defaults.\n";
  std::string room;
  for (const Parameter& parameter : parameters_of({})) {
    if (parameter.room != room) {
      text +=
          fmt::format("\n## {}\n| name | default | range | |\n|---|---|---|---|\n", room = parameter.room);
    }
    text += fmt::format("| `{}` | `{}` | {} | {} |\n", parameter.name, parameter.value, parameter.range,
                        parameter.help);
  }
  text +=
      "\n## Presets\n`dovetail config --preset NAME` prints one as a configuration file. What they "
      "change:\n\n"
      "| name | for | changes |\n|---|---|---|\n";
  for (const Preset& preset : presets()) {
    text += fmt::format("| `{}` | {} | {} |\n", preset.name, preset.description,
                        differences(preset_options(preset.name)));
  }
  return text;
}

}  // namespace dovetail

#include <dovetail/errors.h>
#include <dovetail/parameters.h>
#include <dovetail/spelling.h>

#include <filesystem>
#include <fmt/format.h>

#include "common/text.h"

namespace dovetail {

namespace {

[[noreturn]] void refuse(std::string_view name, std::string_view text, std::string_view expected) {
  throw ParameterError(fmt::format("{} is {}; expected {}", name, shown(text), expected));
}

template <typename Value>
void read_value(std::string_view name, std::string_view text, const Range& range, Value& value) {
  if constexpr (std::is_enum_v<Value>) {
    std::string names;
    for (const auto& [known, known_name] : EnumNames<Value>::kNames) {
      names += fmt::format("{}{}", names.empty() ? "" : ", ", known_name);
      if (known_name != text) continue;
      value = known;
      return;
    }
    refuse(name, text, names);
  } else if constexpr (std::is_same_v<Value, bool>) {
    // As the command line, TOML and JSON, and benches spell it.
    const bool yes = text == "yes" || text == "true" || text == "1";
    if (!yes && text != "no" && text != "false" && text != "0") refuse(name, text, "yes or no");
    value = yes;
  } else if constexpr (std::is_same_v<Value, std::filesystem::path>) {
    value = text;
  } else if constexpr (std::is_same_v<Value, Bytes>) {
    value = {read_size(name, text, range)};
  } else {
    read_number(name, text, range, value);
  }
}

void check_ranges(const AlignOptions& options) {
  visit_parameters(options,
                   [](const char*, const char* name, const auto& value, const char*, const Range& range) {
                     using Value = std::decay_t<decltype(value)>;
                     if constexpr (std::is_same_v<Value, Bytes>) {
                       check_number(name, NumberKind::size, static_cast<double>(value.count), range);
                     } else if constexpr (kIsNumber<Value>) {
                       check_number(name, kNumberKind<Value>, static_cast<double>(value), range);
                     }
                   });
}

void need(bool holds, const char* name, const char* value, const char* expected) {
  if (!holds) throw ParameterError(fmt::format("{} is {}; expected {}", name, value, expected));
}

}  // namespace

void check_options(const AlignOptions& options) {
  check_ranges(options);
  const EncoderOptions& encoder = options.encoder;
  need(encoder.relation_feature || encoder.entity_feature != EntityFeature::none, "entity-feature", "none",
       "one of the two features: set entity-feature or relation-feature");
  const Sampling sampling = options.sampling.method;
  need(encoder.attention != Attention::symmetric ||
           (sampling != Sampling::attention && sampling != Sampling::uniform),
       "attention", "symmetric",
       "another one for sampling by attention or uniformly, or sampling auto, none or whole");
}

void set_parameter(AlignOptions& options, std::string_view name, std::string_view text,
                   std::string_view called) {
  bool known = false;
  visit_parameters(options,
                   [&](const char*, const char* parameter, auto& value, const char*, const Range& range) {
                     if (name != parameter) return;
                     known = true;
                     read_value(called.empty() ? name : called, text, range, value);
                   });
  if (known) return;
  const std::vector<std::string> names = parameter_names();
  const std::string hint = did_you_mean(name, names);
  throw ParameterError(
      fmt::format("{} is no parameter{}", shown(name),
                  hint.empty() ? fmt::format("; expected one of {}", fmt::join(names, ", ")) : hint));
}

std::vector<std::string> parameter_names() {
  std::vector<std::string> names;
  const AlignOptions options;
  visit_parameters(
      options, [&](const char*, const char* name, const auto&, const char*) { names.emplace_back(name); });
  return names;
}

std::vector<std::pair<std::string, std::string>> parameter_texts(const AlignOptions& options) {
  std::vector<std::pair<std::string, std::string>> texts;
  visit_parameters(options, [&](const char*, const char* name, const auto& value, const char*) {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_enum_v<Value>) {
      texts.emplace_back(name, enum_name(value));
    } else if constexpr (std::is_same_v<Value, bool>) {
      texts.emplace_back(name, value ? "yes" : "no");
    } else if constexpr (std::is_same_v<Value, std::filesystem::path>) {
      texts.emplace_back(name, value.string());
    } else if constexpr (std::is_same_v<Value, Bytes>) {
      texts.emplace_back(name, fmt::format("{}", value.count));
    } else {
      texts.emplace_back(name, fmt::format("{}", value));
    }
  });
  return texts;
}

std::vector<std::filesystem::path> path_parameters(const AlignOptions& options) {
  std::vector<std::filesystem::path> paths;
  visit_parameters(options,
                   [&](const char* /*room*/, const char* /*name*/, const auto& value, const char* /*help*/) {
                     if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::filesystem::path>) {
                       if (!value.empty()) paths.push_back(value);
                     }
                   });
  return paths;
}

}  // namespace dovetail

#include "alignment/parameters.h"

#include <dovetail/errors.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "common/text.h"

namespace dovetail {

namespace {

[[noreturn]] void refuse(std::string_view name, std::string_view text, std::string_view expected) {
  throw ParameterError(fmt::format("{} is {}; expected {}", name, shown(text), expected));
}

template <typename Value>
void read_value(std::string_view name, std::string_view text, Value& value) {
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
    const std::optional<std::uint64_t> bytes = parse_bytes(text);
    if (!bytes) refuse(name, text, "an amount of memory such as 512M or 8G, or 0");
    value = {*bytes};
  } else if constexpr (std::is_integral_v<Value>) {
    if (name == "dimension" && text == "auto") {
      value = 0;
      return;
    }
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
      refuse(name, text, "a whole number, 0 or more");
    }
  } else {
    const std::optional<double> number = parse_number(text);
    if (!number) refuse(name, text, "a number");
    value = *number;
  }
}

template <typename Number>
void need(bool holds, const char* name, Number value, const char* expected) {
  if (!holds) throw ParameterError(fmt::format("{} is {}; expected {}", name, value, expected));
}

}  // namespace

void check_options(const AlignOptions& options) {
  const EncoderOptions& encoder = options.encoder;
  need(encoder.dimension <= 4096, "dimension", encoder.dimension, "1 to 4096, or auto");
  need(encoder.depth >= 1 && encoder.depth <= 16, "depth", encoder.depth, "1 to 16");
  need(encoder.relation_feature || encoder.entity_feature != EntityFeature::none, "entity-feature", "none",
       "one of the two features: set entity-feature or relation-feature");
  const double tau = options.sampling.tau;
  need(tau > 0 && std::isfinite(tau), "tau", tau, "a number above 0");
  need(options.sampling.epochs_per_sample >= 1, "epochs-per-sample", options.sampling.epochs_per_sample,
       "1 or more");
  const Sampling sampling = options.sampling.method;
  need(encoder.attention != Attention::symmetric ||
           (sampling != Sampling::attention && sampling != Sampling::uniform),
       "attention", "symmetric",
       "another one for sampling by attention or uniformly, or sampling auto, none or whole");
  const LossOptions& loss = options.loss;
  need(loss.margin > 0 && std::isfinite(loss.margin), "margin", loss.margin, "a number above 0");
  need(loss.negative_count >= 1, "negative-count", loss.negative_count, "1 or more");
  need(loss.nearest >= 1, "nearest", loss.nearest, "1 or more");
  need(loss.dropout >= 0 && loss.dropout < 1, "dropout", loss.dropout, "at least 0 and below 1");
  need(loss.power >= 1 && loss.power <= 9, "cosine-power", loss.power, "1 to 9");
  need(loss.epsilon >= 0 && std::isfinite(loss.epsilon), "standardise-epsilon", loss.epsilon,
       "a number from 0 on");
  const TrainingOptions& training = options.training;
  need(training.epochs >= 1, "epochs", training.epochs, "1 or more");
  need(training.learning_rate > 0 && std::isfinite(training.learning_rate), "learning-rate",
       training.learning_rate, "a number above 0");
  need(training.decay >= 0 && training.decay < 1, "decay", training.decay, "at least 0 and below 1");
  need(training.epsilon > 0 && std::isfinite(training.epsilon), "optimiser-epsilon", training.epsilon,
       "a number above 0");
  need(options.matching.fold >= 1 && options.matching.fold <= 64, "search-fold", options.matching.fold,
       "1 to 64");
  need(options.matching.probes >= 1, "search-probes", options.matching.probes, "1 or more");
  const SemiOptions& semi = options.semi;
  need(semi.restart_steps >= 1, "restart-steps", semi.restart_steps, "1 or more");
  need(semi.restart_rate > 0 && std::isfinite(semi.restart_rate), "restart-rate", semi.restart_rate,
       "a number above 0");
  need(semi.scout_dimension >= 1, "scout-dimension", semi.scout_dimension, "1 or more");
  need(semi.turn_epochs >= 1, "turn-epochs", semi.turn_epochs, "1 or more");
  need(semi.sure >= 0 && semi.sure <= 1, "sure", semi.sure, "0 to 1");
  need(semi.epsilon >= 0, "epsilon", semi.epsilon, "a number from 0 on");
  const DecidingOptions& deciding = options.deciding;
  need(deciding.min_confidence >= 0 && deciding.min_confidence <= 1, "min-confidence",
       deciding.min_confidence, "0 to 1");
  need(deciding.precision >= 0 && deciding.precision <= 1, "precision", deciding.precision, "0 to 1");
  need(deciding.none_above >= 0 && deciding.none_above <= 1, "none-above", deciding.none_above, "0 to 1");
  need(deciding.iterations >= 1, "sinkhorn-iterations", deciding.iterations, "1 or more");
  for (const auto& [name, value] : {std::pair("temperature", deciding.temperature),
                                    {"structure-scale", deciding.structure_scale},
                                    {"name-scale", deciding.name_scale}}) {
    need(value > 0 && std::isfinite(value), name, value, "a number above 0");
  }
  const NameWeights& weights = options.names.weights;
  for (const auto& [name, value] : {std::pair("weight-characters", weights.characters),
                                    {"weight-words", weights.words},
                                    {"weight-vectors", weights.vectors}}) {
    need(value >= 0 && std::isfinite(value), name, value, "a number from 0 on");
  }
  need(options.matching.candidates >= 1, "top-k", options.matching.candidates, "1 or more");
  need(options.matching.clip >= 0 && std::isfinite(options.matching.clip), "clip", options.matching.clip,
       "a number from 0 on");
}

void set_parameter(AlignOptions& options, std::string_view name, std::string_view text) {
  bool known = false;
  std::string names;
  visit_parameters(options, [&](const char*, const char* parameter, auto& value, const char*) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", parameter);
    if (name != parameter) return;
    known = true;
    read_value(name, text, value);
  });
  if (!known) throw ParameterError(fmt::format("{} is no parameter; expected one of {}", shown(name), names));
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

}  // namespace dovetail

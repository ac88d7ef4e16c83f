#include "config_file.h"

#include <dovetail/errors.h>
#include <dovetail/files.h>
#include <dovetail/parameters.h>
#include <dovetail/run.h>
#include <dovetail/spelling.h>
#include <dovetail/text.h>

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <string_view>
#include <toml++/toml.h>
#include <vector>

using namespace dovetail;

namespace {

/// A key of the file and what it is set to.
struct Entry {
  std::string key;
  const toml::node* value;
  std::uint64_t line;
  bool wrong_section;  ///< the key is a section that there is not
};

std::vector<std::string> section_names() {
  std::vector<std::string> names;
  const AlignOptions options;
  visit_parameters(options, [&](const char* section, const char*, const auto&, const char*) {
    if (std::ranges::find(names, section) == names.end()) names.emplace_back(section);
  });
  return names;
}

[[noreturn]] void refuse_section(const std::string& name) {
  const std::vector<std::string> known = section_names();
  const std::string hint = did_you_mean(name, known);
  throw ParameterError(
      fmt::format("{} is no section{}", shown(name),
                  hint.empty() ? fmt::format("; expected one of {}", fmt::join(known, ", ")) : hint));
}

/// What the file sets, in the order of its lines, so that the first mistake is the one that is reported.
std::vector<Entry> entries_of(const toml::table& file) {
  const std::vector<std::string> sections = section_names();
  std::vector<Entry> entries;
  const auto add = [&](const toml::key& key, const toml::node& value, bool wrong_section) {
    entries.push_back({std::string(key.str()), &value, key.source().begin.line, wrong_section});
  };
  for (const auto& [key, value] : file) {
    const bool known = std::ranges::find(sections, key.str()) != sections.end();
    if (!value.is_table() || !known) {
      add(key, value, value.is_table());
    } else {
      for (const auto& [inner, inner_value] : *value.as_table()) add(inner, inner_value, false);
    }
  }
  std::ranges::stable_sort(entries, {}, &Entry::line);
  return entries;
}

/// As set_parameter() takes it: what stands in the file, without quotes.
std::string text_of(const toml::node& value) {
  if (const auto* text = value.as_string()) return text->get();
  if (const auto* number = value.as_integer()) return fmt::format("{}", number->get());
  if (const auto* flag = value.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* number = value.as_floating_point()) {
    const std::string text = fmt::format("{}", number->get());
    return text.find_first_not_of("-0123456789") == std::string::npos ? text + ".0" : text;
  }
  return "";
}

/// "the text "6"", "an array": what was found where another type was expected.
std::string described(const toml::node& value) {
  if (value.is_string()) return "the text " + shown(text_of(value));
  if (value.is_number() || value.is_boolean()) return text_of(value);
  return value.is_array() ? "an array" : value.is_table() ? "a table" : "a date or time";
}

/// Whether a text may stand for a whole number: a word such as auto, or one that TOML's own numbers cannot
/// have.
bool may_be_text(const std::string& text, const Range& range) {
  if (range.zero != nullptr && text == range.zero) return true;
  constexpr auto kTomlsLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  return digits && range.has(0x1p63) && read_whole_number("", text, kSeed) > kTomlsLargest;
}

/// What is wrong with the type of a parameter's value: what was expected instead, or nothing.
template <typename Value>
std::string expected_type(const toml::node& value, const Range& range) {
  if constexpr (std::is_same_v<Value, bool>) {
    return value.is_boolean() ? "" : "true or false";
  } else if constexpr (std::is_same_v<Value, Bytes>) {
    return value.is_integer() || value.is_string() ? "" : expected_number(NumberKind::size, range);
  } else if constexpr (kIsNumber<Value>) {
    const bool text = value.is_string() && std::is_integral_v<Value> && may_be_text(text_of(value), range);
    return value.is_number() || text ? "" : expected_number(kNumberKind<Value>, range);
  } else {
    return value.is_string() ? "" : "a text in quotes";
  }
}

void set_entry(const Entry& entry, AlignOptions& options) {
  if (entry.wrong_section) refuse_section(entry.key);
  visit_parameters(
      options, [&](const char*, const char* name, const auto& value, const char*, const Range& range) {
        if (entry.key != name) return;
        const std::string expected = expected_type<std::decay_t<decltype(value)>>(*entry.value, range);
        if (expected.empty()) return;
        throw ParameterError(fmt::format("{} is {}; expected {}", name, described(*entry.value), expected));
      });
  set_parameter(options, entry.key, text_of(*entry.value));
}

}  // namespace

void read_config(const std::string& path, AlignOptions& options) {
  const std::string text = read_whole(path, 64 << 20);
  if (text.starts_with('{')) {
    const std::size_t threads = options.threads;
    options = read_run_options(path);
    options.threads = threads;  // of this machine, not of that run's
    return;
  }
  toml::table file;
  try {
    file = toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    throw InputError(
        path, error.source().begin.line,
        fmt::format("{}; expected TOML, such as epochs = 6 or mode = \"basic\"", error.description()));
  }
  std::map<std::string, std::uint64_t> set;  // the lines of what has been set
  for (const Entry& entry : entries_of(file)) {
    try {
      const auto [before, first] = set.emplace(entry.key, entry.line);
      if (!first)
        throw ParameterError(fmt::format("{} is set in line {} already", entry.key, before->second));
      set_entry(entry, options);
    } catch (const ParameterError& error) {
      throw InputError(path, entry.line, error.what());
    }
  }
}

#include "old_names.h"

#include <dovetail/parameters.h>

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <string_view>

using namespace dovetail;

namespace {

/// What an option was in 0.1.0: its words then and now.
struct Change {
  std::vector<std::string> before, now;
};

bool is_boolean(const std::string& name) {
  bool found = false;
  const AlignOptions options;
  visit_parameters(options, [&](const char*, const char* known, const auto& value, const char*) {
    found = found || (std::is_same_v<std::decay_t<decltype(value)>, bool> && name == known);
  });
  return found;
}

/// Yes or no in one of CLI11's spellings.
std::optional<bool> truth(const std::string& text) {
  constexpr std::array<std::string_view, 4> kYes = {"yes", "true", "1", "on"};
  constexpr std::array<std::string_view, 4> kNo = {"no", "false", "0", "off"};
  if (std::ranges::find(kYes, text) != kYes.end()) return true;
  if (std::ranges::find(kNo, text) != kNo.end()) return false;
  return std::nullopt;
}

/// The change of the option that begins `rest`, if there is one.
std::optional<Change> change_of(const std::vector<std::string>& rest) {
  const std::string& word = rest[0];
  if (!word.starts_with("--")) return std::nullopt;
  const std::size_t equals = word.find('=');
  const bool joined = equals != std::string::npos;
  const std::string name = word.substr(2, joined ? equals - 2 : equals);
  if (!joined && (name == "paper" || name == "gcn-align")) return Change{{word}, {"--preset", name}};
  if (!joined && rest.size() < 2) return std::nullopt;
  const std::string value = joined ? word.substr(equals + 1) : rest[1];
  const std::vector<std::string> before = joined ? std::vector{word} : std::vector{word, value};
  if (const std::string now(present_name(name, value)); now != name)
    return Change{before, {"--" + now, value}};
  const std::optional<bool> yes = truth(value);
  if (yes && is_boolean(name)) return Change{before, {(*yes ? "--" : "--no-") + name}};
  return std::nullopt;
}

}  // namespace

std::vector<std::string> with_present_names(const std::vector<std::string>& words,
                                            std::vector<std::string>& notes) {
  std::vector<std::string> present;
  const auto verb = std::ranges::find(words, "align");
  present.assign(words.begin(), verb);
  for (auto word = verb; word != words.end();) {
    const std::optional<Change> change = change_of({word, words.end()});
    if (!change) {
      present.push_back(*word++);
      continue;
    }
    word += static_cast<std::ptrdiff_t>(change->before.size());
    present.insert(present.end(), change->now.begin(), change->now.end());
    notes.push_back(fmt::format("{} is now {}", fmt::join(change->before, " "), fmt::join(change->now, " ")));
  }
  return present;
}

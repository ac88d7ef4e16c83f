#include "help.h"

#include <dovetail/spelling.h>
#include <dovetail/text.h>
#include <dovetail/wrap.h>

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <set>
#include <utility>

namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kColumn = 24;  // where descriptions begin

/// A name and its description in two columns.
std::string entry(const std::string& name, const std::string& description) {
  std::string text = fmt::format("  {:<{}}", name, kColumn - 2);
  bool first = name.size() + 3 <= kColumn;
  if (!first) text = fmt::format("  {}\n", name);
  for (const std::string& line : dovetail::wrapped(description, kWidth - kColumn)) {
    text += fmt::format("{}{}\n", first ? "" : std::string(kColumn, ' '), line);
    first = false;
  }
  return text;
}

/// -o, --output OUT; --[no-]calibrate for a flag that has both forms. Aliases are left out.
std::string option_form(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true);
  std::string text;
  for (const std::string& name : option.get_snames()) text += "-" + name + ", ";
  text += (can_be_negated(option) ? "--[no-]" : "--") + option.get_lnames().front();
  const std::string value = value_name(option);
  return value.empty() ? text : text + " " + value;
}

/// Short help leaves out defaults that the description explains.
std::string option_entry(const CLI::Option& option, bool all) {
  const std::string usual = default_of(option);
  const bool shown = !usual.empty() && (all || (usual != "auto" && usual != "0"));
  return entry(option_form(option),
               sentence_of(option) + (shown ? fmt::format(" (default: {})", usual) : ""));
}

class HelpFormatter : public CLI::FormatterBase {
 public:
  explicit HelpFormatter(HelpText text) : text_(std::move(text)) {}
  [[nodiscard]] const HelpText& text() const { return text_; }

  std::string make_help(const CLI::App* app, std::string /*name*/, CLI::AppFormatMode mode) const override {
    std::string help;
    for (const std::string& form : text_.usage) {
      help += fmt::format("{}{}\n", help.empty() ? "Usage: " : "       ", form);
    }
    help += fmt::format("\n{}.\n", fmt::join(dovetail::wrapped(app->get_description(), kWidth - 1), "\n"));
    if (!text_.examples.empty()) {
      help += fmt::format("\nExample{}:\n", text_.examples.size() == 1 ? "" : "s");
      for (const std::string& example : text_.examples) help += fmt::format("  {}\n", example);
    }
    help += arguments(*app) + verbs(*app) + options(*app, mode == CLI::AppFormatMode::All);
    if (!text_.notes.empty()) help += "\n" + text_.notes + "\n";
    return help;
  }

 private:
  static std::string arguments(const CLI::App& app) {
    std::string text;
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_positional()) text += option_entry(*option, false);
    }
    return text.empty() ? "" : "\nArguments:\n" + text;
  }

  static std::string verbs(const CLI::App& app) {
    std::string text;
    for (const CLI::App* verb : listed_verbs(app)) text += entry(verb->get_name(), verb->get_description());
    return text.empty() ? "" : "\nVerbs:\n" + text;
  }

  static std::string options(const CLI::App& app, bool all) {
    std::string text;
    bool left_out = false;
    for (const std::string& group : app.get_groups()) {
      std::string entries;
      for (const CLI::Option* option : listed_options(app)) {
        const bool left = !all && option == app.get_help_all_ptr();  // the last line names it
        if (option->get_group() == group && !left) entries += option_entry(*option, all);
      }
      if (entries.empty()) continue;
      const bool more = group.starts_with(kMoreOptions);
      left_out = left_out || (more && !all);
      if (!more || all) text += fmt::format("\n{}:\n{}", group, entries);
    }
    if (left_out && app.get_parent() != nullptr)
      text += fmt::format("\nMore options: dovetail {} --help-all\n", app.get_name());
    return text;
  }

  HelpText text_;
};

}  // namespace

void set_help(CLI::App& app, HelpText text) {
  app.formatter(std::make_shared<HelpFormatter>(std::move(text)));
}

const HelpText& help_text(const CLI::App& app) {
  return dynamic_cast<const HelpFormatter&>(*app.get_formatter()).text();
}

CLI::Validator one_of(const std::vector<std::string>& names) {
  // CLI11 appends the description to the type, "FORMAT:{csv,tsv}", where choices_of() finds it.
  return {[names](const std::string& text) {
            if (std::ranges::find(names, text) != names.end()) return std::string();
            return fmt::format("found {}; expected one of {}{}", dovetail::shown(text),
                               fmt::join(names, ", "), dovetail::did_you_mean(text, names));
          },
          fmt::format("{{{}}}", fmt::join(names, ","))};
}

CLI::Option* add_number_by(
    CLI::App& app, const std::string& names, dovetail::NumberKind kind, const dovetail::Range& range,
    const std::string& help, const char* type,
    const std::function<void(const std::string& name, const std::string& text)>& read) {
  // CLI11 appends the description to the type, "NUMBER:[1 to 16]", where range_of() finds it. `read` does the
  // check.
  const CLI::Validator described{[](const std::string&) { return std::string(); },
                                 fmt::format("[{}]", dovetail::range_text(kind, range))};
  const std::string name = names.substr(names.find("--"));
  return app
      .add_option_function<std::string>(
          names, [name, read](const std::string& text) { read(name, text); }, help)
      ->type_name(type)
      ->check(described);
}

std::string range_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t begin = type.find(":[");
  return begin == std::string::npos ? "" : type.substr(begin + 2, type.rfind(']') - begin - 2);
}

std::string value_name(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.substr(0, std::min(type.find(":{"), type.find(":[")));
}

std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t begin = type.find(":{");
  if (begin == std::string::npos) return {};
  return CLI::detail::split(type.substr(begin + 2, type.rfind('}') - begin - 2), ',');
}

bool takes_a_path(const CLI::Option& option) {
  const std::string value = value_name(option);
  return value == "FILE" || value == "OUT" || value == "DIR";
}

bool is_flag(const CLI::Option& option) {
  return option.get_items_expected_max() == 0;
}

bool can_be_negated(const CLI::Option& option) {
  return !option.get_fnames().empty();
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

std::string sentence_of(const CLI::Option& option) {
  const std::string description = option.get_description();
  const std::vector<std::string> choices = choices_of(option);
  const bool named = std::ranges::all_of(
      choices, [&](const std::string& choice) { return description.find(choice) != std::string::npos; });
  return named ? description : fmt::format("{}: {}", description, fmt::join(choices, ", "));
}

std::string default_of(const CLI::Option& option) {
  const std::string text = option.get_default_str();
  if (!is_flag(option)) return text;
  return !can_be_negated(option) ? "" : text == "true" ? "yes" : "no";
}

std::vector<const CLI::Option*> listed_options(const CLI::App& app) {
  return app.get_options(
      [](const CLI::Option* option) { return option->nonpositional() && !option->get_group().empty(); });
}

std::vector<const CLI::Option*> all_options(const CLI::App& program, const CLI::App& verb) {
  std::vector<const CLI::Option*> options = listed_options(verb);
  std::set<std::string> names;
  for (const CLI::Option* option : options) names.insert(option->get_name());
  for (const CLI::Option* option : listed_options(program)) {
    if (option != program.get_version_ptr() && !names.contains(option->get_name())) options.push_back(option);
  }
  return options;
}

std::vector<const CLI::App*> listed_verbs(const CLI::App& program) {
  return program.get_subcommands([](const CLI::App* verb) { return !verb->get_group().empty(); });
}

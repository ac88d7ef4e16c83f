#pragma once

#include <dovetail/numbers.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

// Definitions of options, and access to them for everything that describes them to users: --help, man pages
// and completions.

/// The group of the options that `--help` shows first.
inline constexpr const char* kMainGroup = "Options";
/// Groups whose name begins with this are left out of `--help`; `--help-all` has them.
inline constexpr const char* kMoreOptions = "More options: ";

/// Options about how input files are read.
inline constexpr const char* kReadingGroup = "More options: reading files";

/// The text of a verb's help beside the descriptions of its options.
struct HelpText {
  std::vector<std::string> usage;     ///< forms of the command, without "Usage: "
  std::vector<std::string> examples;  ///< commands
  std::string notes = "";  ///< paragraphs and lists, printed last; a list is indented by two spaces
};

/// Gives an App its help. The description becomes the first sentence of it. Lines are wrapped at 80 columns.
void set_help(CLI::App& app, HelpText text);
[[nodiscard]] const HelpText& help_text(const CLI::App& app);

/// A check for CLI11 that a value is one of these names. choices_of() returns them.
[[nodiscard]] CLI::Validator one_of(const std::vector<std::string>& names);

/// Adds an option whose value is a number. `read(name, text)` reads it and throws if it is out of range;
/// name is the one that messages use, --output for "-o,--output". `type` is the value's name in the help.
CLI::Option* add_number_by(CLI::App& app, const std::string& names, dovetail::NumberKind kind,
                           const dovetail::Range& range, const std::string& help, const char* type,
                           const std::function<void(const std::string& name, const std::string& text)>& read);
/// Adds an option for a number that is stored as it is read.
template <typename Number>
CLI::Option* add_number(CLI::App& app, const std::string& names, Number& value, const dovetail::Range& range,
                        const std::string& help, const char* type = "N") {
  return add_number_by(app, names, dovetail::kNumberKind<Number>, range, help, type,
                       [&value, range](const std::string& name, const std::string& text) {
                         dovetail::read_number(name, text, range, value);
                       });
}
/// The range of a number, for example "1 to 16"; empty if the option takes no number.
[[nodiscard]] std::string range_of(const CLI::Option& option);

/// The name of an option's value, for example FILE. Empty for flags.
[[nodiscard]] std::string value_name(const CLI::Option& option);
/// The words that an option or positional argument accepts; empty if it accepts other texts too.
[[nodiscard]] std::vector<std::string> choices_of(const CLI::Option& option);
[[nodiscard]] bool takes_a_path(const CLI::Option& option);
[[nodiscard]] bool is_flag(const CLI::Option& option);
/// Whether --name has a counterpart --no-name.
[[nodiscard]] bool can_be_negated(const CLI::Option& option);
/// -o, --output
[[nodiscard]] std::vector<std::string> names_of(const CLI::Option& option);
/// The description as one sentence, with the choices unless it names them all. Without a full stop.
[[nodiscard]] std::string sentence_of(const CLI::Option& option);
/// The default as users write it: yes and no for flags; empty if the help shows none.
[[nodiscard]] std::string default_of(const CLI::Option& option);

/// Options with a name that the help shows.
[[nodiscard]] std::vector<const CLI::Option*> listed_options(const CLI::App& app);
/// The listed options of a verb, and those of the program that a verb accepts too.
[[nodiscard]] std::vector<const CLI::Option*> all_options(const CLI::App& program, const CLI::App& verb);
[[nodiscard]] std::vector<const CLI::App*> listed_verbs(const CLI::App& program);

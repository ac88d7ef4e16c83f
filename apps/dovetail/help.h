#pragma once

#include <dovetail/numbers.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

// What the definitions of verbs and options say, for all that tells users about them: --help, man pages,
// completions.

/// The type of options that are yes or no.
inline constexpr const char* kYesOrNo = "YES/NO";

/// Gives an App help in our own form, with `usage` as its first lines. Explanations begin behind
/// `first_column`; lines should fit 80 columns.
void set_usage(CLI::App& app, const std::string& usage, std::size_t first_column = 32);

/// A check for CLI11. The help leaves the names out; choices_of() has them.
[[nodiscard]] CLI::Validator one_of(const std::vector<std::string>& names);

/// Adds an option whose value is a number. `read(name, text)` reads it and throws where the range does not
/// have it; name is the one by which messages call the option, --out of "-o,--out". `type` stands for the
/// value in the help.
CLI::Option* add_number_by(CLI::App& app, const std::string& names, dovetail::NumberKind kind,
                           const dovetail::Range& range, const std::string& help, const char* type,
                           const std::function<void(const std::string& name, const std::string& text)>& read);
/// The same for a number that is kept as it is read.
template <typename Number>
CLI::Option* add_number(CLI::App& app, const std::string& names, Number& value, const dovetail::Range& range,
                        const std::string& help, const char* type = "NUMBER") {
  return add_number_by(app, names, dovetail::kNumberKind<Number>, range, help, type,
                       [&value, range](const std::string& name, const std::string& text) {
                         dovetail::read_number(name, text, range, value);
                       });
}
/// "1 to 16"; empty if the option takes no number.
[[nodiscard]] std::string range_of(const CLI::Option& option);

/// What stands for an option's value: FILE. Empty for flags.
[[nodiscard]] std::string value_name(const CLI::Option& option);
/// The words that an option or positional argument takes; empty if it takes others too.
[[nodiscard]] std::vector<std::string> choices_of(const CLI::Option& option);
[[nodiscard]] bool takes_a_path(const CLI::Option& option);
[[nodiscard]] bool is_flag(const CLI::Option& option);
/// -o, --out
[[nodiscard]] std::vector<std::string> names_of(const CLI::Option& option);

/// Options with a name that are in the help.
[[nodiscard]] std::vector<const CLI::Option*> listed_options(const CLI::App& app);
/// Those of the program that every verb obeys.
[[nodiscard]] std::vector<const CLI::Option*> common_options(const CLI::App& program);
[[nodiscard]] std::vector<const CLI::App*> listed_verbs(const CLI::App& program);

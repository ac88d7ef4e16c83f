#include "completion.h"

#include <dovetail/text.h>

#include <fmt/format.h>
#include <iterator>
#include <string_view>
#include <vector>

#include "help.h"

namespace {

/// A verb's own options and those of every verb.
std::vector<const CLI::Option*> all_options(const CLI::App& program, const CLI::App& verb) {
  std::vector<const CLI::Option*> options = listed_options(verb);
  for (const CLI::Option* option : common_options(program)) options.push_back(option);
  return options;
}

/// The positional argument that is one of a few words, if there is one; it is the first.
const CLI::Option* first_choice(const CLI::App& verb) {
  for (const CLI::Option* option : verb.get_options()) {
    if (option->get_positional() && !choices_of(*option).empty()) return option;
  }
  return nullptr;
}

std::string escaped(std::string_view text, std::string_view special) {
  std::string result;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

/// As part of a word in single quotes, for shells in which nothing but their end is special in these.
std::string single_quoted(std::string_view text) {
  std::string result;
  for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result;
}

/// One case of what may follow: "align --decoder" | "align -d") ... ;;
std::string bash_case(const CLI::App* verb, const CLI::Option& option) {
  std::string patterns;
  for (const std::string& name : names_of(option)) {
    patterns += fmt::format("{}\"{} {}\"", patterns.empty() ? "" : " | ",
                            verb == nullptr ? "" : verb->get_name(), name);
  }
  const std::vector<std::string> choices = choices_of(option);
  if (choices.empty() && takes_a_path(option)) return fmt::format("    {}) return ;;\n", patterns);
  if (choices.empty()) return fmt::format("    {}) compopt +o default; return ;;\n", patterns);
  return fmt::format("    {}) words=\"{}\" ;;\n", patterns, fmt::join(choices, " "));
}

std::string zsh_option(const CLI::Option& option) {
  const std::vector<std::string> names = names_of(option);
  std::vector<std::string> forms = names;  // --out= takes its value with = or as the next word
  for (std::string& form : forms) form += !is_flag(option) && form.starts_with("--") ? "=" : "";
  std::string spec = names.size() == 1
                         ? fmt::format("'{}", forms[0])
                         : fmt::format("'({})'{{{}}}'", fmt::join(names, " "), fmt::join(forms, ","));
  spec +=
      fmt::format("[{}]", single_quoted(escaped(dovetail::on_one_line(option.get_description()), "[]:\\")));
  if (!is_flag(option)) {
    const std::vector<std::string> choices = choices_of(option);
    std::string action = takes_a_path(option) ? "_files" : " ";
    if (!choices.empty())
      action = fmt::format("({})", escaped(fmt::format("{}", fmt::join(choices, " ")), ":"));
    spec += fmt::format(":{}:{}", escaped(value_name(option), ":"), action);
  }
  return spec + "'";
}

std::string fish_option(const std::string& condition, const CLI::Option& option) {
  std::string line = fmt::format("complete -c dovetail -n '{}'", condition);
  for (const std::string& name : option.get_snames()) line += " -s " + name;
  for (const std::string& name : option.get_lnames()) line += " -l " + name;
  const std::vector<std::string> choices = choices_of(option);
  if (!choices.empty()) {
    line += fmt::format(" -x -a '{}'", fmt::join(choices, " "));
  } else if (takes_a_path(option)) {
    line += " -r -F";
  } else if (!is_flag(option)) {
    line += " -x";
  }
  return line + fmt::format(" -d '{}'\n", escaped(dovetail::on_one_line(option.get_description()), "'\\"));
}

}  // namespace

std::string bash_completion(const CLI::App& program) {
  std::string names, values, options;
  const auto add_value = [&](const CLI::App* verb, const CLI::Option* option) {
    if (!is_flag(*option)) values += bash_case(verb, *option);
  };
  const auto add_names = [&](const std::string& verb, const std::vector<const CLI::Option*>& all) {
    options += fmt::format("    {}) words=\"", verb);
    for (const CLI::Option* option : all) options += fmt::format("{} ", fmt::join(names_of(*option), " "));
    options.back() = '"';
    options += " ;;\n";
  };
  for (const CLI::App* verb : listed_verbs(program)) {
    names += (names.empty() ? "" : " ") + verb->get_name();
    const std::vector<const CLI::Option*> all = all_options(program, *verb);
    for (const CLI::Option* option : all) add_value(verb, option);
    if (const CLI::Option* choice = first_choice(*verb)) {
      values += fmt::format("    \"{0} {0}\") [[ $word == -* ]] || words=\"{1}\" ;;\n", verb->get_name(),
                            fmt::join(choices_of(*choice), " "));
    }
    add_names(verb->get_name(), all);
  }
  for (const CLI::Option* option : listed_options(program)) add_value(nullptr, option);
  add_names("\"\"", listed_options(program));
  return fmt::format(
      R"(# Completion of dovetail's verbs, options, choices and file names for bash; made by the program itself.
_dovetail() {{
  local verbs="{}"
  local verb="" words="" kept="" i
  local line=${{COMP_LINE:0:COMP_POINT}}
  # The whole word, for the shell breaks at = and : and would replace what is behind them only.
  local word=${{line##*[[:space:]]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ " $verbs " == *" ${{COMP_WORDS[i]}} "* ]]; then
      verb=${{COMP_WORDS[i]}}
      break
    fi
  done
  if [[ $word == --*=* ]]; then
    before=${{word%%=*}}
    word=${{word#*=}}
  elif [[ $word == *:* ]]; then
    before=${{line%"$word"}}
    before=${{before%"${{before##*[![:space:]]}}"}}
    before=${{before##*[[:space:]]}}
  fi
  [[ $word == *:* ]] && kept=${{word%:*}}:
  case "$verb $before" in
{}  esac
  if [[ -z $words && $word == -* ]]; then
    case "$verb" in
{}    esac
  elif [[ -z $words && -z $verb ]]; then
    words=$verbs
  fi
  # Where there are no words to offer, readline offers file names.
  [[ -n $words ]] || return
  compopt +o default
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  COMPREPLY=("${{COMPREPLY[@]#"$kept"}}")
}}
complete -o default -F _dovetail dovetail
)",
      names, values, options);
}

std::string zsh_completion(const CLI::App& program) {
  std::string verbs, common, cases;
  for (const CLI::Option* option : common_options(program)) common += "    " + zsh_option(*option) + "\n";
  for (const CLI::App* verb : listed_verbs(program)) {
    verbs += fmt::format("    '{}:{}'\n", verb->get_name(),
                         single_quoted(escaped(verb->get_description(), ":\\")));
    cases += fmt::format("        {})\n          _arguments -s $common \\\n", verb->get_name());
    for (const CLI::Option* option : listed_options(*verb))
      cases += fmt::format("            {} \\\n", zsh_option(*option));
    if (const CLI::Option* choice = first_choice(*verb)) {
      cases += fmt::format("            '1:{}:({})' \\\n", choice->get_name(),
                           fmt::join(choices_of(*choice), " "));
    }
    cases += "            '*:file:_files'\n          ;;\n";
  }
  return fmt::format(R"(#compdef dovetail
# Completion of dovetail's verbs, options, choices and file names for zsh; made by the program itself.
_dovetail() {{
  local context state state_descr line
  local -a verbs common
  typeset -A opt_args
  verbs=(
{}  )
  common=(
{}  )
  _arguments -C $common {} {} '1:verb:->verb' '*::argument:->argument'
  case $state in
    verb) _describe verb verbs ;;
    argument)
      case $words[1] in
{}      esac
      ;;
  esac
}}
if [[ $funcstack[1] == _dovetail ]]; then
  _dovetail "$@"
else
  compdef _dovetail dovetail
fi
)",
                     verbs, common, zsh_option(*program.get_help_ptr()),
                     zsh_option(*program.get_version_ptr()), cases);
}

std::string fish_completion(const CLI::App& program) {
  std::string text =
      "# Completion of dovetail's verbs, options, choices and file names for fish; made by the program "
      "itself.\n"
      "complete -c dovetail -n __fish_use_subcommand -f\n";
  for (const CLI::Option* option : listed_options(program))
    text += fish_option("__fish_use_subcommand", *option);
  for (const CLI::App* verb : listed_verbs(program)) {
    text += fmt::format("\ncomplete -c dovetail -n __fish_use_subcommand -a {} -d '{}'\n", verb->get_name(),
                        escaped(verb->get_description(), "'\\"));
    const std::string condition = "__fish_seen_subcommand_from " + verb->get_name();
    for (const CLI::Option* option : all_options(program, *verb)) text += fish_option(condition, *option);
    if (const CLI::Option* choice = first_choice(*verb)) {
      text += fmt::format("complete -c dovetail -n 'test (commandline -opc)[-1] = {}' -f -a '{}'\n",
                          verb->get_name(), fmt::join(choices_of(*choice), " "));
    }
  }
  return text;
}

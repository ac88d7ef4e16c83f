#include <dovetail/files.h>
#include <dovetail/text.h>
#include <dovetail/version.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <sstream>
#include <string_view>
#include <system_error>

#include "completion.h"
#include "verbs.h"

using namespace dovetail;

namespace {

/// Text with the characters escaped that roff would read as requests or typographic signs.
std::string roff(std::string_view text) {
  std::string result;
  if (text.starts_with('.') || text.starts_with('\'')) result += "\\&";
  for (const char c : text) {
    switch (c) {
      case '\\':
        result += "\\e";
        break;
      case '-':
        result += "\\-";
        break;
      case '\'':
        result += "\\(aq";
        break;
      case '^':
        result += "\\(ha";
        break;
      case '~':
        result += "\\(ti";
        break;
      case '`':
        result += "\\(ga";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string bold(std::string_view text) {
  return fmt::format("\\fB{}\\fR", roff(text));
}

std::string option_entry(const CLI::Option& option) {
  const std::string value = value_name(option);
  std::string names;
  for (const std::string& name : names_of(option)) names += (names.empty() ? "" : ", ") + bold(name);
  if (option.get_positional()) names = bold(option.get_name(true));
  if (!value.empty()) names += fmt::format(" \\fI{}\\fR", roff(value));
  std::string text = fmt::format(".TP\n{}\n{}.\n", names, roff(sentence_of(option)));
  if (const std::string range = range_of(option); !range.empty()) {
    text += roff(fmt::format("Range: {}.", range)) + "\n";
  }
  if (const std::string usual = default_of(option); !usual.empty()) {
    text += roff(fmt::format("Default: {}", usual)) + "\n";
  }
  return text;
}

std::string options_text(const CLI::App& app) {
  std::string text;
  for (const std::string& group : app.get_groups()) {
    std::string entries;
    for (const CLI::Option* option : listed_options(app)) {
      if (option->get_group() == group) entries += option_entry(*option);
    }
    if (entries.empty()) continue;
    if (group != "Options") text += fmt::format(".SS {}\n", roff(group));
    text += entries;
  }
  return text;
}

/// The notes of a verb's help. Lines that are indented by two spaces are a word and its meaning.
std::string notes_text(const std::string& notes) {
  std::string text;
  std::istringstream lines(notes);
  bool within = false;  // a paragraph
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  ")) {
      const std::string entry = line.substr(2);
      const std::size_t gap = std::min(entry.find("  "), entry.size());
      text += fmt::format(".TP 16\n{}\n{}\n", bold(entry.substr(0, gap)),
                          roff(entry.substr(std::min(entry.find_first_not_of(' ', gap), entry.size()))));
      within = false;
    } else if (line.empty()) {
      within = false;
    } else {
      text += fmt::format("{}{}\n", within ? "" : ".PP\n", roff(line));
      within = true;
    }
  }
  return text;
}

std::string examples_text(const std::vector<std::string>& examples) {
  std::string text = ".SH EXAMPLES\n";
  for (const std::string& example : examples) text += fmt::format(".IP $ 2\n{}\n", roff(example));
  return text;
}

std::string synopsis(const CLI::App& app) {
  std::string text;
  for (const std::string& form : help_text(app).usage) {
    text += fmt::format("{}{}\n", text.empty() ? "" : ".br\n", roff(form));
  }
  return text;
}

/// The head of every page. Hyphenation and justification are off, so that readers see words as they type
/// them.
std::string page_head(const std::string& name, const CLI::App& app, std::string what) {
  what[0] = static_cast<char>(std::tolower(what[0]));
  std::string title = name;
  for (char& c : title) c = static_cast<char>(std::toupper(c));
  return fmt::format(
      ".TH {} 1 \"\" \"Dovetail {}\" \"User Commands\"\n.nh\n.ad l\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}",
      roff(title), kVersion, roff(name), roff(what), synopsis(app));
}

std::string page_name(const CLI::App& verb) {
  return "dovetail-" + verb.get_name();
}

std::string verb_page(const CLI::App& verb) {
  std::string text = page_head(page_name(verb), verb, verb.get_description());
  std::string arguments;
  for (const CLI::Option* option : verb.get_options()) {
    if (option->get_positional()) arguments += option_entry(*option);
  }
  if (!arguments.empty()) text += ".SH ARGUMENTS\n" + arguments;
  text += ".SH OPTIONS\n" + options_text(verb);
  const HelpText& help = help_text(verb);
  if (!help.notes.empty()) text += ".SH NOTES\n" + notes_text(help.notes);
  return text + examples_text(help.examples) + ".SH SEE ALSO\n" + bold("dovetail") + "(1)\n";
}

std::string program_page(const CLI::App& program) {
  std::string text =
      page_head("dovetail", program, "find the entities that two knowledge graphs have in common");
  text += ".SH DESCRIPTION\n" + roff(program.get_description() + ".") + "\n.SH VERBS\n";
  for (const CLI::App* verb : listed_verbs(program)) {
    text += fmt::format(".TP\n{}(1)\n{}\n", bold(page_name(*verb)), roff(verb->get_description()));
  }
  text += ".SH OPTIONS\n" + options_text(program);
  text += R"(.SH EXIT STATUS
.TP 5
0
Success.
.TP 5
1
An internal error of Dovetail.
.TP 5
2
An error in input or options that you can fix; the message says how.
.TP 5
130
Stopped by Ctrl\-C; no incomplete file is left.
.SH ENVIRONMENT
.TP
\fBNO_COLOR\fR
If it is set, the output has no colours.
.SH EXAMPLES
.IP $ 2
dovetail generate pair \-\-entities 1000 \-\-seed\-ratio 0.3
.IP $ 2
dovetail align pair \-\-output alignment
.SH SEE ALSO
)";
  std::string others;
  for (const CLI::App* verb : listed_verbs(program)) {
    others += fmt::format("{}{}(1)", others.empty() ? "" : ",\n", bold(page_name(*verb)));
  }
  return text + others + "\n";
}

void write(const std::filesystem::path& path, const std::string& text) {
  std::error_code refused;  // the file below gives the better message
  std::filesystem::create_directories(path.parent_path(), refused);
  write_whole(path, text);
}

/// Writes the files to the places below `share` where Unix programs look for them.
void write_manual(const CLI::App& program, const std::filesystem::path& share) {
  const std::filesystem::path pages = share / "man" / "man1";
  write(pages / "dovetail.1", program_page(program));
  for (const CLI::App* verb : listed_verbs(program)) {
    write(pages / (page_name(*verb) + ".1"), verb_page(*verb));
  }
  write(share / "bash-completion" / "completions" / "dovetail", bash_completion(program));
  write(share / "zsh" / "site-functions" / "_dovetail", zsh_completion(program));
  write(share / "fish" / "vendor_completions.d" / "dovetail.fish", fish_completion(program));
}

}  // namespace

void add_manual(CLI::App& app) {
  auto share = std::make_shared<std::string>();
  CLI::App* sub = app.add_subcommand("manual", "Write man pages and completions below a folder");
  sub->group("");
  set_help(*sub, {.usage = {"dovetail manual SHARE"}, .examples = {"dovetail manual /usr/local/share"}});
  sub->add_option("SHARE", *share, "Folder for shared data")->required()->type_name("");
  sub->callback([&app, share] { write_manual(app, *share); });
}

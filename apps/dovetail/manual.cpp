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

/// Text as roff has it: what it would read as a request or a typographer's sign stays what it is.
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
  const std::string help = option.get_description(), value = value_name(option);
  std::string names;
  for (const std::string& name : names_of(option)) names += (names.empty() ? "" : ", ") + bold(name);
  if (option.get_positional()) names = bold(option.get_name(true));
  if (!value.empty()) names += fmt::format(" \\fI{}\\fR", roff(value));
  std::string text = fmt::format(".TP\n{}\n{}.\n", names, roff(on_one_line(help)));
  const std::vector<std::string> choices = choices_of(option);
  const bool said = value == kYesOrNo || std::ranges::all_of(choices, [&](const std::string& choice) {
                      return help.find(choice) != std::string::npos;
                    });
  if (!said) text += roff(fmt::format("One of {}.", fmt::join(choices, ", "))) + "\n";
  if (const std::string range = range_of(option); !range.empty()) {
    text += roff(fmt::format("Range: {}.", range)) + "\n";
  }
  std::string preset = option.get_default_str();
  if (value == kYesOrNo) preset = preset == "0" || preset == "false" ? "no" : "yes";
  if (!preset.empty()) text += roff(fmt::format("Default: {}", preset)) + "\n";
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

/// The lines behind a verb's help. Those with two spaces before them are commands, or words and what they
/// mean.
std::string footer_text(const std::string& footer) {
  std::string text;
  std::istringstream lines(footer);
  bool within = false;  // a paragraph
  for (std::string line; std::getline(lines, line);) {
    if (line == "Example:" || line == "Examples:") {
      text += ".SH EXAMPLES\n";
      within = true;
    } else if (line.starts_with("  ")) {
      const std::string entry = line.substr(2);
      const std::size_t gap = entry.find("  ");
      if (gap == std::string::npos) {
        text += fmt::format(".IP $ 2\n{}\n", roff(entry));
      } else {
        text += fmt::format(".TP 16\n{}\n{}\n", bold(entry.substr(0, gap)),
                            roff(entry.substr(entry.find_first_not_of(' ', gap))));
      }
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

std::string synopsis(const CLI::App& app) {
  std::istringstream lines(dynamic_cast<const CLI::Formatter&>(*app.get_formatter()).make_usage(&app, ""));
  std::string text;
  constexpr std::size_t kUsage = std::string_view("Usage: ").size();
  for (std::string line; std::getline(lines, line);) {
    text += fmt::format("{}{}\n", text.empty() ? "" : ".br\n", roff(line.substr(kUsage)));
  }
  return text;
}

/// What all pages have above their own part. No hyphens and no wide spaces: words are to be typed as they
/// stand.
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

std::string verb_page(const CLI::App& program, const CLI::App& verb) {
  std::string text = page_head(page_name(verb), verb, verb.get_description());
  std::string arguments;
  for (const CLI::Option* option : verb.get_options()) {
    if (option->get_positional()) arguments += option_entry(*option);
  }
  if (!arguments.empty()) text += ".SH ARGUMENTS\n" + arguments;
  text += ".SH OPTIONS\n" + options_text(verb) + ".SS Every verb\n";
  for (const CLI::Option* option : common_options(program)) text += option_entry(*option);
  const std::string footer = footer_text(verb.get_footer());
  if (!footer.starts_with(".SH")) text += ".SH NOTES\n";
  return text + footer + ".SH SEE ALSO\n" + bold("dovetail") + "(1)\n";
}

std::string program_page(const CLI::App& program) {
  std::string text =
      page_head("dovetail", program, "find the entities that two knowledge graphs have in common");
  text += ".SH DESCRIPTION\n" + roff(program.get_description()) + "\n.SH VERBS\n";
  for (const CLI::App* verb : listed_verbs(program)) {
    text += fmt::format(".TP\n{}(1)\n{}\n", bold(page_name(*verb)), roff(verb->get_description()));
  }
  text += ".SH OPTIONS\n" + options_text(program);
  text += R"(.SH EXIT STATUS
.TP 5
0
All went well.
.TP 5
1
A defect of the program.
.TP 5
2
Something that can be mended: arguments, input or what was to be written. The message says what.
.TP 5
130
Stopped by Ctrl\-C; nothing half\-written is left.
.SH ENVIRONMENT
.TP
\fBNO_COLOR\fR
If set, nothing is coloured.
.SH EXAMPLES
.IP $ 2
dovetail generate pair \-\-entities 1000 \-\-seed\-ratio 0.3
.IP $ 2
dovetail align pair \-\-out alignment
.SH SEE ALSO
)";
  std::string others;
  for (const CLI::App* verb : listed_verbs(program)) {
    others += fmt::format("{}{}(1)", others.empty() ? "" : ",\n", bold(page_name(*verb)));
  }
  return text + others + "\n";
}

void write(const std::filesystem::path& path, const std::string& text) {
  std::error_code refused;  // the file below says it better
  std::filesystem::create_directories(path.parent_path(), refused);
  write_whole(path, text);
}

/// Where Unix looks for them below share.
void write_manual(const CLI::App& program, const std::filesystem::path& share) {
  const std::filesystem::path pages = share / "man" / "man1";
  write(pages / "dovetail.1", program_page(program));
  for (const CLI::App* verb : listed_verbs(program)) {
    write(pages / (page_name(*verb) + ".1"), verb_page(program, *verb));
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
  set_usage(*sub, "Usage: dovetail manual SHARE");
  sub->add_option("SHARE", *share, "Such as /usr/local/share")->required()->type_name("");
  sub->callback([&app, share] { write_manual(app, *share); });
}

#include "help.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <utility>

namespace {

/// CLI11's help, but with usage lines of our own and without remarks on how often an option may stand.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter(std::string usage, std::size_t first_column) : usage_(std::move(usage)) {
    column_width(first_column);
  }

  std::string make_usage(const CLI::App* /*app*/, std::string /*name*/) const override {
    return usage_ + "\n";
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string value = value_name(*option);
    std::string text = value.empty() ? "" : " " + value;
    if (!option->get_default_str().empty()) text += "=" + option->get_default_str();
    return text;
  }

 private:
  std::string usage_;
};

}  // namespace

void set_usage(CLI::App& app, const std::string& usage, std::size_t first_column) {
  app.formatter(std::make_shared<HelpFormatter>(usage, first_column));
}

CLI::Validator one_of(const std::vector<std::string>& names) {
  CLI::Validator validator = CLI::IsMember(names);
  // CLI11 appends it to the type, "FORMAT:{csv,tsv}", where choices_of() finds it.
  validator.description(fmt::format("{{{}}}", fmt::join(names, ",")));
  return validator;
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
  if (type == kYesOrNo) return {"yes", "no"};
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

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<const CLI::Option*> listed_options(const CLI::App& app) {
  return app.get_options(
      [](const CLI::Option* option) { return option->nonpositional() && !option->get_group().empty(); });
}

std::vector<const CLI::Option*> common_options(const CLI::App& program) {
  return program.get_options([&](const CLI::Option* option) {
    return option != program.get_help_ptr() && option != program.get_version_ptr();
  });
}

std::vector<const CLI::App*> listed_verbs(const CLI::App& program) {
  return program.get_subcommands([](const CLI::App* verb) { return !verb->get_group().empty(); });
}

#include <memory>
#include <utility>

#include "verbs.h"

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
    std::string text = option->get_type_name().empty() ? "" : " " + option->get_type_name();
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

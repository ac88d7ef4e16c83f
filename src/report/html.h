#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

/// The first column names the row.
struct Table {
  std::string caption;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};
[[nodiscard]] std::string html(const Table& table);

/// A page that needs no other file. `style` is CSS beside what every page has, `body` HTML.
[[nodiscard]] std::string html_page(std::string_view title, std::string_view style, std::string_view body);

/// Somebody else's text as it may stand in a page: markup and control characters spelt out, a long one cut.
[[nodiscard]] std::string html_text(std::string_view text);

/// A value as a script element may hold it: nothing in it ends the element or a line of script.
[[nodiscard]] std::string script_json(const nlohmann::json& value);

}  // namespace dovetail

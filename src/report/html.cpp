#include "report/html.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/text.h"
#include "report/assets.h"

namespace dovetail {

std::string html(const Table& table) {
  std::string text =
      fmt::format("<div class=\"scroll\">\n<table>\n<caption>{}</caption>\n<tr>", html_text(table.caption));
  for (const std::string& name : table.header) text += fmt::format("<th>{}</th>", html_text(name));
  text += "</tr>\n";
  for (const auto& row : table.rows) {
    text += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c) {
      text += fmt::format("<{0}>{1}</{0}>", c == 0 ? "th" : "td", html_text(row[c]));
    }
    text += "</tr>\n";
  }
  return text + "</table>\n</div>\n";
}

std::string html_page(std::string_view title, std::string_view style, std::string_view body) {
  // The policy holds even where something were not escaped: the page loads nothing and sends nothing.
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'; img-src data:\">\n"
      "<title>{0}</title>\n<style>\n{1}{2}</style>\n</head>\n<body>\n<h1>{0}</h1>\n{3}</body>\n</html>\n",
      html_text(title), kPageStyle, style, body);
}

std::string html_text(std::string_view text) {
  constexpr std::size_t kLongest = 300;
  return xml_escaped(shortened(text, kLongest));
}

std::string script_json(const nlohmann::json& value) {
  // ASCII alone: some characters beyond it end a line of script or turn the direction of writing.
  const std::string text = value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace dovetail

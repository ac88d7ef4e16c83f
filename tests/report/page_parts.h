#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace dovetail::test {

/// How often a part is in a text.
inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// What the script of a run's page gets.
inline nlohmann::json figures_of(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"figures\">";
  const std::size_t at = page.find(begin) + begin.size();
  return nlohmann::json::parse(page.substr(at, page.find("</script>", at) - at));
}

}  // namespace dovetail::test

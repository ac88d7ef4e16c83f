#include "formats/id_table.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "common/text.h"

namespace dovetail {

bool parse_id(std::string_view text, std::uint64_t& id) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  return error == std::errc{} && end == text.data() + text.size() && text.size() <= 18;
}

void fail_id_row(const TextInput& input, std::string_view line, std::uint64_t line_number,
                 std::size_t columns) {
  const auto found = static_cast<std::size_t>(std::count(line.begin(), line.end(), '\t')) + 1;
  if (columns > 1 && found != columns) {
    input.fail(line_number,
               fmt::format("found {} column{}; expected {} between tabs", found, plural(found), columns));
  }
  for (std::size_t column = 1;; ++column) {
    const std::string_view field = line.substr(0, line.find('\t'));
    std::uint64_t id = 0;
    if (!parse_id(field, id) || column == columns) {
      input.fail(line_number, fmt::format("found {} in column {}; expected an id, a whole number below 10^18",
                                          shown(field), column));
    }
    line.remove_prefix(field.size() + 1);
  }
}

}  // namespace dovetail

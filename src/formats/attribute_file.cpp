#include "formats/attribute_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

#include "common/text.h"
#include "formats/name_limit.h"
#include "formats/text_input.h"

namespace dovetail {
namespace {

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  while (true) {
    const std::size_t tab = line.find('\t');
    fields.push_back(line.substr(0, tab));
    if (tab == line.npos) return fields;
    line.remove_prefix(tab + 1);
  }
}

AttributeRule rule_of(const TextInput& input, std::uint64_t number, std::string_view line) {
  const std::vector<std::string_view> fields = fields_of(line);
  if (fields.size() != 3) {
    input.fail(number, fmt::format("{} found; expected a left attribute, a right attribute and same or "
                                   "different, with tabs between them",
                                   fields.size() == 1 ? "1 field" : fmt::format("{} fields", fields.size())));
  }
  for (const std::string_view name : {fields[0], fields[1]}) {
    if (name.empty()) input.fail(number, "an empty name; expected that of an attribute");
    check_name(input.name(), number, name);
  }
  if (fields[2] != "same" && fields[2] != "different") {
    input.fail(number, fmt::format("{} found; expected same or different", shown(fields[2])));
  }
  return {std::string(fields[0]), std::string(fields[1]), fields[2] == "same", number};
}

}  // namespace

std::vector<AttributeRule> read_attribute_rules(const std::filesystem::path& path, Observer& observer) {
  TextInput input(path, observer);
  std::vector<AttributeRule> rules;
  std::string_view block;
  while (input.next_block(block)) {
    std::uint64_t number = input.block_line();
    while (!block.empty()) {
      const std::size_t end = std::min(block.find('\n'), block.size());
      std::string_view line = block.substr(0, end);
      block.remove_prefix(std::min(end + 1, block.size()));
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (!line.empty() && !line.starts_with('#')) rules.push_back(rule_of(input, number, line));
      ++number;
    }
  }
  return rules;
}

}  // namespace dovetail

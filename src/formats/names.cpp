#include "formats/names.h"

#include <dovetail/errors.h>
#include <dovetail/files.h>

#include <fmt/format.h>
#include <simdjson.h>
#include <string_view>

#include "common/text.h"
#include "formats/name_limit.h"

namespace dovetail {

namespace {

namespace dom = simdjson::dom;

[[noreturn]] void refuse(const std::filesystem::path& path, std::size_t entry, const std::string& found) {
  throw InputError(path.string(), 0,
                   fmt::format("entry {} is {}; expected [entity, name] or [entity, [word, ...]]", entry + 1,
                               shown(found)));
}

bool append_words(std::string& name, const dom::element& element) {
  if (element.is_string()) {
    name += std::string_view(element.get_string());
    return true;
  }
  if (!element.is_array()) return false;
  for (const dom::element word : element.get_array()) {
    if (!word.is_string()) return false;
    if (!name.empty()) name += ' ';
    name += std::string_view(word.get_string());
  }
  return true;
}

}  // namespace

std::vector<GivenName> read_names(const std::filesystem::path& path) {
  dom::parser parser;
  dom::array entries;
  const simdjson::padded_string text(read_whole(path));
  if (const auto error = parser.parse(text).get_array().get(entries); error != simdjson::SUCCESS) {
    throw InputError(path.string(), 0,
                     fmt::format("{}; expected a JSON list of names, [[entity, [word, ...]], ...]",
                                 simdjson::error_message(error)));
  }
  std::vector<GivenName> names;
  for (const dom::element entry : entries) {
    dom::array pair;
    const std::size_t number = names.size();
    const auto fail = [&] { refuse(path, number, simdjson::minify(entry)); };
    if (entry.get_array().get(pair) != simdjson::SUCCESS || pair.size() != 2) fail();
    GivenName& given = names.emplace_back();
    const dom::element entity = pair.at(0);
    if (entity.is_uint64()) {
      given.entity = std::to_string(std::uint64_t(entity.get_uint64()));
    } else if (entity.is_string()) {
      given.entity = std::string_view(entity.get_string());
    } else {
      fail();
    }
    if (!append_words(given.name, pair.at(1))) fail();
    check_name(path.string(), 0, given.name);
  }
  return names;
}

}  // namespace dovetail

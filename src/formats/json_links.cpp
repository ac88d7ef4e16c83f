#include <dovetail/errors.h>
#include <dovetail/files.h>

#include <algorithm>
#include <fmt/format.h>
#include <simdjson.h>
#include <string>

#include "common/text.h"
#include "formats/link_reader.h"

namespace dovetail {

namespace {

namespace ondemand = simdjson::ondemand;

/// [{"left": "...", "right": "...", "confidence": 0.9}, ...]; the confidence may be called score, or be
/// missing.
RawLink link_of(ondemand::object object, std::uint64_t line) {
  RawLink link{.left = {}, .right = {}, .score = std::nullopt, .line = line};
  for (auto field : object) {
    const std::string_view key = field.unescaped_key();
    if (key == "left") link.left = field.value().get_string();
    if (key == "right") link.right = field.value().get_string();
    if (key == "confidence" || (key == "score" && !link.score)) link.score = field.value().get_double();
    link.confident = link.confident || key == "confidence";
  }
  return link;
}

}  // namespace

void read_json_links(const std::filesystem::path& path, const LinkHandler& handler) {
  const simdjson::padded_string text(read_whole(path));
  const char* seen = text.data();
  std::uint64_t line = 1;
  const auto refuse = [&](const std::string& found) {
    throw InputError(
        path.string(), line,
        fmt::format("found {}; expected a list of objects with left, right and perhaps score", found));
  };
  try {
    ondemand::parser parser;
    ondemand::document document = parser.iterate(text);
    for (auto entry : document.get_array()) {
      ondemand::value value = std::move(entry).value();
      const std::string_view raw = value.raw_json_token();
      line += static_cast<std::uint64_t>(std::count(seen, raw.data(), '\n'));
      seen = raw.data();
      const RawLink link = link_of(value.get_object(), line);
      if (link.left.empty() || link.right.empty()) refuse("an object without left or right");
      handler(link);
    }
    if (document.current_location().error() != simdjson::OUT_OF_BOUNDS)
      refuse("more behind the end of the list");
  } catch (const simdjson::simdjson_error& error) {
    refuse(fmt::format("no link ({})", error.what()));
  }
}

}  // namespace dovetail

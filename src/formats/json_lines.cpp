#include "formats/json_lines.h"

#include <dovetail/errors.h>

#include <array>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <simdjson.h>
#include <string>
#include <vector>

#include "common/text.h"
#include "formats/entity_rows.h"
#include "formats/text_input.h"
#include "formats/wide_table.h"

namespace dovetail {

namespace {

namespace dom = simdjson::dom;

constexpr std::size_t kDeepest = 16;  // objects within objects

/// A single value as a table's cell would have it; nothing for null, lists and objects.
std::optional<std::string> text_of(const dom::element& element) {
  switch (element.type()) {
    case dom::element_type::STRING:
      return std::string(std::string_view(element.get_string()));
    case dom::element_type::INT64:
      return fmt::format("{}", std::int64_t(element.get_int64()));
    case dom::element_type::UINT64:
      return fmt::format("{}", std::uint64_t(element.get_uint64()));
    case dom::element_type::DOUBLE:
      return fmt::format("{}", double(element.get_double()));
    case dom::element_type::BOOL:
      return bool(element.get_bool()) ? "true" : "false";
    default:
      return std::nullopt;
  }
}

class JsonLines {
 public:
  JsonLines(const std::filesystem::path& path, const LoadOptions& options, Side side, GraphBuilder& builder,
            Observer& observer)
      : input_(path, observer), rows_(options, builder) {
    const std::vector<std::string>& chosen = options.wide_table.id_columns;
    if (!chosen.empty()) {
      id_keys_ = {side == Side::right && chosen.size() > 1 ? chosen[1] : chosen[0]};
      id_is_chosen_ = true;
    }
  }

  void read() {
    std::string_view block;
    while (input_.next_block(block)) {
      place_.line = input_.block_line();
      for (; !block.empty(); ++place_.line) {
        const std::size_t end = block.find('\n');
        add(trimmed(block.substr(0, end)));
        block.remove_prefix(end == block.npos ? block.size() : end + 1);
      }
    }
    (void)rows_.relate();
  }

  [[nodiscard]] std::string_view ids() const { return id_key_; }

 private:
  [[noreturn]] void fail(const std::string& problem) const { input_.fail(place_.line, problem); }

  void add(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) return;
    dom::object object;
    const auto error = parser_.parse(line.data(), line.size()).get_object().get(object);
    if (error != simdjson::SUCCESS) {
      fail(fmt::format("found {}: {}; expected a JSON object a line", shown(line),
                       simdjson::error_message(error)));
    }
    ++number_;
    const std::uint32_t entity = rows_.row("", id_of(object), place_);
    add_object(entity, "", object, 0);
  }

  std::string id_of(const dom::object& object) {
    for (const std::string& key : id_keys_) {
      dom::element element;
      if (object.at_key(key).get(element) != simdjson::SUCCESS) continue;
      const auto id = text_of(element);
      if (!id || id->empty()) fail(fmt::format("{} holds no id; expected a text or a number", shown(key)));
      id_key_ = key;
      return *id;
    }
    if (id_is_chosen_) fail(fmt::format("found no key {}; expected the id", shown(id_keys_[0])));
    return fmt::format("{}", number_);
  }

  void add_object(std::uint32_t entity, const std::string& above, const dom::object& object,
                  std::size_t depth) {
    if (depth > kDeepest) fail(fmt::format("found objects in objects over {} deep", kDeepest));
    for (const dom::key_value_pair field : object) {
      std::string key = above + std::string(field.key);
      if (!id_key_.empty() && key == id_key_) continue;
      add_value(entity, key, field.value, depth);
    }
  }

  void add_value(std::uint32_t entity, const std::string& key, const dom::element& element,
                 std::size_t depth) {
    if (element.is_array()) {
      if (depth > kDeepest) fail(fmt::format("found lists in lists over {} deep", kDeepest));
      for (const dom::element one : element.get_array()) add_value(entity, key, one, depth + 1);
    } else if (element.is_object()) {
      add_object(entity, key + ".", element.get_object(), depth + 1);
    } else if (const auto text = text_of(element)) {
      rows_.cell(entity, column(key), *text, place_);
    }
  }

  const EntityRows::Column& column(const std::string& key) {
    const auto found = columns_.find(key);
    return found != columns_.end() ? found->second
                                   : columns_.emplace(key, rows_.column(key, "")).first->second;
  }

  TextInput input_;
  EntityRows rows_;
  dom::parser parser_;
  std::vector<std::string> id_keys_ = {"id", "_id", "@id"};
  bool id_is_chosen_ = false;
  std::string id_key_;  // the one that is there
  std::map<std::string, EntityRows::Column> columns_;
  Place place_{input_.name(), 1};
  std::uint64_t number_ = 0;
};

}  // namespace

void read_json_lines(const std::filesystem::path& path, const LoadOptions& options, Side side,
                     GraphBuilder& builder, Observer& observer) {
  set_iri_prefix(path, options, side, builder);
  JsonLines lines(path, options, side, builder, observer);
  lines.read();
  observer.note(fmt::format("{}: one JSON object a line, an entity each; {}", path.filename().string(),
                            lines.ids().empty() ? std::string("ids are row numbers")
                                                : fmt::format("ids are in {}", shown(lines.ids()))));
}

}  // namespace dovetail

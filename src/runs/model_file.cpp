#include "runs/model_file.h"

#include <dovetail/errors.h>
#include <dovetail/parameters.h>
#include <dovetail/version.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "runs/checked_file.h"

namespace dovetail {

namespace {

constexpr std::string_view kModelMagic = "DOVETAIL MODEL\n";
constexpr std::uint32_t kModelVersion = 3;

template <typename Enum>
Enum enum_value(const std::string& name) {
  for (const auto& [value, known] : EnumNames<Enum>::kNames) {
    if (known == name) return value;
  }
  throw std::out_of_range(name);
}

nlohmann::json header_of(const Model& model) {
  return {{"dovetail", kVersion},
          {"dimension", model.encoder.dimension},
          {"depth", model.encoder.depth},
          {"entity_feature", enum_name(model.encoder.entity_feature)},
          {"relation_feature", model.encoder.relation_feature},
          {"attention_kind", enum_name(model.encoder.attention)},
          {"transform", enum_name(model.encoder.transform)},
          {"reflection", enum_name(model.encoder.reflection)},
          {"representation", enum_name(model.encoder.representation)},
          {"self_loops", model.encoder.self_loops},
          {"seed", model.seed},
          {"entity_count", model.entity_count},
          {"relation_rows", model.relation_rows},
          {"tied", model.tied.size()},
          {"entities", model.entities.size()},
          {"relations", model.relations.size()},
          {"attention", model.attention.size()},
          {"linear", model.linear.size()},
          {"entity_keys", model.entity_keys.size()},
          {"relation_keys", model.relation_keys.size()}};
}

void read_body(CheckedReader& reader, const nlohmann::json& header, Model& model) {
  model.encoder.dimension = header.at("dimension");
  model.encoder.depth = header.at("depth");
  model.encoder.entity_feature = enum_value<EntityFeature>(header.at("entity_feature"));
  model.encoder.relation_feature = header.at("relation_feature");
  model.encoder.attention = enum_value<Attention>(header.at("attention_kind"));
  model.encoder.reflection = enum_value<Reflection>(header.at("reflection"));
  if (header.contains("transform")) {  // since format 2
    model.encoder.transform = enum_value<Transform>(header.at("transform"));
    model.encoder.representation = enum_value<Representation>(header.at("representation"));
    model.encoder.self_loops = header.at("self_loops");
  }
  model.seed = header.at("seed");
  model.entity_count = header.at("entity_count");
  model.relation_rows = header.at("relation_rows");
  reader.read_values(model.tied, header.at("tied"));
  reader.read_values(model.entities, header.at("entities"));
  reader.read_values(model.relations, header.at("relations"));
  reader.read_values(model.attention, header.at("attention"));
  reader.read_values(model.linear, header.value("linear", std::uint64_t{0}));
  reader.read_values(model.entity_keys, header.value("entity_keys", std::uint64_t{0}));  // since format 3
  reader.read_values(model.relation_keys, header.value("relation_keys", std::uint64_t{0}));
  // Nothing is computed from the dimension that could overflow: a row of it has been read, or there are none.
  const std::size_t dimension = model.encoder.dimension;
  const auto holds = [&](const std::vector<float>& values, std::size_t rows) {
    return dimension > 0 && values.size() % dimension == 0 && values.size() / dimension == rows;
  };
  if (!holds(model.entities, model.entity_count) || !holds(model.relations, model.relation_rows)) {
    reader.fail("its numbers of entities, relations and dimensions contradict each other");
  }
  const auto keys_fit = [](const std::vector<std::uint32_t>& keys, std::size_t rows) {
    return keys.empty() || keys.size() == rows;
  };
  if (!keys_fit(model.entity_keys, model.entity_count) ||
      !keys_fit(model.relation_keys, model.relation_rows)) {
    reader.fail("its keys are not as many as its entities and relations");
  }
}

}  // namespace

void save_model(const Model& model, const std::filesystem::path& path) {
  CheckedWriter file(path, kModelMagic, kModelVersion, header_of(model).dump());
  file.write_values(std::span(model.tied));
  file.write_values(std::span(model.entities));
  file.write_values(std::span(model.relations));
  file.write_values(std::span(model.attention));
  file.write_values(std::span(model.linear));
  file.write_values(std::span(model.entity_keys));
  file.write_values(std::span(model.relation_keys));
  file.commit();
}

Model load_model(const std::filesystem::path& path) {
  CheckedReader reader(path, "model", kModelMagic);
  if (reader.version() > kModelVersion) {
    reader.fail(fmt::format("it is of format {}, written by a later version of Dovetail", reader.version()));
  }
  Model model;
  try {
    read_body(reader, nlohmann::json::parse(reader.header()), model);
  } catch (const nlohmann::json::exception&) {
    reader.fail("its header is damaged");
  } catch (const std::out_of_range& name) {
    reader.fail(fmt::format("it has an option that is not known here, {}", name.what()));
  }
  reader.finish();
  return model;
}

}  // namespace dovetail

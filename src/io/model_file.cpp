#include "io/model_file.h"

#include <dovetail/errors.h>
#include <dovetail/version.h>

#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <xxhash.h>

#include "alignment/parameters.h"
#include "io/byte_source.h"
#include "io/output_file.h"

namespace dovetail {

namespace {

static_assert(std::endian::native == std::endian::little, "model files are written as memory holds them");

constexpr std::string_view kMagic = "DOVETAIL MODEL\n";
constexpr std::uint32_t kVersionOfFormat = 3;

template <typename T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

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

/// Reads pieces of a file and keeps the checksum of all of them.
class CheckedReader {
 public:
  explicit CheckedReader(const std::filesystem::path& path)
      : source_(path), state_(XXH3_createState(), XXH3_freeState) {
    XXH3_64bits_reset(state_.get());
  }

  void read(std::span<char> bytes, bool counts = true) {
    std::size_t filled = 0;
    while (filled < bytes.size()) {
      const std::size_t got = source_.read(bytes.subspan(filled));
      if (got == 0) fail("the file ends too early");
      filled += got;
    }
    if (counts) XXH3_64bits_update(state_.get(), bytes.data(), bytes.size());
  }

  template <typename T>
  T value(bool counts = true) {
    T result{};
    read({reinterpret_cast<char*>(&result), sizeof result}, counts);
    return result;
  }

  template <typename T>
  void read_values(std::vector<T>& values, std::uint64_t count) {
    // What a damaged header claims must not decide how much memory is taken.
    if (count > source_.size() / sizeof(T)) fail("it claims more numbers than it holds");
    values.resize(count);
    read({reinterpret_cast<char*>(values.data()), count * sizeof(T)});
  }

  [[nodiscard]] std::uint64_t checksum() const { return XXH3_64bits_digest(state_.get()); }
  [[nodiscard]] std::uint64_t file_size() const { return source_.size(); }
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(source_.name(), 0,
                     fmt::format("not a usable model: {}; expected one that align has written", what));
  }

 private:
  ByteSource source_;
  std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state_;
};

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
  OutputFile file(path);
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(),
                                                                              XXH3_freeState);
  XXH3_64bits_reset(state.get());
  const auto write = [&](std::string_view bytes) {
    XXH3_64bits_update(state.get(), bytes.data(), bytes.size());
    file.write(bytes);
  };
  const std::string header = header_of(model).dump();
  const auto length = static_cast<std::uint32_t>(header.size());
  write(kMagic);
  write(bytes_of(std::span(&kVersionOfFormat, 1)));
  write(bytes_of(std::span(&length, 1)));
  write(header);
  write(bytes_of(std::span(model.tied)));
  write(bytes_of(std::span(model.entities)));
  write(bytes_of(std::span(model.relations)));
  write(bytes_of(std::span(model.attention)));
  write(bytes_of(std::span(model.linear)));
  write(bytes_of(std::span(model.entity_keys)));
  write(bytes_of(std::span(model.relation_keys)));
  const std::uint64_t checksum = XXH3_64bits_digest(state.get());
  file.write(bytes_of(std::span(&checksum, 1)));
  file.commit();
}

Model load_model(const std::filesystem::path& path) {
  CheckedReader reader(path);
  std::string magic(kMagic.size(), '\0');
  reader.read(magic);
  if (magic != kMagic) reader.fail("it does not begin like one");
  const auto version = reader.value<std::uint32_t>();
  if (version > kVersionOfFormat) {
    reader.fail(fmt::format("it is of format {}, written by a later version of Dovetail", version));
  }
  const auto length = reader.value<std::uint32_t>();
  if (length > reader.file_size()) reader.fail("its header is longer than the file");
  std::string text(length, '\0');
  reader.read(text);
  Model model;
  try {
    read_body(reader, nlohmann::json::parse(text), model);
  } catch (const nlohmann::json::exception&) {
    reader.fail("its header is damaged");
  } catch (const std::out_of_range& name) {
    reader.fail(fmt::format("it has an option that is not known here, {}", name.what()));
  }
  const std::uint64_t checksum = reader.checksum();
  if (reader.value<std::uint64_t>(false) != checksum) reader.fail("its checksum does not fit its content");
  return model;
}

}  // namespace dovetail

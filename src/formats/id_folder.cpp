#include <dovetail/errors.h>
#include <dovetail/graph_builder.h>

#include <array>
#include <fmt/format.h>
#include <span>
#include <string>

#include "common/text.h"
#include "formats/folders.h"
#include "formats/id_table.h"
#include "formats/names.h"

namespace dovetail {

namespace {

/// One graph of a folder in which entities and relations are numbers.
class IdGraph {
 public:
  IdGraph(std::filesystem::path folder, int side, const LoadOptions& options, Observer& observer)
      : folder_(std::move(folder)), side_(side), options_(options), observer_(observer) {}

  KnowledgeGraph load(std::span<const GivenName> names) {
    if (const auto path = file("ent_ids"); !path.empty()) read_entities(path);
    if (const auto path = file("rel_ids"); !path.empty()) {
      read_id_names(path, observer_, [&](std::uint64_t id, std::string_view name, std::uint64_t line) {
        if (relations_.find(id) != kNone) {
          throw InputError(path.string(), line,
                           fmt::format("found id {} a second time; expected each id once", id));
        }
        relations_.insert(id, builder_.relation(name));
      });
    }
    read_triples(need_file(folder_, fmt::format("triples_{}", side_)));
    for (const GivenName& given : names) {
      std::uint64_t id = 0;
      const std::uint32_t entity = parse_id(given.entity, id) ? entities_.find(id) : kNone;
      if (entity != kNone) builder_.label(entity, given.name);
    }
    return std::move(builder_).build(side_seed(options_, side_ == 1 ? Side::left : Side::right));
  }

  [[nodiscard]] std::uint32_t number(std::uint64_t id) const { return entities_.find(id); }
  [[nodiscard]] const void* place(std::uint64_t id) const { return entities_.place(id); }

 private:
  [[nodiscard]] std::filesystem::path file(const char* name) const {
    return find_file(folder_, fmt::format("{}_{}", name, side_));
  }

  void read_entities(const std::filesystem::path& path) {
    declared_ = path.filename().string();
    // The file's size is a bound for the names where it is not compressed, and a start where it is.
    const auto bytes = static_cast<std::size_t>(std::filesystem::file_size(path));
    builder_.reserve_entities(bytes / 40, bytes);
    read_id_names(path, observer_, [&](std::uint64_t id, std::string_view name, std::uint64_t line) {
      if (entities_.find(id) != kNone) {
        throw InputError(path.string(), line,
                         fmt::format("found id {} a second time; expected each id once", id));
      }
      entities_.insert(id, builder_.add_entity(name));
    });
  }

  void read_triples(const std::filesystem::path& path) {
    const auto places = [&](const std::array<std::uint64_t, 3>& ids) {
      return std::array{entities_.place(ids[0]), entities_.place(ids[2])};
    };
    read_waiting_rows<3>(path, observer_, places, [&](std::span<const IdRow<3>> rows) {
      for (const auto& [ids, line] : rows) {
        const std::uint32_t head = entity(ids[0], path, line);
        std::uint32_t relation = relations_.find(ids[1]);
        if (relation == kNone) {
          relation = builder_.relation(std::to_string(ids[1]));
          relations_.insert(ids[1], relation);
        }
        builder_.triple(head, relation, entity(ids[2], path, line));
      }
    });
  }

  std::uint32_t entity(std::uint64_t id, const std::filesystem::path& path, std::uint64_t line) {
    std::uint32_t number = entities_.find(id);
    if (number == kNone) {
      if (!declared_.empty()) {
        throw InputError(path.string(), line,
                         fmt::format("found id {}, which has no entity in {}; expected an id listed there",
                                     id, declared_));
      }
      number = builder_.add_entity(std::to_string(id));
      entities_.insert(id, number);
    }
    return number;
  }

  std::filesystem::path folder_;
  int side_;
  const LoadOptions& options_;
  Observer& observer_;
  GraphBuilder builder_;
  std::string declared_;  // the file that lists the entities; empty: there is none
  IdMap entities_;
  IdMap relations_;
};

std::filesystem::path first_of(const std::filesystem::path& folder,
                               std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (auto path = find_file(folder, name); !path.empty()) return path;
  }
  return {};
}

LinkFiles link_files(const std::filesystem::path& folder) {
  LinkFiles files;
  files.train = first_of(folder, {"sup_ent_ids", "sup_pairs", "train_links"});
  files.valid = first_of(folder, {"valid_ent_ids", "valid_pairs", "valid_links"});
  const auto reference = first_of(folder, {"ref_ent_ids", "ref_pairs", "test_links"});
  (files.train.empty() && files.valid.empty() ? files.any : files.test) = reference;
  return files;
}

}  // namespace

LoadedPair load_id_folder(const std::filesystem::path& folder, const LoadOptions& options,
                          Observer& observer) {
  const auto names_file = options.names.empty() ? find_file(folder, "translated_names.json") : options.names;
  const std::vector<GivenName> names = names_file.empty() ? std::vector<GivenName>{} : read_names(names_file);
  IdGraph left(folder, 1, options, observer);
  IdGraph right(folder, 2, options, observer);
  GraphPair graphs =
      build_both(options.threads, [&](Side side) { return (side == Side::left ? left : right).load(names); });
  const auto find_id = [&](Side side, std::uint64_t id) -> EntityId {
    const std::uint32_t number = (side == Side::left ? left : right).number(id);
    return number == kNone ? kNone : graphs.graph(side).nth_in_source(number);
  };
  const auto find = [&](Side side, std::string_view text) -> EntityId {
    std::uint64_t id = 0;
    return parse_id(text, id) ? find_id(side, id) : kNone;
  };
  LinkCollector collector(find, graphs.left().entity_count(), graphs.right().entity_count(), options.strict,
                          observer);
  collector.allow(options.cardinality);
  SeedLinks links =
      read_seed_links(link_files(folder), collector, options.split, [&](const std::filesystem::path& path) {
        return collector.read_ids(path, find_id, [&](const std::array<std::uint64_t, 2>& ids) {
          return std::array{left.place(ids[0]), right.place(ids[1])};
        });
      });
  return {std::move(graphs), std::move(links), "DBP15K ids"};
}

}  // namespace dovetail

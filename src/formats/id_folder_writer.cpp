#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "formats/graph_writer.h"
#include "formats/pair_writer.h"
#include "graph/string_index.h"

namespace dovetail {

namespace {

/// translated_names.json: [[id, [word, ...]], ...].
class NamesFile {
 public:
  explicit NamesFile(const std::filesystem::path& folder) : file_(folder / "translated_names.json") {}

  void add(std::uint64_t id, std::string_view name) {
    nlohmann::json words = nlohmann::json::array();
    while (!name.empty()) {
      const std::size_t end = std::min(name.find(' '), name.size());
      if (end > 0) words.push_back(name.substr(0, end));
      name.remove_prefix(std::min(end + 1, name.size()));
    }
    const char* before = file_.started() ? ", " : "[";
    file_.get() << before << fmt::format("[{}, {}]", id, words.dump());
  }

  void commit() {
    if (file_.started()) file_.get() << "]\n";
    file_.commit();
  }

 private:
  LazyFile file_;
};

/// The relations of both graphs under one numbering: the same identifier gets the same id.
struct SharedRelations {
  StringTable names;
  StringIndex index;
};

/// ent_ids_N, rel_ids_N and triples_N of one side.
class IdGraphSink : public GraphSink {
 public:
  IdGraphSink(const std::filesystem::path& folder, int side, SharedRelations& shared, NamesFile& names)
      : entities_(folder / fmt::format("ent_ids_{}", side)),
        relations_(folder / fmt::format("rel_ids_{}", side)),
        triples_(folder / fmt::format("triples_{}", side)),
        shared_(shared),
        names_(names) {}

  void relation(Term relation) override {
    check_tsv_field(relations_.path(), relation.identifier);
    relation_ids_.push_back(shared_.index.find_or_append(shared_.names, relation.identifier));
    relations_ << fmt::format_int(relation_ids_.back()).str() << "\t" << relation.identifier << "\n";
  }

  void entity(Term entity, std::string_view label) override {
    check_tsv_field(entities_.path(), entity.identifier);
    entities_ << fmt::format_int(id(entity.number)).str() << "\t" << entity.identifier << "\n";
    if (!label.empty()) names_.add(id(entity.number), label);
    ++count_;
  }

  void triple(Term head, Term relation, Term tail) override {
    const fmt::format_int h(id(head.number));
    const fmt::format_int r(relation_ids_[relation.number]);
    const fmt::format_int t(id(tail.number));
    triples_ << std::string_view(h.data(), h.size()) << "\t" << std::string_view(r.data(), r.size()) << "\t"
             << std::string_view(t.data(), t.size()) << "\n";
  }

  /// There is no place for literals; the names among them came with entity().
  void literal(Term /*subject*/, std::string_view /*attribute*/, std::string_view /*value*/) override {}

  void start_at(std::uint64_t first_id) { first_id_ = first_id; }
  [[nodiscard]] std::uint64_t id(std::uint32_t number) const { return first_id_ + number; }
  [[nodiscard]] std::uint64_t next_id() const { return first_id_ + count_; }

  void commit() {
    for (OutputFile* file : {&entities_, &relations_, &triples_}) file->commit();
  }

 private:
  OutputFile entities_;
  OutputFile relations_;
  OutputFile triples_;
  SharedRelations& shared_;
  NamesFile& names_;
  std::vector<std::uint32_t> relation_ids_;  // by the relation's number on this side
  std::uint64_t first_id_ = 0;
  std::uint64_t count_ = 0;
};

class IdFolderWriter : public PairWriter {
 public:
  IdFolderWriter(const std::filesystem::path& path, const PairTarget& target, Observer& observer)
      : folder_(path,
                folder_target(target,
                              {"ent_ids_1", "ent_ids_2", "rel_ids_1", "rel_ids_2", "triples_1", "triples_2",
                               "ref_ent_ids", "sup_ent_ids", "valid_ent_ids", "translated_names.json"}),
                observer),
        names_(folder_.working_path()),
        left_(folder_.working_path(), 1, shared_, names_),
        right_(folder_.working_path(), 2, shared_, names_),
        reference_(folder_.working_path() / "ref_ent_ids"),
        train_(folder_.working_path() / "sup_ent_ids"),
        valid_(folder_.working_path() / "valid_ent_ids") {}

  GraphSink& side(Side side) override {
    if (side == Side::left) return left_;
    right_.start_at(left_.next_id());  // the left graph comes first, whole
    return right_;
  }

  void link(Term left, Term right, LinkUse use) override {
    // What is for testing is called the reference here, as is what nobody has divided.
    LazyFile& file = use == LinkUse::train ? train_ : use == LinkUse::valid ? valid_ : reference_;
    file.get() << fmt::format("{}\t{}\n", left_.id(left.number), right_.id(right.number));
  }

  void commit() override {
    left_.commit();
    right_.commit();
    names_.commit();
    for (LazyFile* file : {&reference_, &train_, &valid_}) file->commit();
    folder_.commit();
  }

 private:
  OutputFolder folder_;
  NamesFile names_;
  SharedRelations shared_;
  IdGraphSink left_;
  IdGraphSink right_;
  LazyFile reference_;
  LazyFile train_;
  LazyFile valid_;
};

}  // namespace

std::unique_ptr<PairWriter> make_id_folder_writer(const std::filesystem::path& path, const PairTarget& target,
                                                  Observer& observer) {
  return std::make_unique<IdFolderWriter>(path, target, observer);
}

}  // namespace dovetail

#include "formats/pair_writer.h"

#include <array>
#include <string>

#include "formats/format_table.h"
#include "formats/graph_writer.h"
#include "formats/iri.h"
#include "formats/link_writer.h"

namespace dovetail {

namespace {

/// left.EXT, right.EXT and tables of links.
class FilesWriter : public PairWriter {
 public:
  FilesWriter(const std::filesystem::path& path, Format format, const PairTarget& target, Observer& observer)
      : folder_(path,
                folder_target(target, {std::string("left") + format_info(format).extension,
                                       std::string("right") + format_info(format).extension, "links.tsv",
                                       "train_links.tsv", "valid_links.tsv", "test_links.tsv"}),
                observer),
        rdf_(format_entry(format).read_rdf != nullptr),
        left_(make_graph_writer(file("left", format), format)),
        right_(make_graph_writer(file("right", format), format)) {}

  GraphSink& side(Side side) override { return side == Side::left ? *left_ : *right_; }

  void link(Term left, Term right, LinkUse use) override {
    static constexpr std::array kNames = {"links.tsv", "train_links.tsv", "valid_links.tsv",
                                          "test_links.tsv"};
    const auto which = static_cast<std::size_t>(use);
    if (!links_.at(which)) {
      links_.at(which) =
          make_link_writer(folder_.working_path() / kNames.at(which), Format::links_tsv, {.score = {}});
    }
    // RDF knows an entity that is no IRI under a longer name.
    if (rdf_) {
      links_.at(which)->link(to_iri(left.identifier, IriRole::entity),
                             to_iri(right.identifier, IriRole::entity), std::nullopt);
    } else {
      links_.at(which)->link(left.identifier, right.identifier, std::nullopt);
    }
  }

  void commit() override {
    left_->commit();
    right_->commit();
    for (auto& writer : links_) {
      if (writer) writer->commit();
    }
    folder_.commit();
  }

 private:
  [[nodiscard]] std::filesystem::path file(const char* stem, Format format) const {
    return folder_.working_path() / (std::string(stem) + format_info(format).extension);
  }

  OutputFolder folder_;
  bool rdf_;
  std::unique_ptr<GraphWriter> left_;
  std::unique_ptr<GraphWriter> right_;
  std::array<std::unique_ptr<LinkWriter>, 4> links_;  // by LinkUse
};

}  // namespace

std::unique_ptr<PairWriter> make_files_writer(const std::filesystem::path& path, Format format,
                                              const PairTarget& target, Observer& observer) {
  return std::make_unique<FilesWriter>(path, format, target, observer);
}

std::unique_ptr<PairWriter> make_pair_writer(const std::filesystem::path& path, Format format,
                                             const PairTarget& target, Observer& observer) {
  if (format == Format::dbp15k) return make_id_folder_writer(path, target, observer);
  if (format == Format::openea) return make_openea_writer(path, target, observer);
  return make_files_writer(path, format, target, observer);
}

}  // namespace dovetail

#include <fmt/format.h>
#include <string>

#include "formats/graph_writer.h"
#include "formats/pair_writer.h"
#include "graph/literal.h"

namespace dovetail {

namespace {

/// rel_triples_N and attr_triples_N of one side.
class OpenEaSink : public GraphSink {
 public:
  OpenEaSink(const std::filesystem::path& folder, int side)
      : relations_(folder / fmt::format("rel_triples_{}", side)),
        attributes_(folder / fmt::format("attr_triples_{}", side)) {}

  void relation(Term /*relation*/) override {}
  void entity(Term entity, std::string_view label) override {
    if (!label.empty()) literal(entity, kRdfsLabel, make_literal(label, {}, {}));
  }
  void triple(Term head, Term relation, Term tail) override {
    row(relations_, head.identifier, relation.identifier, tail.identifier);
  }
  void literal(Term subject, std::string_view attribute, std::string_view value) override {
    // The format writes plain text bare and typed values as text^^<type>; what a line cannot hold stays
    // escaped.
    const LiteralParts parts = split_literal(value);
    const bool fits = parts.text.find_first_of("\t\n\r") == std::string::npos && !parts.text.empty();
    const bool looks_typed = parts.text.find("^^<") != std::string::npos;
    if (!fits || looks_typed || !parts.language.empty() || parts.text.starts_with('"')) {
      row(attributes_.get(), subject.identifier, attribute, value);
    } else if (parts.datatype.empty()) {
      row(attributes_.get(), subject.identifier, attribute, parts.text);
    } else {
      row(attributes_.get(), subject.identifier, attribute,
          fmt::format("{}^^<{}>", parts.text, parts.datatype));
    }
  }
  void commit() {
    relations_.commit();
    attributes_.commit();
  }

 private:
  static void row(OutputFile& file, std::string_view head, std::string_view relation, std::string_view tail) {
    for (const std::string_view field : {head, relation, tail}) check_tsv_field(file.path(), field);
    file << head << "\t" << relation << "\t" << tail << "\n";
  }

  OutputFile relations_;
  LazyFile attributes_;
};

class OpenEaWriter : public PairWriter {
 public:
  OpenEaWriter(const std::filesystem::path& path, const PairTarget& target, Observer& observer)
      : folder_(path,
                folder_target(target, {"rel_triples_1", "rel_triples_2", "attr_triples_1", "attr_triples_2",
                                       "ent_links", "721_5fold/1/train_links", "721_5fold/1/valid_links",
                                       "721_5fold/1/test_links"}),
                observer),
        left_(folder_.working_path(), 1),
        right_(folder_.working_path(), 2),
        links_(folder_.working_path() / "ent_links"),
        train_(fold() / "train_links"),
        valid_(fold() / "valid_links"),
        test_(fold() / "test_links") {}

  GraphSink& side(Side side) override { return side == Side::left ? left_ : right_; }

  void link(Term left, Term right, LinkUse use) override {
    for (const Term& term : {left, right}) check_tsv_field("ent_links", term.identifier);
    const std::string row = fmt::format("{}\t{}\n", left.identifier, right.identifier);
    links_.get() << row;
    if (use == LinkUse::any) return;
    std::filesystem::create_directories(fold());
    (use == LinkUse::train ? train_ : use == LinkUse::valid ? valid_ : test_).get() << row;
  }

  void commit() override {
    left_.commit();
    right_.commit();
    for (LazyFile* file : {&links_, &train_, &valid_, &test_}) file->commit();
    folder_.commit();
  }

 private:
  [[nodiscard]] std::filesystem::path fold() const { return folder_.working_path() / "721_5fold" / "1"; }

  OutputFolder folder_;
  OpenEaSink left_;
  OpenEaSink right_;
  LazyFile links_;
  LazyFile train_;
  LazyFile valid_;
  LazyFile test_;
};

}  // namespace

std::unique_ptr<PairWriter> make_openea_writer(const std::filesystem::path& path, const PairTarget& target,
                                               Observer& observer) {
  return std::make_unique<OpenEaWriter>(path, target, observer);
}

}  // namespace dovetail

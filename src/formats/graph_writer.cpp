#include "formats/graph_writer.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <fmt/format.h>
#include <string>

#include "common/text.h"
#include "formats/format_table.h"
#include "formats/iri.h"
#include "formats/output_file.h"
#include "graph/literal.h"

namespace dovetail {

void check_tsv_field(const std::filesystem::path& path, std::string_view text) {
  if (text.find_first_of("\t\n\r") == std::string_view::npos) return;
  throw UnsupportedError(
      fmt::format("{}: {} holds a tab or a line's end, which this format cannot; choose CSV or RDF",
                  path.string(), shown(text)));
}

void check_xml_blank(const std::filesystem::path& path, std::string_view iri) {
  if (!iri.starts_with("_:") || iri.substr(2, 1).find_first_of("0123456789-") == std::string_view::npos)
    return;
  throw UnsupportedError(
      fmt::format("{}: {} is a blank node whose label begins with no letter, which XML does not allow; "
                  "choose another format",
                  path.string(), shown(iri)));
}

bool xml_allows(std::string_view text) {
  if (text.find("\xEF\xBF\xBE") != text.npos || text.find("\xEF\xBF\xBF") != text.npos) return false;
  return std::ranges::none_of(text, [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
  });
}

std::string ntriples_node(std::string_view identifier, IriRole role) {
  const std::string iri = to_iri(identifier, role);
  return iri.starts_with("_:") ? iri : "<" + escaped_controls(iri) + ">";
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
  return out;
}

namespace {

/// N-Triples, and N-Quads: a triple is a quad of the default graph.
class NTriplesWriter : public GraphWriter {
 public:
  NTriplesWriter(const std::filesystem::path& path, bool quads) : file_(path), quads_(quads) {}

  void begin_graph(std::string_view iri) override {
    if (quads_) graph_ = iri.empty() ? "" : fmt::format(" <{}>", iri);
  }

  void relation(Term /*relation*/) override {}
  void entity(Term entity, std::string_view label) override {
    if (!label.empty()) literal(entity, kRdfsLabel, make_literal(label, {}, {}));
  }
  void triple(Term head, Term relation, Term tail) override {
    file_ << ntriples_node(head.identifier, IriRole::entity) << " "
          << ntriples_node(relation.identifier, IriRole::relation) << " "
          << ntriples_node(tail.identifier, IriRole::entity) << graph_ << " .\n";
  }
  void literal(Term subject, std::string_view attribute, std::string_view value) override {
    file_ << ntriples_node(subject.identifier, IriRole::entity) << " "
          << ntriples_node(attribute, IriRole::relation) << " " << escaped_controls(value) << graph_
          << " .\n";
  }
  void commit() override { file_.commit(); }

 private:
  OutputFile file_;
  bool quads_;
  std::string graph_;  // as it stands before the full stop
};

class TableWriter : public GraphWriter {
 public:
  TableWriter(const std::filesystem::path& path, char separator) : file_(path), separator_(separator) {
    row("head", "relation", "tail");
  }

  void relation(Term /*relation*/) override {}
  void entity(Term entity, std::string_view label) override {
    if (!label.empty()) row(entity.identifier, kRdfsLabel, make_literal(label, {}, {}));
  }
  void triple(Term head, Term relation, Term tail) override {
    row(head.identifier, relation.identifier, tail.identifier);
  }
  void literal(Term subject, std::string_view attribute, std::string_view value) override {
    row(subject.identifier, attribute, value);
  }
  void commit() override { file_.commit(); }

 private:
  void row(std::string_view head, std::string_view relation, std::string_view tail) {
    if (separator_ == ',') {
      file_ << csv_field(head) << "," << csv_field(relation) << "," << csv_field(tail) << "\n";
      return;
    }
    for (const std::string_view field : {head, relation, tail}) check_tsv_field(file_.path(), field);
    file_ << head << "\t" << relation << "\t" << tail << "\n";
  }

  OutputFile file_;
  char separator_;
};

}  // namespace

std::unique_ptr<GraphWriter> make_line_writer(const std::filesystem::path& path, Format format) {
  if (format == Format::tsv) return std::make_unique<TableWriter>(path, '\t');
  if (format == Format::csv) return std::make_unique<TableWriter>(path, ',');
  return std::make_unique<NTriplesWriter>(path, format == Format::nquads);
}

std::unique_ptr<GraphWriter> make_graph_writer(const std::filesystem::path& path, Format format) {
  const FormatEntry& entry = format_entry(format);
  if (entry.write_graph == nullptr) {
    throw ParameterError(fmt::format("{} is not a format for one graph", entry.info.name));
  }
  return entry.write_graph(path);
}

}  // namespace dovetail

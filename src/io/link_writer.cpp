#include "io/link_writer.h"

#include <dovetail/errors.h>
#include <dovetail/version.h>

#include <fmt/format.h>
#include <string>

#include "common/text.h"
#include "io/graph_writer.h"
#include "io/iri.h"
#include "io/output_file.h"

namespace dovetail {

namespace {

std::string score_text(std::optional<double> score) {
  return score ? fmt::format("{:.6g}", *score) : "";
}

/// Two names a row, and a score that is empty where there is none.
class TableLinkWriter : public LinkWriter {
 public:
  TableLinkWriter(const std::filesystem::path& path, bool csv, bool scores)
      : file_(path), csv_(csv), scores_(scores) {
    row("left", "right", "score");
  }
  void link(std::string_view left, std::string_view right, std::optional<double> score) override {
    row(left, right, score_text(score));
  }
  void commit() override { file_.commit(); }

 private:
  void row(std::string_view left, std::string_view right, std::string_view score) {
    const std::string_view separator = csv_ ? "," : "\t";
    if (csv_) {
      file_ << csv_field(left) << separator << csv_field(right);
    } else {
      for (const std::string_view field : {left, right}) check_tsv_field(file_.path(), field);
      file_ << left << separator << right;
    }
    if (scores_) file_ << separator << score;
    file_ << "\n";
  }

  OutputFile file_;
  bool csv_;
  bool scores_;
};

class SameAsWriter : public LinkWriter {
 public:
  explicit SameAsWriter(const std::filesystem::path& path) : file_(path) {}
  void link(std::string_view left, std::string_view right, std::optional<double> /*score*/) override {
    file_ << node(left) << " <http://www.w3.org/2002/07/owl#sameAs> " << node(right) << " .\n";
  }
  void commit() override { file_.commit(); }

 private:
  static std::string node(std::string_view identifier) {
    std::string iri = to_iri(identifier, IriRole::entity);
    return iri.starts_with("_:") ? iri : "<" + iri + ">";
  }
  OutputFile file_;
};

class SssomWriter : public LinkWriter {
 public:
  explicit SssomWriter(const std::filesystem::path& path) : file_(path) {
    file_ << "#mapping_set_id: urn:dovetail:mapping-set:" << path.filename().string()
          << "\n#license: https://w3id.org/sssom/license/unspecified\n#mapping_tool: dovetail\n"
          << "#mapping_tool_version: \"" << kVersion << "\"\n#curie_map:\n"
          << "#  owl: http://www.w3.org/2002/07/owl#\n#  semapv: https://w3id.org/semapv/vocab/\n"
          << "subject_id\tpredicate_id\tobject_id\tmapping_justification\tconfidence\n";
  }
  void link(std::string_view left, std::string_view right, std::optional<double> score) override {
    file_ << to_iri(left, IriRole::entity) << "\towl:sameAs\t" << to_iri(right, IriRole::entity)
          << "\tsemapv:UnspecifiedMatching\t" << score_text(score) << "\n";
  }
  void commit() override { file_.commit(); }

 private:
  OutputFile file_;
};

class AlignmentApiWriter : public LinkWriter {
 public:
  explicit AlignmentApiWriter(const std::filesystem::path& path) : file_(path) {
    file_ << "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
             "<rdf:RDF xmlns=\"http://knowledgeweb.semanticweb.org/heterogeneity/alignment#\"\n"
             "         xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"\n"
             "         xmlns:xsd=\"http://www.w3.org/2001/XMLSchema#\">\n"
             "<Alignment>\n<xml>yes</xml>\n<level>0</level>\n<type>11</type>\n"
             "<onto1>urn:dovetail:left</onto1>\n<onto2>urn:dovetail:right</onto2>\n";
  }
  void link(std::string_view left, std::string_view right, std::optional<double> score) override {
    file_ << "<map><Cell><entity1 " << reference(left) << "/><entity2 " << reference(right)
          << "/><relation>=</relation><measure rdf:datatype=\"http://www.w3.org/2001/XMLSchema#float\">"
          << score_text(score.value_or(1)) << "</measure></Cell></map>\n";
  }
  void commit() override {
    file_ << "</Alignment>\n</rdf:RDF>\n";
    file_.commit();
  }

 private:
  [[nodiscard]] std::string reference(std::string_view identifier) const {
    const std::string iri = to_iri(identifier, IriRole::entity);
    check_xml_blank(file_.path(), iri);
    return iri.starts_with("_:") ? fmt::format("rdf:nodeID=\"{}\"", iri.substr(2))
                                 : fmt::format("rdf:resource=\"{}\"", xml_escaped(iri));
  }

  OutputFile file_;
};

}  // namespace

std::unique_ptr<LinkWriter> make_link_writer(const std::filesystem::path& path, Format format, bool scores) {
  switch (format) {
    case Format::links_tsv:
    case Format::links_csv:
      return std::make_unique<TableLinkWriter>(path, format == Format::links_csv, scores);
    case Format::same_as:
      return std::make_unique<SameAsWriter>(path);
    case Format::sssom:
      return std::make_unique<SssomWriter>(path);
    case Format::alignment_api:
      return std::make_unique<AlignmentApiWriter>(path);
    default:
      throw ParameterError(fmt::format("{} is not a format for links", format_info(format).name));
  }
}

}  // namespace dovetail

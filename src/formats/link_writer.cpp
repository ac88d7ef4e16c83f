#include "formats/link_writer.h"

#include <dovetail/errors.h>
#include <dovetail/version.h>

#include <cstdint>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>

#include "common/text.h"
#include "formats/graph_writer.h"
#include "formats/iri.h"
#include "formats/output_file.h"

namespace dovetail {

namespace {

std::string score_text(std::optional<double> score) {
  return score ? fmt::format("{:.6g}", *score) : "";
}

/// Two names a row, and a score that is empty where there is none.
class TableLinkWriter : public LinkWriter {
 public:
  TableLinkWriter(const std::filesystem::path& path, bool csv, std::string_view score)
      : file_(path), csv_(csv), scores_(!score.empty()) {
    row("left", "right", score);
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

/// One object a line, so that a line can be named.
class JsonLinkWriter : public LinkWriter {
 public:
  JsonLinkWriter(const std::filesystem::path& path, std::string_view score) : file_(path), score_(score) {
    file_ << "[";
  }
  void link(std::string_view left, std::string_view right, std::optional<double> score) override {
    file_ << (first_ ? "\n" : ",\n") << R"({"left": )" << quoted(left) << R"(, "right": )" << quoted(right);
    if (score && !score_.empty()) file_ << ", " << quoted(score_) << ": " << score_text(score);
    file_ << "}";
    first_ = false;
  }
  void commit() override {
    file_ << "\n]\n";
    file_.commit();
  }

 private:
  static std::string quoted(std::string_view text) { return nlohmann::json(text).dump(); }

  OutputFile file_;
  std::string score_;
  bool first_ = true;
};

/// N-Triples; RDF itself has two ways to say something about a triple.
class SameAsWriter : public LinkWriter {
 public:
  SameAsWriter(const std::filesystem::path& path, StatementScores scores) : file_(path), scores_(scores) {}
  void link(std::string_view left, std::string_view right, std::optional<double> score) override {
    const std::string subject = node(left), object = node(right);
    const std::string triple = fmt::format("{} <{}> {}", subject, kSameAs, object);
    file_ << triple << " .\n";
    if (!score || scores_ == StatementScores::none) return;
    const std::string value = fmt::format("<{}> \"{:.6f}\"^^<{}> .\n", kConfidence, *score, kDecimal);
    if (scores_ == StatementScores::rdf_star) {
      file_ << "<< " << triple << " >> " << value;
      return;
    }
    const std::string statement = fmt::format("_:link{}", ++count_);
    file_ << statement << " <" << kRdf << "type> <" << kRdf << "Statement> .\n"
          << statement << " <" << kRdf << "subject> " << subject << " .\n"
          << statement << " <" << kRdf << "predicate> <" << kSameAs << "> .\n"
          << statement << " <" << kRdf << "object> " << object << " .\n"
          << statement << " " << value;
  }
  void commit() override { file_.commit(); }

 private:
  static constexpr std::string_view kRdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
  static constexpr std::string_view kConfidence = "https://w3id.org/sssom/confidence";
  static constexpr std::string_view kDecimal = "http://www.w3.org/2001/XMLSchema#decimal";

  static std::string node(std::string_view identifier) {
    std::string iri = to_iri(identifier, IriRole::entity);
    return iri.starts_with("_:") ? iri : "<" + iri + ">";
  }
  OutputFile file_;
  StatementScores scores_;
  std::uint64_t count_ = 0;
};

class SssomWriter : public LinkWriter {
 public:
  SssomWriter(const std::filesystem::path& path, std::string_view justification)
      : file_(path), justification_(justification) {
    const std::string name = path == kStandardOutput ? "links" : path.filename().string();
    file_ << "#mapping_set_id: " << to_iri("urn:dovetail:mapping-set:" + name, IriRole::entity)
          << "\n#license: https://w3id.org/sssom/license/unspecified\n#mapping_tool: dovetail\n"
          << "#mapping_tool_version: \"" << kVersion << "\"\n#curie_map:\n"
          << "#  owl: http://www.w3.org/2002/07/owl#\n#  semapv: https://w3id.org/semapv/vocab/\n#  urn: "
             "\"urn:\"\n"
          << "subject_id\tpredicate_id\tobject_id\tmapping_justification\tconfidence\n";
  }
  void link(std::string_view left, std::string_view right, std::optional<double> score) override {
    file_ << to_iri(left, IriRole::entity) << "\towl:sameAs\t" << to_iri(right, IriRole::entity) << "\t"
          << justification_ << "\t" << score_text(score) << "\n";
  }
  void commit() override { file_.commit(); }

 private:
  OutputFile file_;
  std::string justification_;
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
                                 : fmt::format("rdf:resource=\"{}\"", xml_exact(iri));
  }

  OutputFile file_;
};

}  // namespace

std::unique_ptr<LinkWriter> make_link_writer(const std::filesystem::path& path, Format format,
                                             const LinkFileOptions& options) {
  switch (format) {
    case Format::links_tsv:
    case Format::links_csv:
      return std::make_unique<TableLinkWriter>(path, format == Format::links_csv, options.score);
    case Format::links_json:
      return std::make_unique<JsonLinkWriter>(path, options.score);
    case Format::same_as:
      return std::make_unique<SameAsWriter>(path, options.statement_scores);
    case Format::sssom:
      return std::make_unique<SssomWriter>(path, options.justification);
    case Format::alignment_api:
      return std::make_unique<AlignmentApiWriter>(path);
    default:
      throw ParameterError(fmt::format("{} is not a format for links", format_info(format).name));
  }
}

}  // namespace dovetail

#include "formats/link_writer.h"

#include <dovetail/errors.h>
#include <dovetail/version.h>

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "common/text.h"
#include "formats/format_table.h"
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
    const std::string subject = ntriples_node(left, IriRole::entity);
    const std::string object = ntriples_node(right, IriRole::entity);
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

  OutputFile file_;
  StatementScores scores_;
  std::uint64_t count_ = 0;
};

/// The rows wait in memory for the header, which lists what prefixes they have: readers take mailto:x for
/// one.
class SssomWriter : public LinkWriter {
 public:
  SssomWriter(const std::filesystem::path& path, std::string_view justification)
      : file_(path),
        name_(path == kStandardOutput ? "links" : path.filename().string()),
        justification_(justification) {}
  void link(std::string_view left, std::string_view right, std::optional<double> score) override {
    add(left, right, score, justification_);
    reviewers_.emplace_back();
  }
  void curated(std::string_view left, std::string_view right, std::optional<double> score,
               std::string_view reviewer) override {
    add(left, right, score, "semapv:ManualMappingCuration");
    // A cell has neither tabs nor line ends.
    std::string name(reviewer);
    std::ranges::replace_if(
        name, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    reviewers_.push_back(std::move(name));
    curated_ = true;
  }
  void commit() override {
    file_ << "#mapping_set_id: " << sssom_identifier("urn:dovetail:mapping-set:" + name_)
          << "\n#license: https://w3id.org/sssom/license/unspecified\n#mapping_tool: dovetail\n"
          << "#mapping_tool_version: \"" << kVersion << "\"\n#curie_map:\n"
          << "#  owl: http://www.w3.org/2002/07/owl#\n#  semapv: https://w3id.org/semapv/vocab/\n";
    for (const std::string& scheme : schemes_) file_ << fmt::format("#  \"{0}\": \"{0}:\"\n", scheme);
    const bool encoded = std::ranges::any_of(encoded_, [](std::uint8_t ends) { return ends != 0; });
    file_ << "subject_id\tpredicate_id\tobject_id\tmapping_justification\tconfidence"
          << (curated_ ? "\treviewer_label" : "") << (encoded ? "\tother\n" : "\n");
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      file_ << rows_[row];
      if (curated_) file_ << "\t" << reviewers_[row];
      if (encoded) file_ << "\t" << kEncodedEnds.at(encoded_[row]);
      file_ << "\n";
    }
    file_.commit();
  }

 private:
  void add(std::string_view left, std::string_view right, std::optional<double> score,
           std::string_view justification) {
    const std::string subject = identifier(left), object = identifier(right);
    rows_.push_back(
        fmt::format("{}\towl:sameAs\t{}\t{}\t{}", subject, object, justification, score_text(score)));
    encoded_.push_back(static_cast<std::uint8_t>((subject == to_iri(left, IriRole::entity) ? 0 : 1) |
                                                 (object == to_iri(right, IriRole::entity) ? 0 : 2)));
  }
  std::string identifier(std::string_view entity) {
    std::string uri = sssom_identifier(entity);
    const std::size_t colon = uri.find(':');
    if (uri.compare(colon, 3, "://") != 0) schemes_.insert(uri.substr(0, colon));
    return uri;
  }

  OutputFile file_;
  std::string name_;
  std::string justification_;
  std::vector<std::string> rows_;
  std::vector<std::string> reviewers_;  // of the rows that a person confirmed
  bool curated_ = false;
  std::vector<std::uint8_t> encoded_;  // by row: 1 for the subject, 2 for the object
  std::set<std::string> schemes_ = {"urn"};
};

/// An IRI for every reader of XML: what XML cannot hold in percent codes, and what XML 1.1 takes for a line's
/// end or asks to be spelt out as a reference.
std::string xml_attribute(std::string_view iri) {
  std::string out;
  const std::string exact = xml_exact(iri);
  for (std::string_view rest = exact; !rest.empty();) {
    const std::size_t length = std::max<std::size_t>(1, character_length(rest));
    const std::string_view character = rest.substr(0, length);
    if (!xml_allows(character)) {
      for (const char c : character) out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else if (length == 2 && character < "\xC2\xA0") {
      out += fmt::format("&#x{:X};", static_cast<unsigned char>(character[1]));
    } else if (character == "\xE2\x80\xA8") {
      out += "&#x2028;";
    } else {
      out += character;
    }
    rest.remove_prefix(length);
  }
  return out;
}

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
                                 : fmt::format("rdf:resource=\"{}\"", xml_attribute(iri));
  }

  OutputFile file_;
};

}  // namespace

std::unique_ptr<LinkWriter> make_tsv_links(const std::filesystem::path& path,
                                           const LinkFileOptions& options) {
  return std::make_unique<TableLinkWriter>(path, false, options.score);
}

std::unique_ptr<LinkWriter> make_csv_links(const std::filesystem::path& path,
                                           const LinkFileOptions& options) {
  return std::make_unique<TableLinkWriter>(path, true, options.score);
}

std::unique_ptr<LinkWriter> make_json_links(const std::filesystem::path& path,
                                            const LinkFileOptions& options) {
  return std::make_unique<JsonLinkWriter>(path, options.score);
}

std::unique_ptr<LinkWriter> make_same_as_links(const std::filesystem::path& path,
                                               const LinkFileOptions& options) {
  return std::make_unique<SameAsWriter>(path, options.statement_scores);
}

std::unique_ptr<LinkWriter> make_sssom_links(const std::filesystem::path& path,
                                             const LinkFileOptions& options) {
  return std::make_unique<SssomWriter>(path, options.justification);
}

std::unique_ptr<LinkWriter> make_alignment_api_links(const std::filesystem::path& path,
                                                     const LinkFileOptions& /*options*/) {
  return std::make_unique<AlignmentApiWriter>(path);
}

std::unique_ptr<LinkWriter> make_link_writer(const std::filesystem::path& path, Format format,
                                             const LinkFileOptions& options) {
  const FormatEntry& entry = format_entry(format);
  if (entry.write_links == nullptr) {
    throw ParameterError(fmt::format("{} is not a format for links", entry.info.name));
  }
  return entry.write_links(path, options);
}

}  // namespace dovetail

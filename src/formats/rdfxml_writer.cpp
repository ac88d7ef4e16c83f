#include <dovetail/errors.h>

#include <fmt/format.h>
#include <memory>
#include <raptor2.h>
#include <string>

#include "common/text.h"
#include "formats/graph_writer.h"
#include "formats/iri.h"
#include "formats/output_file.h"
#include "formats/raptor_world.h"
#include "graph/literal.h"

namespace dovetail {

namespace {

template <typename T>
using Owned = std::unique_ptr<T, void (*)(T*)>;

const unsigned char* bytes(const std::string& text) {
  return reinterpret_cast<const unsigned char*>(text.c_str());
}

/// RDF/XML by raptor, one rdf:Description a triple.
class RdfXmlWriter : public GraphWriter {
 public:
  explicit RdfXmlWriter(const std::filesystem::path& path)
      : file_(path),
        world_(this, on_log),
        stream_(nullptr, raptor_free_iostream),
        serializer_(nullptr, raptor_free_serializer) {
    handler_.version = 2;
    handler_.write_byte = [](void* self, int byte) {
      const char c = static_cast<char>(byte);
      return static_cast<RdfXmlWriter*>(self)->put({&c, 1});
    };
    handler_.write_bytes = [](void* self, const void* text, size_t size, size_t count) {
      return static_cast<RdfXmlWriter*>(self)->put({static_cast<const char*>(text), size * count});
    };
    stream_.reset(raptor_new_iostream_from_handler(world_.get(), this, &handler_));
    serializer_.reset(raptor_new_serializer(world_.get(), "rdfxml"));
    raptor_serializer_start_to_iostream(serializer_.get(), nullptr, stream_.get());
  }

  void relation(Term /*relation*/) override {}
  void entity(Term entity, std::string_view label) override {
    if (!label.empty()) literal(entity, kRdfsLabel, make_literal(label, {}, {}));
  }

  void triple(Term head, Term relation, Term tail) override {
    check_xml_blank(file_.path(), head.identifier);
    check_xml_blank(file_.path(), tail.identifier);
    write(head, relation.identifier, resource(tail.identifier, IriRole::entity));
  }

  void literal(Term subject, std::string_view attribute, std::string_view value) override {
    check_xml_blank(file_.path(), subject.identifier);
    const LiteralParts parts = split_literal(value);
    check_characters(parts.text);
    const std::string language(parts.language);
    const std::string datatype(parts.datatype);
    const Owned<raptor_uri> type(datatype.empty() ? nullptr : raptor_new_uri(world_.get(), bytes(datatype)),
                                 raptor_free_uri);
    write(subject, attribute,
          raptor_new_term_from_literal(world_.get(), bytes(parts.text), type.get(),
                                       language.empty() ? nullptr : bytes(language)));
  }

  void commit() override {
    raptor_serializer_serialize_end(serializer_.get());
    check();
    file_.commit();
  }

 private:
  void check_characters(std::string_view text) const {
    if (xml_allows(text)) return;
    throw UnsupportedError(
        fmt::format("{}: {} holds a character that XML does not allow; choose Turtle or N-Triples",
                    file_.path().string(), shown(text)));
  }

  raptor_term* resource(std::string_view identifier, IriRole role) {
    const std::string iri = to_iri(identifier, role);
    check_characters(iri);
    if (iri.starts_with("_:")) return raptor_new_term_from_blank(world_.get(), bytes(iri) + 2);
    return raptor_new_term_from_uri_string(world_.get(), bytes(iri));
  }

  void write(Term subject, std::string_view predicate, raptor_term* object) {
    const Owned<raptor_statement> statement(
        raptor_new_statement_from_nodes(world_.get(), resource(subject.identifier, IriRole::entity),
                                        resource(predicate, IriRole::relation), object, nullptr),
        raptor_free_statement);
    raptor_serializer_serialize_statement(serializer_.get(), statement.get());
    if (!problem_.empty()) problem_ += fmt::format(" (relation {})", shown(predicate));
    check();
  }

  int put(std::string_view text) {
    try {
      file_.write(text);
    } catch (...) {
      failure_ = std::current_exception();
      return 1;
    }
    return 0;
  }

  static void on_log(void* handle, raptor_log_message* message) {
    if (message->level >= RAPTOR_LOG_LEVEL_ERROR)
      static_cast<RdfXmlWriter*>(handle)->problem_ = message->text;
  }

  void check() const {
    if (failure_) std::rethrow_exception(failure_);
    if (problem_.empty()) return;
    throw UnsupportedError(fmt::format("{}: RDF/XML cannot hold this graph: {}; choose Turtle or N-Triples",
                                       file_.path().string(), problem_));
  }

  OutputFile file_;
  std::exception_ptr failure_;  // exceptions must not cross raptor's C frames
  std::string problem_;
  raptor_iostream_handler handler_{};
  RaptorWorld world_;
  Owned<raptor_iostream> stream_;
  Owned<raptor_serializer> serializer_;
};

}  // namespace

std::unique_ptr<GraphWriter> make_rdfxml_writer(const std::filesystem::path& path) {
  return std::make_unique<RdfXmlWriter>(path);
}

}  // namespace dovetail

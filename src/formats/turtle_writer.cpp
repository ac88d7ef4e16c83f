#include <dovetail/errors.h>

#include <fmt/format.h>
#include <memory>
#include <serd/serd.h>
#include <string>

#include "common/text.h"
#include "formats/graph_writer.h"
#include "formats/iri.h"
#include "formats/output_file.h"
#include "graph/literal.h"

namespace dovetail {

namespace {

/// Turtle and TriG by serd, triples about one subject grouped as they come.
class TurtleWriter : public GraphWriter {
 public:
  TurtleWriter(const std::filesystem::path& path, Format format)
      : file_(path),
        trig_(format == Format::trig),
        environment_(serd_env_new(nullptr), serd_env_free),
        writer_(
            serd_writer_new(trig_ ? SERD_TRIG : SERD_TURTLE, static_cast<SerdStyle>(SERD_STYLE_ABBREVIATED),
                            environment_.get(), nullptr, to_file, this),
            serd_writer_free) {}

  void begin_graph(std::string_view iri) override {
    if (trig_) graph_ = iri;
  }
  void relation(Term /*relation*/) override {}
  void entity(Term entity, std::string_view label) override {
    if (!label.empty()) literal(entity, kRdfsLabel, make_literal(label, {}, {}));
  }

  void triple(Term head, Term relation, Term tail) override {
    const std::string object = to_iri(tail.identifier, IriRole::entity);
    const SerdNode object_node = node(object);
    statement(head, relation.identifier, object_node, nullptr, nullptr);
  }

  void literal(Term subject, std::string_view attribute, std::string_view value) override {
    const LiteralParts parts = split_literal(value);
    const std::string language(parts.language);
    const std::string datatype(parts.datatype);
    if (parts.text.find('\0') != std::string::npos) {
      throw UnsupportedError(
          fmt::format("{}: {} holds the character 0, which serd cannot write; choose N-Triples",
                      file_.path().string(), shown(parts.text)));
    }
    SerdNode object = serd_node_from_string(SERD_LITERAL, bytes(parts.text));
    object.flags = 0;  // no """long strings""": serd leaves a quotation mark at their end unescaped
    const SerdNode language_node = serd_node_from_string(SERD_LITERAL, bytes(language));
    const SerdNode datatype_node = serd_node_from_string(SERD_URI, bytes(datatype));
    statement(subject, attribute, object, datatype.empty() ? nullptr : &datatype_node,
              language.empty() ? nullptr : &language_node);
  }

  void commit() override {
    check(serd_writer_finish(writer_.get()));
    writer_.reset();
    if (failure_) std::rethrow_exception(failure_);
    file_.commit();
  }

 private:
  static const std::uint8_t* bytes(const std::string& text) {
    return reinterpret_cast<const std::uint8_t*>(text.c_str());
  }

  static SerdNode node(const std::string& iri) {
    return iri.starts_with("_:") ? serd_node_from_string(SERD_BLANK, bytes(iri) + 2)
                                 : serd_node_from_string(SERD_URI, bytes(iri));
  }

  void statement(Term subject, std::string_view predicate, const SerdNode& object, const SerdNode* datatype,
                 const SerdNode* language) {
    const std::string subject_iri = to_iri(subject.identifier, IriRole::entity);
    const std::string predicate_iri = to_iri(predicate, IriRole::relation);
    const SerdNode subject_node = node(subject_iri);
    const SerdNode predicate_node = node(predicate_iri);
    const SerdNode graph_node = node(graph_);
    check(serd_writer_write_statement(writer_.get(), 0, graph_.empty() ? nullptr : &graph_node, &subject_node,
                                      &predicate_node, &object, datatype, language));
  }

  void check(SerdStatus status) const {
    if (failure_) std::rethrow_exception(failure_);
    if (status == SERD_SUCCESS) return;
    throw UnsupportedError(fmt::format("{}: Turtle cannot hold this graph: {}", file_.path().string(),
                                       reinterpret_cast<const char*>(serd_strerror(status))));
  }

  static std::size_t to_file(const void* text, std::size_t length, void* handle) {
    auto& self = *static_cast<TurtleWriter*>(handle);
    try {
      self.file_.write({static_cast<const char*>(text), length});
    } catch (...) {
      self.failure_ = std::current_exception();
    }
    return length;
  }

  OutputFile file_;
  bool trig_;
  std::string graph_;           // the named graph that statements belong to
  std::exception_ptr failure_;  // exceptions must not cross serd's C frames
  std::unique_ptr<SerdEnv, decltype(&serd_env_free)> environment_;
  std::unique_ptr<SerdWriter, decltype(&serd_writer_free)> writer_;
};

}  // namespace

std::unique_ptr<GraphWriter> make_turtle_writer(const std::filesystem::path& path, Format format) {
  return std::make_unique<TurtleWriter>(path, format);
}

}  // namespace dovetail

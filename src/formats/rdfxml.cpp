#include <dovetail/errors.h>

#include <cstdint>
#include <cstring>
#include <exception>
#include <fmt/format.h>
#include <memory>
#include <raptor2.h>
#include <string>

#include "formats/blank_labels.h"
#include "formats/format_table.h"
#include "formats/iri.h"
#include "formats/raptor_world.h"
#include "formats/rdf.h"
#include "formats/text_input.h"
#include "graph/literal.h"

namespace dovetail {

namespace {

template <typename T>
using Owned = std::unique_ptr<T, void (*)(T*)>;

std::string_view view(raptor_uri* uri) {
  size_t length = 0;
  const unsigned char* text = raptor_uri_as_counted_string(uri, &length);
  return {reinterpret_cast<const char*>(text), length};
}

/// How deeply elements are nested, by a look at the text: raptor takes time that grows with the square of it.
/// Markup within comments counts like other markup, which does no harm where it is balanced.
class Nesting {
 public:
  /// The place in `text` where it becomes too deep; null if it does not.
  const char* see(std::string_view text) {
    for (const char& c : text) {
      if (state_ == State::text) {
        if (c == '<') state_ = State::begin;
      } else if (state_ == State::begin) {
        state_ = c == '/' ? State::closing : c == '!' || c == '?' ? State::other : State::opening;
      } else if (quote_ != 0) {
        if (c == quote_) quote_ = 0;
      } else if (state_ == State::opening && (c == '"' || c == '\'')) {
        quote_ = c;
      } else if (c == '>') {
        if (state_ == State::opening && last_ != '/' && ++depth_ > kDeepest) return &c;
        if (state_ == State::closing && depth_ > 0) --depth_;
        state_ = State::text;
      }
      last_ = c;
    }
    return nullptr;
  }
  static constexpr std::size_t kDeepest = 1000;

 private:
  enum class State : std::uint8_t { text, begin, opening, closing, other };
  State state_ = State::text;
  char quote_ = 0;  // that an attribute's value began with
  char last_ = 0;
  std::size_t depth_ = 0;
};

/// Feeds raptor's parser and hands on what it finds. Exceptions must not cross raptor's C frames, so they
/// wait in failure_ until the parser has returned.
class RdfXmlReader {
 public:
  RdfXmlReader(const std::filesystem::path& path, RdfHandler& handler, Observer& observer)
      : path_(std::filesystem::absolute(path)),
        input_(path, observer),
        handler_(handler),
        labels_("genid",
                [this, &observer](const std::string& own, const std::string& other) {
                  observer.warning(renamed_label(input_.name(), own, other));
                }),
        world_(this, on_log),
        parser_(nullptr, raptor_free_parser) {
    raptor_world_set_generate_bnodeid_handler(world_.get(), this, on_blank);
    parser_.reset(raptor_new_parser(world_.get(), "rdfxml"));
    raptor_parser_set_statement_handler(parser_.get(), this, on_statement);
    // The file is untrusted: nothing else is fetched or opened on its behalf.
    raptor_parser_set_option(parser_.get(), RAPTOR_OPTION_NO_NET, nullptr, 1);
    raptor_parser_set_option(parser_.get(), RAPTOR_OPTION_NO_FILE, nullptr, 1);
  }

  void read() {
    const std::string base_text = file_iri(path_);
    const Owned<raptor_uri> base(
        raptor_new_uri(world_.get(), reinterpret_cast<const unsigned char*>(base_text.c_str())),
        raptor_free_uri);
    raptor_parser_parse_start(parser_.get(), base.get());
    std::string_view block;
    Nesting nesting;
    while (!failure_ && input_.next_block(block)) {
      if (const char* const place = nesting.see(block)) {
        input_.fail(input_.line_of(place),
                    fmt::format("elements nested over {} deep; expected RDF/XML", Nesting::kDeepest));
      }
      raptor_parser_parse_chunk(parser_.get(), reinterpret_cast<const unsigned char*>(block.data()),
                                block.size(), 0);
    }
    at_end_ = true;
    if (!failure_) raptor_parser_parse_chunk(parser_.get(), nullptr, 0, 1);
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  static RdfXmlReader& self(void* handle) { return *static_cast<RdfXmlReader*>(handle); }

  [[nodiscard]] std::uint64_t line() const {
    if (!parser_) return 0;
    const raptor_locator* locator = raptor_parser_get_locator(parser_.get());
    const int line = locator == nullptr ? 0 : raptor_locator_line(const_cast<raptor_locator*>(locator));
    return line > 0 ? static_cast<std::uint64_t>(line) : 0;
  }

  /// The label of a node that the file calls `own`, or does not call anything if that is null. What is
  /// returned is raptor's, as `own` is ours.
  static unsigned char* on_blank(void* handle, unsigned char* own) {
    RdfXmlReader& reader = self(handle);
    std::string label;
    try {
      label = own == nullptr ? reader.labels_.nameless(++reader.nameless_)
                             : reader.labels_.own(reinterpret_cast<const char*>(own));
    } catch (...) {
      reader.failure_ = std::current_exception();
    }
    raptor_free_memory(own);
    void* const copy = raptor_calloc_memory(1, label.size() + 1);
    if (copy != nullptr) std::memcpy(copy, label.data(), label.size());
    return static_cast<unsigned char*>(copy);
  }

  static void on_log(void* handle, raptor_log_message* message) {
    RdfXmlReader& reader = self(handle);
    if (reader.failure_ || message->level < RAPTOR_LOG_LEVEL_ERROR) return;
    try {
      // Errors of the XML itself come without a place, and with a "line 0" that only confuses.
      const int where = message->locator == nullptr ? 0 : raptor_locator_line(message->locator);
      std::string text = message->text;
      if (reader.at_end_ && text.find("Extra content at the end") != text.npos) {
        text = "the text ends in the middle of an element";  // what libxml2 means by it
      }
      if (const std::size_t zero = text.find(" line 0 "); zero != text.npos) text.erase(zero, 7);
      reader.input_.fail(
          where > 0 ? static_cast<std::uint64_t>(where) : reader.line(),
          fmt::format("{}; expected RDF/XML; if the file is of another kind, say which", text));
    } catch (...) {
      reader.failure_ = std::current_exception();
    }
  }

  static void on_statement(void* handle, raptor_statement* triple) {
    RdfXmlReader& reader = self(handle);
    if (reader.failure_) return;
    try {
      RdfStatement statement{};
      statement.line = reader.line();
      statement.subject = resource(*triple->subject, reader.subject_);
      statement.predicate = resource(*triple->predicate, reader.predicate_);
      statement.literal = triple->object->type == RAPTOR_TERM_TYPE_LITERAL;
      statement.object = statement.literal ? literal(triple->object->value.literal, reader.object_)
                                           : resource(*triple->object, reader.object_);
      reader.handler_.statements({&statement, 1});
    } catch (...) {
      reader.failure_ = std::current_exception();
      raptor_parser_parse_abort(reader.parser_.get());
    }
  }

  static std::string_view resource(const raptor_term& term, std::string& scratch) {
    if (term.type == RAPTOR_TERM_TYPE_URI) return view(term.value.uri);
    scratch = "_:";
    scratch.append(reinterpret_cast<const char*>(term.value.blank.string), term.value.blank.string_len);
    return scratch;
  }

  static std::string_view literal(const raptor_term_literal_value& value, std::string& scratch) {
    const std::string_view text(reinterpret_cast<const char*>(value.string), value.string_len);
    const std::string_view language =
        value.language == nullptr
            ? std::string_view{}
            : std::string_view(reinterpret_cast<const char*>(value.language), value.language_len);
    scratch =
        make_literal(text, language, value.datatype == nullptr ? std::string_view{} : view(value.datatype));
    return scratch;
  }

  std::filesystem::path path_;
  TextInput input_;
  RdfHandler& handler_;
  BlankLabels labels_;
  std::uint64_t nameless_ = 0;  // nodes up to now
  RaptorWorld world_;
  Owned<raptor_parser> parser_;
  std::exception_ptr failure_;
  bool at_end_ = false;  // whether the parser has been told that there is no more
  std::string subject_, predicate_, object_;
};

}  // namespace

void read_rdfxml(const std::filesystem::path& path, RdfHandler& handler, Observer& observer) {
  RdfXmlReader(path, handler, observer).read();
}

void read_rdf(const std::filesystem::path& path, Format format, RdfHandler& handler, Observer& observer) {
  const FormatEntry& entry = format_entry(format);
  if (entry.read_rdf == nullptr) {
    throw ParameterError(fmt::format("{} is not an RDF format", entry.info.name));
  }
  entry.read_rdf(path, handler, observer);
}

}  // namespace dovetail

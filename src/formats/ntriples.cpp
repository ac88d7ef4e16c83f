#include <array>
#include <cstring>
#include <fmt/format.h>
#include <string>

#include "common/text.h"
#include "formats/rdf.h"
#include "formats/text_input.h"
#include "graph/literal.h"

namespace dovetail {

namespace {

// What may stand inside <...>, inside "...", and in a blank node's label, by byte. Bytes of multi-byte
// characters are allowed throughout: the input is known to be UTF-8.
enum : std::uint8_t { kIri = 1, kText = 2, kLabel = 4, kLanguage = 8 };

constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> classes{};
  for (unsigned c = 0; c < 256; ++c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool digit = c >= '0' && c <= '9';
    const bool iri = c > 0x20 && c != '<' && c != '>' && c != '"' && c != '{' && c != '}' && c != '|' &&
                     c != '^' && c != '`' && c != '\\';
    const bool text = c != '"' && c != '\\' && c != '\n' && c != '\r';
    const bool label = letter || digit || c == '_' || c == '-' || c == '.' || c == ':' || c >= 0x80;
    classes[c] = static_cast<std::uint8_t>((iri ? kIri : 0) | (text ? kText : 0) | (label ? kLabel : 0) |
                                           (letter || digit || c == '-' ? kLanguage : 0));
  }
  return classes;
}
constexpr std::array<std::uint8_t, 256> kClasses = make_classes();

/// N-Triples and N-Quads, line by line over blocks of text. By hand, because this is the format of the
/// largest files and a general parser is several times slower.
class NTriplesParser {
 public:
  NTriplesParser(TextInput& input, bool quads, RdfHandler& handler)
      : input_(input), handler_(handler), quads_(quads) {}

  void parse() {
    std::string_view block;
    while (input_.next_block(block)) {
      line_ = input_.block_line();
      const char* next = block.data();
      const char* const block_end = block.data() + block.size();
      for (; next < block_end; ++line_) {
        const auto* newline =
            static_cast<const char*>(std::memchr(next, '\n', static_cast<std::size_t>(block_end - next)));
        at_ = line_begin_ = next;
        end_ = newline == nullptr ? block_end : newline;
        next = end_ + 1;
        if (end_ > at_ && end_[-1] == '\r') --end_;
        parse_line();
      }
      hand_over();
    }
  }

 private:
  static constexpr std::size_t kBatch = 64;

  void hand_over() {
    if (count_ > 0) handler_.statements({batch_.data(), count_});
    count_ = 0;
    holds_scratch_ = false;
  }

  void parse_line() {
    skip_space();
    if (at_ == end_ || *at_ == '#') return;
    // A statement with escapes keeps its text in the scratch strings until it is handed over.
    if (count_ == kBatch || holds_scratch_) hand_over();
    RdfStatement& statement = batch_[count_];
    statement.line = line_;
    statement.subject = resource(subject_, "a subject: <IRI> or _:label");
    skip_space();
    if (at_ == end_ || *at_ != '<') fail("a predicate: <IRI>");
    statement.predicate = iri(predicate_);
    skip_space();
    statement.literal = at_ != end_ && *at_ == '"';
    statement.object =
        statement.literal ? literal() : resource(object_, "an object: <IRI>, _:label or \"literal\"");
    skip_space();
    if (quads_ && at_ != end_ && *at_ != '.') {
      (void)resource(graph_, "a graph name: <IRI> or _:label, or the final '.'");
      skip_space();
    }
    if (at_ == end_ || *at_ != '.') fail("'.' after the object");
    ++at_;
    skip_space();
    if (at_ != end_ && *at_ != '#') fail("the end of the line after '.'");
    ++count_;
  }

  void skip_space() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t')) ++at_;
  }

  void skip_class(std::uint8_t which) {
    while (at_ != end_ && (kClasses[static_cast<unsigned char>(*at_)] & which) != 0) ++at_;
  }

  std::string_view resource(std::string& scratch, const char* expected) {
    if (at_ != end_ && *at_ == '<') return iri(scratch);
    if (end_ - at_ < 3 || at_[0] != '_' || at_[1] != ':') fail(expected);
    const char* begin = at_;
    at_ += 2;
    skip_class(kLabel);
    while (at_[-1] == '.') --at_;  // a label may contain dots but not end in one
    if (at_ - begin < 3) fail("a blank node: _:label");
    return {begin, static_cast<std::size_t>(at_ - begin)};
  }

  /// The text between < and >; in `scratch` if it has escapes.
  std::string_view iri(std::string& scratch) {
    const char* begin = ++at_;
    skip_class(kIri);
    if (at_ != end_ && *at_ == '<' && at_ == begin) fail("a plain triple (RDF-star is not supported)");
    bool escaped = false;
    while (at_ != end_ && *at_ == '\\') {
      escaped = true;
      ++at_;
      skip_class(kIri);
    }
    if (at_ == end_ || *at_ != '>') fail("'>' at the end of an IRI, with no space or <\"{}|^`\\ within");
    std::string_view text(begin, static_cast<std::size_t>(at_ - begin));
    if (text.empty()) fail("an IRI that is not empty");
    ++at_;
    if (escaped) {
      scratch.clear();
      // Of all escapes an IRI may only have the numeric ones.
      for (std::size_t i = text.find('\\'); i < text.size(); i = text.find('\\', i + 1)) {
        if (text.substr(i + 1, 1) != "u" && text.substr(i + 1, 1) != "U")
          fail_at(text.data() + i, kIriEscape);
      }
      if (!append_unescaped(scratch, text)) fail_at(text.data(), kIriEscape);
      text = scratch;
      holds_scratch_ = true;
    }
    return text;
  }

  std::string_view literal() {
    const char* begin = at_++;
    skip_class(kText);
    const bool escaped = at_ != end_ && *at_ == '\\';
    while (at_ != end_ && *at_ == '\\') {
      at_ += end_ - at_ >= 2 ? 2 : 1;
      skip_class(kText);
    }
    if (at_ == end_ || *at_ != '"') fail("'\"' at the end of a literal");
    if (escaped) {
      object_.clear();
      if (!append_unescaped(object_, {begin + 1, static_cast<std::size_t>(at_ - begin - 1)})) {
        fail_at(begin, R"(a valid escape in the literal: \t \b \n \r \f \" \' \\ \uXXXX \UXXXXXXXX)");
      }
    }
    ++at_;
    if (at_ != end_ && *at_ == '@') {
      ++at_;
      const char* tag = at_;
      skip_class(kLanguage);
      if (at_ == tag) fail("a language tag after '@'");
    } else if (end_ - at_ >= 3 && at_[0] == '^' && at_[1] == '^' && at_[2] == '<') {
      at_ += 2;
      (void)iri(graph_);
    }
    return {begin, static_cast<std::size_t>(at_ - begin)};
  }

  [[noreturn]] void fail_at(const char* place, const char* expected) {
    at_ = place;
    fail(expected);
  }

  [[noreturn]] void fail(const char* expected) const {
    const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
    input_.fail(line_, fmt::format("found {} in column {}; expected {}",
                                   rest.empty() ? "the end of the line" : shown(rest, 40),
                                   at_ - line_begin_ + 1, expected));
  }

  static constexpr const char* kIriEscape = "a valid \\uXXXX escape in the IRI";

  TextInput& input_;
  RdfHandler& handler_;
  bool quads_;
  std::uint64_t line_ = 0;
  const char* line_begin_ = nullptr;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  std::string subject_, predicate_, object_, graph_;  // IRIs with escapes
  bool holds_scratch_ = false;                        // whether the last statement refers to those
  std::array<RdfStatement, kBatch> batch_{};
  std::size_t count_ = 0;
};

}  // namespace

void read_ntriples(const std::filesystem::path& path, Format format, RdfHandler& handler,
                   Observer& observer) {
  TextInput input(path, observer);
  NTriplesParser(input, format == Format::nquads, handler).parse();
}

}  // namespace dovetail

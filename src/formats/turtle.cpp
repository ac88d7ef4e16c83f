#include <dovetail/errors.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fmt/format.h>
#include <memory>
#include <serd/serd.h>
#include <string>

#include "formats/blank_labels.h"
#include "formats/rdf.h"
#include "formats/text_input.h"
#include "graph/literal.h"

namespace dovetail {

namespace {

std::string_view view(const SerdNode& node) {
  return {reinterpret_cast<const char*>(node.buf), node.n_bytes};
}

/// Feeds serd's reader and hands on what it finds. Exceptions must not cross serd's C frames, so they wait
/// in failure_ until the reader has returned.
class TurtleReader {
 public:
  TurtleReader(const std::filesystem::path& path, Format format, RdfHandler& handler, Observer& observer)
      : input_(path, observer),
        handler_(handler),
        labels_("nameless-",
                [this, &observer](const std::string& own, const std::string& other) {
                  observer.warning(renamed_label(input_.name(), own, other));
                }),
        reader_(serd_reader_new(format == Format::trig ? SERD_TRIG : SERD_TURTLE, this, nullptr, on_base,
                                on_prefix, on_statement, nullptr),
                serd_reader_free),
        environment_(serd_env_new(nullptr), serd_env_free) {
    const SerdNode base = serd_node_new_file_uri(
        reinterpret_cast<const uint8_t*>(std::filesystem::absolute(path).c_str()), nullptr, nullptr, true);
    serd_env_set_base_uri(environment_.get(), &base);
    SerdNode to_free = base;
    serd_node_free(&to_free);
    serd_reader_set_strict(reader_.get(), true);
    serd_reader_set_error_sink(reader_.get(), on_error, this);
  }

  void read() {
    stack_ = stack_now();
    // Pages of one byte let the reader ask for no more than it has parsed, so that lines can be counted.
    const SerdStatus status = serd_reader_read_source(reader_.get(), serve, no_error, this, nullptr, 1);
    if (failure_) std::rethrow_exception(failure_);
    if (status != SERD_SUCCESS) fail(line_, "the text ends in the middle of a statement");
  }

 private:
  static TurtleReader& self(void* handle) { return *static_cast<TurtleReader*>(handle); }

  template <typename Work>
  SerdStatus guarded(const Work& work) {
    if (failure_) return SERD_ERR_INTERNAL;
    try {
      work();
      return SERD_SUCCESS;
    } catch (...) {
      failure_ = std::current_exception();
      return SERD_ERR_INTERNAL;
    }
  }

  static size_t serve(void* buffer, size_t /*size*/, size_t count, void* handle) {
    TurtleReader& reader = self(handle);
    size_t served = 0;
    reader.guarded([&] { served = reader.next_bytes(static_cast<char*>(buffer), count); });
    return served;
  }

  /// About where the stack ends now. serd calls itself for each level of nesting, and asks for bytes there.
  __attribute__((noinline)) static std::uintptr_t stack_now() {
    return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  }

  size_t next_bytes(char* buffer, size_t count) {
    if (stack_ > stack_now() && stack_ - stack_now() > kMostStack)
      fail(line_, "[ ] or ( ) nested too deeply");
    if (block_.empty()) {
      if (!input_.next_block(block_)) return 0;
      see_labels(block_);
    }
    count = std::min(count, block_.size());
    line_ += static_cast<std::uint64_t>(
        std::count(block_.begin(), block_.begin() + static_cast<std::ptrdiff_t>(count), '\n'));
    std::memcpy(buffer, block_.data(), count);
    block_.remove_prefix(count);
    return count;
  }

  static int no_error(void* handle) { return self(handle).failure_ ? 1 : 0; }

  static SerdStatus on_base(void* handle, const SerdNode* uri) {
    return serd_env_set_base_uri(self(handle).environment_.get(), uri);
  }

  static SerdStatus on_prefix(void* handle, const SerdNode* name, const SerdNode* uri) {
    return serd_env_set_prefix(self(handle).environment_.get(), name, uri);
  }

  static SerdStatus on_error(void* handle, const SerdError* error) {
    TurtleReader& reader = self(handle);
    return reader.guarded([&] {
      char text[256];
      va_list arguments;
      va_copy(arguments, *error->args);
      std::vsnprintf(text, sizeof text, error->fmt, arguments);
      va_end(arguments);
      std::string problem = text;
      while (!problem.empty() && (problem.back() == '\n' || problem.back() == ' ')) problem.pop_back();
      reader.fail(error->line == 0 ? reader.line_ : error->line, problem);
    });
  }

  static SerdStatus on_statement(void* handle, SerdStatementFlags /*flags*/, const SerdNode* /*graph*/,
                                 const SerdNode* subject, const SerdNode* predicate, const SerdNode* object,
                                 const SerdNode* datatype, const SerdNode* language) {
    TurtleReader& reader = self(handle);
    return reader.guarded([&] {
      RdfStatement statement{};
      statement.subject = reader.resource(*subject, reader.subject_);
      statement.predicate = reader.resource(*predicate, reader.predicate_);
      statement.line = reader.line_;
      statement.literal = object->type == SERD_LITERAL;
      if (statement.literal) {
        const bool typed = datatype != nullptr && datatype->type != SERD_NOTHING;
        const bool tagged = language != nullptr && language->type != SERD_NOTHING;
        reader.object_ =
            make_literal(view(*object), tagged ? view(*language) : std::string_view{},
                         typed ? reader.resource(*datatype, reader.datatype_) : std::string_view{});
        statement.object = reader.object_;
      } else {
        statement.object = reader.resource(*object, reader.object_);
      }
      reader.handler_.statements({&statement, 1});
    });
  }

  /// serd calls nameless nodes b1, b2, ... and to keep them apart renames a file's own b1 to B1. Undoes that,
  /// as links may name b1, and calls the nameless ones by a label that the file does not use.
  std::string label(std::string_view label) {
    const bool numbered = label.size() > 1 && label.find_first_not_of("0123456789", 1) == label.npos;
    if (numbered && label[0] == 'b') return labels_.nameless(std::stoull(std::string(label.substr(1))));
    if (!saw_small_ || label.size() < 2 || label[0] != 'B' || label[1] < '0' || label[1] > '9')
      return labels_.own(label);
    return labels_.own("b" + std::string(label.substr(1)));
  }

  /// Looks for what serd takes for the same label.
  void see_labels(std::string_view block) {
    for (std::size_t at = block.find("_:"); at != block.npos; at = block.find("_:", at + 2)) {
      const std::string_view rest = block.substr(at + 2, 2);
      if (rest.size() < 2 || rest[1] < '0' || rest[1] > '9') continue;
      saw_small_ = saw_small_ || rest[0] == 'b';
      saw_capital_ = saw_capital_ || rest[0] == 'B';
      if (saw_small_ && saw_capital_) {
        fail(input_.line_of(block.data() + at),
             "blank nodes called both _:b1 and _:B1 or the like, which cannot be told apart here; rename one "
             "kind");
      }
    }
  }

  /// The full IRI, or the blank node's label with _: before it, in `scratch`.
  std::string_view resource(const SerdNode& node, std::string& scratch) {
    if (node.type == SERD_BLANK) {
      scratch = "_:" + label(view(node));
      return scratch;
    }
    SerdNode full = serd_env_expand_node(environment_.get(), &node);
    if (full.buf == nullptr) fail(line_, fmt::format("the prefix of {} is not declared", view(node)));
    scratch = view(full);
    serd_node_free(&full);
    return scratch;
  }

  [[noreturn]] void fail(std::uint64_t line, const std::string& problem) const {
    input_.fail(
        line, fmt::format("{}; expected Turtle or TriG; if the file is of another kind, say which", problem));
  }

  static constexpr std::uintptr_t kMostStack = 1 << 20;  // of 8 MiB that a thread usually has

  TextInput input_;
  RdfHandler& handler_;
  BlankLabels labels_;
  bool saw_small_ = false, saw_capital_ = false;  // labels like b1, and like B1
  std::unique_ptr<SerdReader, decltype(&serd_reader_free)> reader_;
  std::unique_ptr<SerdEnv, decltype(&serd_env_free)> environment_;
  std::string_view block_;  // what serd has not yet got of the current block
  std::uint64_t line_ = 1;
  std::uintptr_t stack_ = 0;  // where it was before serd was called
  std::exception_ptr failure_;
  std::string subject_, predicate_, object_, datatype_;
};

}  // namespace

void read_turtle(const std::filesystem::path& path, Format format, RdfHandler& handler, Observer& observer) {
  TurtleReader(path, format, handler, observer).read();
}

}  // namespace dovetail

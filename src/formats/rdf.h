#pragma once

#include <dovetail/io.h>
#include <dovetail/observer.h>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace dovetail {

/// One triple of an RDF file; a quad's graph name is left out. Views are valid during the call only.
struct RdfStatement {
  std::string_view subject;  ///< an IRI without brackets, or a blank node as _:label
  std::string_view predicate;
  std::string_view object;  ///< like subject, or a literal in N-Triples syntax
  bool literal;             ///< what `object` is
  std::uint64_t line;
};

class RdfHandler {
 public:
  RdfHandler() = default;
  RdfHandler(const RdfHandler&) = delete;
  RdfHandler& operator=(const RdfHandler&) = delete;
  virtual ~RdfHandler() = default;
  /// Some statements in the file's order, at least one.
  virtual void statements(std::span<const RdfStatement> batch) = 0;
};

/// Reads an RDF file and hands every statement to `handler`, in the file's order. Throws InputError at the
/// first line that is not of that format.
void read_rdf(const std::filesystem::path& path, Format format, RdfHandler& handler, Observer& observer);

// How read_rdf does it, one for each parser.
void read_ntriples(const std::filesystem::path& path, Format format, RdfHandler& handler, Observer& observer);
void read_turtle(const std::filesystem::path& path, Format format, RdfHandler& handler, Observer& observer);
void read_rdfxml(const std::filesystem::path& path, RdfHandler& handler, Observer& observer);

}  // namespace dovetail

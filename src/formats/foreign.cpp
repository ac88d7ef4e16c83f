#include "formats/foreign.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <system_error>

#include "formats/byte_source.h"
#include "formats/format.h"

namespace dovetail {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLook = 1 << 14;

std::string beginning_of(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return {};
  ByteSource source(path);
  std::string text(kLook, '\0');
  std::size_t filled = 0;
  while (filled < text.size()) {
    const std::size_t got = source.read({text.data() + filled, text.size() - filled});
    if (got == 0) break;
    filled += got;
  }
  text.resize(filled);
  return text;
}

std::string_view without_space(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text;
}

[[noreturn]] void refuse(const fs::path& path, const char* found, const char* expected, const char* program,
                         const char* extension) {
  fs::path converted = path;
  converted.replace_extension(extension);
  throw InputError(path.string(), 0,
                   fmt::format("found {}; expected {}; convert it: python3 -c \"{}\" {} {}", found, expected,
                               program, path.string(), converted.string()));
}

bool is_linked_data(const fs::path& path, std::string_view text) {
  return bare_extension(path) == ".jsonld" || text.find("\"@context\"") != text.npos ||
         text.find("\"@graph\"") != text.npos || (text.starts_with('[') && text.find("\"@id\"") != text.npos);
}

/// TriG has { ... } too, but no text right behind the bracket.
bool starts_like_object(std::string_view text) {
  return text.starts_with('{') && without_space(text.substr(1)).starts_with('"');
}

bool has_object_in_first_line(std::string_view text) {
  std::string_view line = text.substr(0, text.find('\n'));
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
  // Of a long line the end may not be in view.
  return starts_like_object(text) && (line.ends_with('}') || line.size() >= kLook - 4);
}

}  // namespace

bool is_json_lines(const fs::path& path) {
  const std::string text = beginning_of(path);
  return has_object_in_first_line(without_space(text));
}

void refuse_foreign(const fs::path& path) {
  const std::string bytes = beginning_of(path);
  const std::string_view text = without_space(bytes);
  if (bytes.starts_with("PAR1")) {
    refuse(path, "Parquet", "CSV",
           "import sys, pandas; pandas.read_parquet(sys.argv[1]).to_csv(sys.argv[2], index=False)", ".csv");
  }
  if (bytes.starts_with("PK\x03\x04")) {
    refuse(path, "a spreadsheet or another archive", "CSV",
           "import sys, pandas; pandas.read_excel(sys.argv[1]).to_csv(sys.argv[2], index=False)", ".csv");
  }
  if (!starts_like_object(text) && !text.starts_with('[')) return;
  const std::string extension = bare_extension(path);
  // Turtle may begin with a blank node, [ ... ].
  if (text.starts_with('[') && extension != ".json" && extension != ".jsonld") return;
  if (is_linked_data(path, text)) {
    refuse(path, "JSON-LD", "N-Triples",
           "import sys, rdflib; rdflib.Graph().parse(sys.argv[1], format='json-ld').serialize(sys.argv[2], "
           "'nt', encoding='utf-8')",
           ".nt");
  }
  if (text.starts_with('[') || !has_object_in_first_line(text)) {
    refuse(
        path, "JSON that is not one object a line", "JSON Lines",
        "import sys, json; rows = json.load(open(sys.argv[1])); open(sys.argv[2], 'w').writelines(json.dumps"
        "(row) + '\\n' for row in (rows if isinstance(rows, list) else [rows]))",
        ".jsonl");
  }
}

}  // namespace dovetail

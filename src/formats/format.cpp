#include "formats/format.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <system_error>

#include "common/text.h"
#include "formats/foreign.h"
#include "formats/format_table.h"
#include "formats/text_input.h"

namespace dovetail {

const std::vector<FormatInfo>& formats() {
  static const std::vector<FormatInfo> kAll = [] {
    std::vector<FormatInfo> all;
    for (const FormatEntry& entry : format_entries()) all.push_back(entry.info);
    return all;
  }();
  return kAll;
}

const FormatInfo& format_info(Format format) {
  static constexpr FormatInfo kAutomatic = {Format::automatic, FormatKind::graph, "auto", "",
                                            "recognised by content and name"};
  for (const FormatInfo& info : formats()) {
    if (info.format == format) return info;
  }
  return kAutomatic;
}

Format format_from_name(std::string_view name) {
  if (name == "auto") return Format::automatic;
  std::string known;
  for (const FormatInfo& info : formats()) {
    if (name == info.name) return info.format;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", info.name);
  }
  throw ParameterError(fmt::format("{} is not a format; expected one of {}", shown(name), known));
}

std::string bare_extension(const std::filesystem::path& path) {
  const auto lower = [](std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
  };
  const std::string last = lower(path.extension().string());
  if (last == ".gz" || last == ".bz2" || last == ".xz" || last == ".zst") {
    return lower(path.stem().extension().string());
  }
  return last;
}

namespace {

using enum Format;

/// Of a graph, by the end of its name.
Format by_extension(const std::filesystem::path& path) {
  const std::string extension = bare_extension(path);
  if (extension.empty()) return automatic;
  for (const FormatEntry& entry : format_entries()) {
    if (entry.info.kind == FormatKind::links) continue;
    if (extension == entry.info.extension || std::ranges::count(entry.other_extensions, extension) > 0) {
      return entry.info.format;
    }
  }
  return automatic;
}

std::string_view first_line(std::string_view text, bool (*skip)(std::string_view)) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    if (!line.empty() && !skip(line)) return line;
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return {};
}

bool is_comment(std::string_view line) {
  return line.starts_with('#');
}

bool starts_like_xml(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  return text.starts_with("<?xml") || text.starts_with("<rdf:RDF") || text.starts_with("<!--") ||
         text.starts_with("<!DOCTYPE");
}

bool starts_like_turtle(std::string_view line) {
  return line.starts_with("@prefix") || line.starts_with("@base") || line.starts_with("PREFIX ") ||
         line.starts_with("BASE ") || line.starts_with("prefix ");
}

/// Whether a line of N-Triples or N-Quads has a fourth term.
bool has_graph_name(std::string_view line) {
  line.remove_suffix(1);  // the full stop
  std::size_t terms = 0;
  if (const std::size_t quote = line.rfind('"'); quote != std::string_view::npos) {
    // Literals may hold anything; what follows one is its language or type and then perhaps a name.
    terms = 3;
    line.remove_prefix(quote + 1);
    line.remove_prefix(std::min(line.find_first_of(line.starts_with("^^") ? ">" : " \t"), line.size()));
    if (line.starts_with('>')) line.remove_prefix(1);
  }
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool begins = i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t' || line[i - 1] == '>';
    if (begins && (line[i] == '<' || line.substr(i).starts_with("_:"))) ++terms;
  }
  return terms == 4;
}

/// By the look of the first line that is no comment.
Format by_shape(std::string_view line) {
  if (starts_like_turtle(line)) return turtle;
  if ((line.starts_with('<') || line.starts_with("_:")) && line.ends_with('.')) {
    return has_graph_name(line) ? nquads : ntriples;
  }
  if (line.find('\t') != std::string_view::npos) return tsv;
  if (line.find(',') != std::string_view::npos) return csv;
  return automatic;
}

constexpr std::size_t kFirstBytes = 1 << 16;

class NoObserver : public Observer {};

/// A pipe can be read once only, so its name has to tell.
Format by_name_of_pipe(const std::filesystem::path& path) {
  const Format format = by_extension(path);
  if (format == automatic) {
    throw InputError(path.string(), 0,
                     "found a pipe, which cannot be looked into beforehand; expected a file, or to be told "
                     "the format");
  }
  return format;
}

}  // namespace

bool is_pipe(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored) &&
         !std::filesystem::is_directory(path, ignored);
}

Format recognise_graph(const std::filesystem::path& path) {
  if (is_pipe(path)) return by_name_of_pipe(path);
  refuse_foreign(path);
  Format format = by_extension(path);
  if ((format == automatic || format == json_lines) && is_json_lines(path)) return json_lines;
  NoObserver quiet;
  TextInput input(path, quiet);
  const std::string_view text = input.peek(kFirstBytes);
  if (starts_like_xml(text)) return rdfxml;
  if (format == automatic) format = by_shape(first_line(text, is_comment));
  if (format == automatic) {
    throw InputError(path.string(), 1,
                     fmt::format("found {}; expected RDF or a table of triples; if it is one, say of which "
                                 "format it is",
                                 shown(first_line(text, is_comment))));
  }
  return format;
}

Format recognise_links(const std::filesystem::path& path) {
  if (is_pipe(path)) {
    const Format format = by_name_of_pipe(path);
    return format == tsv ? links_tsv : format == csv ? links_csv : format;
  }
  NoObserver quiet;
  TextInput input(path, quiet);
  const std::string_view text = input.peek(kFirstBytes);
  if (starts_like_xml(text)) return rdfxml;
  const std::string_view header = first_line(text, is_comment);
  if (header.starts_with('[') && bare_extension(path) == ".json") return links_json;
  if (path.filename().string().find(".sssom.") != std::string::npos ||
      (header.find("subject_id") != std::string_view::npos &&
       header.find("object_id") != std::string_view::npos)) {
    return sssom;
  }
  const std::string_view data =
      first_line(text, [](std::string_view line) { return is_comment(line) || starts_like_turtle(line); });
  // Pairs of prefixed names below @prefix lines look like Turtle but have no predicate and no full stop.
  const bool pairs = std::count(data.begin(), data.end(), '\t') == 1 && !data.ends_with('.') &&
                     !data.ends_with(';') && !data.ends_with(',');
  Format format = pairs ? tsv : by_extension(path);
  if (format == automatic) format = by_shape(data);
  if (format == tsv) return links_tsv;
  if (format == csv) return links_csv;
  if (format == automatic) {
    throw InputError(
        path.string(), 1,
        fmt::format("found {}; expected links: two names between a tab or comma, owl:sameAs triples, "
                    "SSSOM or an Alignment",
                    shown(data)));
  }
  return format;
}

}  // namespace dovetail

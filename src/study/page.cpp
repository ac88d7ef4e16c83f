// A study as a page: Markdown, and HTML that needs no other file.
#include <fmt/format.h>

#include "common/text.h"
#include "study/tables.h"

namespace dovetail {
namespace {

constexpr const char* kStyle = R"(
body { font: 16px/1.5 Helvetica, Arial, 'DejaVu Sans', sans-serif; color: #222; background: #fff;
       max-width: 46em; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.5em; line-height: 1.25; }
figure { margin: 2em 0; break-inside: avoid; }
figcaption { font-weight: bold; margin-bottom: .5em; }
svg { width: 100%; height: auto; display: block; }
table { border-collapse: collapse; margin: 2em 0; break-inside: avoid; font-size: .9em; }
caption { font-weight: bold; text-align: left; padding-bottom: .3em; }
th, td { padding: .2em .8em; border-bottom: 1px solid #ccc; text-align: right; white-space: nowrap; }
tr > :first-child { text-align: left; }
tr > th:first-child { font-weight: normal; }
pre { background: #f4f4f4; padding: .7em 1em; white-space: pre-wrap; overflow-wrap: anywhere; }
@media print { body { font-size: 11pt; margin: 0; max-width: none; } }
)";

}  // namespace

std::string study_markdown(const Study& study) {
  std::string text = fmt::format("# {}\n", study.plan.title);
  for (const Table& table : make_tables(study))
    text += fmt::format("\n## {}\n\n{}", table.caption, markdown(table));
  const std::vector<std::string> notes = make_notes(study);
  if (!notes.empty()) text += "\n";
  for (const std::string& note : notes) text += fmt::format("- {}\n", note);
  text += fmt::format("\n{}\n", origin_text(study));
  if (!study.command.empty()) text += fmt::format("\n    {}\n", study.command);
  return text;
}

std::string study_page(const Study& study) {
  const std::string title = xml_escaped(study.plan.title);
  std::string text = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n"
      "<style>{}</style>\n</head>\n<body>\n<h1>{}</h1>\n<p>{}</p>\n",
      title, kStyle, title, xml_escaped(origin_text(study)));
  if (!study.command.empty()) text += fmt::format("<pre>{}</pre>\n", xml_escaped(study.command));
  for (const Chart& chart : make_charts(study)) {
    text += fmt::format("<figure>\n<figcaption>{}</figcaption>\n{}</figure>\n", xml_escaped(chart.title),
                        svg_chart(chart));
  }
  for (const Table& table : make_tables(study)) text += html(table);
  for (const std::string& note : make_notes(study)) text += fmt::format("<p>{}</p>\n", xml_escaped(note));
  return text + "</body>\n</html>\n";
}

}  // namespace dovetail

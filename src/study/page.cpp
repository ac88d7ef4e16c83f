// A study as a page: Markdown, and HTML that needs no other file.
#include <fmt/format.h>

#include "common/text.h"
#include "study/tables.h"

namespace dovetail {

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
  std::string text = fmt::format("<p>{}</p>\n", xml_escaped(origin_text(study)));
  if (!study.command.empty()) text += fmt::format("<pre>{}</pre>\n", xml_escaped(study.command));
  for (const Chart& chart : make_charts(study)) {
    text += fmt::format("<figure>\n<figcaption>{}</figcaption>\n{}</figure>\n", xml_escaped(chart.title),
                        svg_chart(chart));
  }
  for (const Table& table : make_tables(study)) text += html(table);
  for (const std::string& note : make_notes(study)) text += fmt::format("<p>{}</p>\n", xml_escaped(note));
  return html_page(study.plan.title, {}, text);
}

}  // namespace dovetail

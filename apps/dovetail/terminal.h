#pragma once

#include <string>
#include <string_view>
#include <unistd.h>

/// Installs handlers for Ctrl-C and the signals by which terminals, batch systems and limits of processor
/// time end programs (SIGTERM, SIGHUP unless the caller ignores it, SIGUSR1, SIGXCPU): observers then cancel
/// the work, so that no incomplete file stays behind. A second Ctrl-C or SIGTERM ends the program at once. A
/// closed pipe is an error of writing, not a signal.
void catch_interruption();
/// The signal that was received; 0 = none.
[[nodiscard]] int interruption();

/// Opens placeholders for standard streams that the caller has closed, so that no other file gets their
/// descriptors. Reading and writing them still fails.
void occupy_closed_streams();
/// Throws SystemError if the limit of open files is too low for a run.
void check_open_files();

/// Prints to the standard error stream. Errors of writing are ignored.
void print_aside(std::string_view text);
/// Prints a summary to the standard output. Errors of writing are ignored: the work itself has been done.
void print_summary(std::string_view text);
/// Prints a result to the standard output. Throws SystemError if it cannot be written.
void print_result(std::string_view text);

/// JSON for the standard output; ASCII only on a terminal, because names may have control sequences.
template <typename Json>
[[nodiscard]] std::string json_text(const Json& record, int indent) {
  return record.dump(indent, ' ', isatty(STDOUT_FILENO) == 1, Json::error_handler_t::replace);
}

/// Whether a stream is a terminal and NO_COLOR is not set.
[[nodiscard]] bool may_colour(int stream);
[[nodiscard]] std::size_t terminal_width(int stream);
/// The text with lines wrapped at the width of the stream's terminal; unchanged if it is not a terminal.
[[nodiscard]] std::string fitted(std::string_view text, int stream);

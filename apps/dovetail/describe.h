#pragma once

#include <dovetail/io.h>

#include <string>

/// A loaded pair in numbers, for people.
[[nodiscard]] std::string describe_text(const dovetail::LoadedPair& pair);

/// Warns of what a format had no place for.
void say_what_was_left_out(const dovetail::LeftOut& left_out, dovetail::Format format,
                           dovetail::Observer& observer);

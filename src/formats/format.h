#pragma once

#include <dovetail/io.h>

#include <filesystem>
#include <string_view>

namespace dovetail {

/// The lower-case ending of a file's name, without one of a compression: "a.NT.gz" -> ".nt".
[[nodiscard]] std::string bare_extension(const std::filesystem::path& path);

/// Whether the path is of something that can be read once only: a pipe, a socket, a terminal.
[[nodiscard]] bool is_pipe(const std::filesystem::path& path);

/// What a graph file is, by its first bytes where they leave no doubt, then by its name, then by the shape of
/// its first line. Throws InputError where all three say nothing.
[[nodiscard]] Format recognise_graph(const std::filesystem::path& path);

/// The same for a file of links. RDF of any kind is named by its syntax (turtle, rdfxml, ...): whether it
/// holds owl:sameAs or an Alignment shows in its statements.
[[nodiscard]] Format recognise_links(const std::filesystem::path& path);

}  // namespace dovetail

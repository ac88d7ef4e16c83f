#pragma once

#include <dovetail/files.h>
#include <dovetail/graph_sink.h>
#include <dovetail/io.h>

#include <filesystem>
#include <memory>

namespace dovetail {

/// A sink that writes a folder. Nothing appears under the folder's name before commit().
class PairWriter : public PairSink {
 public:
  virtual void commit() = 0;
};

/// Whether a pair that Dovetail wrote is replaced, and what the command reads meanwhile.
struct PairTarget {
  bool replace = false;
  Reading reading{};
};

/// Creates the folder `path`: dbp15k, openea, or left.* and right.* in a format of kind `graph`.
[[nodiscard]] std::unique_ptr<PairWriter> make_pair_writer(const std::filesystem::path& path, Format format,
                                                           const PairTarget& target, Observer& observer);

}  // namespace dovetail

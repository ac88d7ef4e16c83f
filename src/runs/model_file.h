#pragma once

#include <dovetail/model.h>

#include <filesystem>

namespace dovetail {

/// Writes a model: magic, version, a JSON header, the parameters, a checksum. Little-endian.
void save_model(const Model& model, const std::filesystem::path& path);

/// Reads a model back. Throws InputError where the file is of another kind, of a later version, cut off or
/// damaged.
[[nodiscard]] Model load_model(const std::filesystem::path& path);

}  // namespace dovetail

#pragma once

#include <dovetail/align.h>

#include "encoder/message_graph.h"
#include "encoder/parameters.h"

namespace dovetail {

/// Parameters as the engine has them (node order, padded) to what users and files see, and back.
void put_parameters(const Parameters<float>& parameters, const EncoderLayout& layout, const NodeOrder& order,
                    Model& model);
[[nodiscard]] Parameters<float> take_parameters(const Model& model, const EncoderLayout& layout,
                                                const NodeOrder& order);

[[nodiscard]] inline InitialKeys initial_keys(const Model& model) {
  return {model.entity_keys, model.relation_keys};
}

}  // namespace dovetail

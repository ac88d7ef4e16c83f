#include "alignment/signal_inputs.h"

#include "formats/attribute_file.h"
#include "formats/word_vectors.h"

namespace dovetail {

SignalInputs signal_inputs() {
  return {.word_vectors = read_word_vectors, .attribute_rules = read_attribute_rules};
}

}  // namespace dovetail

#include "alignment/signal_inputs.h"

#include "formats/word_vectors.h"

namespace dovetail {

SignalInputs signal_inputs() {
  return {.word_vectors = read_word_vectors};
}

}  // namespace dovetail

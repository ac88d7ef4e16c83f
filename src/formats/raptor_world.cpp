#include "formats/raptor_world.h"

#include <mutex>

namespace dovetail {

namespace {

std::recursive_mutex& raptor_mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

}  // namespace

RaptorWorld::RaptorWorld(void* user, raptor_log_handler on_log) {
  raptor_mutex().lock();
  world_ = raptor_new_world();
  raptor_world_set_log_handler(world_, user, on_log);
  raptor_world_open(world_);
}

RaptorWorld::~RaptorWorld() {
  raptor_free_world(world_);
  raptor_mutex().unlock();
}

}  // namespace dovetail

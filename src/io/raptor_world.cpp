#include "io/raptor_world.h"

#include <mutex>
#include <vector>

namespace dovetail {

namespace {

struct Pool {
  std::mutex mutex;
  std::vector<raptor_world*> idle;
};

Pool& pool() {
  static auto* const kPool = new Pool;  // outlives everything that may still use a world at exit
  return *kPool;
}

}  // namespace

RaptorWorld::RaptorWorld(void* user, raptor_log_handler on_log) {
  // Opening a world sets up libxml2, which is safe for one thread at a time only.
  const std::lock_guard lock(pool().mutex);
  if (pool().idle.empty()) {
    world_ = raptor_new_world();
    raptor_world_open(world_);
  } else {
    world_ = pool().idle.back();
    pool().idle.pop_back();
  }
  raptor_world_set_log_handler(world_, user, on_log);
  // The same file gives the same names to its nameless nodes, however many were read before.
  raptor_world_set_generate_bnodeid_parameters(world_, nullptr, 1);
}

RaptorWorld::~RaptorWorld() {
  const std::lock_guard lock(pool().mutex);
  raptor_world_set_log_handler(world_, nullptr, nullptr);
  pool().idle.push_back(world_);
}

}  // namespace dovetail

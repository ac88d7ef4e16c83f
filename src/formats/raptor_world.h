#pragma once

#include <raptor2.h>

namespace dovetail {

/// A raptor world, and the right to use raptor: one thread at a time. Opening and freeing a world sets up and
/// shuts down libxml2 for the whole process, and libxml2 reports errors to the world that the thread opened
/// last; so worlds on two threads damage each other's memory or lose each other's errors. To be freed on the
/// thread that made it, later worlds first.
class RaptorWorld {
 public:
  /// Waits until no other thread has a world. `user` is handed to `on_log` with each message.
  RaptorWorld(void* user, raptor_log_handler on_log);
  RaptorWorld(const RaptorWorld&) = delete;
  RaptorWorld& operator=(const RaptorWorld&) = delete;
  ~RaptorWorld();

  [[nodiscard]] raptor_world* get() const { return world_; }

 private:
  raptor_world* world_;
};

}  // namespace dovetail

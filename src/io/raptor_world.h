#pragma once

#include <raptor2.h>

namespace dovetail {

/// A raptor world of one's own for as long as this lives. Worlds go back to a pool and are never freed:
/// freeing one shuts libxml2 down under whoever else is using it, on this thread or another.
class RaptorWorld {
 public:
  /// `user` is handed to `on_log` with each message.
  RaptorWorld(void* user, raptor_log_handler on_log);
  RaptorWorld(const RaptorWorld&) = delete;
  RaptorWorld& operator=(const RaptorWorld&) = delete;
  ~RaptorWorld();

  [[nodiscard]] raptor_world* get() const { return world_; }

 private:
  raptor_world* world_;
};

}  // namespace dovetail

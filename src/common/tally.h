#pragma once

#include <cstdint>
#include <mutex>
#include <string_view>

#include "common/threads.h"

namespace dovetail {

/// Counts work that threads get done, and tells the pool's observer how far it is.
class Tally {
 public:
  Tally(ThreadPool& pool, std::string_view task, std::uint64_t total, std::string_view unit)
      : observer_(pool.observer()), task_(task), total_(total), unit_(unit) {
    add(0);
  }

  /// A lock, so that the observer hears of the last piece last.
  void add(std::uint64_t count) {
    const std::lock_guard lock(mutex_);
    done_ += count;
    if (observer_ != nullptr) observer_->progress(task_, done_, total_, unit_);
  }

 private:
  Observer* observer_;
  std::string_view task_;
  std::uint64_t done_ = 0, total_;
  std::string_view unit_;
  std::mutex mutex_;
};

}  // namespace dovetail

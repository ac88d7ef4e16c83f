#pragma once

#include <dovetail/errors.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace dovetail {

/// Where the library reports what it is doing; the library itself never prints.
/// Calls come from any thread, so an implementation guards its own state.
class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  virtual ~Observer() = default;

  /// `task` has done `done` of `total` `unit`s; total 0 means it is not known. A task's last call has
  /// done == total. Called often; an implementation decides what to show.
  virtual void progress(std::string_view task, std::uint64_t done, std::uint64_t total,
                        std::string_view unit) {
    (void)task, (void)done, (void)total, (void)unit;
  }

  /// A part of the work is done, in words.
  virtual void note(const std::string& text) { (void)text; }

  /// Something the user should know although the work goes on.
  virtual void warning(const std::string& text) { (void)text; }

  /// Whether the work is to be given up. Asked many times a second, and long loops stop soon after a yes,
  /// with Cancelled.
  virtual bool cancelled() { return false; }
  void stop_if_cancelled() {
    if (cancelled()) throw Cancelled();
  }
};

}  // namespace dovetail

#pragma once

#include <dovetail/observer.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <nanobind/nanobind.h>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace dovetail::python {

namespace nb = nanobind;

/// Reports to a Python callable, if there is one, and stops the work when Python has a signal pending
/// (Ctrl-C) or the callable raises. Made, and asked for the outcome, with the GIL held; everything else
/// without it.
class PythonObserver : public Observer {
 public:
  /// `callback(task, done, total, unit)` for progress, `callback(text)` for notes; or None.
  explicit PythonObserver(nb::object callback) : callback_(std::move(callback)) {}

  void progress(std::string_view task, std::uint64_t done, std::uint64_t total,
                std::string_view unit) override;
  void note(const std::string& text) override;
  void warning(const std::string& text) override;
  bool cancelled() override;

  /// Hands the warnings to Python's own.
  void warn() const;
  /// Throws what made Python stop the work, if it did.
  void raise_cause();

 private:
  using Clock = std::chrono::steady_clock;

  /// Runs something with the GIL; an error of Python's ends the work.
  template <typename Work>
  void with_python(const Work& work);

  nb::object callback_;
  const std::thread::id caller_ = std::this_thread::get_id();
  std::mutex mutex_;  // guards all below
  Clock::time_point last_shown_;
  std::vector<std::string> warnings_;
  std::optional<nb::python_error> cause_;
  Clock::time_point last_asked_;  // by the calling thread only
  std::atomic<bool> stop_ = false;
};

/// work(observer) without the GIL; warnings become Python's, and so do interruptions.
template <typename Work>
auto observed(nb::object callback, const Work& work) {
  PythonObserver observer(std::move(callback));
  try {
    auto result = [&] {
      const nb::gil_scoped_release release;
      return work(observer);
    }();
    observer.warn();
    return result;
  } catch (const Cancelled&) {
    observer.raise_cause();
    throw;
  }
}

}  // namespace dovetail::python

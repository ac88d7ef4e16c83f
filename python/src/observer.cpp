#include "observer.h"

#include <dovetail/text.h>

namespace dovetail::python {

namespace {

using namespace std::chrono_literals;

constexpr auto kShowEvery = 100ms;
constexpr auto kAskEvery = 50ms;

}  // namespace

template <typename Work>
void PythonObserver::with_python(const Work& work) {
  const nb::gil_scoped_acquire acquire;
  try {
    work();
  } catch (nb::python_error& error) {
    const std::lock_guard lock(mutex_);
    if (!cause_) cause_.emplace(std::move(error));
    stop_ = true;
  }
}

void PythonObserver::progress(std::string_view task, std::uint64_t done, std::uint64_t total,
                              std::string_view unit) {
  if (callback_.is_none() || stop_) return;
  {
    const std::lock_guard lock(mutex_);
    const bool last = total != 0 && done >= total;
    if (Clock::now() - last_shown_ < kShowEvery && !last) return;
    last_shown_ = Clock::now();
  }
  with_python([&] { callback_(printable(task).c_str(), done, total, nb::str(unit.data(), unit.size())); });
}

void PythonObserver::note(const std::string& text) {
  if (callback_.is_none() || stop_) return;
  with_python([&] { callback_(printable(text).c_str()); });
}

void PythonObserver::warning(const std::string& text) {
  const std::lock_guard lock(mutex_);
  warnings_.push_back(printable(text));
}

bool PythonObserver::cancelled() {
  // Python runs its handlers of signals in its main thread only, so only the calling thread can ask.
  if (!stop_ && std::this_thread::get_id() == caller_ && Clock::now() - last_asked_ >= kAskEvery) {
    last_asked_ = Clock::now();
    with_python([] {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    });
  }
  return stop_;
}

void PythonObserver::warn() const {
  for (const std::string& text : warnings_) {
    if (PyErr_WarnEx(PyExc_UserWarning, text.c_str(), 1) != 0) throw nb::python_error();
  }
}

void PythonObserver::raise_cause() {
  if (!cause_) return;
  nb::python_error cause = std::move(*cause_);
  cause_.reset();
  throw cause;  // NOLINT: nanobind restores it where the function returns to Python
}

}  // namespace dovetail::python

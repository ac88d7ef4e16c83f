"""What is shown while the work goes on."""

from __future__ import annotations

import sys
from typing import Any, Callable, Union

Progress = Union[bool, Callable[..., None]]
"""``True``: shown with tqdm if it is installed, else as lines; ``False``: not at all; or a function that is called
with ``(task, done, total, unit)``, and with ``(text)`` when a part of the work is done."""


class _Bars:
    """A tqdm bar for each task."""

    def __init__(self, tqdm: Any) -> None:
        self._tqdm = tqdm
        self._bars: dict[str, Any] = {}

    def __call__(self, task: str, done: int | None = None, total: int = 0, unit: str = "") -> None:
        if done is None:
            self._tqdm.write(task, file=sys.stderr)
            return
        if task not in self._bars:
            self._bars[task] = self._tqdm(
                total=total or None, desc=task, unit=f" {unit}", unit_scale=unit == "bytes", leave=False
            )
        bar = self._bars[task]
        bar.update(done - bar.n)
        if total and done >= total:
            bar.close()
            del self._bars[task]

    def close(self) -> None:
        for bar in self._bars.values():
            bar.close()
        self._bars.clear()


class _Lines:
    """A line for each part of the work that is done."""

    def __call__(self, task: str, done: int | None = None, total: int = 0, unit: str = "") -> None:
        if done is None:
            print(task, file=sys.stderr)

    def close(self) -> None:
        pass


class shown:
    """The callback for a ``progress`` argument, closed at the end."""

    def __init__(self, progress: Progress) -> None:
        self._own: _Bars | _Lines | None = None
        self._callback: Callable[..., None] | None = None
        if callable(progress):
            self._callback = progress
        elif progress:
            try:
                from tqdm.auto import tqdm

                self._own = _Bars(tqdm)
            except ImportError:
                self._own = _Lines()
            self._callback = self._own

    def __enter__(self) -> Callable[..., None] | None:
        return self._callback

    def __exit__(self, *_: object) -> None:
        if self._own is not None:
            self._own.close()

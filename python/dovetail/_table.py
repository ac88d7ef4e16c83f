"""The table of links."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import pandas


class Link(NamedTuple):
    """Two entities that are held to be the same."""

    left: str
    right: str
    score: float
    margin: float
    confidence: float


class Unmatched(NamedTuple):
    """An entity that is in no link.

    ``probability`` is that of having no counterpart; ``reason`` is "no candidate", "no counterpart",
    "candidate taken" or "unsure".
    """

    side: str
    entity: str
    candidate: str | None
    score: float
    probability: float
    reason: str


class Table:
    """Links, a row each, in five columns.

    ``left`` and ``right`` are lists of names, ``score``, ``margin`` and ``confidence`` NumPy arrays.

    >>> table = Table(["a", "b"], ["x", "y"], np.array([.5, .4]), np.array([.1, .2]), np.array([.9, .6]))
    >>> len(table)
    2
    >>> table.right
    ['x', 'y']
    >>> table[0].confidence
    0.9
    >>> [link.left for link in table.surer_than(0.8)]
    ['a']
    """

    left: list[str]
    right: list[str]
    score: np.ndarray
    margin: np.ndarray
    confidence: np.ndarray

    def __init__(
        self, left: list[str], right: list[str], score: np.ndarray, margin: np.ndarray, confidence: np.ndarray
    ) -> None:
        self.left = left
        self.right = right
        self.score = score
        self.margin = margin
        self.confidence = confidence

    def __len__(self) -> int:
        return len(self.left)

    def __getitem__(self, row: int) -> Link:
        return Link(
            self.left[row],
            self.right[row],
            float(self.score[row]),
            float(self.margin[row]),
            float(self.confidence[row]),
        )

    def __iter__(self) -> Iterator[Link]:
        return (self[row] for row in range(len(self)))

    def __repr__(self) -> str:
        return f"<dovetail.Table of {len(self):,} links>"

    def surer_than(self, confidence: float) -> Table:
        """The links with at least this confidence."""
        rows = np.flatnonzero(self.confidence >= confidence)
        return Table(
            [self.left[row] for row in rows],
            [self.right[row] for row in rows],
            self.score[rows],
            self.margin[rows],
            self.confidence[rows],
        )

    def to_dict(self) -> dict[str, Any]:
        """The columns by name, as pandas, polars and pyarrow take them.

        >>> table = Table(["a"], ["x"], np.array([.5]), np.array([.1]), np.array([.9]))
        >>> list(table.to_dict())
        ['left', 'right', 'score', 'margin', 'confidence']
        """
        return {name: getattr(self, name) for name in Link._fields}

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas data frame.

        >>> table = Table(["a"], ["x"], np.array([.5]), np.array([.1]), np.array([.9]))
        >>> table.to_pandas()
          left right  score  margin  confidence
        0    a     x    0.5     0.1         0.9
        """
        import pandas

        return pandas.DataFrame(self.to_dict())

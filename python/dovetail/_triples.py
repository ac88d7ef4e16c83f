"""Graphs from what Python programs have them in."""

from __future__ import annotations

from typing import Any, Iterable

from . import _core


def _rows(table: Any, columns: int, what: str) -> list[tuple[Any, ...]]:
    """The rows of an array, a data frame or any iterable."""
    if hasattr(table, "itertuples"):  # pandas
        rows = list(table.itertuples(index=False, name=None))
    elif hasattr(table, "iter_rows"):  # polars
        rows = list(table.iter_rows())
    elif hasattr(table, "tolist"):  # NumPy
        rows = table.tolist()
    else:
        rows = list(table)
    for number, row in enumerate(rows):
        if isinstance(row, str) or not hasattr(row, "__len__") or len(row) != columns:
            raise ValueError(f"row {number} of the {what} is {row!r}; expected {columns} values")
    return rows


def _is_rdflib(graph: Any) -> bool:
    return hasattr(graph, "triples") and type(graph).__module__.startswith("rdflib")


def _term(term: Any) -> str:
    """An rdflib node as Dovetail calls it."""
    from rdflib.term import BNode

    return f"_:{term}" if isinstance(term, BNode) else str(term)


def _add_rdflib(graph: Any, into: _core.GraphInput) -> None:
    from rdflib.term import Literal

    triples: list[tuple[str, str, str]] = []
    literals: list[tuple[str, str, str, str, str]] = []
    for subject, predicate, value in graph:
        if isinstance(value, Literal):
            literals.append(
                (_term(subject), str(predicate), str(value), value.language or "", str(value.datatype or ""))
            )
        else:
            triples.append((_term(subject), str(predicate), _term(value)))
    # rdflib keeps triples in no order; in this one, the same graph always gets the same numbers.
    into.triples(*_columns(sorted(triples), 3))
    into.literals(*_columns(sorted(literals), 5))


def _columns(rows: Iterable[tuple[Any, ...]], count: int) -> list[list[str]]:
    columns = [list(map(str, column)) for column in zip(*rows)]
    return columns or [[] for _ in range(count)]


def graph_input(graph: Any, names: Any = None) -> _core.GraphInput:
    """One graph, and names for its entities if there are any."""
    into = _core.GraphInput()
    if _is_rdflib(graph):
        _add_rdflib(graph, into)
    else:
        into.triples(*_columns(_rows(graph, 3, "triples"), 3))
    if names is not None:
        pairs = list(names.items()) if hasattr(names, "items") and not hasattr(names, "columns") else names
        into.labels(*_columns(_rows(pairs, 2, "names"), 2))
    return into


def links_input(links: Any) -> list[tuple[str, str]]:
    """Links from an array or frame of two columns, a dict, or any iterable of pairs."""
    if links is None:
        return []
    pairs = list(links.items()) if isinstance(links, dict) else links
    return [(str(left), str(right)) for left, right in _rows(pairs, 2, "links")]

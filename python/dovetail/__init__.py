"""Find the entities that two knowledge graphs have in common.

>>> import dovetail
>>> pair = dovetail.load("left.nt", "right.nt", links="seeds.tsv")
>>> model = dovetail.align(pair, mode="semi", seed=1, dimension=32)
>>> len(model.links) > 100
True
>>> link = model.links[0]
>>> link.left.startswith("http://left.example/")
True
"""

from __future__ import annotations

import difflib
import json
import os
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from . import _core
from ._errors import InputError
from ._progress import Progress, shown
from ._table import Link, Table, Unmatched
from ._triples import graph_input, links_input

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._parameters import Parameters

__all__ = [
    "InputError",
    "Link",
    "Model",
    "Pair",
    "Table",
    "Unmatched",
    "align",
    "generate",
    "load",
    "open",
    "pair_from_triples",
    "parameters",
    "set_largest_expansion",
]
__version__: str = _core.__version__

Path = Union[str, "os.PathLike[str]"]


class Pair:
    """Two knowledge graphs and the links that are known between them.

    ``load`` and ``pair_from_triples`` make one.

    >>> pair = load("pair")
    >>> pair
    <dovetail.Pair of 300 and 300 entities, 81 links to learn from>
    >>> len(pair.test_links)
    189
    """

    def __init__(self, core: _core.Pair) -> None:
        self._core = core

    def __repr__(self) -> str:
        left, right = (self._core.sizes(side)[0] for side in ("left", "right"))
        return f"<dovetail.Pair of {left:,} and {right:,} entities, {len(self.train_links):,} links to learn from>"

    def entities(self, side: str) -> list[str]:
        """The identifiers of the entities of the ``"left"`` or ``"right"`` graph, in the order of embeddings."""
        return self._core.entities(side)

    def names(self, side: str) -> list[str]:
        """What people call these entities: their labels, or the last part of their identifiers."""
        return self._core.names(side)

    @property
    def train_links(self) -> list[tuple[str, str]]:
        """The links that are learned from."""
        return self._core.links("train")

    @property
    def valid_links(self) -> list[tuple[str, str]]:
        """The links that tell when to stop learning."""
        return self._core.links("valid")

    @property
    def test_links(self) -> list[tuple[str, str]]:
        """The links that are only looked at to say how good the result is."""
        return self._core.links("test")


class Model:
    """What an alignment gave.

    >>> model = align(load("pair"), mode="basic", dimension=32)
    >>> model
    <dovetail.Model with 1... links>
    >>> model.entity_embeddings("left").shape
    (300, 32)
    """

    def __init__(self, core: _core.Result) -> None:
        self._core = core
        self._links: Table | None = None

    def __repr__(self) -> str:
        return f"<dovetail.Model with {len(self.links):,} links>"

    @property
    def links(self) -> Table:
        """The links that were found, with their confidences.

        >>> model = align(load("pair"), mode="basic", dimension=32)
        >>> model.links
        <dovetail.Table of 1... links>
        >>> model.links.confidence.dtype
        dtype('float64')
        """
        if self._links is None:
            left, right = self._core.links()
            self._links = Table(left, right, *map(self._core.numbers, ("score", "margin", "confidence")))
        return self._links

    @property
    def unmatched(self) -> list[str]:
        """Left entities that are held to have no counterpart; empty where only test entities were looked at."""
        none = ("no counterpart", "no candidate")
        return [row.entity for row in self.unmatched_entities if row.side == "left" and row.reason in none]

    @property
    def unmatched_entities(self) -> list[Unmatched]:
        """Entities of both sides that are in no link, each with its best candidate and the reason, as in
        ``unmatched.tsv``; empty where only test entities were looked at.

        >>> model = align(load("left.nt", "right.nt", links="seeds.tsv"), mode="basic", dimension=32)
        >>> sorted({row.side for row in model.unmatched_entities})
        ['left', 'right']
        """
        return [Unmatched(*row) for row in self._core.unmatched()]

    @property
    def record(self) -> dict[str, Any]:
        """All that there is to say about the run, as in ``run.json``: figures, data, configuration, times."""
        return json.loads(self._core.record())

    @property
    def parameters(self) -> dict[str, Any]:
        """Every parameter with the value that it had, by the name that ``align`` has for it."""
        rooms = (room for room in self.record["configuration"].values() if isinstance(room, dict))
        return {name.replace("-", "_"): value for room in rooms for name, value in room.items()}

    def evaluate(self, gold: Any = None, *, complete: bool = False) -> dict[str, Any]:
        """How good the links are.

        Against ``gold``, links known to be right (an array or frame of two columns, a dict, or pairs):
        precision, recall and F1 of the left entities that it names, and the expected calibration error of
        the confidences. If it is ``complete``, every other link is wrong: figures of all links are under
        ``"strict"``. Without ``gold``, against the test links that the pair came with: the same under
        ``"links"``, and Hits@k and MRR among the test entities (``"closed"``) and among all (``"open"``).

        >>> pair = load("pair")
        >>> model = align(pair, mode="basic", dimension=32)
        >>> sorted(model.evaluate())
        ['closed', 'links', 'open']
        >>> 0 < model.evaluate()["closed"]["hits@1"] <= 1
        True
        >>> model.evaluate(pair.test_links)["gold"]
        189
        >>> strict = model.evaluate(pair.test_links, complete=True)["strict"]
        >>> strict["predicted"] == len(model.links)
        True
        """
        if gold is not None:
            return self._core.evaluate(links_input(gold), complete)
        if complete:
            raise ValueError("complete says something of gold; give links known to be right")
        record = self.record
        if "evaluation" not in record:
            raise ValueError("there were no test links to evaluate against; give links known to be right")
        result = {name: figures for name, figures in record["evaluation"].items() if name in ("closed", "open")}
        return {**result, "links": record["decisions"]["test_links"]}

    def entity_embeddings(self, side: str) -> np.ndarray:
        """What was learned for each entity of the ``"left"`` or ``"right"`` graph: [entities, dimension].

        A view of the model's own memory, not a copy, and so read-only. ``pair.entities(side)`` names the rows.

        >>> model = align(load("pair"), mode="basic", dimension=32)
        >>> model.entity_embeddings("right").flags.writeable
        False
        """
        return self._core.entity_embeddings(side)

    def relation_embeddings(self) -> np.ndarray:
        """What was learned for each relation, and after those for each inverse one; a view as above."""
        return self._core.relation_embeddings()

    @property
    def pair(self) -> Pair:
        """The two graphs; those of an opened model are read again from where they were."""
        return Pair(self._core.pair(None))

    def candidates(self, left: str) -> list[tuple[str, float]]:
        """The right entities that a left one may be the same as, best first, with their scores.

        >>> model = align(load("pair"), mode="basic", dimension=32)
        >>> len(model.candidates(model.links[0].left)) > 1
        True
        """
        return self._core.candidates(left)

    def judge(self, left: str | None, right: str | None, same: bool = True) -> None:
        """Says that two entities are the same or, with ``same=False``, that they are not. With None for one of
        them: the other has no counterpart. ``refresh`` learns from it.

        >>> model = align(load("pair"), mode="basic", dimension=32)
        >>> link = model.links[0]
        >>> model.judge(link.left, link.right, same=False)
        >>> gained, lost = model.refresh()
        >>> lost >= 0 and all(pair.left != link.left or pair.right != link.right for pair in model.links)
        True
        """
        self._core.judge(left or "", right or "", same)

    def refresh(self, *, progress: Progress = False) -> tuple[int, int]:
        """Decides again with all judgements; returns how many links were gained and lost.

        Embeddings stay as they were learned. A judged pair is never decided against its judgement.
        """
        with shown(progress) as callback:
            result = self._core.refresh(callback)
        self._links = None
        return result

    def save(self, folder: Path, *, overwrite: bool = False) -> None:
        """Writes links.tsv, run.json, the model and report.html, as ``dovetail align`` does, to a folder.

        With ``overwrite``, files that Dovetail wrote there before are replaced, unless somebody changed them;
        everything else in the folder stays, and a warning names it.

        >>> align(load("pair"), mode="basic", dimension=32).save("saved")
        >>> open("saved")
        <dovetail.Model with 1... links>
        """
        self._core.save(os.fspath(folder), overwrite)


def load(
    left: Path,
    right: Path | None = None,
    *,
    links: Path | None = None,
    format: str = "auto",
    links_format: str = "auto",
    columns: list[str] | None = None,
    links_columns: list[str] | None = None,
    header: bool | None = None,
    names: Path | None = None,
    fold: int = 1,
    strict: bool = False,
    cardinality: str = "1:1",
    shared_identifiers: str | None = None,
    seed_ratio: float | None = None,
    split_seed: int = 1,
    threads: int = 0,
    progress: Progress = False,
) -> Pair:
    """Loads two graph files and a file of links, or a folder that holds all of them.

    Args:
        left, right: Files of any RDF format or tables of triples, compressed or not; or one folder.
        links: A file of links that are known, for two files.
        format, links_format: What the files are, where it cannot be seen.
        columns, links_columns: Which columns of tables, by name or number from 1.
        header: Whether tables have one; by default that is looked at.
        names: A JSON file with names of entities.
        fold: Which split of an OpenEA folder.
        strict: A link to an unknown entity is an error instead of a warning.
        cardinality: In how many links an entity may be: ``"1:1"``, ``"1:n"``, ``"n:m"``.
        shared_identifiers: Whether entities with the same absolute IRI in both graphs are ``"seeds"``, or
            ``"ignore"``; by default seeds, but not in folders that have links.
        seed_ratio, split_seed: What share of undivided links is to learn from, and which random split.
        threads: How many; 0: one for each core.
        progress: ``True`` to show it, or a function.

    >>> load("left.nt", "right.nt", links="seeds.tsv")
    <dovetail.Pair of 300 and 300 entities, 81 links to learn from>
    >>> load("nowhere")
    Traceback (most recent call last):
    FileNotFoundError: [Errno 2] nowhere: there is no such folder
    """
    if right is None and links is not None:
        raise ValueError("links belong to two files, left and right; a folder brings its own")
    with shown(progress) as callback:
        return Pair(
            _core.load(
                left,
                right,
                links,
                format,
                links_format,
                [str(column) for column in columns or []],
                [str(column) for column in links_columns or []],
                header,
                names,
                fold,
                strict,
                cardinality,
                shared_identifiers,
                seed_ratio,
                split_seed,
                threads,
                callback,
            )
        )


def pair_from_triples(
    left: Any,
    right: Any,
    links: Any = None,
    *,
    valid_links: Any = None,
    test_links: Any = None,
    left_names: Any = None,
    right_names: Any = None,
) -> Pair:
    """A pair from graphs in memory.

    Args:
        left, right: Triples (head, relation, tail): a NumPy array or a pandas or polars frame of three columns,
            an rdflib graph, or any iterable of triples. Numbers become names, "17".
        links, valid_links, test_links: Links to learn from, to watch, to test on: an array or frame of two
            columns, a dict from left to right, or pairs.
        left_names, right_names: Names of entities: a dict, or pairs. Labels in rdflib graphs are found.

    >>> pair = pair_from_triples(
    ...     [("a", "in", "b"), ("b", "in", "c")], np.array([[1, 7, 2], [2, 7, 3]]), {"a": 1}
    ... )
    >>> pair
    <dovetail.Pair of 3 and 3 entities, 1 links to learn from>
    >>> pair.train_links
    [('a', '1')]
    """
    return Pair(
        _core.make_pair(
            graph_input(left, left_names),
            graph_input(right, right_names),
            links_input(links),
            links_input(valid_links),
            links_input(test_links),
        )
    )


def parameters(preset: str | None = None) -> dict[str, Any]:
    """Every parameter of ``align`` with its default, or its value under a preset.

    >>> parameters()["dimension"]
    300
    >>> parameters("paper")["tie_seeds"]
    False
    """
    return {name.replace("-", "_"): value for name, value in _core.parameters(preset).items()}


def _text(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    return os.fspath(value) if hasattr(value, "__fspath__") else str(value)


def align(
    pair: Pair,
    *,
    preset: str | None = None,
    threads: int = 0,
    progress: Progress = False,
    **parameters: Unpack[Parameters],
) -> Model:
    """Finds what two graphs have in common.

    The same seed gives the same result as the program ``dovetail align``, on any number of threads. Ctrl-C stops it.

    Args:
        pair: The graphs and the links to learn from.
        preset: ``"basic"``, ``"semi"``, ``"names"``, ``"paper"``, ``"gcn-align"`` or ``"fast"``.
        threads: How many; 0: one for each core.
        progress: ``True`` to show it (with tqdm if that is installed), or a function.
        parameters: Any parameter of the program with _ for -: ``mode``, ``seed``, ``min_confidence``,
            ``dimension``, ... ``dovetail.parameters()`` has all of them with their defaults.

    >>> pair = load("pair")
    >>> align(pair, mode="basic", dimension=32, seed=7)
    <dovetail.Model with 1... links>
    >>> align(pair, dimenson=32)
    Traceback (most recent call last):
    TypeError: align() has no parameter 'dimenson'; did you mean 'dimension'?
    >>> align(pair, dropout=2)
    Traceback (most recent call last):
    ValueError: dropout is "2"; expected a number from 0 to below 1
    """
    known = {name.replace("-", "_"): name for name in _core.parameters(None)}
    for name in parameters:
        if name not in known:
            close = difflib.get_close_matches(name, known, 1)
            hint = f"; did you mean {close[0]!r}?" if close else "; dovetail.parameters() has all of them"
            raise TypeError(f"align() has no parameter {name!r}{hint}")
    given = [(known[name], _text(value)) for name, value in parameters.items()]
    with shown(progress) as callback:
        return Model(_core.align(pair._core, preset, given, threads, callback))


def open(folder: Path) -> Model:
    """A model that ``Model.save`` or ``dovetail align`` has written.

    >>> open("nowhere")
    Traceback (most recent call last):
    FileNotFoundError: [Errno 2] nowhere: there is no such folder; expected one that align has written
    """
    return Model(_core.open(folder))


def generate(
    folder: Path,
    *,
    entities: int = 10_000,
    triples: int = 0,
    seed: int = 1,
    dangling: float = 0.1,
    name_difference: float = 0.3,
    overlap: float = 0.75,
    seed_ratio: float = 0.3,
    labels: bool = True,
    right_entities: int = 0,
    isolated: float = 0,
    duplicates: float = 0,
    format: str = "ntriples",
    overwrite: bool = False,
    progress: Progress = False,
) -> Pair:
    """Makes a synthetic pair with known links in a new folder, and loads it.

    Args:
        folder: Where to write it.
        entities: How many a side.
        triples: How many a side; 0: five for each entity.
        seed: Same seed and options, same pair.
        dangling: Share of entities that have no counterpart.
        name_difference: How much names of counterparts differ, from 0 to 1.
        overlap: Share of triples that both sides have.
        seed_ratio: Share of the links that is to learn from; the rest is to test on.
        labels: Whether entities have names.
        right_entities: How many on the right; 0: as many as on the left.
        isolated: Share of entities that have no triples.
        duplicates: Share of the linked right entities that are there twice.
        format: Of the files.
        overwrite: Whether a pair that Dovetail wrote there is replaced; other files in the folder stay.
        progress: ``True`` to show it, or a function.

    >>> generate("made", entities=50)
    <dovetail.Pair of 50 and 50 entities, 14 links to learn from>
    """
    with shown(progress) as callback:
        _core.generate(
            folder, entities, triples, seed, dangling, name_difference, overlap, seed_ratio, labels, right_entities,
            isolated, duplicates, format, overwrite, callback,
        )
    return load(folder, cardinality="1:n" if duplicates > 0 else "1:1")


def set_largest_expansion(times: int) -> None:
    """Sets how many times its size a compressed file may grow when it is read, in this process; 0: as often as it
    likes. The default is 200, against files that were made to fill memory.

    >>> set_largest_expansion(200)
    """
    _core.set_largest_expansion(times)

import gzip

import numpy as np
import pandas
import pytest
import rdflib

import dovetail

LEFT = [("a", "in", "b"), ("b", "in", "c"), ("c", "has", "a")]
RIGHT = [("x", "in", "y"), ("y", "in", "z"), ("z", "has", "x")]


def entities(pair):
    return sorted(pair.entities("left")), sorted(pair.entities("right"))


@pytest.mark.parametrize("form", [list, iter, np.array, pandas.DataFrame])
def test_triples_may_come_in_any_form(form):
    pair = dovetail.pair_from_triples(form(LEFT), form(RIGHT), {"a": "x"}, test_links=[("b", "y")])
    assert entities(pair) == (["a", "b", "c"], ["x", "y", "z"])
    assert pair.train_links == [("a", "x")]
    assert pair.test_links == [("b", "y")]
    assert pair._core.sizes("left") == (3, 2, 3)


@pytest.mark.parametrize("links", [{"a": "x"}, [("a", "x")], np.array([["a", "x"]]), pandas.DataFrame([["a", "x"]])])
def test_so_may_links(links):
    assert dovetail.pair_from_triples(LEFT, RIGHT, links).train_links == [("a", "x")]


def test_numbers_are_names():
    pair = dovetail.pair_from_triples(np.array([[10, 1, 11]]), np.array([[20, 1, 21]]), np.array([[10, 20]]))
    assert entities(pair) == (["10", "11"], ["20", "21"])
    assert pair.train_links == [("10", "20")]


def test_names_are_given_beside():
    pair = dovetail.pair_from_triples(LEFT, RIGHT, left_names={"a": "Paris", "unknown": "?"})
    assert dict(zip(pair.entities("left"), pair.names("left"))) == {"a": "Paris", "b": "b", "c": "c"}


def test_rdflib_graphs_bring_their_labels():
    graph = rdflib.Graph()
    graph.parse(
        format="turtle",
        data='@prefix : <http://l/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n'
        ':a :in :b ; rdfs:label "A \\"quoted\\"\\nname"@en ; :size 5 . [] :in :b .',
    )
    pair = dovetail.pair_from_triples(graph, RIGHT, {"http://l/a": "x"})
    names = dict(zip(pair.entities("left"), pair.names("left")))
    assert names["http://l/a"] == 'A "quoted"\nname'
    assert len(names) == 3 and any(name.startswith("_:") for name in names)


def test_a_pair_from_memory_is_aligned_like_one_from_files(home, pair):
    def graph(path):
        graph = rdflib.Graph()
        graph.parse(path, format="nt")
        return graph

    memory = dovetail.pair_from_triples(graph(home / "left.nt"), graph(home / "right.nt"), pair.train_links)
    assert set(memory.entities("left")) == set(pair.entities("left"))
    assert set(zip(memory.entities("left"), memory.names("left"))) == set(zip(pair.entities("left"), pair.names("left")))
    model = dovetail.align(memory, mode="names", dimension=16)
    assert model.evaluate(pair.test_links)["precision"] > 0.8
    with pytest.raises(ValueError, match="no test links"):
        model.evaluate()
    model.save(home / "from-memory")
    assert "Alignment of two graphs" in (home / "from-memory" / "report.html").read_text(encoding="utf-8")
    opened = dovetail.open(home / "from-memory")
    assert opened.links.left == model.links.left
    with pytest.raises(dovetail.InputError, match="came from no file"):
        opened.pair


@pytest.mark.parametrize(
    ("left", "links", "message"),
    [
        ([("a", "in")], None, "row 0 of the triples"),
        (["abc"], None, "row 0 of the triples"),
        (LEFT, [("a", "x", 1)], "row 0 of the links"),
        (LEFT, {"q": "x"}, '"q", which is not in the left graph'),
        (LEFT, [("a", "x"), ("b", "x")], '"x" of the right graph is in two links'),
    ],
)
def test_what_makes_no_sense_is_a_value_error(left, links, message):
    with pytest.raises(ValueError, match=message):
        dovetail.pair_from_triples(left, RIGHT, links)


def test_errors_are_pythons_own(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere.nt"):
        dovetail.load(tmp_path / "nowhere.nt", tmp_path / "nowhere.nt")
    bad = tmp_path / "bad.nt"
    bad.write_text("<http://a> <http://p> <http://b> .\n<http://a> oops\n")
    with pytest.raises(dovetail.InputError) as caught:
        dovetail.load(bad, bad)
    assert isinstance(caught.value, ValueError)
    assert caught.value.file == str(bad)
    assert caught.value.line == 2
    assert str(caught.value).startswith(f"{bad}:2: ")
    with pytest.raises(ValueError, match="not a format"):
        dovetail.load(bad, bad, format="jsonld")
    with pytest.raises(ValueError, match="brings its own"):
        dovetail.load(tmp_path, links=bad)
    with pytest.raises(FileExistsError):
        dovetail.generate(tmp_path, entities=50)


def test_warnings_are_pythons_own(tmp_path):
    (tmp_path / "l.tsv").write_text("a\tp\tb\n")
    (tmp_path / "links.tsv").write_text("a\ta\nz\tz\n")
    with pytest.warns(UserWarning, match="unknown|neither|not in"):
        dovetail.load(tmp_path / "l.tsv", tmp_path / "l.tsv", links=tmp_path / "links.tsv")


def test_tables_and_splits_are_options(tmp_path):
    (tmp_path / "l.csv").write_text("n,s,p,o\n1,a,p,b\n2,b,p,c\n")
    (tmp_path / "links.tsv").write_text("a\ta\nb\tb\n")
    pair = dovetail.load(
        tmp_path / "l.csv", tmp_path / "l.csv", links=tmp_path / "links.tsv", columns=["s", "p", "o"], seed_ratio=0.5
    )
    assert sorted(pair.entities("left")) == ["a", "b", "c"]
    assert len(pair.train_links) == len(pair.test_links) == 1


def test_names_of_files_are_never_obeyed_by_a_terminal(tmp_path):
    path = tmp_path / "no\x1b[2J.nt"
    with pytest.raises(FileNotFoundError) as error:
        dovetail.load(path, path)  # both sides at once: either may be the one that is named
    assert "no\\x1B[2J.nt" in str(error.value)


def test_files_that_were_made_to_fill_memory_are_refused_unless_trusted(tmp_path):
    bomb = tmp_path / "bomb.nt.gz"
    with gzip.open(bomb, "wb") as file:
        file.write(b"<http://l/a> <http://l/p> <http://l/b> .\n" + b"# nothing at all, again\n" * 3_000_000)
    with pytest.raises(dovetail.InputError, match="expected at most 200 times as much"):
        dovetail.load(bomb, bomb)
    dovetail.set_largest_expansion(0)
    try:
        assert sorted(dovetail.load(bomb, bomb).entities("left")) == ["http://l/a", "http://l/b"]
    finally:
        dovetail.set_largest_expansion(200)

"""The examples in docstrings, and what editors and type checkers are told."""

import ast
import doctest
import pathlib
import shutil

import pytest

import dovetail
import dovetail._core
import dovetail._table
import make_parameters


@pytest.mark.parametrize("module", [dovetail, dovetail._table])
def test_examples_do_what_they_show(module, home, tmp_path, monkeypatch):
    shutil.copytree(home, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    result = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert result.attempted > 3
    assert result.failed == 0


def test_everything_public_is_explained():
    for name in dovetail.__all__:
        assert getattr(dovetail, name).__doc__, name
    for kind in (dovetail.Model, dovetail.Pair, dovetail.Table):
        for name, member in list(vars(kind).items()):
            if not name.startswith("_") and name not in kind.__annotations__:
                assert member.__doc__, f"{kind.__name__}.{name}"


def test_the_keywords_of_align_are_current():
    path = pathlib.Path(__file__).parents[2] / "dovetail" / "_parameters.py"
    assert path.read_text() == make_parameters.text(), "run make_parameters.py and put what it prints there"


def test_the_compiled_half_has_stubs():
    folder = pathlib.Path(dovetail.__file__).parent
    assert (folder / "py.typed").exists()
    stub = ast.parse((folder / "_core.pyi").read_text())
    said = {node.name for node in stub.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    there = {name for name in vars(dovetail._core) if not name.startswith("_")}
    assert there <= said

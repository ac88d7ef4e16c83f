import pathlib

import pytest

import dovetail


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder with a small pair, and the same as files of a user's own."""
    folder = tmp_path_factory.mktemp("dovetail")
    dovetail.generate(folder / "pair", entities=300)
    for name in ("left.nt", "right.nt"):
        (folder / name).symlink_to(folder / "pair" / name)
    (folder / "seeds.tsv").symlink_to(folder / "pair" / "train_links.tsv")
    return folder


@pytest.fixture(scope="session")
def pair(home: pathlib.Path) -> dovetail.Pair:
    return dovetail.load(home / "pair")


@pytest.fixture(scope="session")
def model(pair: dovetail.Pair) -> dovetail.Model:
    return dovetail.align(pair, mode="basic", dimension=32)

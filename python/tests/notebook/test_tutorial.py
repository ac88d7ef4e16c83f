"""The tutorial does what it says, from its first cell to its last."""

import pathlib

import nbclient
import nbformat

TUTORIAL = pathlib.Path(__file__).parents[3] / "examples" / "tutorial.ipynb"


def test_the_tutorial_runs(tmp_path):
    notebook = nbformat.read(TUTORIAL, as_version=4)
    nbclient.NotebookClient(notebook, resources={"metadata": {"path": tmp_path}}, timeout=120).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    pictures = [output for output in outputs if "image/png" in output.get("data", {})]
    assert len(pictures) == 2
    figures = next(output.data["text/plain"] for output in outputs if "precision" in str(output.get("data")))
    assert eval(figures)["precision"] > 0.8
    assert (tmp_path / "alignment" / "links.tsv").exists()


def test_it_is_kept_without_outputs():
    notebook = nbformat.read(TUTORIAL, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells)

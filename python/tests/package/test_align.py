import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import dovetail


def program(*arguments):
    subprocess.run([os.environ["DOVETAIL_PROGRAM"], *map(str, arguments)], check=True)


def test_gives_what_the_program_gives(home, tmp_path):
    folder = dovetail.load(home / "pair")
    dovetail.align(folder, dimension=32, seed=3, threads=1).save(tmp_path / "python")
    program("align", home / "pair", "--dimension", 32, "--seed", 3, "--out", tmp_path / "program", "--quiet")
    files = dovetail.load(home / "left.nt", home / "right.nt", links=home / "seeds.tsv")
    dovetail.align(files, preset="semi", dimension=32).save(tmp_path / "python-files")
    program("align", home / "left.nt", home / "right.nt", "--links", home / "seeds.tsv", "--mode", "semi",
            "--dimension", 32, "--out", tmp_path / "program-files", "--quiet")  # fmt: skip
    for suffix in ("", "-files"):
        for name in ("links.tsv", "model.dovetail"):
            ours = (tmp_path / f"python{suffix}" / name).read_bytes()
            assert ours == (tmp_path / f"program{suffix}" / name).read_bytes(), f"{name}{suffix}"
    assert (tmp_path / "python-files" / "unmatched.tsv").exists()


def test_another_seed_gives_another_result(pair, model):
    other = dovetail.align(pair, mode="basic", dimension=32, seed=2)
    assert not np.array_equal(other.links.confidence, model.links.confidence)


def test_links_are_a_table(pair, model):
    links = model.links
    assert 100 < len(links) <= len(pair.test_links)
    assert len(links.left) == len(links.confidence) == len(links)
    assert set(links.left) <= set(pair.entities("left"))
    assert links.score.dtype == np.float64
    frame = links.to_pandas()
    assert list(frame.columns) == ["left", "right", "score", "margin", "confidence"]
    assert frame["right"].tolist() == links.right
    assert np.array_equal(frame["confidence"], links.confidence)
    assert links[-1].left == links.left[-1]


def test_embeddings_are_views_of_the_models_memory(pair, model):
    left, right = model.entity_embeddings("left"), model.entity_embeddings("right")
    assert left.shape == right.shape == (300, 32)
    assert left.dtype == np.float32
    again = model.entity_embeddings("left")
    assert again.__array_interface__["data"] == left.__array_interface__["data"]
    # One block for both sides, the left one first.
    assert right.__array_interface__["data"][0] == left.__array_interface__["data"][0] + left.nbytes
    with pytest.raises(ValueError):
        left[0, 0] = 1
    assert model.relation_embeddings().shape[1] == 32
    with pytest.raises(ValueError, match="expected 'left' or 'right'"):
        model.entity_embeddings("middle")


def test_rules_alone_have_links_but_no_embeddings(pair, tmp_path):
    model = dovetail.align(pair, mode="semi", strategy="rules")
    assert len(model.links) > 50
    with pytest.raises(ValueError, match="no embeddings"):
        model.entity_embeddings("left")
    model.save(tmp_path / "out")
    with pytest.raises(dovetail.InputError, match="another strategy"):
        dovetail.open(tmp_path / "out").entity_embeddings("left")


def test_embeddings_outlive_their_model(pair):
    left = dovetail.align(pair, mode="basic", dimension=8, epochs=1, calibrate=False).entity_embeddings("left")
    assert np.isfinite(left).all() and np.abs(left).sum() > 0


def test_a_saved_model_is_the_same_when_opened(model, tmp_path):
    model.save(tmp_path / "out")
    opened = dovetail.open(tmp_path / "out")
    assert opened.links.left == model.links.left
    assert np.allclose(opened.links.confidence, model.links.confidence, atol=1e-4)
    assert np.array_equal(opened.entity_embeddings("right"), model.entity_embeddings("right"))
    assert opened.evaluate() == model.evaluate()
    assert opened.parameters == model.parameters
    assert opened.pair.entities("left") == model.pair.entities("left")
    opened.save(tmp_path / "copy")
    assert (tmp_path / "copy" / "links.tsv").read_bytes() == (tmp_path / "out" / "links.tsv").read_bytes()
    with pytest.raises(FileExistsError):
        model.save(tmp_path / "out")
    model.save(tmp_path / "out", overwrite=True)


def checksums(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_saving_never_replaces_what_dovetail_did_not_write(tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    dovetail.generate(data / "pair", entities=200)
    model = dovetail.align(dovetail.load(data / "pair"), mode="basic", dimension=8, epochs=1)
    (data / "pair" / "thesis.tex").write_text("years of work")
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "thesis.tex").write_text("years of work")
    (tmp_path / "file").write_text("the user's")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    model.save(tmp_path / "out")
    opened = dovetail.open(tmp_path / "out")
    before = checksums(tmp_path)
    # Its own input, the folder above it, a folder of somebody else's, a file, a link to nothing; the run itself.
    for target in (data / "pair", data, tmp_path / "home", tmp_path / "file", tmp_path / "dangling"):
        for one in (model, opened):
            with pytest.raises(OSError):
                one.save(target, overwrite=True)
    with pytest.raises(OSError, match="reads"):
        opened.save(tmp_path / "out", overwrite=True)
    assert checksums(tmp_path) == before
    assert (tmp_path / "dangling").is_symlink()

    (tmp_path / "out" / "thesis.tex").write_text("years of work")
    with pytest.warns(UserWarning, match="thesis.tex"):
        model.save(tmp_path / "out", overwrite=True)
    assert (tmp_path / "out" / "thesis.tex").read_text() == "years of work"
    # A copy has what Dovetail wrote; a link to a folder is followed.
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    opened.save(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "links.tsv").exists() and not (tmp_path / "real" / "thesis.tex").exists()
    (tmp_path / "out" / "links.tsv").write_text("my own")
    with pytest.raises(FileExistsError, match="somebody changed"):
        model.save(tmp_path / "out", overwrite=True)
    assert (tmp_path / "out" / "links.tsv").read_text() == "my own"


def test_evaluates_against_test_links_or_others(pair, model):
    figures = model.evaluate()
    assert figures["closed"]["count"] == len(pair.test_links)
    own = model.evaluate(pair.test_links)
    assert own["precision"] == pytest.approx(figures["links"]["precision"])
    assert model.evaluate(np.array(pair.test_links[:10]))["gold"] == 10


def test_every_other_link_is_wrong_where_gold_is_complete(pair, model):
    some = pair.test_links[:50]
    figures = model.evaluate(some, complete=True)
    assert figures["predicted"] <= 50 < figures["strict"]["predicted"] == len(model.links)
    assert figures["strict"]["correct"] == figures["correct"]
    assert figures["strict"]["precision"] < figures["precision"]
    assert 0 <= figures["calibration_error"] <= 1
    with pytest.raises(ValueError, match="complete says something of gold"):
        model.evaluate(complete=True)


def test_entities_without_a_link_have_a_reason(home, tmp_path):
    files = dovetail.load(home / "left.nt", home / "right.nt", links=home / "seeds.tsv")
    made = dovetail.align(files, mode="basic", dimension=32)
    made.save(tmp_path / "saved")
    rows = [line.split("\t") for line in (tmp_path / "saved" / "unmatched.tsv").read_text().splitlines()[1:]]
    for model in (made, dovetail.open(tmp_path / "saved")):
        found = model.unmatched_entities
        assert [(row.side, row.entity, row.candidate or "", row.reason) for row in found] == [
            (row[0], row[1], row[2], row[5]) for row in rows
        ]
        assert model.unmatched == [
            row.entity for row in found if row.side == "left" and row.reason in ("no counterpart", "no candidate")
        ]


def test_one_entity_may_be_several(tmp_path):
    pair = dovetail.generate(tmp_path / "pair", entities=200, duplicates=0.2)
    lefts = [left for left, _ in pair.train_links + pair.test_links]
    assert len(lefts) > len(set(lefts))
    with pytest.raises(dovetail.InputError, match="found a second link of"):
        dovetail.load(tmp_path / "pair")
    with pytest.raises(ValueError, match="expected '1:1', '1:n' or 'n:m'"):
        dovetail.load(tmp_path / "pair", cardinality="2:2")
    model = dovetail.align(pair, cardinality="1:n", pool="open")
    assert len(set(model.links.right)) == len(model.links.right)


def test_the_same_iri_on_both_sides_is_a_seed(tmp_path):
    for side in ("left", "right"):
        (tmp_path / f"{side}.nt").write_text(
            f"<http://x/a> <http://{side}/p> <http://{side}/b> .\n_:c <http://{side}/p> <http://x/a> .\n"
        )
    files = (tmp_path / "left.nt", tmp_path / "right.nt")
    assert dovetail.load(*files).train_links == [("http://x/a", "http://x/a")]
    assert dovetail.load(*files, shared_identifiers="ignore").train_links == []


def test_parameters_are_keywords(pair):
    model = dovetail.align(pair, preset="fast", dimension=np.int64(16), tie_seeds=False, learning_rate=0.01)
    used = model.parameters
    assert used["dimension"] == 16
    assert used["tie_seeds"] is False
    assert used["learning_rate"] == 0.01
    assert used["calibrate"] is False  # of the preset
    assert set(used) == set(dovetail.parameters())
    with pytest.raises(ValueError, match="mode is"):
        dovetail.align(pair, mode="slow")
    with pytest.raises(ValueError, match="not a preset"):
        dovetail.align(pair, preset="slow")


def test_progress_is_shown_and_may_stop_the_work(pair, capfd):
    seen = []
    dovetail.align(pair, mode="semi", dimension=16, progress=lambda *what: seen.append(what))
    assert any(len(what) == 4 and what[0] == "train" for what in seen)
    assert any(len(what) == 1 and what[0].startswith("turn 1") for what in seen)
    dovetail.align(pair, mode="semi", dimension=16, progress=True)
    shown = capfd.readouterr().err
    assert "turn 1" in shown
    assert "%|" in shown  # a bar of tqdm

    def refuse(*what):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        dovetail.align(pair, mode="basic", epochs=100_000_000, progress=refuse)


def test_progress_is_lines_without_tqdm(pair, capfd, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    dovetail.align(pair, mode="semi", dimension=16, progress=True)
    shown = capfd.readouterr().err
    assert "turn 1" in shown
    assert "%|" not in shown


LONG_WORK = """
import dovetail, sys, threading
pair = dovetail.load(sys.argv[1])
ticks = []
def tick():
    ticks.append(1)
    threading.Timer(0.05, tick).start() if len(ticks) < 1000 else None
tick()
print("begun", flush=True)
try:
    dovetail.align(pair, mode="basic", epochs=100_000_000)
except KeyboardInterrupt:
    print("stopped", len(ticks), flush=True)
    ticks += [1] * 1000
"""


def test_ctrl_c_stops_it_and_other_threads_run_on(home):
    child = subprocess.Popen(
        [sys.executable, "-c", LONG_WORK, str(home / "pair")], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout.readline() == "begun\n"
    time.sleep(1.5)
    child.send_signal(signal.SIGINT)
    asked = time.monotonic()
    stopped, ticks = child.stdout.readline().split()
    assert time.monotonic() - asked < 1
    assert stopped == "stopped"
    assert int(ticks) > 5  # the GIL was released
    assert child.wait(10) == 0

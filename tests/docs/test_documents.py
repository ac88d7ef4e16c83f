"""The documentation does what it says: its commands are run, and print what it shows."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest
import shell_blocks

SOURCE = pathlib.Path(__file__).parents[2]
PAGES = [SOURCE / "README.md", *sorted((SOURCE / "docs").glob("*.md"))]
PROGRAM = pathlib.Path(os.environ["DOVETAIL_PROGRAM"])


def run(command, folder):
    environment = {**os.environ, "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}"}
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120,
    )  # fmt: skip


@pytest.fixture(scope="session")
def own_data(tmp_path_factory):
    """What readers are taken to have: two graphs, links to learn from, and links to test with."""
    folder = tmp_path_factory.mktemp("own")
    for command in (
        "dovetail generate pair --entities 400 --seed-ratio 0.3 --quiet",
        "dovetail convert pair/left.nt left.nt.gz --to ntriples --quiet",
        "dovetail convert pair/right.nt right.ttl --to turtle --quiet",
        "mv pair/train_links.tsv seeds.tsv && mv pair/test_links.tsv gold.tsv && rm -r pair",
    ):
        assert run(command, folder).returncode == 0
    return folder


@pytest.mark.parametrize("page", [page for page in PAGES if shell_blocks.commands(page.read_text())],
                         ids=lambda page: page.name)  # fmt: skip
def test_commands_do_what_is_shown(page, own_data, tmp_path):
    for file in own_data.iterdir():
        shutil.copy(file, tmp_path)
    for command in shell_blocks.commands(page.read_text()):
        done = run(command.text, tmp_path)
        where = f"{page.name}:{command.line}: $ {command.text}\n{done.stdout}"
        # What is shown may be a refusal.
        assert done.returncode == 0 or any(line.startswith("dovetail: ") for line in command.shown), where
        # Work that takes long here says how far it is.
        lines = (line.rstrip() for line in done.stdout.rstrip().splitlines())
        printed = [line for line in lines if not re.fullmatch(r"progress: .*", line)]
        if command.shown:
            assert shell_blocks.says_the_same(command.shown, printed), where


def test_commands_are_found():
    page = (
        "    $ a\n    x 12.4 s\n\n    $ b <<'E'\n    text\n    E\n    # c\nso\n<!-- not run: why -->\n```sh\n$ no\n```\n"
        "```sh\n$ d \\\n  e\n```\n"
    )
    found = shell_blocks.commands(page)
    assert [(one.line, one.text, one.shown) for one in found] == [
        (1, "a", ["x 12.4 s"]), (4, "b <<'E'\ntext\nE", ["# c"]), (14, "d \\\n  e", [])]  # fmt: skip


def test_differences_are_found():
    same = shell_blocks.says_the_same
    assert same(["1.2 s (load 0.1), 2.0 MiB at most", "...", "5,000 links"],
                ["31.2 s (load 4), 9.1 GiB at most", "a", "b", "5,001 links"])
    assert not same(["links.tsv"], ["links.csv"])
    assert not same(["5,000 links"], ["6,000 links"])
    assert not same(["Hits@1 0.95"], ["Hits@1 0.85"])
    assert not same(["a"], ["a", "b"])
    assert not same(["a", "b"], ["a"])


def test_shell_blocks_show_a_prompt():
    for page in PAGES:
        for block in re.findall(r"^```(?:sh|console)\n(.*?)^```", page.read_text(), re.S | re.M):
            assert block.startswith("$ "), f"{page.name}: {block}"


def test_links_between_pages_lead_somewhere():
    for page in [*PAGES, SOURCE / "CONTRIBUTING.md", SOURCE / "src" / "README.md"]:
        text = page.read_text()
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_page_is_in_the_index():
    index = (SOURCE / "docs" / "README.md").read_text()
    for page in PAGES[1:]:
        assert page.name == "README.md" or f"({page.name})" in index, page.name


def test_the_library_example_is_the_one_that_is_built():
    example = (SOURCE / "tests" / "install" / "main.cpp").read_text()
    assert f"```cpp\n{example}```" in (SOURCE / "docs" / "library.md").read_text()

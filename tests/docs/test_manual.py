"""Man pages and completions, which the build makes from the program's definitions."""

import gzip
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import time

import pytest

PROGRAM = pathlib.Path(os.environ["DOVETAIL_PROGRAM"])
SHARE = PROGRAM.parent / "share"
COMPLETIONS = {
    "bash": SHARE / "bash-completion" / "completions" / "dovetail",
    "zsh": SHARE / "zsh" / "site-functions" / "_dovetail",
    "fish": SHARE / "fish" / "vendor_completions.d" / "dovetail.fish",
}


def help_of(*verb):
    return subprocess.run([PROGRAM, *verb, "--help-all"], capture_output=True, text=True, check=True).stdout


def options_of(*verb):
    """Every option in the help; --[no-]calibrate is two."""
    names = set()
    for negated, name in re.findall(r"^  (?:-\w, )?--(\[no-\])?([\w-]+)", help_of(*verb), re.M):
        names |= {f"--{name}"} | ({f"--no-{name}"} if negated else set())
    return names


def offered_by(verb):
    """What a shell offers: aliases and options before the verb too."""
    names = options_of(verb)
    aliases = {"--output": "--out"}
    if verb in {"export", "merge", "generate"}:
        aliases["--to"] = "--format"
    if verb == "evaluate":
        aliases["--format"] = "--links-format"
    return names | {alias for name, alias in aliases.items() if name in names} | COMMON


COMMON = options_of() - {"--version"}
VERBS = re.findall(r"^  (\w+) ", help_of().split("Verbs:")[1].split("\n\n")[0], re.M)


def needs(program):
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed")


def page(name):
    return gzip.decompress((SHARE / "man" / "man1" / f"{name}.1.gz").read_bytes()).decode()


def test_every_verb_has_a_page_with_all_of_its_options():
    assert len(VERBS) >= 10
    pages = {path.name for path in (SHARE / "man" / "man1").iterdir()}
    assert pages == {"dovetail.1.gz", *(f"dovetail-{verb}.1.gz" for verb in VERBS)}
    for verb in VERBS:
        text = page(f"dovetail-{verb}").replace("\\-", "-")
        missing = {name for name in options_of(verb) if f"\\fB{name}\\fR" not in text}
        assert not missing, verb
        assert f"dovetail-{verb}" in page("dovetail").replace("\\-", "-")


@needs("groff")
@pytest.mark.parametrize("name", ["dovetail", *(f"dovetail-{verb}" for verb in VERBS)])
def test_pages_fit_a_terminal(name):
    done = subprocess.run(["groff", "-man", "-ww", "-Tascii", "-P-cbou", "-rLL=78n"], input=page(name),
                          capture_output=True, text=True, check=True)  # fmt: skip
    assert done.stderr == ""
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "dovetail" in done.stdout


@needs("groff")
def test_pages_say_what_the_help_says():
    done = subprocess.run(["groff", "-man", "-Tascii", "-P-cbou"], input=page("dovetail-align"), capture_output=True,
                          text=True, check=True)  # fmt: skip
    text = " ".join(done.stdout.split())
    assert "dovetail-align - find the entities that two knowledge graphs have in common" in text
    assert "all candidates: auto, greedy, csls, sinkhorn, assignment, stable. Default: auto" in text
    assert "--tie-seeds, --no-tie-seeds Start both entities of a seed with one embedding. Default: yes" in text
    assert "$ dovetail align left.nt right.nt --links seeds.tsv -o alignment" in text
    assert "--threads N" in text


class Terminal:
    """A shell that is typed at. The line that its completion has made is printed instead of run."""

    def __init__(self, command, setup, folder):
        self._child, self._terminal = pty.fork()
        if self._child == 0:
            os.chdir(folder)
            environment = {"PATH": f"{PROGRAM.parent}:{os.environ['PATH']}", "TERM": "dumb", "HOME": str(folder)}
            os.execvpe(command[0], command, environment)
        self._type(f"{setup}; printf 'rea''dy\\n'\r")
        self._read("ready\r\n")

    def _type(self, text):
        os.write(self._terminal, text.encode())

    def _read(self, until):
        text = ""
        deadline = time.monotonic() + 30
        while until not in text and time.monotonic() < deadline:
            if select.select([self._terminal], [], [], 1)[0]:
                text += os.read(self._terminal, 4096).decode()
        assert until in text, text
        return text

    def line(self, typed):
        """What `typed` becomes; the words after `dovetail`."""
        self._type(f"{typed}\x01printf '<%s>' \x05 end; echo\r")  # to the line's begin, then to its end
        text = self._read("<end>")
        return re.findall(r"<([^<>]*)>", text[text.rindex("<dovetail>") :])[1:-1]

    def close(self):
        os.close(self._terminal)
        os.waitpid(self._child, 0)


@pytest.fixture
def folder(tmp_path):
    for name in ("left graph.nt", "settings.toml"):
        (tmp_path / name).write_text("")
    return tmp_path


@pytest.fixture
def bash(folder):
    setup = f"bind 'set bell-style none'; bind 'set enable-bracketed-paste off'; source {COMPLETIONS['bash']}"
    terminal = Terminal(["bash", "--norc", "--noprofile", "-i"], setup, folder)
    yield terminal
    terminal.close()


ALL = "\x1b*"  # readline puts all possible completions into the line


def test_bash_completes(bash):
    assert bash.line("dovetail ali\t") == ["align"]
    assert bash.line(f"dovetail {ALL}") == sorted(VERBS)
    assert bash.line(f"dovetail align --decoder {ALL}") == [
        "align", "--decoder", "assignment", "auto", "csls", "greedy", "sinkhorn", "stable"]  # fmt: skip
    assert bash.line("dovetail align --decoder=si\t") == ["align", "--decoder=sinkhorn"]
    assert bash.line(f"dovetail align --cardinality 1{ALL}") == ["align", "--cardinality", "1:1", "1:n"]
    assert bash.line("dovetail align --cardinality n:\t") == ["align", "--cardinality", "n:m"]
    assert bash.line("dovetail align --config se\t") == ["align", "--config", "settings.toml"]
    assert bash.line("dovetail align le\t") == ["align", "left graph.nt"]
    assert bash.line("dovetail align --dimension se\t") == ["align", "--dimension", "se"]
    assert bash.line("dovetail --threads 2 expl\t") == ["--threads", "2", "explain"]
    assert bash.line("dovetail study abl\t") == ["study", "ablation"]
    assert bash.line("dovetail study ablation se\t") == ["study", "ablation", "settings.toml"]


def test_bash_knows_every_option(bash):
    for verb in VERBS:
        offered = set(bash.line(f"dovetail {verb} --{ALL}")[1:])
        assert offered == offered_by(verb), verb


@needs("zsh")
def test_zsh_completes(folder):
    setup = f"bindkey -e; fpath=({COMPLETIONS['zsh'].parent} $fpath); autoload -U compinit; compinit -u -D"
    zsh = Terminal(["zsh", "-f", "-i"], setup, folder)
    assert zsh.line("dovetail ali\t") == ["align"]
    assert zsh.line("dovetail align --decoder si\t") == ["align", "--decoder", "sinkhorn"]
    assert zsh.line("dovetail align --cardinality n\t") == ["align", "--cardinality", "n:m"]
    assert zsh.line("dovetail align --config se\t") == ["align", "--config", "settings.toml"]
    assert zsh.line("dovetail study abl\t") == ["study", "ablation"]
    assert zsh.line("dovetail convert --to rdf\t") == ["convert", "--to", "rdfxml"]
    zsh.close()


@needs("fish")
def test_fish_completes(folder):
    def offered(line):
        done = subprocess.run(["fish", "--no-config", "-c", f"source {COMPLETIONS['fish']}; complete -C '{line}'"],
                              capture_output=True, text=True, check=True, cwd=folder)  # fmt: skip
        assert done.stderr == ""
        return {word.split("\t")[0] for word in done.stdout.splitlines()}

    assert offered("dovetail ") == set(VERBS)
    assert offered("dovetail align --decoder s") == {"sinkhorn", "stable"}
    assert offered("dovetail align --config se") == {"settings.toml"}
    assert offered("dovetail align --dimension ") == set()
    assert offered("dovetail study abl") == {"ablation"}
    for verb in VERBS:
        names = offered(f"dovetail {verb} --")
        assert offered_by(verb) <= names, verb

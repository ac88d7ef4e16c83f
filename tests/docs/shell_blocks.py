"""The shell commands of a Markdown page, and what it shows of their output.

A command is a line that begins with `$ ` in a code block, fenced or indented; it goes on over lines that end in a
backslash and through a here-document. What follows up to the next command is what the page shows of its output.
A block is left out where the line before it says `<!-- not run: why -->`.
"""

from __future__ import annotations

import dataclasses
import re
from typing import Iterator


@dataclasses.dataclass
class Command:
    line: int
    text: str
    shown: list[str]


def _blocks(page: str) -> Iterator[tuple[int, list[str]]]:
    """Each code block that is to be run, with the number of its first line."""
    lines = page.splitlines()
    at = 0
    before = ""
    while at < len(lines):
        begin = at
        if lines[at].startswith("```"):
            begin += 1
            end = lines.index("```", begin)
            at = end + 1
        elif lines[at].startswith("    $ "):
            while at < len(lines) and (not lines[at] or lines[at].startswith("    ")):
                at += 1
            end = at
        else:
            before = lines[at] or before
            at += 1
            continue
        if not before.startswith("<!-- not run: "):
            yield begin + 1, [line.removeprefix("    ") if at == end else line for line in lines[begin:end]]
        before = ""


def commands(page: str) -> list[Command]:
    found: list[Command] = []
    for begin, lines in _blocks(page):
        command: Command | None = None
        open_until: str | None = None  # the line that ends a here-document
        for number, line in enumerate(lines, begin):
            if open_until is not None:
                command.text += "\n" + line
                open_until = None if line == open_until else open_until
            elif command is not None and not command.shown and command.text.endswith("\\"):
                command.text += "\n" + line
            elif line.startswith("$ "):
                command = Command(number, line[2:], [])
                found.append(command)
            elif command is not None:
                command.shown.append(line.rstrip())
            if open_until is None and line.startswith("$ ") and (here := re.search(r"<<'(\w+)'", line)):
                open_until = here[1]
        for command in found:
            while command.shown and not command.shown[-1]:
                command.shown.pop()
    return found


NUMBER = re.compile(r"-?\d+(?:,\d{3})*(?:\.\d+)?")


def _alike(shown: str, printed: str) -> bool:
    """Whether two lines say the same: times and memory may be anything, and learned figures nearly the same, for they
    differ with the instructions that a CPU has."""
    shown, printed = (
        re.sub(r" +", " ", re.sub(r"[\d.]+ [KMG]iB", "# MiB", re.sub(r"[\d.]+ s\b( \([^)]*\))?", "# s", line)))
        for line in (shown, printed)
    )
    if NUMBER.sub("#", shown) != NUMBER.sub("#", printed):
        return False
    pairs = zip(NUMBER.findall(shown), NUMBER.findall(printed))
    values = ((float(a.replace(",", "")), float(b.replace(",", ""))) for a, b in pairs)
    return all(abs(a - b) <= max(0.03, 0.05 * abs(a)) for a, b in values)


def says_the_same(shown: list[str], printed: list[str]) -> bool:
    """A line of dots stands for any lines."""
    if not shown:
        return not printed
    if shown[0] == "...":
        return any(says_the_same(shown[1:], printed[skip:]) for skip in range(len(printed) + 1))
    return bool(printed) and _alike(shown[0], printed[0]) and says_the_same(shown[1:], printed[1:])

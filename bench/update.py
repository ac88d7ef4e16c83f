#!/usr/bin/env python3
"""Graphs that grow: what `dovetail update` takes and finds, batch by batch, against aligning from scratch.

usage: bench/update.py BUILD DATA [--mode MODE]... [--batches N] [--threads N]

DATA has contea/ZH-EN: a base with links to learn from, then batches of new triples, entities and test links. Each batch
updates the run before it and is aligned from scratch as well; Hits@1 is open, right to left, of all test links so far.
Seconds are wall time and, in brackets, processor time, which a busy machine does not change; both without the report.
"""
import argparse
import json
import os
import subprocess
import sys
import time

PLAIN = ["--header", "no", "--no-report", "--force", "--quiet"]
MODES = {"best": ["--mode", "semi"], "basic": ["--mode", "basic"]}


def lines(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def write(path, content):
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(content) + "\n")
    return path


class Growing:
    """The files of ContEA as the program takes them: what is new in each batch, and all that there is then."""

    def __init__(self, source, folder):
        self.source = source
        self.folder = folder
        os.makedirs(folder, exist_ok=True)
        self.links = self.copy("train", lines(f"{source}/base/train_links"))
        self.triples = {side: [] for side in "12"}
        self.test = []

    def copy(self, name, content):
        return write(os.path.join(self.folder, name + ".tsv"), content)

    def batch(self, number):
        place, prefix = (f"batch{number}", "new_") if number else ("base", "")
        new = {side: lines(f"{self.source}/{place}/{prefix}triples_{side}") for side in "12"}
        new_test = lines(f"{self.source}/{place}/{prefix}test_links")
        for side in "12":
            self.triples[side] += new[side]
        self.test += new_test
        return ({"left": self.copy(f"left-{number}", new["1"]), "right": self.copy(f"right-{number}", new["2"]),
                 "test": self.copy(f"test-{number}", new_test)},
                {"left": self.copy(f"all-left-{number}", self.triples["1"]),
                 "right": self.copy(f"all-right-{number}", self.triples["2"]),
                 "test": self.copy(f"all-test-{number}", self.test)})


def run(options, words, out):
    """Runs the program; returns Hits@1, wall seconds, processor seconds and the record."""
    command = [options.program, *words, *PLAIN, "--threads", str(options.threads), "--out", out]
    begun = time.time()
    _, status, usage = os.wait4(subprocess.Popen(command).pid, 0)
    seconds = time.time() - begun
    if status != 0:
        sys.exit(f"failed: {' '.join(command)}")
    with open(os.path.join(out, "run.json"), encoding="utf-8") as file:
        record = json.load(file)
    return record["evaluation"]["open"]["hits@1"], seconds, usage.ru_utime + usage.ru_stime, record


def align(options, growing, files, mode, out):
    return run(options, ["align", files["left"], files["right"], "--links", growing.links, "--test-links", files["test"],
                         "--no-compare", *MODES[mode]], out)


def compare(options, mode):
    folder = os.path.join(options.build, "bench-data", "update")
    growing = Growing(os.path.join(options.data, "contea/ZH-EN"), folder)
    current = os.path.join(folder, f"out-{mode}-0")
    _, everything = growing.batch(0)
    hits, seconds, processor, _ = align(options, growing, everything, mode, current)
    print(f"{mode:<6} base: from scratch: Hits@1 {hits:.4f}, {seconds:.1f} s ({processor:.1f})", flush=True)
    for number in range(1, options.batches + 1):
        new, everything = growing.batch(number)
        out = os.path.join(folder, f"out-{mode}-{number}")
        hits, seconds, processor, record = run(options, ["update", current, "--left", new["left"], "--right", new["right"],
                                                         "--test-links", new["test"]], out)
        current = out
        entities = record["data"]["left"]["entities"] + record["data"]["right"]["entities"]
        again, longer, more_work, _ = align(options, growing, everything, mode, os.path.join(folder, "scratch"))
        print(f"{mode:<6} batch {number}, {entities:>7,} entities: update: Hits@1 {hits:.4f}, {seconds:.1f} s "
              f"({processor:.1f}); from scratch: Hits@1 {again:.4f}, {longer:.1f} s ({more_work:.1f}); "
              f"difference {hits - again:+.4f}, {more_work / processor:.1f} times less work", flush=True)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build")
    parser.add_argument("data")
    parser.add_argument("--mode", action="append", choices=list(MODES))
    parser.add_argument("--batches", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    options.program = os.path.join(options.build, "dovetail")
    for mode in options.mode or list(MODES):
        compare(options, mode)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""What large pairs take: seconds, memory and quality of whole runs of the program, and how they grow.

usage: bench/scale.py BUILD DATA [--only TEXT]... [--threads N]

BUILD has the program and room for generated pairs; DATA may have contea/ZH-EN/final. Runs look at all entities, learn
from 30% of the links and do without calibration.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import time

PLAIN = ["--pool", "open", "--no-calibrate", "--no-compare", "--reasons", "0"]
BASIC = ["--mode", "basic", "--dimension", "128"]
BEST = ["--mode", "semi"]
SIZES = {"100K": 100_000, "1M": 1_000_000, "5M": 5_000_000}


def generated(options, name, entities):
    folder = os.path.join(options.build, "bench-data", "scale-" + name)
    if not os.path.isdir(folder):
        subprocess.run([options.program, "generate", folder, "--entities", str(entities), "--dangling", "0.2",
                        "--seed-ratio", "0.3", "--no-labels", "--to", "dbp15k", "--quiet"], check=True)
    return folder


def measure(options, name, folder, words):
    """Runs the program once; prints a line and returns the seconds of each phase."""
    out = os.path.join(options.build, "bench-data", "scale-out")
    command = [options.program, "align", folder, *words, *PLAIN, "--threads", str(options.threads), "--out", out,
               "--force", "--quiet"]
    begun = time.time()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.time() - begun
    if status != 0:
        print(f"{name:<44} failed, see above", flush=True)
        return None
    with open(os.path.join(out, "run.json"), encoding="utf-8") as file:
        run = json.load(file)
    figures = run["evaluation"]["open"]
    phases = {key: value for key, value in run["seconds"].items() if key in ("load", "train", "match")}
    entities = run["data"]["left"]["entities"] + run["data"]["right"]["entities"]
    triples = run["data"]["left"]["triples"] + run["data"]["right"]["triples"]
    print(f"{name:<44} {entities:>10,} entities {triples:>11,} triples {seconds:>7.0f} s ("
          + ", ".join(f"{key} {value:.0f}" for key, value in phases.items())
          + f") {usage.ru_maxrss / 2**20:>5.1f} GiB (planned {run['planned_memory_bytes'] / 2**30:.1f}), open: Hits@1 {figures['hits@1']:.4f} "
          f"Hits@10 {figures['hits@10']:.4f}, links: F1 {run['decisions']['test_links']['f1']:.4f}", flush=True)
    epochs = run["configuration"]["training"]["epochs"]
    return {"triples": triples, **phases, "train": phases["train"] / epochs}


def growth(first, last):
    """The powers of the triples that the phases grow with, training by its epochs."""
    larger = math.log(last["triples"] / first["triples"])
    return ", ".join(f"{math.log(last[key] / first[key]) / larger:.2f} ({key})" for key in ("load", "train", "match"))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build")
    parser.add_argument("data")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    options.program = os.path.join(options.build, "dovetail")

    runs = []
    contea = os.path.join(options.data, "contea/ZH-EN/final")
    if os.path.isdir(contea):
        exact = ["--search", "four-bit", "--sampling", "none"]
        runs += [("contea final, basic", lambda: contea, BASIC, None),
                 ("contea final, basic, sampled", lambda: contea, BASIC + ["--sampling", "attention"], None),
                 ("contea final, basic, unsampled, all pairs", lambda: contea, BASIC + exact, None),
                 ("contea final, best", lambda: contea, BEST, None),
                 ("contea final, best, unsampled, all pairs", lambda: contea, BEST + exact, None)]
    def pair_of(name):
        return lambda: generated(options, name, SIZES[name])

    for name in ("100K", "1M"):
        runs += [(f"generated {name}, basic", pair_of(name), BASIC, "basic"),
                 (f"generated {name}, best", pair_of(name), BEST, "best")]
    # 64 is what --dimension auto takes for 5M.
    epoch = ["--mode", "basic", "--dimension", "64", "--epochs", "1", "--sampling", "attention"]
    runs += [("generated 1M, basic, memory 6G", pair_of("1M"), BASIC + ["--memory", "6G"], None),
             ("generated 100K, one epoch", pair_of("100K"), epoch, "epoch"),
             ("generated 5M, one epoch, memory 20G", pair_of("5M"), epoch + ["--memory", "20G"], "epoch")]
    smallest = {}
    failed = False
    for name, folder, words, group in runs:
        if options.only and not any(text in name for text in options.only):
            continue
        # What others are compared with takes seconds, which vary: the middle of three.
        times = 3 if group and group not in smallest else 1
        measured = [measure(options, name, folder(), words) for _ in range(times)]
        if None in measured:
            failed = True
            continue
        figures = {key: statistics.median(run[key] for run in measured) for key in measured[0]}
        if group in smallest:
            print(f"{'':<44} since the smallest, grew with the power of {growth(smallest[group], figures)}", flush=True)
        elif group:
            smallest[group] = figures
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

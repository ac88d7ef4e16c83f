#!/usr/bin/env python3
"""Loading, measured beside serdi, rapper, sort and wc on the same files in the same run.

usage: bench/load.py BUILD_FOLDER

The files are generated once, in BUILD_FOLDER/bench-data. Each program runs three times, ours and the others in
turn; the fastest run of each counts, since the machine may be busy with other things.
"""
import json
import os
import pathlib
import subprocess
import sys
import time

REPEATS = 3
build = pathlib.Path(sys.argv[1])
data = build / "bench-data"


def seconds_of(command, **environment):
    """Wall time of a command whose output goes nowhere, and its peak memory in bytes."""
    begin = time.perf_counter()
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **environment}
    )
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"bench: {' '.join(map(str, command))} failed")
    return time.perf_counter() - begin, usage.ru_maxrss * 1024


def loaded(*paths, threads=2):
    output = subprocess.run(
        [build / "bench/bench_load", str(threads), *paths], check=True, capture_output=True, text=True
    ).stdout
    return json.loads(output)


def best(runs):
    return min(runs, key=lambda run: run[0])


def generated(name, *arguments):
    folder = data / name
    if not folder.exists():
        data.mkdir(parents=True, exist_ok=True)
        subprocess.run([build / "dovetail", "generate", folder, *arguments], check=True)
    return folder


def warm(*paths):
    """Brings files into the page cache, so that nobody's first run pays for the disk."""
    total = 0
    for path in paths:
        with open(path, "rb") as file:
            while block := file.read(1 << 22):
                total += len(block)
    return total


def verdict(ratio, bound):
    return f"{ratio:.2f} (at most {bound:g}): {'holds' if ratio <= bound else 'FALLS SHORT'}"


def row(name, seconds, size, memory):
    print(f"  {name:<34}{seconds:8.2f} s {size / seconds / 1e6:8.0f} MB/s {memory / 2**20:8.0f} MiB peak")


def ours(name, runs, size):
    figures = min(runs, key=lambda run: run["seconds"])
    row(name, figures["seconds"], size, figures["peak_bytes"])
    print(
        f"  {'':<34}{figures['edge_bytes'] / figures['triples']:8.1f} bytes a triple, both directions, strings aside"
    )
    return figures["seconds"]


def ntriples():
    folder = generated("ntriples-5m", "--entities", "500000", "--triples", "2500000", "--to", "ntriples")
    left, right = folder / "left.nt", folder / "right.nt"
    size = warm(left, right)
    print(f"N-Triples, 2 x 2.5 million triples, {size / 1e6:.0f} MB:")
    load, one, serdi, rapper = [], [], [], []
    for _ in range(REPEATS):
        load.append(loaded(left, right))
        one.append(loaded(left, right, threads=1))
        parts = [seconds_of(["serdi", "-i", "ntriples", "-o", "ntriples", path]) for path in (left, right)]
        serdi.append((sum(p[0] for p in parts), max(p[1] for p in parts)))
    parts = [seconds_of(["rapper", "-q", "-i", "ntriples", "-c", path]) for path in (left, right)]
    rapper.append((sum(p[0] for p in parts), max(p[1] for p in parts)))
    mine = ours("dovetail, into a GraphPair", load, size)
    ours("  the same on one thread", one, size)
    row("serdi, copied to /dev/null", *[best(serdi)[0], size, best(serdi)[1]])
    row("rapper -c", *[best(rapper)[0], size, best(rapper)[1]])
    print(f"  time / serdi's:  {verdict(mine / best(serdi)[0], 1)}")
    print(f"  time / rapper's: {verdict(mine / best(rapper)[0], 0.25)}")


def ids():
    folder = generated("ids-5m", "--entities", "500000", "--triples", "2500000", "--to", "dbp15k", "--no-labels")
    for links in folder.glob("*_ent_ids"):
        links.unlink()  # sort gets the triples only, so links would not be fair
    both = data / "ids-5m.tsv"
    if not both.exists():
        with open(both, "wb") as out:
            for side in ("1", "2"):
                out.write((folder / f"triples_{side}").read_bytes())
    size = warm(both, *[folder / name for name in ("triples_1", "triples_2", "ent_ids_1", "ent_ids_2")])
    size = both.stat().st_size
    print(f"\nTSV ids, the same 5 million triples, {size / 1e6:.0f} MB:")
    load, sort, count = [], [], []
    for _ in range(REPEATS):
        load.append(loaded(folder))
        sort.append(seconds_of(["sort", "-u", "-S", "4G", both], LC_ALL="C"))
        count.append(seconds_of(["wc", "-l", both]))
    mine = ours("dovetail, with 2 x 500,000 names", load, size)
    row("LC_ALL=C sort -u -S 4G", best(sort)[0], size, best(sort)[1])
    row("wc -l", best(count)[0], size, best(count)[1])
    print(f"  time / sort's:   {verdict(mine / best(sort)[0], 0.2)}")


def real():
    folder = pathlib.Path(os.environ.get("DOVETAIL_DATA", "")) / "dbp15k" / "zh_en"
    if not folder.is_dir():
        print("\nDBP15K ZH-EN: skipped, DOVETAIL_DATA does not name a folder with dbp15k/zh_en")
        return
    size = warm(*[path for path in folder.iterdir() if path.is_file()])
    print(f"\nDBP15K ZH-EN, {size / 1e6:.1f} MB, one thread, from start to a ready GraphPair:")
    runs = [seconds_of([build / "bench/bench_load", "1", folder]) for _ in range(REPEATS)]
    row("dovetail, process start included", best(runs)[0], size, best(runs)[1])
    print(f"  seconds:         {verdict(best(runs)[0], 0.15)}")


if __name__ == "__main__":
    ntriples()
    ids()
    real()
    print("\nSingle pieces:")
    subprocess.run([build / "bench/bench_pieces", "--benchmark_color=false"], check=True)

#!/usr/bin/env python3
"""What the whole program finds by values, default options, beside TF-IDF of character trigrams: bench/values.py BUILD DATA.

Prints strict F1 without seeds and with a tenth of the links, the best F1 over all thresholds, and seconds; then the same
from the tables as they are, without seeds. With --vary each constant of the method is changed by itself; the last lines are leave-one-table-out: the
value of each constant that is best on the other tables, applied to the one that is left out."""
import gzip
import re
import subprocess
import sys
import time

NAMES = ["person", "restaurant", "D2", "D4", "D5", "D8"]
TABLES = ["restaurant", "D2", "D4", "D5", "D8"]
VARIED = {
    "rounds": [2, 3, 4, 6],
    "groupings": [0, 1, 2],
    "penalty": [3, 10, 30],
    "prior": [1, 2, 5],
    "first-share": [0.35, 0.5, 0.65],
    "least-gain": [0.01, 0.03, 0.1],
    "features": [25, 40, 60],
    "candidates": [10, 20, 30],
}
LINE = re.compile(r"^(\S+)\s+(no seeds|10% seeds)\s+F1 ([\d.]+).*best threshold ([\d.]+)")


def figures(build, data, names, options=()):
    """{(name, seeded): (F1, best F1)}, and what was printed."""
    done = subprocess.run([f"{build}/bench/bench_values", data, *names, *options], capture_output=True, text=True,
                          check=True)
    found = {}
    for line in done.stdout.splitlines():
        match = LINE.match(line)
        if match:
            found[match[1], match[2] != "no seeds"] = float(match[3]), float(match[4])
    return found, done.stdout


def documents(path):
    texts = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            match = re.match(r'<([^>]*)> <[^>]*> (.*) \.\s*$', line)
            subject, value = match.groups()
            own = texts.setdefault(subject, {})
            if value.startswith('"'):
                own[value[1 : value.rfind('"')].lower()] = None
    return {subject: " ".join(own) for subject, own in texts.items()}


def tf_idf(folder, partial):
    """F1 of mutually best pairs and of greedy one-to-one pairs by cosine, and seconds."""
    import numpy
    from sklearn.feature_extraction.text import TfidfVectorizer

    start = time.time()
    left, right = documents(f"{folder}/left.nt.gz"), documents(f"{folder}/right.nt.gz")
    ids = list(left), list(right)
    vectors = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 3), sublinear_tf=True)
    vectors.fit([*left.values(), *right.values()])
    a, b = vectors.transform(left.values()), vectors.transform(right.values()).T.tocsr()
    rows, columns, scores = [], [], []
    best_column = numpy.zeros(len(right))
    for first in range(0, a.shape[0], 500):
        part = (a[first : first + 500] @ b).tocsr()
        best_column = numpy.maximum(best_column, part.max(axis=0).toarray().ravel())
        for row in range(part.shape[0]):
            own = slice(part.indptr[row], part.indptr[row + 1])
            for n in numpy.argsort(-part.data[own])[:20]:
                rows.append(first + row)
                columns.append(part.indices[own][n])
                scores.append(part.data[own][n])
    order = numpy.argsort(-numpy.array(scores), kind="stable")
    with open(f"{folder}/gold.tsv", encoding="utf-8") as lines:
        gold = {tuple(line.rstrip("\n").split("\t")[:2]) for line in lines}
    known = {link[0] for link in gold}
    row_best, taken, mutual, greedy = set(), (set(), set()), [], []
    for n in order:
        row, column = rows[n], columns[n]
        pair = ids[0][row], ids[1][column]
        if row not in row_best and scores[n] >= best_column[column] - 1e-9:
            mutual.append(pair)
        row_best.add(row)
        if row not in taken[0] and column not in taken[1]:
            greedy.append(pair)
            taken[0].add(row), taken[1].add(column)

    def f1(links):
        said = [link for link in links if not partial or link[0] in known]
        return 2 * sum(link in gold for link in said) / (len(said) + len(gold))

    return f1(mutual), f1(greedy), time.time() - start


def vary(build, data):
    chosen, _ = figures(build, data, TABLES)
    print("\nF1 without seeds / with 10% seeds when one constant is changed")
    print(f"{'':24}" + "".join(f"{name:>16}" for name in TABLES))
    print(f"{'as it is':24}" + "".join(f"{chosen[n, False][0]:>9.3f}/{chosen[n, True][0]:.3f} " for n in TABLES))
    for key, values in VARIED.items():
        found = {value: figures(build, data, TABLES, [f"--{key}={value}"])[0] for value in values}
        for value in values:
            cells = "".join(f"{found[value][n, False][0]:>9.3f}/{found[value][n, True][0]:.3f} " for n in TABLES)
            print(f"  --{key}={value:<{20 - len(key)}}" + cells, flush=True)
        cells = ""
        for name in TABLES:
            others = [n for n in TABLES if n != name]
            best = max(values, key=lambda v: sum(found[v][n, False][0] + found[v][n, True][0] for n in others))
            cells += f"{found[best][name, False][0]:>9.3f}/{found[best][name, True][0]:.3f} "
        print(f"    {'leave one table out':20}" + cells, flush=True)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    build, data = sys.argv[1:3]
    print(figures(build, data, NAMES)[1])
    print("From tables, without seeds\n" + figures(build, data, [], ["--tables"])[1])
    print("TF-IDF of character trigrams over all values (scikit-learn)")
    for name in NAMES:
        mutual, greedy, seconds = tf_idf(f"{data}/values/{name}", name in ("person", "restaurant"))
        print(f"{name:<11} mutual best {mutual:.3f}   greedy one-to-one {greedy:.3f}   seconds: {seconds:.1f}", flush=True)
    if "--vary" in sys.argv:
        vary(build, data)


if __name__ == "__main__":
    main()

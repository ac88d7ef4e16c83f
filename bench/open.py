#!/usr/bin/env python3
"""The open world: pairs of unequal size, entities without counterpart, few seeds or none, and what confidences mean.

usage: bench/open.py BUILD DATA [--only ROW]... [--list] [--threads N] [--option WORD]...

Prepares copies of the data below BUILD/bench-data/open, runs the program with its defaults (no option but seeds) and
prints a line for each row: links, F1 and what else the row asks for; the expected calibration error (ten bins of equal
count, over the links whose truth is known); expected and true precision; links in common with the runs on swapped sides
and on shuffled lines. --option gives the program another word, for experiments.
"""
import argparse
import csv
import gzip
import json
import math
import os
import random
import shutil
import subprocess
import sys
import time

LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"


def read_lines(path):
    opened = gzip.open(path, "rt", encoding="utf-8") if path.endswith(".gz") else open(path, encoding="utf-8")
    with opened as file:
        return file.read().splitlines()


def write_lines(path, lines):
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in lines)
    return path


def read_pairs(path):
    return [tuple(line.split("\t")[:2]) for line in read_lines(path) if line]


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


class Pair:
    """Files of a pair and what is known of it: `gold` links that are not seeds; `complete`: every other link is wrong;
    else those of entities in `judged_left` and `judged_right` are judged."""

    def __init__(self, folder, left, right, gold, seeds=(), none_left=(), complete=False, judged=None):
        self.folder, self.left, self.right = folder, left, right
        self.seeds = list(seeds)
        self.gold = set(gold) - set(self.seeds)
        self.none_left = set(none_left)
        self.complete = complete
        self.judged = judged  # the left entities whose links count, or None
        self.seed_file = write_lines(os.path.join(folder, "seeds.tsv"), ["\t".join(p) for p in self.seeds]) \
            if self.seeds else None


# ---- preparing -------------------------------------------------------------------------------------------------------

class Preparer:
    def __init__(self, options):
        self.data = options.data
        self.program = options.program
        self.base = os.path.join(options.build, "bench-data", "open")

    def folder(self, name):
        path = os.path.join(self.base, name)
        os.makedirs(path, exist_ok=True)
        return path

    def part_of_gold(self, pair):
        """Only some kinds of entity are in the gold: their links are judged."""
        pair.judged = {a for a, _ in pair.gold}
        return pair

    def labels_only(self, name, ends_of_gold=False):
        """values/NAME without literals other than labels."""
        source, folder = os.path.join(self.data, "values", name), self.folder(f"labels-{name}")
        files = []
        for side in ("left", "right"):
            kept = [line for line in read_lines(f"{source}/{side}.nt.gz")
                    if line.split(" ", 2)[1] == LABEL or line.split(" ", 2)[2].startswith("<")]
            files.append(write_lines(os.path.join(folder, side + ".nt"), kept))
        pair = Pair(folder, *files, read_pairs(f"{source}/gold.tsv"), complete=True)
        return self.part_of_gold(pair) if ends_of_gold else pair

    def table(self, name, left, right, column):
        """A pair of tables as triples: the label is all that an entity has."""
        source, folder = os.path.join(self.data, "tables", name), self.folder(f"table-{name}")
        identifiers, files = {}, []
        for side, table in (("left", left), ("right", right)):
            lines, ids = [], {}
            for row in csv.DictReader(read_lines(f"{source}/{table}.csv"), delimiter="|"):
                key = next(key for key in row if key.endswith(column))
                ids[row["id"]] = f"http://{side}/e/u{random.Random(side + row['id']).getrandbits(64):016x}"
                if row[key]:
                    lines.append(f"<{ids[row['id']]}> {LABEL} {quoted(row[key])} .")
                else:
                    lines.append(f"<{ids[row['id']]}> <http://{side}/p/in> <http://{side}/e/all> .")
            identifiers[side] = ids
            files.append(write_lines(os.path.join(folder, side + ".nt"), lines))
        gold = [(identifiers["left"][a], identifiers["right"][b])
                for a, b in (line.split("|") for line in read_lines(f"{source}/gt.csv")[1:])]
        return Pair(folder, *files, gold, complete=True)

    def generated(self, name, *words):
        folder = self.folder(name)
        made = os.path.join(folder, "made")
        subprocess.run([self.program, "generate", made, *words, "--force", "--quiet"], check=True)
        return folder, made

    def generated_triples(self, name, *words, labels=False):
        """The two sides of a generated pair as lines and its links."""
        folder, made = self.generated(name, "--to", "openea", *([] if labels else ["--no-labels"]), *words)
        sides = [read_lines(os.path.join(made, f"rel_triples_{n}")) for n in "12"]
        return folder, sides, read_pairs(os.path.join(made, "ent_links"))

    def write_sides(self, folder, sides):
        return [write_lines(os.path.join(folder, side + ".tsv"), lines)
                for side, lines in zip(("left", "right"), sides)]

    def lopsided(self):
        """A connected part of 2,000 entities of the left of a pair of 20,000."""
        folder, (left, right), links = self.generated_triples("lopsided", "--entities", "20000", "--dangling", "0.1")
        near = {}
        for line in left:
            a, _, b = line.split("\t")
            near.setdefault(a, []).append(b)
            near.setdefault(b, []).append(a)
        start = sorted(near)[7]
        part, queue = {start}, [start]
        for entity in queue:
            for other in near[entity]:
                if len(part) < 2000 and other not in part:
                    part.add(other)
                    queue.append(other)
        left = [line for line in left if line.split("\t")[0] in part and line.split("\t")[2] in part]
        links = [link for link in links if link[0] in part]
        random.Random(1).shuffle(links)
        linked = {a for a, _ in links}
        return Pair(folder, *self.write_sides(folder, (left, right)), links, links[:len(links) // 10],
                    none_left=part - linked, complete=True)

    def few_seeds(self, seeds):
        folder, sides, links = self.generated_triples(f"few-{seeds}", "--entities", "2000")
        random.Random(2).shuffle(links)
        return Pair(folder, *self.write_sides(folder, sides), links, links[:seeds], complete=True)

    def no_labels(self):
        folder, sides, links = self.generated_triples("no-labels", "--entities", "300")
        return Pair(folder, *self.write_sides(folder, sides), links, complete=True)

    def duplicates(self):
        folder, sides, links = self.generated_triples("duplicates", "--entities", "5000", "--duplicates", "0.1")
        random.Random(3).shuffle(links)
        return Pair(folder, *self.write_sides(folder, sides), links, links[:len(links) // 10], complete=True)

    def dbp15k(self, name, seeds, deleted, names):
        """DBP15K with opaque identifiers, and the translated names as labels if wanted; the counterparts of a share of
        the links that are not seeds are deleted from the right."""
        source = os.path.join(self.data, "dbp15k", name)
        folder = self.folder(f"{name}-{seeds}-{deleted}-{'names' if names else 'structure'}")
        code = lambda side, number: f"http://{side}/e/u{random.Random(side + number).getrandbits(64):016x}"
        of_left = {line.split("\t")[0] for line in read_lines(f"{source}/ent_ids_1")}
        links = [(code("left", a), code("right", b)) for a, b in read_pairs(f"{source}/ref_ent_ids")]
        random.Random(4).shuffle(links)
        known, rest = links[:round(seeds * len(links))], links[round(seeds * len(links)):]
        cut = round(deleted * len(rest))
        gone, alone = {b for _, b in rest[:cut]}, {a for a, _ in rest[:cut]}
        files = []
        words = {str(number): " ".join(text) for number, text in
                 json.load(open(f"{source}/translated_names.json", encoding="utf-8"))} if names else {}
        for side, number in (("left", "1"), ("right", "2")):
            lines = []
            for line in read_lines(f"{source}/triples_{number}"):
                head, relation, tail = line.split("\t")
                head, tail = code(side, head), code(side, tail)
                if head not in gone and tail not in gone:
                    lines.append(f"<{head}> <http://{side}/p/r{relation}> <{tail}> .")
            for entity, text in words.items():
                if (entity in of_left) == (side == "left") and code(side, entity) not in gone:
                    lines.append(f"<{code(side, entity)}> {LABEL} {quoted(text)} .")
            files.append(write_lines(os.path.join(folder, side + ".nt"), lines))
        return Pair(folder, *files, rest[cut:], known, none_left=alone)

    def contea(self):
        source, folder = os.path.join(self.data, "contea/ZH-EN/base"), self.folder("contea")
        sides = [read_lines(f"{source}/triples_{n}") for n in "12"]
        train, test = read_pairs(f"{source}/train_links"), read_pairs(f"{source}/test_links")
        valid = read_pairs(f"{source}/valid_links")
        linked = {a for a, _ in train + valid + test}
        entities = {e for line in sides[0] for e in line.split("\t")[::2]}
        return Pair(folder, *self.write_sides(folder, sides), test, train, none_left=entities - linked)

    def closed(self, name, seeds):
        """A DBP15K folder without names, for a run in the closed setting."""
        source, folder = os.path.join(self.data, "dbp15k", name), self.folder(f"{name}-closed")
        for file in ("triples_1", "triples_2", "ref_ent_ids"):
            shutil.copy(os.path.join(source, file), folder)
        for number, letter in (("1", "l"), ("2", "r")):
            write_lines(os.path.join(folder, "ent_ids_" + number),
                        [f"{line.split(chr(9))[0]}\t{letter}{line.split(chr(9))[0]}"
                         for line in read_lines(f"{source}/ent_ids_{number}")])
        return folder, seeds


# ---- running and judging ---------------------------------------------------------------------------------------------

class Result:
    """What a run of the program left."""

    def __init__(self, folder, status, seconds, message):
        self.folder, self.status, self.seconds, self.message = folder, status, seconds, message
        self.links, self.unmatched = [], []
        if status != 0:
            return
        rows = [line.split("\t") for line in read_lines(os.path.join(folder, "links.tsv"))]
        at = rows[0].index("confidence")
        self.links = [(row[0], row[1], float(row[at])) for row in rows[1:]]
        unmatched = os.path.join(folder, "unmatched.tsv")
        if os.path.exists(unmatched):
            self.unmatched = [line.split("\t") for line in read_lines(unmatched)]
        with open(os.path.join(folder, "run.json"), encoding="utf-8") as file:
            self.record = json.load(file)

    def none_left(self):
        return {row[1] for row in self.unmatched[1:]
                if row[0] == "left" and row[5] in ("no counterpart", "no candidate")}


class Bench:
    def __init__(self, options):
        self.options = options
        self.runs = 0

    def run(self, inputs, seeds, out, *words):
        command = [self.options.program, "align", *inputs, *(["--links", seeds] if seeds else []), *words,
                   *self.options.option, "--out", out, "--threads", str(self.options.threads), "--no-report", "--force",
                   "--quiet"]
        begun = time.time()
        done = subprocess.run(command, capture_output=True, text=True)
        return Result(out, done.returncode, time.time() - begun, done.stderr.strip().splitlines()[-1:])

    def evaluate(self, pair, links):
        """What `dovetail evaluate --complete` says: its strict F1 and its calibration error."""
        gold = write_lines(os.path.join(pair.folder, "gold.tsv"), ["\t".join(p) for p in sorted(pair.gold)])
        done = subprocess.run([self.options.program, "evaluate", links, "--gold", gold, "--complete", "--json", "--quiet",
                               *(["--seeds", pair.seed_file] if pair.seed_file else [])],
                              capture_output=True, text=True, check=True)
        record = json.loads(done.stdout)
        return record["strict"]["f1"], record.get("calibration", {}).get("expected_calibration_error", 0)

    def align(self, pair, *words):
        return self.run([pair.left, pair.right], pair.seed_file, os.path.join(pair.folder, "run"), *words)

    def swapped(self, pair):
        seeds = pair.seeds and write_lines(os.path.join(pair.folder, "swapped-seeds.tsv"),
                                           ["\t".join((b, a)) for a, b in pair.seeds])
        result = self.run([pair.right, pair.left], seeds or None, os.path.join(pair.folder, "swapped"))
        result.links = [(b, a, confidence) for a, b, confidence in result.links]
        return result

    def shuffled(self, pair):
        files = []
        for path in (pair.left, pair.right):
            lines = read_lines(path)
            random.Random(5).shuffle(lines)
            head, tail = os.path.split(path)
            files.append(write_lines(os.path.join(head, "shuffled-" + tail), lines))
        return self.run(files, pair.seed_file, os.path.join(pair.folder, "shuffled"))


def f1(right, said, gold):
    return 2 * right / max(said + gold, 1)


def judged_links(pair, links):
    """Links that are no seeds and whose truth is known, as (right or not, confidence)."""
    taken_left, taken_right = {a for a, _ in pair.seeds}, {b for _, b in pair.seeds}
    left, right = {a for a, _ in pair.gold}, {b for _, b in pair.gold}
    out = []
    for a, b, confidence in links:
        # An entity of a seed counts where it has another counterpart that is asked for.
        if a in taken_left and a not in left or b in taken_right and b not in right:
            continue
        if pair.judged and a not in pair.judged:
            continue
        if pair.complete or a in left or b in right or a in pair.none_left:
            out.append(((a, b) in pair.gold, confidence))
    return out


def calibration_error(judged, bins=10):
    """Expected calibration error over bins of equal count."""
    ordered = sorted(judged, key=lambda item: item[1])
    total = 0
    for n in range(bins):
        part = ordered[n * len(ordered) // bins:(n + 1) * len(ordered) // bins]
        total += abs(sum(c for _, c in part) - sum(r for r, _ in part))
    return total / max(len(ordered), 1)


def common(one, other):
    a, b = {link[:2] for link in one.links}, {link[:2] for link in other.links}
    return len(a & b) / max(len(a), len(b), 1)


def trigram_baseline(pair):
    """Strict F1 of TF-IDF of the labels' character trigrams, mutual best."""
    def labels(path):
        out = {}
        for line in read_lines(path):
            subject, predicate, rest = line.split(" ", 2)
            if predicate == LABEL:
                out.setdefault(subject[1:-1], []).append(rest[1:rest.rindex('"')].lower())
        return {entity: " ".join(texts) for entity, texts in out.items()}
    sides = [labels(pair.left), labels(pair.right)]
    counts, grams = {}, []
    for side in sides:
        vectors = {}
        for entity, text in side.items():
            text, terms = f"  {text} ", {}
            for n in range(len(text) - 2):
                terms[text[n:n + 3]] = terms.get(text[n:n + 3], 0) + 1
            vectors[entity] = terms
            for term in terms:
                counts[term] = counts.get(term, 0) + 1
        grams.append(vectors)
    total = len(sides[0]) + len(sides[1])
    for vectors in grams:
        for entity, terms in vectors.items():
            weights = {term: tf * math.log(total / counts[term]) for term, tf in terms.items()}
            length = math.sqrt(sum(w * w for w in weights.values())) or 1
            vectors[entity] = {term: w / length for term, w in weights.items()}
    postings = {}
    for entity, terms in grams[1].items():
        for term, weight in terms.items():
            postings.setdefault(term, []).append((entity, weight))
    best_left, best_right = {}, {}
    for entity, terms in grams[0].items():
        scores = {}
        for term, weight in terms.items():
            for other, w in postings.get(term, ()):
                scores[other] = scores.get(other, 0) + weight * w
        for other, score in scores.items():
            if score > best_left.get(entity, ("", 0))[1]:
                best_left[entity] = (other, score)
            if score > best_right.get(other, ("", 0))[1]:
                best_right[other] = (entity, score)
    links = {(a, b) for a, (b, _) in best_left.items() if best_right[b][0] == a}
    return f1(len(links & pair.gold), len(links), len(pair.gold))


def kept_baseline(pair):
    """trigram_baseline(), computed once for the copies of the data."""
    path = os.path.join(pair.folder, "trigrams.txt")
    if not os.path.exists(path):
        write_lines(path, [str(trigram_baseline(pair))])
    return float(read_lines(path)[0])


class Table:
    """Lines of the table; the wanted values stand beside what was measured."""

    def __init__(self, bench):
        self.bench = bench

    def line(self, name, result, *parts):
        print(f"{name:<28} {result.seconds:6.1f} s  " + "  ".join(parts), flush=True)

    def figures(self, pair, result, asked=None):
        """Calibration and expected precision; `asked`: the recall that the row needs for them to count."""
        judged = judged_links(pair, result.links)
        right = sum(r for r, _ in judged)
        precision = right / max(len(judged), 1)
        expected = sum(c for _, c in judged) / max(len(judged), 1)
        recall = right / max(len(pair.gold), 1)
        wanted = .03 if len(pair.seeds) >= 100 else .07
        if pair.complete and not pair.judged and result.links:
            by_program = self.bench.evaluate(pair, os.path.join(result.folder, "links.tsv"))
            here = f1(right, len(judged), len(pair.gold)), calibration_error(judged)
            # Links of equal confidence fall into bins by chance here.
            if abs(by_program[0] - here[0]) > 1e-9 or abs(by_program[1] - here[1]) > .01:
                sys.exit(f"dovetail evaluate and this benchmark disagree: {by_program}, {here}")
        return (f"P {precision:.3f} R {recall:.3f} F1 {f1(right, len(judged), len(pair.gold)):.3f}",
                f"expected P {expected:.3f} (within .05)",
                f"ECE {calibration_error(judged):.3f} (<= {wanted})", f"links {len(result.links)}")

    def open_row(self, name, pair, wanted, symmetry=False, baseline=False, none=None, words=(), swap=False):
        result = self.bench.align(pair, *words)
        if result.status != 0:
            return self.line(name, result, f"exit {result.status}", *result.message, f"wanted {wanted}")
        parts = [*self.figures(pair, result)]
        if baseline:
            parts.append(f"trigrams {kept_baseline(pair):.3f}")
        if none:
            said = result.none_left() & ({a for a, _ in pair.gold} | pair.none_left)
            parts.append(f"none F1 {f1(len(said & pair.none_left), len(said), len(pair.none_left)):.3f} of "
                         f"{len(pair.none_left)}, said {len(said)} (>= {none})")
        if symmetry or swap:
            swapped = self.bench.swapped(pair)
            judged = judged_links(pair, swapped.links)
            parts.append(f"swapped F1 {f1(sum(r for r, _ in judged), len(judged), len(pair.gold)):.3f}, "
                         f"in common {common(result, swapped):.3f}")
        if symmetry:
            parts.append(f"shuffled in common {common(result, self.bench.shuffled(pair)):.3f}")
        self.line(name, result, *parts, f"wanted {wanted}")

    def closed_row(self, name, folder, ratio, wanted):
        result = self.bench.run([folder], None, os.path.join(folder, f"run-{ratio}"), "--seed-ratio", str(ratio))
        closed = result.record["evaluation"]["closed"]
        found = closed.get("hits@1", closed.get("right to left", {}).get("hits@1"))
        self.line(name, result, f"Hits@1 {found:.4f}", f"turns {len(result.record.get('turns', []))}", f"wanted >= {wanted}")

    def refused(self, name, pair):
        result = self.bench.align(pair)
        self.line(name, result, f"exit {result.status}", *result.message, f"links {len(result.links)}",
                  "wanted: refused with the reason")


def rows(table, prepare):
    """Every row of the table by name."""
    return {
        "restaurant": lambda: table.open_row("restaurant", prepare.labels_only("restaurant", True),
                                             "R >= .93, P >= .90; .99 in common", symmetry=True),
        "D8": lambda: table.open_row("D8", prepare.labels_only("D8"), "F1 >= trigrams", baseline=True),
        "D1": lambda: table.open_row("D1", prepare.table("D1", "rest1", "rest2", "name"), "F1 >= trigrams",
                                     baseline=True),
        "D5": lambda: table.open_row("D5", prepare.labels_only("D5"), "F1 >= .85; .99 in common", baseline=True,
                                     symmetry=True),
        "D2": lambda: table.open_row("D2", prepare.labels_only("D2"), "(not asked)", baseline=True),
        "D4": lambda: table.open_row("D4", prepare.labels_only("D4"), "(not asked)", baseline=True),
        "person": lambda: table.open_row("person", prepare.labels_only("person", True), "reported"),
        "lopsided": lambda: table.open_row("lopsided", prepare.lopsided(), "F1 >= .82, swapped within .01", none="-",
                                           symmetry=True),
        "zh-open": lambda: table.open_row("zh-open", prepare.dbp15k("zh_en", .3, .3, False), "F1 >= .78", none=".70",
                                          symmetry=True),
        "zh-open-names": lambda: table.open_row("zh-open-names", prepare.dbp15k("zh_en", .3, .3, True), "F1 >= .95",
                                                none=".90"),
        "fr-open": lambda: table.open_row("fr-open", prepare.dbp15k("fr_en", .3, .3, False), "(not asked)", none="-"),
        "zh-open-1": lambda: table.open_row("zh-open-1", prepare.dbp15k("zh_en", .01, .3, False), "(not asked)",
                                            none="-"),
        "contea": lambda: table.open_row("contea", prepare.contea(), "F1 >= .84", none=".45"),
        "zh-1": lambda: table.closed_row("zh-1", *prepare.closed("zh_en", .01), .69),
        "fr-1": lambda: table.closed_row("fr-1", *prepare.closed("fr_en", .01), .79),
        "zh-30": lambda: table.closed_row("zh-30", *prepare.closed("zh_en", .3), .879),
        "fr-30": lambda: table.closed_row("fr-30", *prepare.closed("fr_en", .3), .909),
        "few-60": lambda: table.open_row("few-60", prepare.few_seeds(60), "F1 >= .94"),
        "few-18": lambda: table.open_row("few-18", prepare.few_seeds(18), "F1 >= .60"),
        "no-labels": lambda: table.refused("no-labels", prepare.no_labels()),
        "duplicates": lambda: table.open_row("duplicates", prepare.duplicates(), "printed",
                                             words=("--cardinality", "1:n")),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("data")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--program")
    parser.add_argument("--option", action="append", default=[])
    options = parser.parse_args()
    options.program = options.program or os.path.join(options.build, "dovetail")
    table = Table(Bench(options))
    known = rows(table, Preparer(options))
    if options.list:
        print("\n".join(known))
        return
    for name in options.only or known:
        if name not in known:
            sys.exit(f"there is no row {name}; --list prints them")
        known[name]()


if __name__ == "__main__":
    main()

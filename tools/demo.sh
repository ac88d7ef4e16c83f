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
show convert demo/pair demo/turtle --to turtle
printf '\nThe graphs and their links are in demo/pair (N-Triples) and demo/turtle (Turtle).\n'

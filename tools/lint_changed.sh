#!/bin/sh
# clang-tidy on the sources that differ from where this branch left main; the largest changes first, until the time is up.
# Nothing where that place is not known. usage: tools/lint_changed.sh BUILD_FOLDER [SECONDS=150]
set -eu
cd "$(dirname "$0")/.."
build=$1 seconds=${2:-150}
base=""
for main in origin/main origin/master main; do
  [ -n "$base" ] || base=$(git merge-base HEAD "$main" 2>/dev/null || true)
done
if [ -z "$base" ]; then
  echo "lint: it is not known where this branch left main; nothing is checked"
  exit 0
fi
files=$(git diff --numstat --diff-filter=d "$base" -- 'src/*.cpp' 'apps/*.cpp' | sort -rn | cut -f 3)
if [ -z "$files" ]; then
  echo "lint: no source differs from $(git rev-parse --short "$base")"
  exit 0
fi
end=$(($(date +%s) + seconds))
all=0 checked=0
for file in $files; do
  all=$((all + 1))
  [ "$(date +%s)" -lt $end ] || continue
  clang-tidy --quiet -p "$build" "$file" 2>/dev/null
  checked=$((checked + 1))
done
echo "lint: $checked of $all changed sources checked$([ $checked -eq $all ] || echo "; make lint checks all")"

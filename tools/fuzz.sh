#!/bin/sh
# Runs the fuzzer for the given seconds on each target, or on those named; stops at the first finding.
# usage: tools/fuzz.sh SECONDS [TARGET...]
set -eu
cd "$(dirname "$0")/.."
seconds=$1
shift
[ $# -gt 0 ] || set -- $(ls tests/fuzz/corpus)
total=0
for target in "$@"; do
  mkdir -p "build-fuzz/corpus/$target"
  log="build-fuzz/$target.log"
  DOVETAIL_FUZZ_TARGET=$target build-fuzz/tests/dovetail_fuzz -max_total_time="$seconds" -print_final_stats=1 \
    -timeout=10 -rss_limit_mb=2048 -max_len=4096 -artifact_prefix="build-fuzz/crash-$target-" \
    "build-fuzz/corpus/$target" "tests/fuzz/corpus/$target" >"$log" 2>&1 ||
    { echo "fuzz: a finding in $target:" >&2; tail -40 "$log" >&2; exit 1; }
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  total=$((total + runs))
  printf '%-15s %12d executions\n' "$target" "$runs"
done
printf '%-15s %12d executions, no finding\n' all "$total"

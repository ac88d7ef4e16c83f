#!/bin/sh
# Runs the fuzzer for the given seconds on each target, or on those named, one target a core; a finding ends it.
# usage: tools/fuzz.sh SECONDS [TARGET...]
set -eu
cd "$(dirname "$0")/.."
seconds=$1
shift
counts=build-fuzz/executions.txt
if [ "${FUZZ_ONE:-}" ]; then
  mkdir -p "build-fuzz/corpus/$1"
  log="build-fuzz/$1.log"
  # Freed memory is kept from use for a while, in 8 MiB that stay in the cache.
  ASAN_OPTIONS=quarantine_size_mb=8 DOVETAIL_FUZZ_TARGET=$1 build-fuzz/tests/dovetail_fuzz -max_total_time="$seconds" \
    -print_final_stats=1 -timeout=10 -rss_limit_mb=2048 -max_len=4096 -artifact_prefix="build-fuzz/crash-$1-" \
    "build-fuzz/corpus/$1" $(ls -d "tests/fuzz/corpus/$1" 2>/dev/null) >"$log" 2>&1 ||
    { echo "fuzz: a finding in $1:" >&2; tail -40 "$log" >&2; exit 255; } # 255 has xargs begin no more
  printf '%-15s %12d executions\n' "$1" "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" | tee -a "$counts"
  exit
fi
# Without a target the fuzzer says which there are.
[ $# -gt 0 ] || set -- $(build-fuzz/tests/dovetail_fuzz 2>&1 | sed -n 's/.*expected one of: *//p')
status=0
: >"$counts"
printf '%s\n' "$@" | FUZZ_ONE=yes xargs -n 1 -P "$(nproc)" tools/fuzz.sh "$seconds" || status=1
awk -v end="$([ $status = 0 ] && echo "no finding" || echo "a finding")" \
  '{ total += $2 } END { printf "%-15s %12d executions, %s\n", "all", total, end }' "$counts"
exit $status

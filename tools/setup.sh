#!/bin/sh
# Installs the Debian packages of the named groups of packages.txt that are missing; silent when none is.
# usage: tools/setup.sh GROUP...
set -eu
cd "$(dirname "$0")/.."

missing=""
for group in "$@"; do
  for package in $(awk -v group="$group" '$1 == group { print $2 }' packages.txt); do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' ||
      missing="$missing $package"
  done
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
  as_root=""
elif command -v sudo >/dev/null; then
  as_root="sudo"
else
  echo "setup: these packages are missing and need root or sudo to install:$missing" >&2
  exit 2
fi

echo "setup: installing$missing"
$as_root apt-get update -qq
# shellcheck disable=SC2086
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null

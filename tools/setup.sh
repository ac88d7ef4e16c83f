#!/bin/sh
# Installs the Debian packages of the named groups of packages.txt that are missing; silent when none is. For the
# group python also what python/requirements.txt names, into build/venv.
# usage: tools/setup.sh GROUP...
set -eu
cd "$(dirname "$0")/.."

install_missing() {
  if [ "$(id -u)" = 0 ]; then
    as_root=""
  elif command -v sudo >/dev/null; then
    as_root="sudo"
  else
    echo "setup: these packages are missing and need root or sudo to install:$*" >&2
    exit 2
  fi
  echo "setup: installing $*"
  $as_root apt-get update -qq
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

missing=""
for group in "$@"; do
  for package in $(awk -v group="$group" '$1 == group { print $2 }' packages.txt); do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' ||
      missing="$missing $package"
  done
done
# shellcheck disable=SC2086
[ -z "$missing" ] || install_missing $missing

for group in "$@"; do
  if [ "$group" = python ]; then
    echo "setup: Python packages for the tests, in build/venv"
    python3 -m venv build/venv
    build/venv/bin/pip install --quiet --disable-pip-version-check -r python/requirements.txt
  fi
done

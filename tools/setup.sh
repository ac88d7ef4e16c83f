#!/bin/sh
# Installs the Debian packages of the named groups of packages.txt that are missing; silent when none is. For the
# group python also what python/requirements.txt names, into build/venv.
# usage: tools/setup.sh GROUP...
set -eu
cd "$(dirname "$0")/.."

# Without root: asks a person before it calls sudo, calls it where CI is set, and otherwise says what to install.
install_missing() {
  as_root=""
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
      say_what_to_install "$@"
    elif [ -n "${CI:-}" ]; then
      as_root="sudo -n"
    elif [ -t 0 ] && [ -t 2 ]; then
      printf 'setup: these packages are missing: %s\nInstall them with sudo apt-get? [y/N] ' "$*" >&2
      read -r answer || answer=""
      case $answer in
        y | Y | yes) as_root="sudo" ;;
        *) say_what_to_install "$@" ;;
      esac
    else
      say_what_to_install "$@"
    fi
  fi
  echo "setup: installing $*"
  $as_root apt-get update -qq
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

say_what_to_install() {
  printf 'setup: these packages are missing; install them and start again:\n  apt-get install %s\n' "$*" >&2
  exit 2
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

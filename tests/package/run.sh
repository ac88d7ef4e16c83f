#!/bin/sh
# Installs the Debian package, tries what it brings, removes it and looks that nothing is left; then the same for the
# tarball. Needs root.
# usage: tests/package/run.sh BUILD
set -eu
build=$(cd "$1" && pwd)
tests=$(cd "$(dirname "$0")/.." && pwd)
package=$(ls "$build"/package/dovetail_*.deb)
tarball=$(ls "$build"/package/dovetail-*.tar.gz)
if [ "$(id -u)" != 0 ]; then
  echo "package: skipped, installing it needs root"
  exit 0
fi
if dpkg-query -W dovetail >/dev/null 2>&1; then
  echo "package: dovetail is installed already; remove it first" >&2
  exit 2
fi
work=$(mktemp -d)
trap 'dpkg --purge dovetail >/dev/null 2>&1 || true; rm -rf "$work"' EXIT

# The program at $1 aligns, and what lies below $2 is used by an outside project.
try_out() {
  rm -rf "$work/pair" "$work/out" "$work/outside"
  "$1" --version
  "$1" generate "$work/pair" --entities 500 --seed-ratio 0.3 --quiet
  "$1" align "$work/pair" --out "$work/out" --quiet
  "$1" evaluate "$work/out/links.tsv" --gold "$work/pair/test_links.tsv"
  cmake -S "$tests/install" -B "$work/outside" -DCMAKE_PREFIX_PATH="$2" -DCMAKE_BUILD_TYPE=Release >/dev/null
  cmake --build "$work/outside" >/dev/null
  "$work/outside/outside" "$work/pair"
}

# What of the package's files and folders there is.
present() {
  dpkg-deb --fsys-tarfile "$package" | tar -t | while read -r path; do
    [ ! -e "/$path" ] || echo "$path"
  done
}

echo "package: $(basename "$package"), $(du -h "$package" | cut -f 1)"
dpkg-deb --field "$package" Depends
present >"$work/before"
dpkg --install "$package" >/dev/null
(
  cd /
  try_out dovetail /usr
)
# From the package itself, as some systems leave man pages out.
dpkg-deb --extract "$package" "$work/content"
for page in "$work"/content/usr/share/man/man1/*; do
  MANWIDTH=80 man --warnings --local-file "$page" >"$work/page" 2>"$work/warnings"
  [ ! -s "$work/warnings" ] || { cat "$work/warnings" >&2 && exit 1; }
  ! grep -q '.\{81\}' "$work/page" || { echo "package: $page is wider than 80 columns" >&2 && exit 1; }
done
dpkg --purge dovetail >/dev/null
present >"$work/after"
diff "$work/before" "$work/after" || { echo "package: removing it left something behind" >&2 && exit 1; }

echo "tarball: $(basename "$tarball"), $(du -h "$tarball" | cut -f 1)"
mkdir "$work/tar"
tar -xzf "$tarball" -C "$work/tar" --strip-components 1
try_out "$work/tar/bin/dovetail" "$work/tar"
echo "package: installed, tried, removed"

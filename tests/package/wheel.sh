#!/bin/sh
# Looks that the wheel brings all of its libraries and runs on any CPU of its kind, and uses it in a new environment.
# usage: tests/package/wheel.sh BUILD
set -eu
build=$(cd "$1" && pwd)
tests=$(cd "$(dirname "$0")" && pwd)
wheel=$(ls "$build"/wheelhouse/dovetail-*.whl)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "wheel: $(basename "$wheel"), $(du -h "$wheel" | cut -f 1)"

python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check "$wheel"
# Libraries of the system that every Linux has are all that may come from it.
core=$(ls "$work"/venv/lib/python3*/site-packages/dovetail/_core*.so)
if ldd "$core" | grep '=> /' | grep -v "$work" |
  grep -Ev '/(libc|libm|libdl|librt|libpthread|libgcc_s|libstdc\+\+|libz|libresolv)\.so'; then
  echo "wheel: these are not in it" >&2
  exit 1
fi
[ "$(uname -m)" != x86_64 ] || python3 "$tests/baseline.py" "$build/../build-wheel/src/libdovetail.a"
cd "$work"
venv/bin/python - <<'EOF'
import dovetail

pair = dovetail.generate("pair", entities=300)
model = dovetail.align(pair, mode="basic", dimension=32)
figures = model.evaluate()["links"]
print(f"dovetail {dovetail.__version__}: {model}, precision {figures['precision']:.2f}")
assert figures["precision"] > 0.5
EOF

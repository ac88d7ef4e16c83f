#!/bin/sh
# Whom tools/setup.sh asks before it installs packages, with programs in place of apt-get, sudo, id and dpkg-query
# that write down how they were called. usage: setup_test.sh SOURCE_FOLDER
set -eu
setup=$1/tools/setup.sh
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
mkdir "$here/bin" "$here/no-sudo"
for folder in bin no-sudo; do
  printf '#!/bin/sh\necho 1000\n' >"$here/$folder/id"
  printf '#!/bin/sh\nexit 1\n' >"$here/$folder/dpkg-query"
  printf '#!/bin/sh\necho "apt-get $*" >>"%s/calls"\n' "$here" >"$here/$folder/apt-get"
  for tool in sh env awk grep dirname; do ln -s "$(command -v $tool)" "$here/$folder/$tool"; done
done
printf '#!/bin/sh\necho "sudo $*" >>"%s/calls"\n' "$here" >"$here/bin/sudo"
chmod +x "$here"/*/*

# try NAME EXIT_CODE CALLED COMMAND...: `called` is whether a package was installed
try() {
  name=$1 code=$2 called=$3
  shift 3
  rm -f "$here/calls"
  got=0
  "$@" >"$here/out" 2>&1 || got=$?
  installs=no
  ! grep -q install "$here/calls" 2>/dev/null || installs=yes
  if [ "$got" != "$code" ] || [ "$installs" != "$called" ]; then
    echo "$name: exit code $got, expected $code; installs: $installs, expected $called" >&2
    cat "$here/out" >&2
    exit 1
  fi
}
# says TEXT: the last try printed it
says() {
  grep -q -- "$1" "$here/out" || { echo "not said: $1" >&2; cat "$here/out" >&2; exit 1; }
}
person() { # ANSWER: at a terminal
  printf '%s\n' "$1" | script -qefc "env -u CI PATH=$here/bin $setup lint" /dev/null
}

try "a person who agrees" 0 yes person y
says "Install them with sudo"
try "a person who does not" 2 no person n
says "apt-get install clang-format clang-tidy"
try "nobody to ask" 2 no env -u CI PATH="$here/bin" "$setup" lint </dev/null
says "apt-get install clang-format clang-tidy"
try "CI" 0 yes env CI=true PATH="$here/bin" "$setup" lint </dev/null
grep -q '^sudo -n .*install' "$here/calls"
try "no sudo" 2 no env CI=true PATH="$here/no-sudo" "$setup" lint </dev/null
says "apt-get install"
printf '#!/bin/sh\necho 0\n' >"$here/no-sudo/id"
try "root" 0 yes env -u CI PATH="$here/no-sudo" "$setup" lint </dev/null
echo "all as expected"

#!/bin/sh
# Builds, tests and packages in separate Debian roots, with one line per system (`make systems`).
#
#   setup/systems.sh                  Debian 12, 13 and sid
#   setup/systems.sh 13               one of them
#   setup/systems.sh source           the source package by Debian's own tools (build-source-package.sh)
#   setup/systems.sh arm64            another processor, emulated (setup/arm64.sh)
#
# For 12, 13 and sid it copies a bare Debian, which is kept in SYSTEMS_FOLDER (.systems), clones the
# committed state, and runs README's two commands in order, `make demo` and `make test`, once each, with
# nothing downloaded or built before, and browsers for the tests of the virtual camera; then `make deb`.
# A warning, or a temporary file left behind, is a failure too. Packages are written to out/systems/NAME,
# logs to out/systems/NAME.log.
#
# Needs root. Debian 12 and 13 build with this machine's Swift toolchain, sid with Debian's own.
set -eu
cd "$(dirname "$0")/.."
fail() { printf 'mien: %s\n' "$*" >&2; exit 1; }
say() { printf 'mien: %s\n' "$*"; }
[ "$(id -u)" -eq 0 ] || fail "make systems makes Debian roots with debootstrap and enters them with chroot, both as
  root: run it as root. Without, .github/workflows/ci.yml does the same in containers."
folder=${SYSTEMS_FOLDER:-.systems}
mkdir -p "$folder" out/systems
folder=$(cd "$folder" && pwd)
[ $# -gt 0 ] || set -- 12 13 sid

# Packages that the Swift toolchain needs.
compiling="binutils ca-certificates g++ git libc6-dev libedit2 libncurses6 libsqlite3-0 make
  pkg-config tzdata zlib1g-dev"

# Paths of Swift inside a root: this machine's own is mounted.
mounted() {
  program=$(readlink -f "$(command -v swift)") || fail "No Swift toolchain was found here."
  echo "${program%/usr/bin/*}/usr"
}

# in_root NAME COMMAND...: in the root's clone of this folder.
in_root() {
  name=$1
  shift
  setup/debian-root.sh run "$folder/$name" $binds -- sh -c 'cd /mien && exec "$@"' sh "$@"
}

# Makes a fresh root with a Swift toolchain and a clone of this folder.
newcomer() {
  name=$1
  rm -rf --one-file-system "$folder/$name"
  cp -a "$folder/bare-$name" "$folder/$name" && git clone -q . "$folder/$name/mien" \
    && in_root "$name" sh -c "apt-get update -q && apt-get upgrade -q -y \
      && apt-get install -q -y --no-install-recommends $(echo $compiling $compiler)"
}

# step NAME COMMAND...: runs one of README's commands; fails if temporary files are left behind.
step() {
  name=$1
  shift
  began=$(date +%s)
  echo "mien: $*"
  in_root "$name" "$@" 2>&1 || return 1
  echo "mien: $* took $(($(date +%s) - began)) s"
  # X servers leave their folders of sockets, empty.
  left=$(find "$folder/$name/tmp" "$folder/$name/var/tmp" -mindepth 1 \
    ! \( -name '.*-unix' -empty \) -printf ' %p')
  [ -z "$left" ] || { echo "mien: $* left behind:$left"; return 1; }
}

system() {
  name=$1
  log=$PWD/out/systems/$name.log
  started=$(date +%s)
  setup/debian-root.sh make "$name" "$folder/bare-$name" || return 1
  case $name in
    sid) compiler=swiftlang binds="" INNER_PATH=/usr/sbin:/usr/bin:/sbin:/bin ;;
    *)
      compiler="libcurl4-openssl-dev libxml2-dev"
      swift=$(mounted)
      binds=$swift=$swift INNER_PATH=$swift/bin:/usr/sbin:/usr/bin:/sbin:/bin
      ;;
  esac
  export INNER_PATH
  rm -rf "out/systems/$name"
  newcomer "$name" >"$log" 2>&1 && step "$name" make demo >>"$log" \
    && step "$name" setup/setup.sh browsers >>"$log" && step "$name" make test >>"$log" \
    && ! grep -aE '^warning:|: warning:' "$log" >&2 && step "$name" make deb LINTIAN=warning >>"$log" || {
    grep -aE '^[EW]: |error:|warning:|mien:|recorded an issue' "$log" | cut -c 1-300 | tail -n 24 >&2
    return 1
  }
  mkdir -p "out/systems/$name"
  cp "$folder/$name"/mien/out/*.deb "out/systems/$name/"
  tests=$(grep -aoE 'Test run with [0-9]+ tests' "$log" | tail -n 1 | grep -o '[0-9]*')
  versions=$(in_root "$name" sh -c 'pkg-config --modversion gstreamer-1.0; swift --version 2>/dev/null' \
    | sed -n '1s/^/GStreamer /p; s/.*\(Swift\) version \([0-9.]*\).*/\1 \2/p' | paste -sd , | sed 's/,/, /')
  took=$(($(date +%s) - started))
  steps=$(sed -n 's/^mien: \(make .*\) took \([0-9]*\) s$/\1 in \2 s/p' "$log" | paste -sd , | sed 's/,/, /g')
  say "Debian $name ($versions): $tests tests passed, packed, in $((took / 60)) min $((took % 60)) s: $steps"
  rm -rf --one-file-system "$folder/$name"
}

status=0
for name; do
  case $name in
    12 | 13 | sid) system "$name" ;;
    source) setup/build-source-package.sh ;;
    arm64) setup/arm64.sh ;;
    *) fail "make systems knows 12, 13, sid, source and arm64, not \"$name\"." ;;
  esac || { say "$name: FAILED; what it said is in out/systems, under its name"; status=1; }
done
exit $status

#!/bin/sh
# Builds the source package as Debian's builders do (`make systems SYSTEMS=source`).
#
# The build runs in a bare Debian sid with only the packages of Build-Depends, as a user other than root,
# without network access, with Debian's own compiler. Then lintian checks the source and the packages, and the
# packages are installed there and tested with debian/tests/elements.
#
# Needs root and git. The root stays in SYSTEMS_FOLDER (.systems) until debian/control changes; packages are
# written to out/systems/source, the log to out/systems/source.log.
set -eu
cd "$(dirname "$0")/.."
fail() { printf 'mien: %s\n' "$*" >&2; exit 1; }
say() { printf 'mien: %s\n' "$*"; }
[ "$(id -u)" -eq 0 ] || fail "A Debian root is made and entered: run this as root."
folder=${SYSTEMS_FOLDER:-.systems}
mkdir -p "$folder" out/systems
folder=$(cd "$folder" && pwd)
root=$folder/source
out=$PWD/out/systems/source
log=$out.log

setup/debian-root.sh make sid "$folder/bare-sid"
setup/setup.sh models
setup/setup.sh deb
setup/source-package.sh >"$log" 2>&1 || { tail -n 15 "$log" >&2; exit 1; }
if ! cmp -s debian/control "$root/control"; then
  rm -rf --one-file-system "$root"
  cp -a "$folder/bare-sid" "$root"
fi
rm -rf "$out" "$root/home/build"
mkdir -p "$root/home/build" "$out"
mv out/gst-mien_* "$root/home/build/"
in_root() { setup/debian-root.sh run "$root" -- "$@"; }
# A new network namespace, without connections.
without_network() { unshare --net setup/debian-root.sh run "$root" -- "$@"; }
trap 'grep -aE "^[EW]: |error:|mien:" "$log" | cut -c 1-300 | tail -n 24 >&2; say "source: see $log"' EXIT

in_root sh -euc '
  cd /home/build
  apt="apt-get -q -y --no-install-recommends"
  $apt update
  ! dpkg -s mien-studio >/dev/null 2>&1 || $apt purge gstreamer1.0-mien mien-studio
  $apt upgrade
  $apt install build-essential lintian
  $apt build-dep ./gst-mien_*.dsc
  id build || useradd --home-dir /home/build build
  chown -R build: /home/build' >>"$log" 2>&1
cp debian/control "$root/control"
prepared=$(date +%s)
without_network su build -c '
  cd && dpkg-source -x gst-mien_*.dsc source && cd source && dpkg-buildpackage --unsigned-source --unsigned-changes
' >>"$log" 2>&1
built=$(($(date +%s) - prepared))
without_network su build -c '
  cd && lintian --fail-on error,warning --tag-display-limit 0 gst-mien_*.dsc gst-mien_*_*.changes
' >>"$log" 2>&1
cp "$root"/home/build/*.deb "$out/"
in_root sh -euc '
  cd /home/build
  apt-get install -q -y --no-install-recommends ./*.deb \
    gstreamer1.0-tools python3-gst-1.0
  source/debian/tests/elements' >>"$log" 2>&1
trap - EXIT
say "the source package builds on Debian sid, in $((built / 60)) min $((built % 60)) s; lintian is silent, and the packages work"

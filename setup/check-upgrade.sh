#!/bin/sh
# Upgrades packages of Mien in a bare Debian root, and looks whether the command, the plugin and the window
# stay:
#
#   setup/check-upgrade.sh OLD NEW [12]      folders of .deb files: those of an earlier version, and new ones
#
# Each set of packages is upgraded by apt from an archive with the new ones, as a user does. A new command
# beside an old plugin is refused, and leaves the old one at work. Needs root.
set -eu
cd "$(dirname "$0")/.."
fail() { printf 'mien: %s\n' "$*" >&2; exit 1; }
say() { printf 'mien: %s\n' "$*"; }
old=$1 new=$2 release=${3:-$(. /etc/os-release && echo "${VERSION_ID:-sid}")}
bare=${SYSTEMS_FOLDER:-.systems}/bare-$release
setup/debian-root.sh make "$release" "$bare"
root=$(mktemp -d)
trap 'rm -rf --one-file-system "$root"' EXIT
cp -a "$bare/." "$root/"
mkdir -p "$root/archive/old" "$root/archive/new"
cp "$old"/*.deb "$root/archive/old/"
cp "$new"/*.deb "$root/archive/new/"
(cd "$root/archive" && dpkg-scanpackages --multiversion new >Packages 2>/dev/null)
log=$root/log
in_root() { setup/debian-root.sh run "$root" -- "$@"; }
quietly() { in_root sh -euc "$*" >"$log" 2>&1 || { tail -n 20 "$log" >&2; fail "$*"; }; }

quietly 'apt-get update -q'
# What both versions depend on, once for all sets.
quietly 'apt-get install -q -y --no-install-recommends /archive/old/*.deb gstreamer1.0-tools && apt-get purge -q -y "mien*" gstreamer1.0-mien'
archive='echo "deb [trusted=yes] file:/archive ./" >/etc/apt/sources.list.d/mien.list; apt-get update -q'

for set in gstreamer1.0-mien "gstreamer1.0-mien mien-studio"; do
  files=$(for name in $set; do printf '/archive/old/%s_*.deb ' "$name"; done)
  quietly "rm -f /etc/apt/sources.list.d/mien.list; apt-get update -q; apt-get install -q -y --no-install-recommends $files"
  quietly "mien --version; gst-inspect-1.0 facedetect"

  # The new command without the new plugin: dpkg refuses it, and the old one goes on.
  in_root dpkg -i $(cd "$root" && ls -d archive/new/mien_*.deb | sed 's:^:/:') >"$log" 2>&1 \
    && fail "the new command goes with the old plugin"
  quietly "mien --version"

  # Recommended packages are installed with the upgrade, but not those of other archives: they take minutes.
  quietly "$archive; apt-get install -q -y --no-install-recommends mien; ! dpkg -l gstreamer1.0-mien | grep -q 0.1.0-1~"
  quietly "mien --version; gst-inspect-1.0 facedetect; mien check /usr/share/mien/stickers/halo"
  case $set in *studio*) quietly "test -x /usr/bin/mien-studio; dpkg -l mien-studio | grep -q ^ii; mien studio --help" ;; esac
  # No file of the packages is gone or of two.
  quietly "dpkg --verify; test -z \"\$(dpkg --audit)\""
  say "upgraded: $set"
  quietly 'apt-get purge -q -y "mien*" gstreamer1.0-mien'

  # The way of apt-get upgrade --with-new-pkgs and of full-upgrade: what is recommended comes along.
  quietly "rm -f /etc/apt/sources.list.d/mien.list; apt-get update -q; apt-get install -q -y --no-install-recommends $files"
  plan=$(in_root sh -euc "$archive >/dev/null 2>&1; apt-get full-upgrade -s -o APT::Install-Recommends=true" | sed -n 's/^Inst \([^ ]*\).*/\1/p')
  for name in $set mien; do
    printf '%s\n' "$plan" | grep -qx "$name" || fail "full-upgrade of $set leaves $name: $plan"
  done
  say "full-upgrade of $set brings: $(printf '%s\n' "$plan" | grep mien | tr '\n' ' ')"
  quietly 'apt-get purge -q -y "mien*" gstreamer1.0-mien'
done

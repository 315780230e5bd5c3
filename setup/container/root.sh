#!/bin/sh
# Makes the root of the container image with debootstrap, where there is no container engine, and tries it:
#
#   setup/container/root.sh [FOLDER]          the packages in FOLDER (out); writes out/mien-root.tar.xz
#
# podman import --change 'ENTRYPOINT ["mien"]' --change 'USER mien' out/mien-root.tar.xz mien:2.0.0 makes an
# image of it. Needs root.
set -eu
cd "$(dirname "$0")/../.."
fail() { printf 'mien: %s\n' "$*" >&2; exit 1; }
say() { printf 'mien: %s\n' "$*"; }
packages=${1:-out}
bare=${SYSTEMS_FOLDER:-.systems}/bare-12
setup/debian-root.sh make 12 "$bare"
root=$(mktemp -d)
trap 'rm -rf --one-file-system "$root"' EXIT
cp -a "$bare/." "$root/"
rm -f "$root/complete"
mkdir "$root/packages"
cp "$packages"/gstreamer1.0-mien_*.deb "$packages"/mien_*.deb "$root/packages/"
words=$(sed -n '/^# packages/,/^# end/{/^#/d; s/\\$//; p}' setup/container/Containerfile)
in_root() { setup/debian-root.sh run "$root" "$@"; }
say "installing $(echo $words)"
in_root -- sh -euc "apt-get update -q; apt-get install -q -y --no-install-recommends $words
  rm -rf /packages /var/lib/apt/lists/* /var/cache/apt/* /usr/share/doc/* /usr/share/man/* /usr/share/locale/*
  useradd --uid 1000 --create-home mien" >"$root.log" 2>&1 || { tail -n 15 "$root.log"; fail "It does not install."; }
rm -f "$root.log" "$root/usr/sbin/policy-rc.d" "$root"/etc/apt/apt.conf.d/*proxy* "$root"/var/log/*.log "$root"/var/log/apt/*

mkdir -p out
tar -C "$root" --one-file-system -c . | xz -T2 -6 >out/mien-root.tar.xz
say "out/mien-root.tar.xz: $(($(stat -c %s out/mien-root.tar.xz) / 1000000)) MB, unpacked $(du -sm "$root" | cut -f 1) MB"

# As the image runs: a plain user, who may write to one folder.
films=$(mktemp -d)
trap 'rm -rf --one-file-system "$root" "$films"' EXIT
pipelines/clips.sh "$films/in" 3 10
cp models/astronaut.png "$films/in/"
chown -R 1000:1000 "$films"
as_user() { in_root "$films=/films" -- setpriv --reuid 1000 --regid 1000 --clear-groups --no-new-privs \
  env HOME=/home/mien sh -c 'cd /films && exec mien "$@"' mien "$@"; }
as_user doctor || fail "The command misses something."
as_user faces in/astronaut.png --expect 1
as_user batch in out --sticker halo --report out/report.jsonl
as_user verify in out --sticker halo
as_user decorate - - --look noir --to-type mkv <"$films/in/clip-1.webm" >"$films/piped.mkv"
[ -s "$films/piped.mkv" ] || fail "nothing came out of the pipe"
say "the root works as a plain user"

#!/bin/sh
# Tests the command's package with what it recommends, in a bare Debian: apt installs it as a user does, an MP4
# is decorated to an MP4, and a batch decorates four.
#
#   setup/check-films.sh 13 FOLDER      the packages in FOLDER (out/), in a bare Debian 13
#
# Needs root. Bare roots are kept in SYSTEMS_FOLDER (.systems), so that each is downloaded once.
set -eu
cd "$(dirname "$0")/.."
fail() { printf 'mien: %s\n' "$*" >&2; exit 1; }
say() { printf 'mien: %s\n' "$*"; }
release=${1:-$(. /etc/os-release && echo "${VERSION_ID:-sid}")}
packages=${2:-out}
bare=${SYSTEMS_FOLDER:-.systems}/bare-$release
setup/debian-root.sh make "$release" "$bare"
root=$(mktemp -d)
trap 'rm -rf --one-file-system "$root"' EXIT
trap 'exit 1' INT TERM
cp -a "$bare/." "$root/"
mkdir -p "$root/trial/films"
for name in gstreamer1.0-mien mien; do
  cp "$(ls -t "$packages/$name"_*.deb | head -n 1)" "$root/trial/"
done
for number in 1 2 3 4; do
  ffmpeg -nostdin -v error -loop 1 -i models/astronaut.png -f lavfi -i sine=frequency=${number}00 -t 2 -r 15 \
    -pix_fmt yuv420p "$root/trial/films/$number.mp4"
done
in_root() { setup/debian-root.sh run "$root" -- sh -euc "cd /trial; $*" >"$root/log" 2>&1 \
  || { tail -n 15 "$root/log" >&2; fail "$*"; }; }

began=$(date +%s)
in_root "apt-get update -q; apt-get install -q -y ./gstreamer1.0-mien_*.deb ./mien_*.deb"
say "installed with what is recommended in $(($(date +%s) - began)) s"
in_root "mien decorate films/1.mp4 hat.mp4 --sticker hat"
in_root "mien batch films decorated --sticker hat"
for film in hat decorated/1 decorated/2 decorated/3 decorated/4; do
  found=$(ls "$root/trial/$film"*.mp4) || fail "There is no $film.mp4."
  kinds=$(ffprobe -v error -show_entries stream=codec_type -of csv=p=0 "$found" | sort | tr '\n' ' ')
  [ "$kinds" = "audio video " ] || fail "$film.mp4 has $kinds"
done
say "Debian $release: an MP4 and a batch of four are decorated, with their sound"

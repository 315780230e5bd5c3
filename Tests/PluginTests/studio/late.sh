#!/bin/bash
# Measures the window: how long it takes to start, five times with the photograph; and how late the frames
# of a film of 1080p with 30 a second are, through all elements but the chroma keyer, and through all.
# On a screen of its own, where the processor does what a graphics card would; some of that is the X server.
#
#   pipelines/env.sh Tests/PluginTests/studio/late.sh [SECONDS]     of each film; 20
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
seconds=${1:-20}
folder=$(mktemp -d)
mien=$root/.build/bin/mien
. "$here/screen.sh"
unset G_DEBUG

ffmpeg -nostdin -loglevel error -y -stream_loop 9 -i "$root/models/scenes/WolfgangLanger_Pexels.mp4" -an \
  -vf "fps=30,scale=1920:1080" -t "$((seconds + 5))" -c:v libx264 -preset veryfast film.mp4
for number in ${STARTS-1 2 3 4 5}; do
  start
  sleep 1
  key ctrl+q
  wait "$studio" || fail "it ends with $?: $(cat studio.log)"
  echo "start $number: $(grep 'first frame' studio.log)"
done
# The switches beside the picture, from the second on; the stickers are on by themselves.
through() {
  start "$folder/film.mp4"
  sleep 1
  for y in "${@:2}"; do click 1127 "$y"; done
  sleep "$seconds"
  key ctrl+q
  wait "$studio" || fail "it ends with $?: $(cat studio.log)"
  echo "$1: $(grep 'frames shown' studio.log)"
}
through "stickers alone"
through "all but chromakey" 151 213 275 337 461 523
through "all eight" 151 213 275 337 399 461 523
cd / && rm -rf "$folder"

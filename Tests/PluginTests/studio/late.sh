#!/bin/bash
# Measures the window on a virtual screen: the start-up time with the photograph, five times; and the lateness
# of the frames of a 1080p film at 30 frames a second, with all elements except chromakey and with all
# elements. The processor does the work of a graphics card; a part of it is that of the X server.
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
# Clicks the switches beside the picture; that of the stickers is on by default.
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

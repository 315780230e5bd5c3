#!/bin/bash
# Turns the mouse wheel over every setting of an element, and opens the photograph several times. Fails with
# one line if a setting changes, the panel does not scroll, or elements leak.
#
#   wheel.sh FOLDER MIEN
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$1 mien=$2
. "$here/screen.sh"
export GST_TRACERS='leaks(filters=GstVideoCrop,check-refs=false)' GST_LEAKS_TRACER_SIG=1
export GST_DEBUG=GST_TRACER:7 GST_DEBUG_NO_COLOR=1
start
until_holds 10 line_has 'sticker location=dog ' || fail "the first pack is not the dog: $(line)"
click 1078 89
sleep 0.6
# The settings below "More" too.
click 901 336
sleep 0.4
snap unmoved
before=$(line)
for y in $(seq 240 60 720); do
  xdotool mousemove 1040 "$y"
  for _ in 1 2 3; do xdotool click 5; done
  for _ in 1 2 3; do xdotool click 4; done
  [ "$(line)" = "$before" ] || fail "the wheel changes something at $y: $(line)"
done
xdotool mousemove 1040 434
panel() { ffmpeg -nostdin -loglevel error -f x11grab -video_size 300x680 -grab_x 860 -grab_y 60 -draw_mouse 0 \
  -i "$DISPLAY" -frames:v 1 -f rawvideo - | cksum; }
top=$(panel)
for _ in $(seq 4); do xdotool click 5; done
sleep 0.4
[ "$(line)" = "$before" ] || fail "the wheel changes something: $(line)"
[ "$top" != "$(panel)" ] || fail "the wheel does not scroll the panel"
snap scrolled

# Counts the elements that crop the moving photograph: one for the window, for any number of previous sources.
# (The thumbnails of the shelf use some too, and are complete by then.)
crops() {
  local old
  old=$(wc -l <studio.log)
  kill -USR1 "$studio"
  sleep 0.5
  tail -n +"$((old + 1))" studio.log | grep -c 'object-alive.*GstVideoCrop' || true
}
few() { [ "$(crops)" = 1 ]; }
sleep 2
until_holds 15 few || fail "$(crops) elements crop the first photograph, expected 1"
for _ in 1 2 3 4; do click 144 27; sleep 0.4; done
until_holds 5 few || fail "$(crops) elements crop a photograph, expected 1"
key ctrl+q
wait "$studio" || fail "it ends with $?: $(tail -n 3 studio.log)"

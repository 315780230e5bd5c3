#!/bin/sh
# Makes short films of the test photograph, with sound, for trying things out:
#
#   pipelines/clips.sh FOLDER [COUNT [FRAMES]]
#
# FOLDER/clip-1.webm and so on, COUNT (1) of them, each of FRAMES (20) frames at 20 a second. Films that
# FOLDER has already are kept: made anew they would have other checksums, since WebM names each file by a
# random number, and `mien verify` would call their outputs stale.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$1 count=${2:-1} frames=${3:-20}
mkdir -p "$folder"
first=$folder/clip-1.webm
[ -e "$first" ] || {
  "$here/env.sh" gst-launch-1.0 -q filesrc location="$here/../models/astronaut.png" ! pngdec \
    ! videoscale ! video/x-raw,width=320,height=320 ! imagefreeze num-buffers="$frames" \
    ! video/x-raw,framerate=20/1 ! videoconvert ! vp8enc deadline=1 ! queue ! webmmux name=m \
    ! filesink location="$first.part" \
    audiotestsrc wave=ticks num-buffers="$frames" samplesperbuffer=2205 ! audio/x-raw,rate=44100 \
    ! vorbisenc ! queue ! m.
  mv "$first.part" "$first"
}
number=2
while [ "$number" -le "$count" ]; do
  [ -e "$folder/clip-$number.webm" ] || cp "$first" "$folder/clip-$number.webm"
  number=$((number + 1))
done

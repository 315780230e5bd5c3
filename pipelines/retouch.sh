#!/bin/sh
# Draws the face of a picture before and after retouching, at three strengths, side by side.
#
#   pipelines/env.sh pipelines/retouch.sh [INPUT [OUTPUT.png|.jpg [PROPERTIES...]]]
#
# CROP is the rectangle to show ("left=1 right=2 ..."; "" for the whole picture); the default is the face of
# the test photograph. PROPERTIES, if any, replace the three strengths.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
export GST_PRESET_PATH="${GST_PRESET_PATH:-$root/presets}"
input=${1:-$root/models/astronaut.png}
output=${2:-out/retouched.png}
crop=${CROP-left=150 top=30 right=222 bottom=322}
shift "$(($# < 2 ? $# : 2))"
[ $# -gt 0 ] || set -- "intensity=0 brightness=0" "@preset=natural" "@preset=soft" "@preset=strong"

case "$output" in
  *.jpg) encoder="jpegenc quality=88" ;;
  *) encoder="video/x-raw,format=RGB ! pngenc snapshot=true" ;;
esac

place=0
branches=""
pads=""
for properties in "$@"; do
  branches="$branches t. ! queue ! beautifymask $properties ! m.sink_$place"
  pads="$pads sink_$place::xpos=$((place * 300))"
  place=$((place + 1))
done
# Split into words deliberately: gst-launch expects each word as an argument.
exec gst-launch-1.0 -q filesrc "location=$input" ! decodebin ! videoconvert \
  ! videocrop $crop ! videoscale method=lanczos \
  ! video/x-raw,width=300,height=342,pixel-aspect-ratio=1/1 \
  ! videoconvert ! video/x-raw,format=I420 ! facedetect ! tee name=t \
  compositor name=m $pads ! videoconvert ! $encoder \
  ! filesink "location=$output" \
  $branches

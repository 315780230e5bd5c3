#!/bin/sh
# Shows the original on the left and the retouched picture on the right, for the test photograph, a film or a
# camera.
#
#   pipelines/env.sh pipelines/split-screen.sh                        a window
#   pipelines/env.sh pipelines/split-screen.sh /dev/video0            a window
#   pipelines/env.sh pipelines/split-screen.sh film.webm split.webm   a film
#   pipelines/env.sh pipelines/split-screen.sh photo.png split.png    a picture
#
# RETOUCH sets properties of beautifymask; WIDTH and HEIGHT the size (640 x 480).
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
export GST_PRESET_PATH="${GST_PRESET_PATH:-$root/presets}"
width=${WIDTH:-640}
height=${HEIGHT:-480}
half=$((width / 2))
input=${1:-} output=${2:-}
case "$input" in
  "") set -- filesrc location="$root/models/astronaut.png" ! pngdec ! imagefreeze ;;
  /dev/video*) set -- v4l2src device="$input" ;;
  *) set -- filesrc location="$input" ! decodebin ;;
esac
# Faces are detected before the picture is split: half a face is hard to detect.
set -- "$@" ! videoconvert ! videoscale \
  ! "video/x-raw,format=I420,width=$width,height=$height,pixel-aspect-ratio=1/1" \
  ! facedetect ! tee name=t \
  compositor name=m sink_1::xpos=$half ! videoconvert
case "$output" in
  "") set -- "$@" ! autovideosink ;;
  *.png) set -- "$@" ! video/x-raw,format=RGB ! pngenc snapshot=true ! filesink location="$output" ;;
  *) set -- "$@" ! vp8enc deadline=1 ! webmmux ! filesink location="$output" ;;
esac
# RETOUCH is split into words deliberately.
exec gst-launch-1.0 -q "$@" \
  t. ! queue ! videocrop right=$half ! m.sink_0 \
  t. ! queue ! beautifymask ${RETOUCH:-@preset=soft} ! videocrop left=$half ! m.sink_1

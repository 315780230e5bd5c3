#!/bin/sh
# Keys a film into one lossless file with transparency: FFV1 in Matroska, which stores the keyed frames
# unchanged, or PNG in QuickTime, which more programs open.
#
#   pipelines/key-one-file.sh shot.mp4 keyed.mkv
#   pipelines/key-one-file.sh shot.mp4 keyed.mov
#
# SOURCE replaces the film by any elements in gst-launch syntax that output raw video.
set -eu
here=$(dirname "$0")
input=$1 output=$2
# Split into words deliberately; a file name is quoted as one word.
if [ -n "${SOURCE:-}" ]; then set -- $SOURCE; else set -- filesrc location="$input" ! decodebin; fi
case "$output" in
  *.mov) writer="videoconvert ! video/x-raw,format=RGBA ! pngenc ! qtmux" ;;
  *) writer="video/x-raw,format=A420 ! avenc_ffv1 ! matroskamux" ;;
esac
exec "$here/env.sh" gst-launch-1.0 -e "$@" ! videoconvert ! chromakey ! $writer \
  ! filesink location="$output"

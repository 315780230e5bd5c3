#!/bin/sh
# Keys a film into one file that keeps the transparency, without loss: FFV1 in Matroska, which holds
# the keyed frames as they are, or PNG in QuickTime, which more programs open.
#
#   pipelines/key-one-file.sh shot.mp4 keyed.mkv
#   pipelines/key-one-file.sh shot.mp4 keyed.mov
#
# SOURCE replaces the film by any elements of gst-launch that make raw video.
set -eu
here=$(dirname "$0")
input=$1 output=$2
# Words on purpose, but a file's name is one word, whatever is in it.
if [ -n "${SOURCE:-}" ]; then set -- $SOURCE; else set -- filesrc location="$input" ! decodebin; fi
case "$output" in
  *.mov) writer="videoconvert ! video/x-raw,format=RGBA ! pngenc ! qtmux" ;;
  *) writer="video/x-raw,format=A420 ! avenc_ffv1 ! matroskamux" ;;
esac
exec "$here/env.sh" gst-launch-1.0 -e "$@" ! videoconvert ! chromakey ! $writer \
  ! filesink location="$output"

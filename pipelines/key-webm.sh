#!/bin/sh
# Keys a film into two WebM files of the same length, VP8 for the colours and VP8 for the matte, for editors
# and players that key by a separate matte.
#
#   pipelines/key-webm.sh shot.mp4 colours.webm matte.webm
#
# SOURCE replaces the film by any elements in gst-launch syntax that output raw video.
set -eu
here=$(dirname "$0")
input=$1 colours=$2 matte=$3
# Split into words deliberately; a file name is quoted as one word.
if [ -n "${SOURCE:-}" ]; then set -- $SOURCE; else set -- filesrc location="$input" ! decodebin; fi
exec "$here/env.sh" gst-launch-1.0 -e "$@" ! videoconvert ! tee name=shot \
  shot. ! queue ! chromakey background-color=0xff000000 ! videoconvert ! vp8enc deadline=1 \
  ! webmmux ! filesink location="$colours" \
  shot. ! queue ! chromakey show-matte=true background-color=0xff000000 ! videoconvert \
  ! vp8enc deadline=1 ! webmmux ! filesink location="$matte"

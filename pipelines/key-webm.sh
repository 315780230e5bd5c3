#!/bin/sh
# Keys a film and keeps the transparency: VP8 for the colours and VP8 for the matte, in two WebM
# files of the same length, as video editors and players that key by a matte take them.
#
#   pipelines/key-webm.sh shot.mp4 colours.webm matte.webm
#
# SOURCE replaces the film by any elements of gst-launch that make raw video.
set -eu
here=$(dirname "$0")
input=$1 colours=$2 matte=$3
# Words on purpose, but a file's name is one word, whatever is in it.
if [ -n "${SOURCE:-}" ]; then set -- $SOURCE; else set -- filesrc location="$input" ! decodebin; fi
exec "$here/env.sh" gst-launch-1.0 -e "$@" ! videoconvert ! tee name=shot \
  shot. ! queue ! chromakey background-color=0xff000000 ! videoconvert ! vp8enc deadline=1 \
  ! webmmux ! filesink location="$colours" \
  shot. ! queue ! chromakey show-matte=true background-color=0xff000000 ! videoconvert \
  ! vp8enc deadline=1 ! webmmux ! filesink location="$matte"

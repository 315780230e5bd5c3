#!/bin/sh
# Keys a film onto a picture and writes a film.
#
#   pipelines/key-file.sh shot.mp4 beach.jpg keyed.ogg
#
# SOURCE replaces the film by any elements of gst-launch that make raw video.
set -eu
here=$(dirname "$0")
input=$1 background=$2 output=$3
# Words on purpose, but a file's name is one word, whatever is in it.
if [ -n "${SOURCE:-}" ]; then set -- $SOURCE; else set -- filesrc location="$input" ! decodebin; fi
exec "$here/env.sh" gst-launch-1.0 -e "$@" ! videoconvert \
  ! chromakey background="$background" ! videoconvert ! theoraenc quality=48 ! oggmux \
  ! filesink location="$output"

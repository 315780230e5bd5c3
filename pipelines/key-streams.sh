#!/bin/sh
# Keys one stream onto another.
#
#   pipelines/key-streams.sh shot.mp4 waves.mp4
#
# SOURCE and BEHIND replace the two films, and SINK the window, by elements in gst-launch syntax.
set -eu
here=$(dirname "$0")
shot=$1 waves=$2
# Split into words deliberately; a file name is quoted as one word.
if [ -n "${BEHIND:-}" ]; then set -- $BEHIND; else set -- filesrc location="$waves" ! decodebin; fi
set -- "$@" ! videoconvert ! queue ! mix.sink_0
if [ -n "${SOURCE:-}" ]; then set -- "$@" $SOURCE
else set -- "$@" filesrc location="$shot" ! decodebin; fi
exec "$here/env.sh" gst-launch-1.0 compositor name=mix ! videoconvert ! ${SINK:-autovideosink} \
  "$@" ! videoconvert ! chromakey ! queue ! mix.sink_1

#!/bin/sh
# Keys one stream onto another one that moves.
#
#   pipelines/key-streams.sh shot.mp4 waves.mp4
#
# SOURCE and BEHIND replace the two films, SINK the screen, by elements of gst-launch.
set -eu
here=$(dirname "$0")
shot=$1 waves=$2
# Words on purpose, but a file's name is one word, whatever is in it.
if [ -n "${BEHIND:-}" ]; then set -- $BEHIND; else set -- filesrc location="$waves" ! decodebin; fi
set -- "$@" ! videoconvert ! queue ! mix.sink_0
if [ -n "${SOURCE:-}" ]; then set -- "$@" $SOURCE
else set -- "$@" filesrc location="$shot" ! decodebin; fi
exec "$here/env.sh" gst-launch-1.0 compositor name=mix ! videoconvert ! ${SINK:-autovideosink} \
  "$@" ! videoconvert ! chromakey ! queue ! mix.sink_1

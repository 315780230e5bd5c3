#!/bin/sh
# Keys one stream onto another one that moves.
#
#   pipelines/key-streams.sh shot.mp4 waves.mp4
#
# SOURCE and BEHIND replace the two films, SINK the screen, by elements of gst-launch.
set -eu
here=$(dirname "$0")
source=${SOURCE:-filesrc location="$1" ! decodebin}
behind=${BEHIND:-filesrc location="$2" ! decodebin}
sink=${SINK:-autovideosink}
exec "$here/env.sh" gst-launch-1.0 compositor name=mix ! videoconvert ! $sink \
  $behind ! videoconvert ! queue ! mix.sink_0 \
  $source ! videoconvert ! chromakey ! queue ! mix.sink_1

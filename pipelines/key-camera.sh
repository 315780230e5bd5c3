#!/bin/sh
# Keys a camera onto a picture, in a window. A click on the video picks the screen's colour.
#
#   pipelines/key-camera.sh beach.jpg [/dev/video0]
#
# SOURCE replaces the camera, and SINK the window, by elements in gst-launch syntax.
set -eu
here=$(dirname "$0")
background=$1
source=${SOURCE:-v4l2src device=${2:-/dev/video0}}
sink=${SINK:-autovideosink}
exec "$here/env.sh" gst-launch-1.0 $source ! videoconvert \
  ! chromakey background="$background" ! videoconvert ! $sink

#!/bin/sh
# Runs a command so that it sees this build of the plugin, and so that the name `facedetect` is
# ours also where gst-opencv is installed: of two plugins GStreamer takes the one it scans last.
#
#   pipelines/env.sh gst-inspect-1.0 facedetect
#   pipelines/env.sh gst-launch-1.0 v4l2src ! videoconvert ! facedetect display=true ! ...
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/.build/lib/gstreamer-1.0

if [ ! -e "$build/libgstmien.so" ]; then
  echo "mien: $build/libgstmien.so is not there yet; run \"make build\" first." >&2
  exit 1
fi
system=$(pkg-config --variable=pluginsdir gstreamer-1.0)
export GST_PLUGIN_SYSTEM_PATH_1_0="${GST_PLUGIN_SYSTEM_PATH_1_0:-$system}:$build"
export GST_PRESET_PATH="$root/presets:$root/.build/lib/presets${GST_PRESET_PATH:+:$GST_PRESET_PATH}"
# A registry of our own, so that the user's keeps knowing nothing of this build; and a new one
# whenever a plugin file came, went or changed, for in an old one the newcomer would win.
files=$(ls -l --time-style=full-iso "$system" "$build/libgstmien.so" | cksum | cut -d ' ' -f 1)
if [ -z "${GST_REGISTRY_1_0:-}" ]; then
  export GST_REGISTRY_1_0="$build/registry-$files.bin"
  [ -e "$GST_REGISTRY_1_0" ] || rm -f "$build"/registry-*.bin
fi
exec "$@"

#!/bin/sh
# Runs a command with this build of the plugin. The name `facedetect` is then Mien's even if gst-opencv is
# installed: GStreamer uses the element of the plugin that it scans last.
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
# A separate registry, so that the user's registry does not contain this build. It is deleted when a plugin
# file was added, removed or changed, since with an old registry the changed plugin would be scanned last and
# win.
files=$(ls -l --time-style=full-iso "$system" "$build/libgstmien.so" | cksum | cut -d ' ' -f 1)
if [ -z "${GST_REGISTRY_1_0:-}" ]; then
  export GST_REGISTRY_1_0="$build/registry-$files.bin"
  [ -e "$GST_REGISTRY_1_0" ] || rm -f "$build"/registry-*.bin
fi
exec "$@"

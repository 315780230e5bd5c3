#!/bin/sh
# Draws the backgrounds anew, as JPEG of 1920x1080: backgrounds/render.sh
# Needs python3, and rsvg-convert and GStreamer's good plugins (Debian: librsvg2-bin).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -B "$here/source/draw.py" "$scratch"
for drawing in "$scratch"/*.svg; do
  name=$(basename "$drawing" .svg)
  rsvg-convert --width 1920 --height 1080 "$drawing" -o "$scratch/$name.png"
  # Video colours with grain of one code, without which smooth skies show bands.
  gst-launch-1.0 -q filesrc location="$scratch/$name.png" ! pngdec ! videoconvert dither=bayer \
    ! video/x-raw,format=I420,colorimetry=1:4:0:0 ! jpegenc quality=85 ! filesink location="$here/$name.jpg"
done
ls -l "$here"/*.jpg

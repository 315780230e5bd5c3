#!/bin/sh
# Makes the pictures of docs/pipelines.md, docs/facedetect.md and docs/gallery.md with the plugin's pipelines.
set -eu
cd "$(dirname "$0")/.."
launch="pipelines/env.sh gst-launch-1.0 -q"
photograph="filesrc location=models/astronaut.png ! pngdec ! videoscale ! video/x-raw,width=1024,height=1024 ! videoconvert"
jpeg="videoconvert ! jpegenc quality=88 ! filesink location=docs/pictures"

# Detected, retouched and decorated.
$launch $photograph ! facedetect ! beautifymask ! sticker location=dog \
  ! videocrop left=112 right=272 bottom=464 ! $jpeg/demo.jpg
# The detected face.
$launch $photograph ! facedetect display=true \
  ! videocrop left=256 right=352 top=60 bottom=548 ! $jpeg/faces.jpg
# beautifymask: before, natural, soft, strong.
pipelines/env.sh pipelines/retouch.sh models/astronaut.png docs/pictures/retouched.jpg
# The masks of beautifymask, and chromakey.
pipelines/scenes.sh
# The gallery.
pipelines/env.sh pipelines/gallery.py page docs/pictures

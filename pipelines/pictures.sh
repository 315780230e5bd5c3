#!/bin/sh
# Makes the pictures of docs/pipelines.md, docs/facedetect.md, docs/sticker.md and docs/gallery.md with the plugin's pipelines.
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
# A hand before a face, and pictures on its palm and fingertip, in the 151st frame of a film.
frames=$(mktemp -d)
trap 'rm -rf "$frames"' EXIT
# film ELEMENTS NAME: its frames behind some elements, each in a file.
film() {
  $launch filesrc location=models/scenes/WolfgangLanger_Pexels.mp4 ! decodebin ! videoconvert \
    ! videocrop left=230 ! $1 ! videoconvert ! pngenc compression-level=1 ! multifilesink location=$frames/$2-%d.png
}
film "facedetect hands=always display=true" points
film "facedetect ! sticker location=stickers/sparks/orb/orb_7.png anchor=palm scale=1.2
  ! sticker location=stickers/sparks/spark/spark_7.png anchor=fingertip" sparks
$launch compositor name=both sink_1::xpos=410 ! $jpeg/hands.jpg \
  filesrc location=$frames/points-150.png ! pngdec ! both. filesrc location=$frames/sparks-150.png ! pngdec ! both.
# beautifymask: before, natural, soft, strong.
pipelines/env.sh pipelines/retouch.sh models/astronaut.png docs/pictures/retouched.jpg
# The masks of beautifymask, and chromakey.
pipelines/scenes.sh
# The gallery.
pipelines/env.sh pipelines/gallery.py page docs/pictures

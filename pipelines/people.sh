#!/bin/sh
# Makes the pictures of docs/personkey.md: a shot from `make bench BENCH=person`, with the room blurred, with
# another room, and its matte; and for three real backgrounds the shot with mediapipe's matte and Mien's.
#
#   pipelines/people.sh [FOLDER]
set -eu
cd "$(dirname "$0")/.."
folder=${1:-docs/pictures}
files=.build/quality
[ -e $files/person.i420 ] || { echo "mien: run \"make bench BENCH=person\" first." >&2; exit 1; }
read_raw() { echo "filesrc location=$files/$1.i420 blocksize=1382400 ! rawvideoparse format=i420 width=1280 height=720 colorimetry=bt709"; }
launch="pipelines/env.sh gst-launch-1.0 -q"
small="videoscale method=lanczos ! video/x-raw,width=640,height=360 ! videoconvert"
$launch $(read_raw room) ! videoconvert ! pngenc ! filesink location=$files/room.png
jpeg() { echo "$small ! jpegenc quality=86 ! filesink location=$folder/$1.jpg"; }
$launch $(read_raw person) ! $(jpeg personkey-before)
$launch $(read_raw person) ! facedetect ! personkey blur=3 ! $(jpeg personkey-blur)
$launch $(read_raw person) ! facedetect ! personkey background=$files/room.png ! $(jpeg personkey-after)
$launch $(read_raw person) ! facedetect ! personkey show-matte=true ! $(jpeg personkey-matte)
real="-i out/people/real-cup-0.png -i out/people/real-stars-0.png -i out/people/real-curtains-0.png"
# The first three of five pictures side by side.
ffmpeg -v error -y $real -filter_complex "vstack=3,crop=1920:1080:0:0,scale=960:540:flags=area" \
  -frames:v 1 -q:v 4 "$folder/personkey-real.jpg"

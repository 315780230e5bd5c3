#!/bin/sh
# Draws the results of `make bench BENCH=quality`: a synthetic shot; the shot keyed by `alpha` and by ffmpeg's
# chromakey with their best settings, and by Mien's chromakey with its defaults; all over the same grey
# violet.
#
#   pipelines/keyers.sh [OUTPUT.png|.jpg]
set -eu
cd "$(dirname "$0")/.."
output=${1:-out/keyers.png}
files=.build/quality
[ -e $files/ours.a420 ] || { echo "mien: run \"make bench BENCH=quality\" first." >&2; exit 1; }
case "$output" in
  *.jpg) encoder="jpegenc quality=80" ;;
  *) encoder="pngenc snapshot=true" ;;
esac
# The crop: the head with its hair, and a shoulder.
cut="videocrop left=330 right=470 top=60 bottom=300"
frame() { echo "filesrc location=$files/$1 blocksize=$2 ! rawvideoparse format=$3 width=1280 height=720 colorimetry=bt709 ! $cut ! $4"; }
exec gst-launch-1.0 -q compositor name=mix background=black \
  sink_1::xpos=484 sink_2::ypos=364 sink_3::xpos=484 sink_3::ypos=364 \
  sink_4::xpos=484 sink_5::ypos=364 sink_6::xpos=484 sink_6::ypos=364 \
  ! video/x-raw,width=964,height=724 ! videoconvert ! $encoder ! filesink location="$output" \
  $(frame shot.i420 1382400 i420 mix.sink_0) \
  $(for index in 1 2 3; do echo "videotestsrc num-buffers=1 pattern=solid-color foreground-color=0xff8c6e96 ! video/x-raw,width=480,height=360 ! mix.sink_$index"; done) \
  $(frame alpha.ayuv 3686400 ayuv mix.sink_4) \
  $(frame ffmpeg.a420 2304000 a420 mix.sink_5) \
  $(frame ours.a420 2304000 a420 mix.sink_6)

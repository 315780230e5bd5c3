#!/bin/sh
# Makes strips of the photograph wearing stickers, as JPEG files:
#
#   pipelines/env.sh pipelines/sticker_strips.sh [FOLDER]
#
# FOLDER/stickers.jpg       every pack that comes along, one beside the other
# FOLDER/animation.jpg      eight moments of one pack's animation (PACK=halo)
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-out}
mkdir -p "$folder"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# wear PACK FRAMES RATE [PACK...]: frames of the photograph's head with a pack. Stickers are drawn before the
# crop, which drops the metadata.
wear() {
  more=""
  for other in ${4:-}; do more="$more ! sticker location=$root/stickers/$other"; done
  # shellcheck disable=SC2086
  gst-launch-1.0 -q filesrc location="$root/models/astronaut.png" ! pngdec ! videoconvert \
    ! videobox top=-24 fill=white ! videoconvert ! facedetect updates=none \
    ! imagefreeze num-buffers="$2" ! video/x-raw,framerate="$3" \
    ! videoscale ! video/x-raw,width=1024,height=1072 ! sticker location="$root/stickers/$1" $more \
    ! videoconvert ! videocrop left=272 right=404 top=0 bottom=650 ! videoscale \
    ! video/x-raw,width=212,height=257 ! videoconvert ! pngenc \
    ! multifilesink location="$scratch/$1-%d.png"
}

# strip OUTPUT PICTURE...: draws pictures side by side, 212 pixels wide, four in a row.
strip() {
  output=$1
  shift
  pads="" sources="" index=0
  for picture in "$@"; do
    x=$((index % 4 * 212)) y=$((index / 4 * 257))
    pads="$pads sink_$index::xpos=$x sink_$index::ypos=$y"
    sources="$sources filesrc location=$picture ! pngdec ! videoconvert ! c.sink_$index"
    index=$((index + 1))
  done
  # shellcheck disable=SC2086
  gst-launch-1.0 -q compositor name=c background=white $pads \
    ! videoconvert ! jpegenc quality=80 ! filesink location="$output" $sources
}

for pack in halo hat dog hearts blush facepaint lipstick mask; do wear "$pack" 12 20/1; done
# Several packs on one face.
wear moustache 12 20/1
wear glasses 12 20/1 "hat moustache"
cp "$scratch/glasses-11.png" "$scratch/row.png"
wear glasses 12 20/1
# The border pack covers the whole frame.
gst-launch-1.0 -q filesrc location="$root/models/astronaut.png" ! pngdec ! videoconvert \
  ! videocrop left=124 right=188 top=0 bottom=269 ! videoscale ! video/x-raw,width=848,height=1028 \
  ! videoconvert ! sticker location="$root/stickers/frame" ! videoscale \
  ! video/x-raw,width=212,height=257 ! videoconvert ! pngenc ! filesink location="$scratch/frame-11.png"
strip "$folder/stickers.jpg" "$scratch/halo-11.png" "$scratch/glasses-11.png" \
  "$scratch/hat-11.png" "$scratch/moustache-11.png" "$scratch/dog-11.png" \
  "$scratch/hearts-11.png" "$scratch/frame-11.png" "$scratch/lipstick-11.png" \
  "$scratch/blush-11.png" "$scratch/facepaint-11.png" "$scratch/mask-11.png" "$scratch/row.png"

pack=${PACK:-halo}
wear "$pack" 8 3/1
strip "$folder/animation.jpg" "$scratch/$pack-0.png" "$scratch/$pack-1.png" "$scratch/$pack-2.png" \
  "$scratch/$pack-3.png" "$scratch/$pack-4.png" "$scratch/$pack-5.png" "$scratch/$pack-6.png" \
  "$scratch/$pack-7.png"
echo "$folder/stickers.jpg $folder/animation.jpg"

#!/bin/sh
# Makes the three pictures at the top of README.md with the command, from films and portraits of real people
# (sources: docs/gallery.md):
#
#   pipelines/front.sh [FOLDER]        FOLDER/front.webp, front-room.jpg, front-portrait.jpg
set -eu
cd "$(dirname "$0")/.."
folder=${1:-docs/pictures}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
mien="pipelines/env.sh .build/bin/mien"
film=models/scenes/WolfgangLanger_Pexels.mp4
encode="ffmpeg -nostdin -loglevel error -y"

# A laughing woman with four packs, for a second and a half each.
number=0
say() { echo "front: $*" >&2; }
for pack in dog glasses hat hearts; do
  say "the pack $pack, $((number + 1)) of 4"
  $mien decorate $film "$work/$pack.mkv" --retouch --sticker $pack
  from=$((280 + 45 * number))
  $encode -i "$work/$pack.mkv" -an -vf "trim=start_frame=$from:end_frame=$((from + 45)),setpts=PTS-STARTPTS" \
    -c:v ffv1 "$work/part-$number.mkv"
  echo "file $work/part-$number.mkv" >>"$work/parts"
  number=$((number + 1))
done
say "front.webp"
$encode -f concat -safe 0 -i "$work/parts" -vf "fps=15,scale=560:-1:flags=lanczos" \
  -c:v libwebp_anim -quality 62 -compression_level 6 -loop 0 "$folder/front.webp"

# The same woman with the original background and with another one.
say "front-room.jpg"
$encode -i models/scenes/no_face.mp4 -frames:v 1 "$work/room.png"
$mien decorate $film "$work/moved.mkv" --person "$work/room.png"
$encode -i $film -i "$work/moved.mkv" -filter_complex \
  "[0]select='eq(n,330)'[a];[1]select='eq(n,330)'[b];[a][b]hstack" -frames:v 1 -q:v 3 "$folder/front-room.jpg"

# The middle of a portrait at full size, before and after.
say "front-portrait.jpg"
$mien decorate models/scenes/obama.jpg "$work/portrait.png" --retouch
$encode -i models/scenes/obama.jpg -i "$work/portrait.png" -filter_complex \
  "[0]crop=480:600:220:60[a];[1]crop=480:600:220:60[b];[a][b]hstack" -frames:v 1 -q:v 3 \
  "$folder/front-portrait.jpg"
ls -l "$folder"/front*

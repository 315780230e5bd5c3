#!/bin/sh
# Makes the pictures of docs/chromakey.md and docs/beautifymask.md with the command, from a film by Wolfgang
# Langer (Pexels licence) and the photograph (NASA, public domain):
#
#   pipelines/scenes.sh [FOLDER]       FOLDER/chromakey-before.jpg, chromakey-after.jpg, masks.jpg
set -eu
cd "$(dirname "$0")/.."
folder=${1:-docs/pictures}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
mien="pipelines/env.sh .build/bin/mien"
launch="pipelines/env.sh gst-launch-1.0 -q"
ffmpeg="ffmpeg -nostdin -loglevel error -y"

# A woman before a screen with noise, whose light falls off from one corner to the other.
$ffmpeg -f lavfi -i "gradients=s=640x360:c0=0x4cc866:c1=0x2a8a44:x0=0:y0=0:x1=640:y1=360:n=2:d=1" \
  -vf "noise=c0s=6:allf=t" -frames:v 1 "$work/screen.png"
$ffmpeg -i models/scenes/WolfgangLanger_Pexels.mp4 -vf "select='eq(n,330)'" -frames:v 1 "$work/frame.png"
$mien decorate "$work/frame.png" "$work/shot.png" --person "$work/screen.png"
$ffmpeg -i models/scenes/no_face.mp4 -frames:v 1 "$work/sky.png"
$mien decorate "$work/shot.png" "$work/keyed.png" --key "$work/sky.png"
$ffmpeg -i "$work/shot.png" -q:v 3 "$folder/chromakey-before.jpg"
$ffmpeg -i "$work/keyed.png" -q:v 3 "$folder/chromakey-after.jpg"

# Four masks of beautifymask, in blue over the grey portrait.
number=0
for settings in "mask=face" "skin-adapt=0" "mask=ellipse" "mask=rectangle"; do
  $launch filesrc location=models/astronaut.png ! pngdec ! videoconvert ! facedetect \
    ! beautifymask show-mask=true "$settings" ! videoconvert ! pngenc \
    ! filesink location="$work/mask-$number.png"
  number=$((number + 1))
done
crop="crop=140:170:150:30,scale=280:340:flags=lanczos"
tint() { echo "[0]format=gray,format=rgba,$crop[g$1];color=0x2080ff:s=280x340,format=rgba[c$1];
  [$(($1 + 1))]format=gray,$crop,lutyuv=y=val*0.6[m$1];[c$1][m$1]alphamerge[t$1];[g$1][t$1]overlay=shortest=1[o$1];"; }
$ffmpeg -i models/astronaut.png -i "$work/mask-0.png" -i "$work/mask-1.png" -i "$work/mask-2.png" -i "$work/mask-3.png" \
  -filter_complex "$(tint 0)$(tint 1)$(tint 2)$(tint 3)[o0][o1][o2][o3]hstack=4" -frames:v 1 -q:v 3 "$folder/masks.jpg"
ls -l "$folder/chromakey-before.jpg" "$folder/chromakey-after.jpg" "$folder/masks.jpg"

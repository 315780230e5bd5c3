#!/bin/sh
# Tests that two processors produce bit-identical frames from the same input (setup/arm64.sh).
#
#   setup/same-bits.sh inputs FOLDER       makes frames and their faces with this machine's GStreamer
#   setup/same-bits.sh frames FOLDER OUT   writes the output of each chain of elements to OUT
#   setup/same-bits.sh compare OUT OUT     prints a line for each chain
#
# Frames are read from raw files and faces are replayed from a file, so only the named elements run.
# Chains with networks are compared too, with names in capitals.
set -eu
cd "$(dirname "$0")/.."

# Name, format, elements. A name in capitals marks a chain whose output depends on a network.
chains() {
  cat <<'END'
key-alpha          NV12 chromakey ! video/x-raw,format=AV12
key-custom         BGRx chromakey method=custom color=0xff10a040 shrink=1 soften=2 ! video/x-raw,format=BGRA
key-picture        I420 chromakey background=models/astronaut.png despill=0.5
key-no-adaptation  I420 chromakey method=green screen-adapt=0 ! video/x-raw,format=A420
retouch-mesh       NV12 beautifymask
retouch-all        NV12 beautifymask intensity=1 even-skin=1 brightness=1 detail=0.2
retouch-ellipse    RGB  beautifymask mask=ellipse radius=7
look-chrome        NV12 photoeffect look=chrome vignette=0.6 grain=0.4
look-cartoon       RGB  photoeffect look=cartoon intensity=0.8
look-noir          I420 photoeffect look=noir
look-faces         YUY2 photoeffect look=noir where=faces
sticker-dog        NV12 sticker location=dog
sticker-halo       I420 sticker location=halo
sticker-glasses    RGB  sticker location=glasses
sticker-facepaint  YUY2 sticker location=facepaint
hide-mosaic        NV12 facehide
hide-blur          RGB  facehide mode=blur
shape-slim         NV12 facereshape slim=1 jaw=-1 eyes=0.7 nose=-0.5 chin=0.4 forehead=0.3
shape-twirl        RGB  facereshape effect=twirl amount=0.8 mouth=-1
shape-pinch        I420 facereshape effect=pinch amount=1
FIND-RETOUCH       NV12 facedetect ! beautifymask
FIND-HIDE          I420 facedetect ! facehide lookahead=1
LOOK               NV12 mienlook retouch=0.7 look=noir sticker=hat
PERSON-ALPHA       I420 personkey ! video/x-raw,format=A420
PERSON-BLUR        NV12 personkey blur=4 light-wrap=0.3
END
}

# Not a multiple of 16, to test the ends of rows; a multiple of 8 and even, so that there is no padding.
size="width=648,height=482"
replay=.build/replay-faces
mkdir -p .build
cc -o $replay Tests/SameBits/replay_faces.c $(pkg-config --cflags --libs gstreamer-1.0)

inputs() {
  mkdir -p "$1"
  for format in NV12 I420 RGB BGRx YUY2; do
    gst-launch-1.0 -q filesrc location=models/astronaut.png ! pngdec ! imagefreeze num-buffers=3 \
      ! videoconvert ! videoscale ! "video/x-raw,format=$format,$size" \
      ! filesink location="$1/face-$format"
    gst-launch-1.0 -q videotestsrc num-buffers=3 pattern=ball background-color=0xff10a040 \
      ! videoconvert ! "video/x-raw,format=$format,$size" ! filesink location="$1/key-$format"
  done
  pipelines/env.sh $replay write "$1/faces" "filesrc location=$1/face-NV12 ! rawvideoparse format=nv12
    width=648 height=482 framerate=25/1 ! facedetect name=faces ! fakesink"
}

frames() {
  mkdir -p "$2"
  chains | while read -r name format elements; do
    case $name in key*) from=key ;; *) from=face ;; esac
    lower=$(echo "$format" | tr A-Z a-z)
    pipelines/env.sh $replay read "$1/faces" "filesrc location=$1/$from-$format
      ! rawvideoparse format=$lower width=648 height=482 framerate=25/1 ! identity name=faces
      ! $elements ! filesink location=$2/$name" </dev/null || { echo "mien: $name does not run" >&2; continue; }
    ! cmp -s "$1/$from-$format" "$2/$name" || echo "mien: $name changes nothing" >&2
  done
}

compare() {
  chains | while read -r name format elements; do
    [ -s "$1/$name" ] || { echo "$name: not there"; continue; }
    cmp -l "$1/$name" "$2/$name" 2>&1 | awk -v name="$name" -v all="$(stat -c %s "$1/$name")" '
      function octal(t) { return substr(t, 1, length(t) - 2) * 64 + substr(t, length(t) - 1, 1) * 8 + substr(t, length(t)) }
      !/^ *[0-9]+ +[0-7]+ +[0-7]+$/ { print; next }
      { differ++; d = octal($2) - octal($3); if (d < 0) d = -d; if (d > most) most = d; if (d > 1) more++ }
      END { if (differ) printf "%s: %d of %d bytes differ, by up to %d; %d by more than 1\n", name, differ, all, most, more
        else print name ": the same" }'
  done
}

action=$1
shift
"$action" "$@"

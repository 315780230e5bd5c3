#!/bin/sh
# Renders the drawings of the packs into their PNG frames and previews: stickers/render.sh [PACK...]
# Needs python3, and rsvg-convert and pngquant (Debian: librsvg2-bin, pngquant).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
[ $# -gt 0 ] || set -- halo glasses hat moustache dog hearts sparks frame facepaint mask lipstick blush

# render DRAWING PICTURE COLOURS [ZOOM]
render() {
  mkdir -p "$(dirname "$2")"
  rsvg-convert --zoom "${4:-1}" "$1" -o "$scratch/raw.png"
  pngquant --force --strip --speed 1 --output "$2" "$3" "$scratch/raw.png"
}

python3 -B "$here/source/draw.py" "$scratch" "$@"
for pack in "$@"; do
  (cd "$scratch" && find "$pack" -name '*.svg') | sort | while read -r drawing; do
    colours=256 zoom=1
    case $pack in
      frame) colours=128 ;;
      sparks) colours=64 zoom=0.8 ;;
    esac
    render "$scratch/$drawing" "$here/${drawing%.svg}.png" "$colours" "$zoom"
  done
  python3 -B "$here/source/preview.py" "$here/$pack" > "$scratch/preview.svg"
  render "$scratch/preview.svg" "$here/$pack/preview.png" 128
done

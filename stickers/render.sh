#!/bin/sh
# Renders the drawings of the packs into their PNG frames and previews: stickers/render.sh [PACK...]
# Needs python3, and rsvg-convert and pngquant (Debian: librsvg2-bin, pngquant).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
[ $# -gt 0 ] || set -- halo glasses hat moustache dog hearts frame

# render DRAWING PICTURE COLOURS
render() {
  mkdir -p "$(dirname "$2")"
  rsvg-convert "$1" -o "$scratch/raw.png"
  pngquant --force --strip --speed 1 --output "$2" "$3" "$scratch/raw.png"
}

python3 -B "$here/source/draw.py" "$scratch" "$@"
for pack in "$@"; do
  (cd "$scratch" && find "$pack" -name '*.svg') | sort | while read -r drawing; do
    case $pack in
      frame) colours=128 ;;
      *) colours=256 ;;
    esac
    render "$scratch/$drawing" "$here/${drawing%.svg}.png" "$colours"
  done
  python3 -B "$here/source/preview.py" "$here/$pack" > "$scratch/preview.svg"
  render "$scratch/preview.svg" "$here/$pack/preview.png" 128
done

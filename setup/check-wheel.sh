#!/bin/sh
# Tests the wheel in bare Debian roots: follows the commands of docs/python.md as a new user, finds the
# face in the photograph and decorates it, and says how many seconds that took, downloads included.
#
#   setup/check-wheel.sh WHEEL          in Debian 12, 13 and sid
#   setup/check-wheel.sh WHEEL 13       in one of them
#
# Needs root. Bare roots are kept in SYSTEMS_FOLDER (.systems), so that each is downloaded once.
set -eu
cd "$(dirname "$0")/.."
fail() { printf 'mien: %s\n' "$*" >&2; exit 1; }
say() { printf 'mien: %s\n' "$*"; }
[ $# -gt 0 ] && [ -f "$1" ] || fail "setup/check-wheel.sh WHEEL [12|13|sid]: make wheel makes one, in out/."
wheel=$1
shift
[ $# -gt 0 ] || set -- 12 13 sid

# The page's commands for the installation, with the wheel in the current folder.
commands=$(sed -n '/^```text/,/^```/p' docs/python.md | sed -n '/^sudo apt/,/pip install/p' \
  | sed "s:^sudo apt :apt-get -q -y :; s:out/gst_mien[^ ]*:./${wheel##*/}:")
[ -n "$commands" ] || fail "docs/python.md does not say how the wheel is installed."

for release; do
  bare=${SYSTEMS_FOLDER:-.systems}/bare-$release
  setup/debian-root.sh make "$release" "$bare"
  root=$(mktemp -d)
  trap 'rm -rf --one-file-system "$root"' EXIT
  cp -a "$bare/." "$root/"
  folder=$(mktemp -d "$root/home/XXXXXX")
  cp "$wheel" models/astronaut.png "$folder/"
  cat >"$folder/decorate.py" <<'PYTHON'
import gst_mien
from gi.repository import Gst

frame, = gst_mien.faces("astronaut.png")
face, = frame.faces
print("a face at", round(face.x, 2), round(face.y, 2))
pipeline = Gst.parse_launch(
    "filesrc location=astronaut.png ! pngdec ! videoconvert ! facedetect"
    " ! sticker location=halo ! videoconvert ! pngenc ! filesink location=halo.png")
pipeline.set_state(Gst.State.PLAYING)
message = pipeline.get_bus().timed_pop_filtered(
    20 * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR)
pipeline.set_state(Gst.State.NULL)
assert message and message.type == Gst.MessageType.EOS, message and message.parse_error()
PYTHON
  in_root() { setup/debian-root.sh run "$root" -- sh -euc "cd ${folder#"$root"} && $1"; }
  in_root "apt-get update -q" >"$root/log" 2>&1 || { tail "$root/log"; fail "apt-get update failed."; }
  began=$(date +%s)
  in_root "set -x
$commands" >"$root/log" 2>&1 || { tail -n 20 "$root/log"; fail "The page's commands fail on Debian $release."; }
  installed=$(date +%s)
  in_root "venv/bin/python decorate.py" >"$root/log" 2>&1 \
    || { tail -n 20 "$root/log"; fail "The wheel does not decorate a photograph on Debian $release."; }
  [ -s "$folder/halo.png" ] && ! cmp -s "$folder/halo.png" models/astronaut.png \
    || fail "The photograph is not decorated."
  say "Debian $release: $(cat "$root/log"); installed in $((installed - began)) s, decorated in $(($(date +%s) - installed)) s"
  rm -rf --one-file-system "$root"
done

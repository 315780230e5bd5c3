#!/bin/bash
# Operates the window on a virtual screen with keys and a mouse. A failure is reported in one line;
# screenshots are written to FOLDER.
#
#   drive.sh FOLDER MIEN SCREEN FILM     SCREEN: a film before a green screen, of a few seconds
#                                        FILM: one with sound
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$1 mien=$2 screen=$3 film=$4
. "$here/screen.sh"

# The photograph is shown at once with the first pack; then packs are selected by their keys.
start
until_holds 10 line_has 'sticker location=dog' || fail "the first pack is not the dog: $(line)"
wear glasses
until_holds 5 line_has 'sticker location=glasses' || fail "the key does not select the glasses: $(line)"
sleep 2.5
picture photograph
# Undo and redo; a background by one click; the pages have keys of their own.
key ctrl+z
until_holds 5 line_has 'sticker location=dog' || fail "nothing is undone: $(line)"
key ctrl+shift+z
until_holds 5 line_has 'sticker location=glasses' || fail "nothing is done again: $(line)"
click 558 605
click 271 690
until_holds 5 line_has 'personkey .*blur=3' || fail "no room is blurred: $(line)"
sleep 1.5
picture backgrounds
key 1
until_holds 5 eval '! line_has personkey' || fail "the room stays blurred: $(line)"
click 291 605
# A favourite is the first of the shelf.
key ctrl+f 1
until_holds 5 line_has 'sticker location=glasses' || fail "a favourite is not the first: $(line)"
grep -qx 'sticker glasses' .config/mien/favourites || fail "no favourite is kept"
key ctrl+f
key F1
until_holds 5 xdotool search --onlyvisible --name '^Shortcuts$' || fail "no shortcuts are shown"
snap shortcuts
key Escape
sleep 0.5
key 0
until_holds 5 line_has 'imagefreeze ! videoconvert ! videoconvert' || fail "key 0 does not remove the pack"
# The shape of the face, and a user preset: saved under a name with a digit, replaced after a confirmation,
# applied by the command, deleted.
click 1127 213
until_holds 5 line_has 'facereshape .*eyes=0.15' || fail "facereshape is not switched on: $(line)"
click 1078 213
presets=.local/gstreamer-1.0/presets/MienFaceReshape.prs
preset() { awk -v name="[$1]" '$0 == name { is = 1; next } /^\[/ { is = 0 } is' $presets; }
save() { click 1092 253; xdotool type --delay 4 "$1"; key Return; sleep 0.3; }
save "mine 2"
preset "mine 2" | grep -q '^eyes=0.1' || fail "no preset is saved: $(cat $presets)"
preset "mine 2" | grep -q '^name=' && fail "a preset contains the element's name"
sleep 0.4
xdotool mousemove 1008 307 mousedown 1 mousemove 1050 307 mouseup 1
until_holds 3 line_has 'facereshape .*eyes=0.[3-9]' || fail "no slider moves: $(line)"
save "mine 2"
preset "mine 2" | grep -q '^eyes=0.1' || fail "a preset is replaced without a confirmation"
picture preset
click 1092 253
xdotool key --delay 20 Return Return
until_holds 3 eval 'preset "mine 2" | grep -q "^eyes=0.[3-9]"' || fail "no preset is replaced"
save natural
[ "$(grep -c '^.natural.$' $presets)" = 1 ] && preset natural | grep -q '^eyes=0.1' \
  || fail "a preset that comes with Mien is replaced"
"$mien" decorate --reshape "mine 2" "$here/../../../models/astronaut.png" mine.png >decorate.log 2>&1 \
  || fail "mien decorate does not find the preset: $(cat decorate.log)"
key Escape
click 1132 253
key Return
until_holds 3 eval '! grep -q "mine 2" $presets' || fail "no preset is deleted"
click 1078 213
click 1127 213
until_holds 5 line_has 'imagefreeze ! videoconvert ! videoconvert' || fail "facereshape is not switched off"
wear hat
# The order of the effects, by dragging a tile over another one, and by keys in a tile.
click 1127 151
until_holds 5 line_has 'photoeffect .*! sticker' || fail "no look is switched on: $(line)"
xdotool mousemove 900 151 mousedown 1
for y in 145 130 110 95 89; do xdotool mousemove 900 $y; sleep 0.1; done
xdotool mouseup 1
until_holds 5 line_has 'sticker location=hat ! photoeffect' || fail "no effect is dragged: $(line)"
sleep 0.5
picture order
key ctrl+z
until_holds 5 line_has 'photoeffect .*! sticker' || fail "the order is not undone: $(line)"
for _ in $(seq 40); do
  key Tab alt+Up
  line_has 'sticker location=hat ! photoeffect' && break
done
line_has 'sticker location=hat ! photoeffect' || fail "no key changes the order: $(line)"
key Escape ctrl+z ctrl+z
until_holds 5 eval '! line_has photoeffect' || fail "the look stays: $(line)"
colour_is() { [ "$(colour 1160 500)" = "$1" ]; }
until_holds 5 colour_is f6f5f4 || fail "the theme is not light: $(colour 1160 500)"
key ctrl+d
until_holds 5 colour_is 353535 || fail "the theme is not dark: $(colour 1160 500)"

# A file that cannot be shown gives a message; the source does not change.
open() {
  key ctrl+o
  until_holds 5 xdotool search --onlyvisible --name '^Open a picture or film$' || fail "no dialogue"
  sleep 0.4
  xdotool type --delay 4 "$1"
  sleep 0.4
  key Return
  sleep 0.4
}
echo "nothing to see" >notes.mp4
open "$folder/notes.mp4"
snap broken
until_holds 5 line_has 'astronaut\|photograph' || fail "a broken file replaces the source: $(line)"

# A film, and its settings with the mouse.
open "$film"
until_holds 5 line_has "$film" || fail "the film is not opened: $(line)"
sleep 1
wear hearts
click 1078 89
sleep 0.5
picture settings
xdotool mousemove 1102 270 mousedown 1
for x in 1090 1060 1030; do xdotool mousemove $x 270; sleep 0.05; done
xdotool mouseup 1
until_holds 3 line_has 'sticker .*alpha=0' || fail "no slider moves: $(line)"
key ctrl+z
until_holds 3 line_has 'sticker location=hearts !' || fail "the slider is not undone: $(line)"
click 1078 89
sleep 0.5
# A paused film stands still, also elsewhere, and shows changes.
still() { ffmpeg -nostdin -loglevel error -f x11grab -video_size 600x300 -grab_x 100 -grab_y 100 -draw_mouse 0 \
  -i "$DISPLAY" -frames:v 1 -f rawvideo - | cksum; }
key ctrl+p
sleep 0.5
before=$(still)
sleep 0.5
[ "$before" = "$(still)" ] || fail "a paused film goes on"
key ctrl+Right
sleep 1.2
after=$(still)
[ "$before" != "$after" ] || fail "a paused film does not go elsewhere"
wear hat
sleep 1.2
[ "$after" != "$(still)" ] || fail "a paused film does not show changes"
picture paused
# The view is mirrored, what is saved is not; a still is saved by one key, after a countdown where one is chosen.
after=$(still)
key s
until_holds 10 is_whole .png 1 || fail "the key does not save a still"
key ctrl+h Escape
sleep 1.2
[ "$after" != "$(still)" ] || fail "the view is not mirrored"
click 1025 27
sleep 0.4
snap menu
click 1022 233
sleep 0.4
key Escape
key s
sleep 0.6
snap countdown
is_whole .png 2 && fail "a still is saved before the end of the countdown"
until_holds 6 is_whole .png 2 || fail "no still is saved after the countdown"
[ "$(for file in Mien*.png; do ffmpeg -nostdin -v error -i "$file" -f rawvideo - | cksum; done | sort -u | wc -l)" = 1 ] \
  || fail "a still is mirrored"
key r
sleep 0.5
key Escape
sleep 3.2
until_holds 1 is_whole .mp4 1 && fail "a cancelled countdown records"
click 1025 27
sleep 0.4
click 1022 203
key Escape ctrl+h
sleep 1.2
rm Mien*.png
[ "$after" = "$(still)" ] || fail "the view stays mirrored"
key ctrl+p
sleep 0.5
[ "$after" != "$(still)" ] || fail "a film does not go on after a pause"
wear hearts
key ctrl+d
open "$screen"
until_holds 5 line_has "$screen" || fail "the second film is not opened: $(line)"
click 1127 399
sleep 1
click 90 250
until_holds 5 line_has 'chromakey .*color=.*method=custom\|chromakey .*method=custom.*color=' \
  || fail "no colour is picked: $(line)"
sleep 0.5
picture keyed
xdotool keydown space
sleep 0.7
snap before
xdotool keyup space

# The face is sent to the program of an avatar, here one that waits for a datagram of a tracked face.
receives() { python3 - "$1" <<'END'
import socket, sys
receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
receiver.bind(("127.0.0.1", 39539))
receiver.settimeout(float(sys.argv[1]))
try:
    while b"eyeBlinkLeft" not in receiver.recv(65536):
        pass
except TimeoutError:
    sys.exit(1)
END
}
open "$film"
until_holds 5 line_has "$film" || fail "the film is not opened again: $(line)"
key ctrl+a
until_holds 5 line_has 'mienfacedetect .*blendshapes=true' || fail "no blendshapes are measured: $(line)"
receives 5 || fail "no face is sent"
picture avatar
key ctrl+a
until_holds 5 eval '! line_has blendshapes' || fail "blendshapes are still measured: $(line)"
open "$screen"
until_holds 5 line_has "$screen" || fail "the second film is not opened again: $(line)"
sleep 1

# A recording of two seconds, a snapshot, and the launch line, which is run as it is copied.
key r
sleep 2.2
snap recording
key ctrl+s
key r
until_holds 10 is_whole .mp4 1 || until_holds 1 is_whole .webm 1 || fail "nothing was recorded"
seconds=$(ffprobe -v error -show_entries format=duration -of csv=p=0 Mien*.[mw][pe]*)
[ "${seconds%.*}" -ge 1 ] && [ "${seconds%.*}" -le 4 ] || fail "a recording of two seconds lasts $seconds"
until_holds 10 is_whole .png 1 || fail "no snapshot was taken"
line >line.txt
[ "$(head -c 15 line.txt)" = "gst-launch-1.0 " ] || fail "no launch line is copied: $(cat line.txt)"
timeout 60 bash line.txt >launch.log 2>&1 || fail "the line does not run: $(cat line.txt; tail -n 3 launch.log)"

# The window is closed while it records.
key ctrl+r
sleep 1
key ctrl+q
for _ in $(seq 80); do kill -0 "$studio" 2>/dev/null || break; sleep 0.1; done
wait "$studio" || fail "it ends with $?: $(tail -n 5 studio.log)"
is_whole '.*' 3 || fail "the last recording is incomplete: $(ls -la)"
grep 'frames shown' studio.log

# In German, with a user pack, which is reloaded when it is saved.
cp -r "$here/../../../stickers/halo" mine
LC_ALL=C.UTF-8 LANGUAGE=de start "$folder/mine"
until_holds 10 line_has 'sticker location=.*/mine ' || fail "the pack is not selected: $(line)"
sleep 1
picture german
# In a small window the panel is a drawer over the picture. The first size is above the minimum of the wide window.
window=$(xdotool search --onlyvisible --name '^Mien Studio$')
has_size() { xdotool getwindowgeometry --shell "$window" | tr '\n' ' ' | grep -q "WIDTH=$1 HEIGHT=$2 "; }
xdotool windowsize "$window" 900 500
sleep 1
xdotool windowsize "$window" 640 440
until_holds 3 has_size 640 440 || fail "the window does not become small: $(xdotool getwindowgeometry "$window")"
xdotool windowsize "$window" 360 294 mousemove 200 120
until_holds 3 has_size 360 294 || fail "the window does not become smaller: $(xdotool getwindowgeometry "$window")"
sleep 0.5
snap narrow
key F9
sleep 0.5
snap drawer
click 306 243
until_holds 5 line_has 'photoeffect' || fail "the drawer's switches do nothing: $(line)"
key ctrl+z Escape
xdotool windowsize "$window" 1180 760
sleep 1
click 1127 151
until_holds 5 line_has 'photoeffect' || fail "the panel is not back: $(line)"
key ctrl+z
touch mine/meta.json
until_holds 5 line_has 'sticker location=.*/mine/meta.json ' || fail "the pack is not reloaded: $(line)"
kill -TERM "$studio"
code=0
wait "$studio" || code=$?
[ $code -eq 143 ] || fail "SIGTERM gives another exit code: $(cat studio.log)"

# Without the networks no face is found; the window shows a message and the unprocessed picture.
mkdir -p bare/share/mien/stickers bare/share/mien/studio
cp -r "$(dirname "$mien")" "$(dirname "$mien")/../lib" bare
cp -r mine bare/share/mien/stickers/halo
cp "$here/../../../models/astronaut.png" bare/share/mien/studio/photograph.png
mien=$folder/bare/bin/mien GST_PLUGIN_SYSTEM_PATH_1_0=${GST_PLUGIN_SYSTEM_PATH_1_0%:*} \
  GST_PLUGIN_PATH_1_0=$folder/bare/lib/gstreamer-1.0 GST_REGISTRY_1_0=$folder/registry.bin start
until_holds 10 line_has 'imagefreeze ! videoconvert ! videoconvert' || fail "elements without networks are in use: $(line)"
snap bare
key ctrl+q
wait "$studio" || fail "it ends with $? without networks: $(tail -n 5 studio.log)"

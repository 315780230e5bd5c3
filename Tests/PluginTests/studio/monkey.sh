#!/bin/bash
# Sends random keys, clicks, drags and wheel turns to the window. Fails with one line if the window ends, logs a
# critical or a warning, does not answer for 2 seconds, or loses a recording.
#
#   monkey.sh FOLDER MIEN EVENTS SEED FILM...    FILM: pictures and films that it opens
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$1 mien=$2 events=$3 seed=$4
shift 4
. "$here/screen.sh"
RANDOM=$seed
# Without a window manager keys go to the window below the pointer: it is not moved by its header or its edges.
keys=(0 1 2 3 4 5 6 7 8 9 ctrl+z ctrl+z ctrl+shift+z ctrl+p ctrl+Left ctrl+Right ctrl+s ctrl+r ctrl+d ctrl+f
  ctrl+m ctrl+a ctrl+c ctrl+h s r Tab Tab Tab shift+Tab Up Down Left Right Return space Escape Escape F1 Home End a)
answers() { [ "$(timeout 10 bash -c 'printf x | xclip -selection clipboard >/dev/null 2>&1; xdotool mousemove 400 300 key --clearmodifiers Escape
  sleep 0.1; xdotool key --clearmodifiers Escape Escape ctrl+c; for _ in $(seq 20); do sleep 0.1
  xclip -o -selection clipboard 2>/dev/null | grep -q "^gst-launch" && echo yes && break; done')" = yes ]; }
# All messages are read at the end: GTK itself warns now and then of the "active state" of a control that is
# hidden while it is pressed.
unset G_DEBUG
start "$@"
sleep 1.5
done=0
while [ $done -lt "$events" ]; do
  # Fifty events at once are one run of xdotool, which is faster than the window.
  line=()
  for _ in $(seq 50); do
    x=$((RANDOM % 1150 + 15)) y=$((RANDOM % 735 + 10))
    # Not the buttons of the window, nor those that open dialogues of files.
    [ $y -lt 52 ] && { [ $x -gt 1045 ] || [ $x -lt 80 ]; } && y=$((y + 60))
    case $((RANDOM % 12)) in
    0 | 1 | 2 | 3 | 4) line+=(key --clearmodifiers "${keys[RANDOM % ${#keys[@]}]}") ;;
    5 | 6 | 7) line+=(mousemove $x $y click 1) ;;
    8) line+=(mousemove $x $y click 3) ;;
    9) line+=(mousemove $x $y click $((RANDOM % 2 + 4))) ;;
    10) line+=(mousemove $x $((y / 2 + 370)) mousedown 1 sleep 0.02 mousemove $((RANDOM % 1000 + 20)) $((y / 2 + 370)) mouseup 1) ;;
    11) line+=(keydown space sleep 0.02 keyup space) ;;
    esac
    line+=(sleep 0.01)
  done
  xdotool "${line[@]}"
  done=$((done + 50))
  kill -0 "$studio" 2>/dev/null || fail "it ended after $done events (seed $seed): $(grep -v AL studio.log | tail -n 3)"
  answers || answers || { snap stuck; fail "it does not answer after $done events (seed $seed)"; }
done
# Whatever is recorded is completed.
key Escape Escape
for _ in 1 2 3; do key ctrl+q; sleep 1; kill -0 "$studio" 2>/dev/null || break; done
for _ in $(seq 100); do kill -0 "$studio" 2>/dev/null || break; sleep 0.1; done
code=0
wait "$studio" || code=$?
[ $code -eq 0 ] || fail "it ends with $code (seed $seed): $(tail -n 3 studio.log)"
[ -z "$(find . -maxdepth 1 -name '.mien-part-*')" ] || fail "a recording is lost: $(ls -A)"
problems=$(grep -E 'CRITICAL|WARNING' studio.log | grep -vE 'Broken accounting of active state|gdk_frame_timings_submitted' | head -n 1)
[ -z "$problems" ] || fail "$problems"
echo "$done events: $(grep 'frames shown' studio.log)"

# Sourced by the scripts that operate the window: a virtual screen, keys, a mouse, and queries of the window's
# state. The caller sets "folder" and "mien"; the working directory becomes that folder.
set -eu
cd "$folder"
fail() { echo "studio: $*"; exit 1; }
children=
trap 'for child in $children; do kill $child 2>/dev/null || true; done; wait' EXIT

# Without -noreset the server restarts when its last client leaves, and refuses clients meanwhile.
exec 3<> <(:)
Xvfb -displayfd 3 -screen 0 1180x760x24 -nolisten tcp -noreset >xvfb.log 2>&1 &
children=$!
read -r -t 60 number <&3 || fail "there is no virtual screen: $(cat xvfb.log)"
# PulseAudio's clients leave a folder among the temporary files.
export DISPLAY=:$number HOME=$folder TMPDIR=$folder XDG_CONFIG_HOME=$folder/.config XDG_DATA_HOME=$folder/.local
fatal=fatal-warnings
# GDK 4.24 sometimes logs a warning about itself: "gdk_frame_timings_submitted() called on submitted frame".
case $(pkg-config --modversion gtk4) in 4.24.*) fatal=fatal-criticals ;; esac
export G_DEBUG=$fatal GSK_RENDERER=cairo GTK_A11Y=none GSETTINGS_BACKEND=memory
unset WAYLAND_DISPLAY XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS

# until_holds SECONDS COMMAND...: repeats the command until it succeeds; fails after SECONDS, or after four times as
# long where SECONDS are 3 and more: an idle machine needs no more, and a busy one may.
until_holds() {
  local rounds=$(($1 * 10))
  [ "$1" -lt 3 ] || rounds=$((4 * rounds))
  shift
  for _ in $(seq "$rounds"); do
    "$@" >/dev/null 2>&1 && return 0
    kill -0 "$studio" 2>/dev/null || fail "it ended: $(tail -n 3 studio.log)"
    sleep 0.1
  done
  return 1
}
start() {
  "$mien" studio --report "$@" >studio.log 2>&1 &
  studio=$!
  children="$children $studio"
  until_holds 60 xdotool search --onlyvisible --name '^Mien Studio$' || fail "no window: $(cat studio.log)"
  xdotool mousemove 600 600
}
# Selects a pack by its key: its position on the shelf.
wear() { key "$(cd "$here/../../../stickers" && LC_ALL=C ls -d */meta.json | grep -n "^$1/" | cut -d : -f 1)"; }
key() { xdotool key --clearmodifiers "$@"; }
click() { xdotool mousemove "$1" "$2" click 1; sleep 0.3; }
# A screenshot without the message over the picture.
picture() { key Escape; sleep 0.4; snap "$1"; }
snap() { ffmpeg -nostdin -loglevel error -y -f x11grab -video_size 1180x760 -draw_mouse 0 \
  -i "$DISPLAY" -frames:v 1 "$1.png"; }
# The launch line that Ctrl+C copies; "nothing" if the window copies none within 8 seconds.
line() {
  local copied=nothing
  printf nothing | xclip -selection clipboard >xclip.log 2>&1
  key ctrl+c
  for _ in $(seq 40); do
    sleep 0.2
    copied=$(xclip -o -selection clipboard) || continue
    [ "$copied" = nothing ] || break
  done
  echo "$copied"
}
line_has() { line | grep -q -e "$1"; }
# The colour of a pixel of the window, as rrggbb.
colour() { ffmpeg -nostdin -loglevel error -f x11grab -video_size 2x2 -grab_x "$1" -grab_y "$2" \
  -draw_mouse 0 -i "$DISPLAY" -frames:v 1 -f rawvideo -pix_fmt rgb24 - | od -A n -t x1 -N 3 | tr -d ' '; }
is_whole() { [ "$(find . -maxdepth 1 -name 'Mien*' -name "*$1" | wc -l)" -ge "$2" ] \
  && [ -z "$(find . -maxdepth 1 -name '.mien-part-*')" ]; }

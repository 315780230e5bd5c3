# Sourced by the scripts that test the virtual camera: a user's session with PipeWire and WirePlumber, without a
# seat. The caller runs under dbus-run-session and sets "folder" and "mien"; the working directory becomes
# that folder.
set -eu
cd "$folder"
fail() { echo "camera: $*"; tail -n 5 ./*.log; exit 1; }
children=
trap 'for child in $children; do kill $child 2>/dev/null || true; done; wait' EXIT
export HOME=$folder TMPDIR=$folder XDG_RUNTIME_DIR=$folder/run XDG_CONFIG_HOME=$folder/.config \
  XDG_DATA_HOME=$folder/.local XDG_STATE_HOME=$folder/.state
unset PIPEWIRE_REMOTE PIPEWIRE_RUNTIME_DIR WAYLAND_DISPLAY
mkdir -p -m 700 "$XDG_RUNTIME_DIR"
dbus-update-activation-environment HOME TMPDIR XDG_RUNTIME_DIR XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME

# until_holds SECONDS COMMAND...: repeats the command until it succeeds; fails after SECONDS.
until_holds() {
  local rounds=$(($1 * 20))
  shift
  for _ in $(seq "$rounds"); do
    "$@" >/dev/null 2>&1 && return 0
    sleep 0.05
  done
  return 1
}
# run NAME COMMAND...: in the background, with its output in NAME.log.
run() {
  local log=$1.log
  shift
  "$@" >"$log" 2>&1 &
  children="$! $children"
}

run pipewire pipewire
until_holds 10 test -S "$XDG_RUNTIME_DIR/pipewire-0" || fail "PipeWire does not start"
run wireplumber wireplumber
# WirePlumber links nodes once it is a client.
until_holds 10 sh -c "pw-dump -N | grep -q '\"application.name\": \"WirePlumber\"'" || fail "WirePlumber does not start"

# start_camera ARGUMENTS...: the camera, until another program can look at it.
start_camera() {
  run mien env G_DEBUG=fatal-warnings "$mien" camera "$@" -v
  camera=$!
  until_holds 30 has_node || fail "there is no camera"
}
has_node() { pw-dump -N | grep -q '"node.description": "Mien"'; }

#!/bin/bash
# Has the studio show cameras and play films with sound on a screen of its own, with the cameras and the
# loudspeaker of a plugin for tests, and fails in one line where it does not do what it should.
#
#   devices.sh FOLDER MIEN PLUGINS FILM    PLUGINS: the folder of that plugin
#                                          FILM: one of a few seconds, with a tone
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$1 mien=$2 plugins=$3 film=$4
. "$here/screen.sh"
bare=${GST_PLUGIN_PATH_1_0:-} registry=$GST_REGISTRY_1_0
export MIEN_SPEAKER=$folder/heard
# With them, or with what this machine has.
with_devices() { export GST_PLUGIN_PATH_1_0=$plugins${bare:+:$bare} GST_REGISTRY_1_0=$folder/registry.bin; }
without_devices() { export GST_PLUGIN_PATH_1_0=$bare GST_REGISTRY_1_0=$registry; }
# How loud the last piece was that the loudspeaker got: the tone has 3000 and more.
loud() { [ "$(tail -n 1 heard)" -gt 1000 ]; }
quiet() { [ "$(tail -n 1 heard)" -eq 0 ]; }
record() {
  rm -f Mien*
  key ctrl+r
  sleep 1.6
  key ctrl+r
  until_holds 10 is_whole .mp4 1 || until_holds 1 is_whole .webm 1 || fail "nothing was recorded: $1"
}
# The kinds of streams of what was recorded; and how loud the sound is, in decibels.
streams() { ffprobe -v error -show_entries stream=codec_type -of csv=p=0 Mien* | sort | tr '\n' ' '; }
loudness() { ffmpeg -nostdin -i Mien* -af volumedetect -f null - 2>&1 \
  | sed -n 's/.*max_volume: \(-*[0-9]*\).*/\1/p'; }
has_tone() { [ "$(streams)" = "audio video " ] && [ "$(loudness)" -gt -25 ]; }
closed() {
  key ctrl+q
  wait "$studio" || fail "it ends with $?: $(tail -n 3 studio.log)"
  [ "$(sed -n 's/ frames shown.*//p' studio.log)" -gt "$1" ] || fail "it stood still: $(cat studio.log)"
}

# A film is heard, or muted; what is recorded has its sound all the same.
with_devices
start "$film"
until_holds 10 loud || fail "the film is not heard"
key ctrl+m
until_holds 3 quiet || fail "the film is not muted"
record "of a muted film"
has_tone || fail "a film loses its sound: $(streams) $(loudness)"

# Of two cameras one is chosen, and is silent unless its user says otherwise.
click 102 27
sleep 0.4
snap cameras
click 102 87
until_holds 5 says 'videotestsrc .*pattern=blue' || fail "no camera is shown: $(line)"
record "of a camera"
[ "$(streams)" = "video " ] || fail "a camera is recorded with sound: $(streams)"
closed 60

# The microphone, which here is a tone, when its switch says so.
GST_PLUGIN_FEATURE_RANK=audiotestsrc:MAX start
sleep 0.5
click 857 27
sleep 0.5
record "of a voice"
has_tone || fail "the microphone is not recorded: $(streams) $(loudness)"
click 857 27
record "after it"
[ "$(streams)" = "video " ] || fail "the microphone stays open: $(streams)"
closed 60

# A loudspeaker that takes long to open is heard once it is open, and nothing waits for it.
rm -f heard
MIEN_SPEAKER_WAITS=8 start "$film"
sleep 1.5
record "while the loudspeaker opens"
has_tone || fail "a film loses its sound while the loudspeaker opens: $(streams) $(loudness)"
until_holds 15 loud || fail "a loudspeaker that takes long is not heard"
closed 60

# A loudspeaker that goes away leaves the film.
MIEN_SPEAKER_BREAKS=20 start "$film"
sleep 2
snap gone
record "without its loudspeaker"
has_tone || fail "a film loses its sound with the loudspeaker: $(streams) $(loudness)"
closed 60

# Without loudspeaker and microphone nothing waits, and that is said.
without_devices
start "$film"
sleep 1
record "without loudspeakers"
has_tone || fail "a film loses its sound without loudspeakers: $(streams) $(loudness)"
click 857 27
sleep 0.5
snap nobody
record "without microphones"
closed 60

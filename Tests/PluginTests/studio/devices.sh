#!/bin/bash
# Tests the window on a virtual screen with cameras and a loudspeaker simulated by a plugin: shows the cameras
# and plays films with sound. A failure is reported in one line.
#
#   devices.sh FOLDER MIEN PLUGINS FILM    PLUGINS: the folder of that plugin
#                                          FILM: one of a few seconds, with a tone
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$1 mien=$2 plugins=$3 film=$4
. "$here/screen.sh"
bare=${GST_PLUGIN_PATH_1_0:-} registry=$GST_REGISTRY_1_0
export MIEN_SPEAKER=$folder/heard
# Start the window with or without the simulated devices.
with_devices() { export GST_PLUGIN_PATH_1_0=$plugins${bare:+:$bare} GST_REGISTRY_1_0=$folder/registry.bin; }
without_devices() { export GST_PLUGIN_PATH_1_0=$bare GST_REGISTRY_1_0=$registry; }
# The peak of the last buffer that the loudspeaker got; the tone has at least 3000.
loud() { [ "$(tail -n 1 heard)" -gt 1000 ]; }
quiet() { [ "$(tail -n 1 heard)" -eq 0 ]; }
record() {
  rm -f Mien*
  key ctrl+r
  sleep 1.6
  key ctrl+r
  until_holds 10 is_whole .mp4 1 || until_holds 1 is_whole .webm 1 || fail "nothing was recorded: $1"
}
# The kinds of streams in the recording; and the peak of its sound, in decibels.
streams() { ffprobe -v error -show_entries stream=codec_type -of csv=p=0 Mien* | sort | tr '\n' ' '; }
loudness() { ffmpeg -nostdin -i Mien* -af volumedetect -f null - 2>&1 \
  | sed -n 's/.*max_volume: \(-*[0-9]*\).*/\1/p'; }
has_tone() { [ "$(streams)" = "audio video " ] && [ "$(loudness)" -gt -25 ]; }
# Sound is lost while it is half a second behind the pictures, as on a machine with much else to do: the best
# of up to three recordings counts.
record_tone() { for _ in 1 2 3; do record "$1" && has_tone && return; done; false; }
closed() {
  key ctrl+q
  wait "$studio" || fail "it ends with $?: $(tail -n 3 studio.log)"
  [ "$(sed -n 's/ frames shown.*//p' studio.log)" -gt "$1" ] || fail "too few frames were shown: $(cat studio.log)"
}

# A film is played with sound, or muted; a recording has the sound in both cases.
with_devices
export MIEN_CAMERAS=$folder/cameras
touch cameras
start "$film"
until_holds 10 loud || fail "the film has no sound"
key ctrl+m
until_holds 3 quiet || fail "the film is not muted"
record_tone "of a muted film" || fail "the recording of a muted film has no sound: $(streams) $(loudness)"

# The second of two cameras is selected; by default it is recorded without sound.
click 102 27
sleep 0.4
snap cameras
click 102 87
until_holds 5 line_has 'testcamera .*pattern=blue' || fail "no camera is shown: $(line)"
record "of a camera"
[ "$(streams)" = "video " ] || fail "a camera is recorded with sound: $(streams)"
# Its formats are in the menu, under its name.
line_has 'width=640,height=480,framerate=30/1' || fail "the best format is not chosen: $(line)"
click 102 27
sleep 0.4
snap formats
click 124 232
until_holds 5 line_has 'width=320,height=240,framerate=60/1' || fail "no format is chosen: $(line)"
# Unplugged and plugged in again while it plays: it is shown again by itself, in the same format.
shows_blue() { case $(colour 420 300) in 0000f* | 0000e* | 0?0?f*) return 0 ;; *) return 1 ;; esac; }
until_holds 5 shows_blue || fail "the camera is not shown: $(colour 420 300)"
rm cameras
sleep 2.5
snap unplugged
line_has 'testcamera' || fail "another source is shown without the camera: $(line)"
touch cameras
sleep 4
record "of a camera that came back"
line_has 'testcamera .*pattern=blue .*width=320,height=240,framerate=60/1' || fail "another format is used: $(line)"
snap back
closed 60

# The microphone, simulated by a tone, is recorded while its switch is on.
GST_PLUGIN_FEATURE_RANK=audiotestsrc:MAX start
sleep 0.5
click 857 27
sleep 0.5
record_tone "of a voice" || fail "the microphone is not recorded: $(streams) $(loudness)"
click 857 27
record "after it"
[ "$(streams)" = "video " ] || fail "the microphone stays open: $(streams)"
closed 60

# A loudspeaker that takes long to open: playback does not wait, and the sound starts once it is open.
rm -f heard
MIEN_SPEAKER_WAITS=8 start "$film"
sleep 1.5
record "while the loudspeaker opens"
has_tone || fail "the recording has no sound while the loudspeaker opens: $(streams) $(loudness)"
until_holds 15 loud || fail "no sound after a slow loudspeaker has opened"
closed 60

# If the loudspeaker fails, the film continues.
MIEN_SPEAKER_BREAKS=20 start "$film"
sleep 2
snap gone
record_tone "without its loudspeaker" || fail "the recording has no sound after the loudspeaker failed: $(streams) $(loudness)"
closed 60

# Without a loudspeaker and a microphone nothing waits, and the window shows a message.
without_devices
start "$film"
sleep 1
record_tone "without loudspeakers" || fail "the recording has no sound without loudspeakers: $(streams) $(loudness)"
click 857 27
sleep 0.5
snap nobody
record "without microphones"
closed 60

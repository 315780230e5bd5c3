#!/bin/bash
# Records films and pictures in the window, with free and with full disks. Fails with one line if a file is
# left whose name does not match its state.
#
#   recordings.sh FOLDER MIEN PLUGINS FILM GIF FAULTS     FILM: one with a tone, PLUGINS: with a loudspeaker for it
#                                                          FAULTS: the library that simulates full disks
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$1 mien=$2 plugins=$3 film=$4 gif=$5 faults=$6
. "$here/screen.sh"
export GST_PLUGIN_PATH_1_0=$plugins${GST_PLUGIN_PATH_1_0:+:$GST_PLUGIN_PATH_1_0}
export GST_REGISTRY_1_0=$folder/registry.bin MIEN_SPEAKER=$folder/heard
# The number of video packets in a file, and the last timestamp in seconds.
pictures() { ffprobe -v error -select_streams v -count_packets -show_entries stream=nb_read_packets -of csv=p=0 "$1"; }
seconds() { ffprobe -v error -select_streams v -show_entries packet=pts_time -of csv=p=0 "$1" | sort -n | tail -n 1; }
at_least() { awk "BEGIN { exit !($1 >= $2) }"; }
# Decodes a file and prints the errors. With its own time base, 1/rate, ffmpeg reports frames that are closer
# than the frame rate, as the first one of another source may be.
errors() { ffmpeg -nostdin -v error -i "$1" -enc_time_base:v 1/90000 -f null - 2>&1; }
plays() { [ -z "$(errors "$1")" ] && [ "$(pictures "$1")" -ge 1 ]; }
recorded() {
  until_holds 60 is_whole "$1" 1 || fail "nothing was recorded of $2: $(ls -A; tail -n 3 studio.log)"
  plays Mien* \
    || fail "the recording of $2 does not decode: $(errors Mien* | head -n 2)"
}
clear() { rm -f Mien*; }
ended() {
  for _ in $(seq 300); do kill -0 "$studio" 2>/dev/null || break; sleep 0.1; done
  code=0
  kill -0 "$studio" 2>/dev/null && fail "it does not end: $1"
  wait "$studio" || code=$?
  [ $code -eq "${2:-0}" ] || fail "it ends with $code: $(tail -n 3 studio.log)"
}
# Closes the window after the message about a failed recording has been shown long enough; before that it
# stays open.
quit() {
  sleep 2.2
  key ctrl+q
  ended "$1"
}
# Opens the film with a disk of so many bytes, and waits until it plays.
full() {
  MIEN_DISK=$1 LD_PRELOAD=$faults start "$film"
  until_holds 30 grep -q 'first frame' studio.log || fail "the film does not start: $(cat studio.log)"
  sleep 1
}

# A GIF of one second is looped, also in the recording; snapshots of it work too.
start "$gif"
sleep 1
key ctrl+r
sleep 2.2
key ctrl+r
recorded "*" "a GIF"
[ "$(pictures Mien*)" -ge 12 ] || fail "a GIF is recorded as $(pictures Mien*) pictures"
at_least "$(seconds Mien*)" 1.5 || fail "a recording of two seconds of a GIF lasts $(seconds Mien*)"
clear
key ctrl+r
key ctrl+r
sleep 1.5
for file in Mien*; do
  [ ! -e "$file" ] || plays "$file" || fail "a recording that was stopped at once does not decode"
done
clear
key ctrl+s ctrl+s
until_holds 10 is_whole .png 2 || fail "two snapshots in a second give only $(ls Mien*)"
clear
key ctrl+r
sleep 0.8
key ctrl+q
ended "a GIF"
recorded "*" "a GIF whose window is closed"
clear

# A still picture is shown, and recorded as a film.
ffmpeg -nostdin -v error -f lavfi -i testsrc=size=1000x700 -frames:v 1 still.png
start "$folder/still.png"
sleep 1
line_has "$folder/still.png" || fail "a picture is not shown: $(line)"
key ctrl+r
sleep 1
key ctrl+r
recorded "*" "a picture"
[ "$(pictures Mien*)" -ge 10 ] || fail "a picture is recorded as $(pictures Mien*) frames"
clear
# A source of another size is scaled to the size of the file.
key ctrl+r
sleep 0.8
click 144 27
sleep 0.8
key ctrl+r
recorded "*" "two pictures"
[ "$(ffprobe -v error -show_entries stream=width,height -of csv=p=0 Mien*)" = 1000,700 ] \
  || fail "the recording of two pictures has the size $(ffprobe -v error -show_entries stream=width,height -of csv=p=0 Mien*)"
at_least "$(seconds Mien*)" 1.2 || fail "the recording of two pictures lasts $(seconds Mien*) s"
clear
key ctrl+q
ended "a picture"

# When the disk fills up, the playable part is kept under a name that marks it as incomplete, and a message is
# shown.
full 250000
key ctrl+r
until_holds 60 is_whole ' (incomplete).*' 1 || fail "a full disk leaves nothing of an MP4: $(ls -A; tail -n 3 studio.log)"
sleep 0.5
snap full
plays Mien* || fail "the file left by a full disk does not decode: $(ls)"
at_least "$(seconds Mien*)" 0.4 || fail "a full disk leaves $(seconds Mien*) s"
[ "$(find . -name 'Mien*' | wc -l)" = 1 ] || fail "a full disk leaves more: $(ls)"
ffprobe -v error -show_entries stream=codec_type -of csv=p=0 Mien* | grep -q audio || fail "the incomplete recording has no sound"
clear
quit "a full disk"
# A disk without any free space: no file is left.
full 100
key ctrl+r
sleep 1.5
[ -z "$(find . -name 'Mien*' -o -name '.mien-part-*')" ] || fail "a disk without room has $(ls -A)"
key ctrl+s
sleep 1
[ -z "$(find . -name 'Mien*' -o -name '.mien-part-*')" ] || fail "a disk without room has $(ls -A)"
snap none
quit "a disk without room"
# When the disk fills up while the window closes, the window stays open once to show the message; when a
# signal ends it, the message is printed on the terminal.
full 5000
key ctrl+r
sleep 0.3
key ctrl+q
sleep 1
kill -0 "$studio" 2>/dev/null || fail "the window closes without a message"
snap stays
key ctrl+q
ended "a second time"
clear
full 5000
key ctrl+r
sleep 0.3
kill -TERM "$studio"
ended "by a signal" 143
grep -q 'mien: .*recorded' studio.log || fail "it ends without a message: $(cat studio.log)"
clear

# The same with WebM, without an encoder for H.264.
MIEN_WITHOUT="x264enc openh264enc nvh264enc vah264enc" full 100000
key ctrl+r
until_holds 60 is_whole ' (incomplete).webm' 1 || fail "a full disk leaves nothing of a WebM: $(ls -A; tail -n 3 studio.log)"
plays Mien* || fail "the file left by a full disk does not decode: $(ls)"
clear
quit "WebM"

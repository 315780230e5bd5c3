#!/bin/bash
# Three programs after each other look at the virtual camera of a film; between them its source is closed.
#
#   dbus-run-session -- consumers.sh FOLDER MIEN FILM
folder=$1 mien=$2 film=$3
. "$(dirname "$0")/session.sh"

start_camera "$film" --sticker hat
pw-dump -N | grep -q '"media.role": "Camera"' || fail "its role is not that of a camera"
for number in 1 2 3; do
  began=$(date +%s%N)
  timeout 20 gst-launch-1.0 -q pipewiresrc target-object=mien num-buffers=20 ! videoconvert \
    ! video/x-raw,format=RGB ! multifilesink location="frame-$number-%02d.rgb" >consumer.log 2>&1 \
    || fail "consumer $number gets no frames"
  echo "consumer $number: $(ls frame-"$number"-*.rgb | wc -l) frames in $((($(date +%s%N) - began) / 1000000)) ms," \
    "$(md5sum frame-"$number"-*.rgb | cut -c 1-32 | sort -u | wc -l) different"
  until_holds 10 sh -c "[ \$(grep -c 'nobody looks' mien.log) = $number ]" || fail "the source stays open"
  until_holds 5 has_node || fail "the camera is gone after consumer $number"
done
[ "$(grep -c 'somebody looks' mien.log)" = 3 ] || fail "not everybody was noticed"
# Bash starts background programs with SIGINT ignored.
kill -TERM "$camera"
wait "$camera" || fail "it ends with $?"
head -n 1 mien.log

#!/bin/sh
# Sends a decorated film over RTP to the local machine, receives it, and counts the frames with face metadata
# on both sides. RTP does not transport metadata, so the receiver detects faces again.
#
#   pipelines/rtp.sh FILM [PORT]
#
# It takes about as long as the film. Standard error says what is being done.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || { echo "rtp: the film is missing: pipelines/rtp.sh FILM [PORT]" >&2; exit 2; }
film=$1 port=${2:-5004}
scratch=$(mktemp -d)
say() { echo "rtp: $*" >&2; }
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

say "starts the receiver on port $port of the local machine"
# "identity silent=false" reports every frame, and gst-launch -v prints the reports.
"$here/env.sh" gst-launch-1.0 -v udpsrc address=127.0.0.1 port="$port" \
  caps="application/x-rtp,media=video,clock-rate=90000,encoding-name=VP8,payload=96" \
  ! rtpjitterbuffer latency=100 ! rtpvp8depay ! vp8dec ! videoconvert \
  ! identity name=received silent=false ! mienfacedetect ! identity name=again silent=false \
  ! fakesink >"$scratch/received" 2>&1 &
receiver=$!
# The receiver must listen before the first packet is sent.
tries=0
until grep -q "Setting pipeline to PLAYING\|New clock" "$scratch/received" || [ $tries -eq 100 ]; do
  tries=$((tries + 1))
  sleep 0.1
done
say "sends $film"
"$here/env.sh" gst-launch-1.0 -v filesrc location="$film" ! decodebin ! videoconvert \
  ! mienfacedetect ! sticker location=halo ! identity name=sent silent=false ! videoconvert \
  ! vp8enc deadline=1 keyframe-max-dist=20 ! rtpvp8pay ! udpsink host=127.0.0.1 port="$port" \
  >"$scratch/sent" 2>&1
frames() { grep -c "GstIdentity:$1: last-message = chain" "$2" || true; }

say "waits for the last frames"
# Waits until all received frames are processed and none has arrived for half a second.
before=-1 tries=0
until [ "$(frames again "$scratch/received")" -eq "$before" ] || [ $tries -eq 40 ]; do
  before=$(frames received "$scratch/received")
  tries=$((tries + 1))
  sleep 0.5
done
kill -INT "$receiver"
wait "$receiver" || true

count() {
  frames=$(frames "$1" "$2")
  with=$(grep "GstIdentity:$1: last-message = chain" "$2" | grep -c MienFaces || true)
  echo "$3: $frames frames, $with with MienFaces"
}
count sent "$scratch/sent" "sent"
count received "$scratch/received" "received"
count again "$scratch/received" "after facedetect there"

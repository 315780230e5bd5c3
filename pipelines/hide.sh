#!/bin/sh
# Hides every face in a film, or in all films of a folder, keeps the sound, and lists the frames to check by
# eye.
#
#   pipelines/hide.sh FILM|FOLDER OUTFOLDER [PROPERTY=VALUE...]
#
# OUTFOLDER/a.mp4.webm is the film; a.mp4.txt reports which faces were hidden when, and why; a.mp4.jpg shows
# frames in which a hidden face was not detected but held or hidden ahead. The properties are those of
# facehide, such as mode=blur. See docs/facehide.md.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec "$here/env.sh" /usr/bin/python3 "$here/hide.py" "$@"

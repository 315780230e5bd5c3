#!/bin/sh
# Hides every face of a film, or of all films of a folder, with their sound, and says which frames
# somebody should look at.
#
#   pipelines/hide.sh FILM|FOLDER OUTFOLDER [PROPERTY=VALUE...]
#
# OUTFOLDER/a.mp4.webm is the film; a.mp4.txt says which faces were hidden when, and why;
# a.mp4.jpg shows the frames in which a face was not seen but held, or hidden ahead. The properties
# are facehide's, as mode=blur. See docs/facehide.md.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec "$here/env.sh" /usr/bin/python3 "$here/hide.py" "$@"

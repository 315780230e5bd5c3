#!/usr/bin/python3
"""Draws the pictures of docs/photoeffect.md.

    pipelines/env.sh pipelines/looks.py [FOLDER]    FOLDER/looks.jpg, looks-more.jpg, looks-film.jpg
"""
import sys

from gallery import FILMS, ROOT, SCENES, Gst, frames, spread, write

LOOKS = (
    "none mono tonal noir chrome fade instant process transfer sepia warm cool vivid linear cartoon".split()
)
PHOTOGRAPH = f"{ROOT}/models/astronaut.png"
# An almost unchanged background, and the mask of people.
PEOPLE = "facedetect updates=none ! personkey blur=0.01 despill=0 mask-meta=true"
MORE = [
    "photoeffect look=noir vignette=0.5 grain=0.5",
    "photoeffect look=transfer vignette=0.4",
    PEOPLE + " ! photoeffect look=mono where=background",
    "facedetect updates=none ! photoeffect look=mono where=faces",
]
FILM = ["photoeffect look=chrome vignette=0.3", "photoeffect look=cartoon", MORE[2]]


def main(folder):
    Gst.init(None)
    write([frames(PHOTOGRAPH, f"photoeffect look={look}", 160, 160)[0] for look in LOOKS], 5, 160, 160,
          f"{folder}/looks.jpg")
    write([frames(PHOTOGRAPH, effects, 200, 200)[0] for effects in MORE], 4, 200, 200,
          f"{folder}/looks-more.jpg")
    shown = [spread(frames(f"{SCENES}/{film}", effects, 256, 144), 5)[2] for film in FILMS[:2] for effects in FILM]
    write(shown, 3, 256, 144, f"{folder}/looks-film.jpg")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else f"{ROOT}/docs/pictures")

#!/usr/bin/python3
"""Draws the pictures of docs/facereshape.md.

    pipelines/env.sh pipelines/reshape.py [FOLDER]    FOLDER/reshape*.jpg
"""
import sys

from gallery import ROOT, SCENES, Gst, frames, spread, write

PARTS = "slim jaw eyes nose mouth chin forehead".split()
MIRRORS = ["stretch", "bulge", "pinch", "twirl"]
NATURAL = "slim=0.15 jaw=-0.1 eyes=0.15 nose=-0.2"
DOLL = "slim=0.55 jaw=-0.3 eyes=0.9 nose=-0.7 mouth=-0.25 chin=-0.3 forehead=0.3"
FUNNY = "slim=-0.5 jaw=0.5 eyes=-0.5 nose=1 mouth=0.7 chin=0.5 forehead=-0.4"
PORTRAITS = [("obama3.jpg", (417, 217, 50, 1483)), ("biden.jpg", (135, 135, 60, 1444)), ("single_face.jpg", (110, 112, 40, 172))]


def shown(path, settings, width, height, crop=None):
    effects = f"facedetect updates=none ! facereshape {settings}" if settings else "identity"
    cut = "videocrop left=%d right=%d top=%d bottom=%d ! " % crop if crop else ""
    return frames(path, effects, width, height, cut)


def main(folder):
    Gst.init(None)
    portrait, crop = f"{SCENES}/{PORTRAITS[2][0]}", PORTRAITS[2][1]
    cells = [shown(portrait, f"{part}={limit}", 160, 160, crop)[0] for limit in (-1, 1) for part in PARTS]
    write(cells, len(PARTS), 160, 160, f"{folder}/reshape.jpg")
    write(
        [
            shown(f"{SCENES}/{name}", settings, 240, 240, crop)[0]
            for name, crop in PORTRAITS
            for settings in ("", NATURAL, DOLL, FUNNY)
        ],
        4, 240, 240, f"{folder}/reshape-presets.jpg",
    )
    write(
        [shown(portrait, f"effect={name} amount={amount}", 200, 200, crop)[0] for amount in (0.8, -0.8) for name in MIRRORS],
        4, 200, 200, f"{folder}/reshape-mirrors.jpg",
    )
    film = f"{SCENES}/WolfgangLanger_Pexels.mp4"
    before, after = (shown(film, settings, 256, 144) for settings in ("", DOLL))
    write(spread(before, 5) + spread(after, 5), 5, 256, 144, f"{folder}/reshape-film.jpg")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else f"{ROOT}/docs/pictures")

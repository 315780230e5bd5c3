"""Writes the SVG drawings of every pack: draw.py FOLDER [PACK...]."""

import importlib
import pathlib
import sys

PACKS = ["halo", "glasses", "hat", "moustache", "dog", "hearts", "sparks", "frame", "facepaint", "mask"]
# Made of colours alone.
WITHOUT_PICTURES = ["lipstick", "blush"]


def main():
    target = pathlib.Path(sys.argv[1])
    for pack in sys.argv[2:] or PACKS:
        (target / pack).mkdir(parents=True, exist_ok=True)
        if pack in WITHOUT_PICTURES:
            continue
        for name, svg in importlib.import_module(pack).drawings():
            file = target / pack / f"{name}.svg"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(svg)


main()

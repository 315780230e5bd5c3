"""Writes the SVG drawings of every pack: draw.py FOLDER [PACK...]."""

import importlib
import pathlib
import sys

PACKS = ["halo", "glasses", "hat", "moustache", "dog", "hearts", "frame"]


def main():
    target = pathlib.Path(sys.argv[1])
    for pack in sys.argv[2:] or PACKS:
        for name, svg in importlib.import_module(pack).drawings():
            file = target / pack / f"{name}.svg"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(svg)


main()

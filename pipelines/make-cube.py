#!/usr/bin/python3
"""Writes a .cube file of a look that is given by a formula; a template for other looks.

    pipelines/make-cube.py [SIZE] >teal-and-orange.cube
"""
import sys


def look(r, g, b):
    """Red, green and blue, 0 to 1: shadows towards teal, lights towards orange."""
    light = 0.2126 * r + 0.7152 * g + 0.0722 * b
    shade = 0.06 * (1 - light) ** 2
    warm = 0.05 * light * light
    return r - shade + warm, g + 0.3 * shade, b + shade - warm


def main(size):
    print('TITLE "Teal and orange"')
    print(f"LUT_3D_SIZE {size}")
    steps = [index / (size - 1) for index in range(size)]
    # Red varies fastest.
    for b in steps:
        for g in steps:
            for r in steps:
                print(" ".join(f"{min(max(value, 0), 1):.6f}" for value in look(r, g, b)))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 33)

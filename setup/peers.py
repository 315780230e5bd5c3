#!/usr/bin/env python3
"""Draws docs/pictures/peers.svg, which compares Mien with its peers, from docs/bench.txt of `make bench`.

    setup/peers.py >docs/pictures/peers.svg
"""
import re

JOBS = [
    ("Find faces, 720p", "Finding faces, 1280x720 NV12", "facedetect accuracy=high",
     "gst-opencv facedetect + conversions", "gst-opencv"),
    ("Follow a face, 1080p", "Following one face, 1920x1080", None, "mediapipe 0.10.14 FaceMesh, RGB", "MediaPipe"),
    ("Key a screen, 1080p", "I420 to alpha, 1920x1080", "chromakey", "alpha method=green", "alpha"),
    ("A sticker, 1080p", "A sticker of 512x512 on 1920x1080 NV12; the frozen frame is copied first",
     "sticker", "gdkpixbufoverlay", "gdkpixbufoverlay, upright"),
    ("Retouch a face, 1080p", "Retouching one face, 1920x1080", "retouching alone, NV12",
     "cv2.bilateralFilter d=9, luma of frame", "OpenCV bilateralFilter"),
]


def report():
    """The rows of each subject: name and median CPU milliseconds."""
    subjects, rows = {}, None
    for line in open("docs/bench.txt"):
        line = line.rstrip()
        row = re.match(r"  (\S.*?) {2,}(-?\d+\.\d+) ", line)
        if row and rows is not None:
            rows.append((row[1], float(row[2])))
        elif line and not line.startswith(" "):
            rows = subjects.setdefault(line, [])
    return subjects


def ours(rows, name):
    if name == "sticker":
        return next(value for row, value in rows if "sticker" in row or row.startswith("upright"))
    return next(value for row, value in rows if name is None or row == name)


def main():
    subjects = report()
    width, left, scale = 860, 190, 520
    bars = []
    for title, subject, mine, peer, label in JOBS:
        rows = subjects[subject]
        bars.append((title, ours(rows, mine), dict(rows)[peer], label))
    height = 78 + 62 * len(bars)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
           'font-family="sans-serif" font-size="14">',
           '<rect width="100%" height="100%" rx="8" fill="#ffffff"/>',
           '<text x="20" y="30" font-size="17" fill="#222">CPU milliseconds a frame: '
           '<tspan fill="#2f6fd0" font-weight="bold">Mien</tspan> beside its peers</text>',
           f'<text x="20" y="50" font-size="12" fill="#666">{open("docs/bench.txt").readline().strip()}; '
           "each pair has a scale of its own</text>"]
    y = 70
    for title, mine, peer, label in bars:
        most = max(mine, peer)
        for number, (value, colour, name) in enumerate(
                [(mine, "#2f6fd0", "Mien"), (peer, "#b9bec8", label)]):
            top = y + 24 * number
            length = max(2, scale * 0.72 * value / most)
            if number == 0:
                out.append(f'<text x="{left - 14}" y="{y + 29}" text-anchor="end" fill="#222">{title}</text>')
            out.append(f'<rect x="{left}" y="{top}" width="{length:.1f}" height="20" rx="4" fill="{colour}"/>')
            text = f"{value:.2g}" if value < 10 else f"{value:.0f}"
            out.append(f'<text x="{left + length + 8:.1f}" y="{top + 15}" fill="#222">{text} '
                       f'<tspan fill="#666">{name}</tspan></text>')
        y += 62
    print("\n".join(out + ["</svg>"]))


main()

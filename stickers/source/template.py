"""The layout of a texture on the skin, to draw over: template.py > face.svg.

The mesh, with the regions tinted and a few points named; its figures are those of the plugin's own
sources (Sources/Faces/Mesh).
"""

import pathlib
import re

from svg import document

SIDE = 1024
MESH = pathlib.Path(__file__).resolve().parents[2] / "Sources" / "Faces" / "Mesh"
LIPS = [61, 185, 40, 39, 37, 0, 267, 269, 270, 409, 291, 375, 321, 405, 314, 17, 84, 181, 91, 146]
EYES = [
    [33, 7, 163, 144, 145, 153, 154, 155, 133, 173, 157, 158, 159, 160, 161, 246],
    [263, 249, 390, 373, 374, 380, 381, 382, 362, 398, 384, 385, 386, 387, 388, 466],
]
BROWS = [[70, 63, 105, 66, 107, 55, 65, 52, 53, 46], [300, 293, 334, 296, 336, 285, 295, 282, 283, 276]]
NAMES = {4: "tip of the nose", 152: "chin", 10: "hairline", 234: "ear", 454: "ear", 61: "", 291: ""}


def numbers(name):
    text = (MESH / f"FaceSurface+{name}.swift").read_text()
    return [int(n) for n in re.findall(r"-?\d+", text[text.index("= [") :])]


def main():
    flat, corners = numbers("Places"), numbers("Triangles")
    places = [(flat[k] / 1e6 * SIDE, flat[k + 1] / 1e6 * SIDE) for k in range(0, len(flat), 2)]

    def line(points):
        return " ".join(f"{places[k][0]:.1f},{places[k][1]:.1f}" for k in points)

    body = f'<rect width="{SIDE}" height="{SIDE}" fill="#fff"/>'
    for ring, colour in [(LIPS, "#f3b6bd"), *((r, "#bcd8f0") for r in EYES), *((r, "#d8c8b4") for r in BROWS)]:
        body += f'<polygon points="{line(ring)}" fill="{colour}"/>'
    triangles = "".join(f"M {line(corners[k:k + 3])} Z " for k in range(0, len(corners), 3))
    body += f'<path d="{triangles}" fill="none" stroke="#8a97a5" stroke-width="0.8"/>'
    for point, name in NAMES.items():
        x, y = places[point]
        end = "end" if x > 900 else "start" if x < 100 else "middle"
        body += f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="#c0392b"/>'
        body += f'<text x="{x:.1f}" y="{y - 8:.1f}" font-size="18" font-family="sans-serif" text-anchor="{end}" fill="#c0392b">{name}</text>'
    print(document(SIDE, SIDE, body))


main()

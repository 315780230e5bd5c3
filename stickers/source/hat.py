"""A felt fedora with a ribbon and a feather.

A texture around a lathe: the left and right edges of the picture meet behind the head, its middle is in
front; from top to bottom it shows the crown, the ribbon, the brim, and the brim from below.
"""

import math

from svg import blur, document, ellipse, group, linear, path

WIDTH, HEIGHT = 1024, 512
# The radii, in halves of the hat's breadth, and the heights in pupil distances, as in meta.json.
HALF = 1.9
PROFILE = (
    (0, 1.2), (0.22, 1.24), (0.42, 1.37), (0.52, 1.36), (0.575, 1.24), (0.615, 0.6), (0.64, 0.1), (0.665, 0.02),
    (0.8, -0.04), (0.93, -0.02), (1, 0.06), (0.995, 0.01), (0.92, -0.075), (0.78, -0.095), (0.64, -0.06), (0.6, 0.3),
)
# Numbers of its points.
RIM, RIBBON_END, CROWN_END, EDGE, UNDER = 4, 6, 7, 10, 11


def rows():
    """For each point of the profile its row of the picture: by the length of the path."""
    lengths = [0.0]
    for (r, h), (q, g) in zip(PROFILE, PROFILE[1:]):
        lengths.append(lengths[-1] + math.hypot((q - r) * HALF, g - h))
    return [HEIGHT * length / lengths[-1] for length in lengths]


def band(top, bottom, fill, **given):
    return f'<rect x="-8" y="{top:.2f}" width="{WIDTH + 16}" height="{bottom - top:.2f}" fill="{fill}" ' + " ".join(
        f'{key.replace("_", "-")}="{value}"' for key, value in given.items()) + "/>"


def felt(seed=11):
    """Fine fibres over all of it, the same in every drawing."""
    fibres = ""
    for _ in range(620):
        seed = (seed * 16807) % 2147483647
        x = seed % WIDTH
        seed = (seed * 16807) % 2147483647
        y = seed % HEIGHT
        seed = (seed * 16807) % 2147483647
        length = 5 + seed % 11
        colour = "#c79b74" if seed % 3 == 0 else "#4a2f1d"
        fibres += path(f"M {x} {y} q {length / 2} {seed % 5 - 2} {length} {seed % 7 - 3}", fill="none", stroke=colour,
                       stroke_width=1.1, opacity=0.2, stroke_linecap="round")
    return fibres


def drawings():
    row = rows()
    ribbon = row[RIBBON_END] - 0.62 * (row[RIBBON_END] - row[RIM + 1])
    defs = (
        linear("crown", [(0, "#5a3d2a"), (0.3, "#7d583d"), (0.6, "#a07450"), (1, "#8a6244")])
        + linear("brim", [(0, "#6f4b32"), (0.35, "#a07450"), (1, "#b98a63")])
        + linear("under", [(0, "#5b3f2d"), (1, "#33211a")])
        + linear("ribbon", [(0, "#a63a4b"), (0.5, "#8c2a3a"), (1, "#5f1a26")])
        + linear("feather", [(0, "#f2c14e"), (0.5, "#e0763a"), (1, "#8c2a3a")])
        + blur("soft", 8) + blur("fine", 2)
    )
    body = band(-2, row[CROWN_END], "url(#crown)")
    body += band(row[CROWN_END], row[EDGE], "url(#brim)")
    body += band(row[EDGE] - 1, HEIGHT + 2, "url(#under)")
    body += felt()
    # The dent in the crown is deepest before the middle and behind it.
    for x in (0, WIDTH / 2, WIDTH):
        body += ellipse(x, row[1], 110, row[2] * 0.55, fill="#24150c", opacity=0.35, filter="url(#soft)")
    for x in (WIDTH * 0.36, WIDTH * 0.64):
        body += ellipse(x, row[RIM] + 12, 34, 30, fill="#2d1b10", opacity=0.28, filter="url(#soft)")
    body += band(row[3] - 3, row[3] + 5, "#e4bd97", opacity=0.4, filter="url(#fine)")
    # The ribbon, and what it shades.
    body += band(row[CROWN_END] - 6, row[CROWN_END] + 12, "#2d1b10", opacity=0.45, filter="url(#soft)")
    body += band(ribbon, row[CROWN_END] - 1, "url(#ribbon)")
    body += band(ribbon, ribbon + 2.5, "#1c070b") + band(row[CROWN_END] - 3, row[CROWN_END], "#1c070b")
    body += band(ribbon + 6, ribbon + 8, "#d9707f", opacity=0.7)
    # The edge of the brim: a seam, and light on the bend.
    body += path(f"M 0 {row[EDGE] - 13:.1f} H {WIDTH}", stroke="#e7c59f", stroke_width=2, stroke_dasharray="9 7", opacity=0.75)
    body += band(row[EDGE] - 5, row[EDGE] + 1, "#dab189", opacity=0.75)
    body += band(row[EDGE] + 1, row[UNDER] + 4, "#23140b")
    # The feather stands in the ribbon on the head's left.
    x, foot, top = 622, row[CROWN_END] - 10, row[RIM] - 6
    high = foot - top
    quill = path(
        f"M {x} {foot:.0f} C {x - 20} {foot - 0.45 * high:.0f} {x + 4} {top + 0.2 * high:.0f} {x + 50} {top:.0f} "
        f"C {x + 68} {top + 0.25 * high:.0f} {x + 54} {foot - 0.4 * high:.0f} {x + 18} {foot:.0f} Z",
        fill="url(#feather)", stroke="#5a1c12", stroke_width=3, stroke_linejoin="round")
    quill += path(f"M {x + 8} {foot:.0f} C {x + 12} {foot - 0.45 * high:.0f} {x + 28} {top + 0.3 * high:.0f} {x + 50} {top + 2:.0f}", fill="none",
                  stroke="#fbe3a2", stroke_width=3, stroke_linecap="round")
    for k in range(1, 6):
        y = foot - high * (0.16 + 0.14 * k)
        middle = x + 9 + 6.4 * k
        quill += path(f"M {middle:.0f} {y:.0f} l -17 {-0.13 * high:.0f} M {middle:.0f} {y:.0f} l 17 {-0.09 * high:.0f}", stroke="#7d2b1b",
                      stroke_width=1.8, opacity=0.55, stroke_linecap="round")
    body += group(path(f"M {x} {foot:.0f} C {x - 20} {foot - 0.45 * high:.0f} {x + 4} {top + 0.2 * high:.0f} {x + 50} {top:.0f} L {x + 60} {foot:.0f} Z",
                       fill="#000"), opacity=0.25, filter="url(#soft)", transform="translate(6 6)") + quill
    body += ellipse(x + 8, foot - 4, 12, 15, fill="#5f1a26", stroke="#1c070b", stroke_width=3)
    body += ellipse(x + 5, foot - 8, 4, 6, fill="#d9707f", opacity=0.8)
    yield "felt", document(WIDTH, HEIGHT, body, defs)

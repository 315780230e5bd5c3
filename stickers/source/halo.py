"""A golden ring that hovers aslant round the back of the head, and glints.

Drawn as it is seen from above: the upper edge of the picture is behind the head.
"""

import math

from svg import blur, document, ellipse, path, radial, sparkle

SIDE, FRAMES = 320, 24
# What lies flat is seen from its edge: before and behind, the ring is drawn as much broader.
SQUASH = 1.9


def band(cx, cy, radius, width, side=0.0):
    """A ring whose breadth grows from the sides toward front and back; `side` shifts it outward."""
    outer, inner = [], []
    for k in range(96):
        a = 2 * math.pi * k / 96
        half = width / 2 * (1 + (SQUASH - 1) * math.sin(a) ** 2)
        shift = side * (1 + (SQUASH - 1) * math.sin(a) ** 2)
        outer.append((cx + (radius + shift + half) * math.cos(a), cy + (radius + shift + half) * math.sin(a)))
        inner.append((cx + (radius + shift - half) * math.cos(a), cy + (radius + shift - half) * math.sin(a)))
    lines = ["M " + " L ".join(f"{x:.1f} {y:.1f}" for x, y in points) + " Z" for points in (outer, inner)]
    return " ".join(lines)


def ring(frame):
    turn = 2 * math.pi * frame / FRAMES
    cx = cy = SIDE / 2
    radius = 124
    glow = 0.5 + 0.12 * math.sin(2 * turn)
    defs = (
        blur("soft", 8) + blur("fine", 1.2)
        + f'<linearGradient id="gold" x1="0" y1="0" x2="{SIDE}" y2="0" gradientUnits="userSpaceOnUse">'
        + "".join(f'<stop offset="{at}" stop-color="{colour}"/>' for at, colour in
                  ((0, "#c9820f"), (0.25, "#ffd257"), (0.5, "#fff2b0"), (0.7, "#ffcf46"), (1, "#c9820f"))) + "</linearGradient>"
    )
    body = path(band(cx, cy, radius, 19), fill="#ffe27a", fill_rule="evenodd", opacity=f"{glow:.3f}", filter="url(#soft)")
    body += path(band(cx, cy, radius, 15), fill="#7d4a05", fill_rule="evenodd")
    body += path(band(cx, cy, radius, 12), fill="url(#gold)", fill_rule="evenodd")
    body += path(band(cx, cy, radius, 3.2, 2.6), fill="#fffbe0", fill_rule="evenodd", opacity=0.85, filter="url(#fine)")
    body += path(band(cx, cy, radius, 2.6, -3.6), fill="#9a5f08", fill_rule="evenodd", opacity=0.55, filter="url(#fine)")
    for k in range(3):
        a = turn / 3 + 2 * math.pi * k / 3
        x, y = cx + radius * math.cos(a), cy + radius * math.sin(a)
        size = 20 * (0.8 + 0.2 * math.sin(5 * turn + 2 * k))
        body += ellipse(x, y, size * 0.6, size * 0.9, fill="#fff6c2", opacity=0.6, filter="url(#soft)")
        body += f'<g transform="translate({x:.1f} {y:.1f}) scale(0.7 1.35)">' + sparkle(0, 0, size, 0.95) + "</g>"
    return document(SIDE, SIDE, body, defs)


def drawings():
    for frame in range(FRAMES):
        yield f"ring/ring_{frame}", ring(frame)

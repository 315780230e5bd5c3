"""A golden ring that hovers aslant round the back of the head, and glints.

A texture around a torus: the left and right edges meet behind the head; from top to bottom it shows the
inside, the upper side, the outside and the lower side.
"""

import math

from svg import blur, document, ellipse, linear, sparkle

WIDTH, HEIGHT, FRAMES = 640, 64, 24


def glint(x, y, size):
    # The ring is as long as 14 times the way round its tube.
    body = ellipse(x, y, size * 1.4, size * 1.1, fill="#fff6c2", opacity=0.75, filter="url(#soft)")
    return body + f'<g transform="translate({x:.1f} {y:.1f}) scale(1.5 0.9)">' + sparkle(0, 0, size, 0.95) + "</g>"


def ring(frame):
    turn = 2 * math.pi * frame / FRAMES
    defs = blur("soft", 6) + blur("fine", 1.6) + linear(
        "gold", [(0, "#b9760e"), (0.12, "#f0b534"), (0.25, "#fff0a8"), (0.4, "#ffd257"), (0.55, "#f4bb3c"), (0.78, "#c9820f"),
                 (0.9, "#a9670a"), (1, "#b9760e")])
    body = f'<rect x="-4" y="-4" width="{WIDTH + 8}" height="{HEIGHT + 8}" fill="url(#gold)"/>'
    body += f'<rect x="-4" y="{0.24 * HEIGHT:.1f}" width="{WIDTH + 8}" height="{0.06 * HEIGHT:.1f}" fill="#fffbe0" opacity="0.9" filter="url(#fine)"/>'
    for k in range(3):
        x = WIDTH * ((frame / FRAMES + k) / 3 % 1)
        size = 20 * (0.8 + 0.2 * math.sin(5 * turn + 2 * k))
        # What passes an edge comes in at the other one.
        for shift in (-WIDTH, 0, WIDTH):
            if -60 < x + shift < WIDTH + 60:
                body += glint(x + shift, 0.36 * HEIGHT, size)
    return document(WIDTH, HEIGHT, body, defs)


def drawings():
    for frame in range(FRAMES):
        yield f"ring/ring_{frame}", ring(frame)

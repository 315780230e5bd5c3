"""Hearts that rise from an eye, swaying, growing and fading."""

import math

from svg import blur, document, ellipse, group, linear, path

WIDTH, HEIGHT, FRAMES = 224, 320, 24

HEART = "M 0 26 C -8 14 -34 2 -34 -18 C -34 -34 -14 -40 0 -22 C 14 -40 34 -34 34 -18 C 34 2 8 14 0 26 Z"


def heart(x, y, size, tilt, opacity, colour):
    body = path(HEART, fill="#7a0c2a", opacity=0.35, transform="translate(1.5 4)", filter="url(#soft)")
    body += path(HEART, fill=f"url(#{colour})", stroke="#8e0f30", stroke_width=3.4, stroke_linejoin="round")
    body += path("M -25 -19 C -24 -27 -16 -30 -9 -26", fill="none", stroke="#fff", stroke_width=5, stroke_linecap="round", opacity=0.85)
    body += ellipse(-26, -9, 2.6, 3, fill="#fff", opacity=0.8)
    return group(body, transform=f"translate({x:.2f} {y:.2f}) rotate({tilt:.2f}) scale({size:.3f})", opacity=f"{opacity:.3f}")


def rise(frame):
    defs = (
        linear("red", [(0, "#ff6f8e"), (0.5, "#f22b57"), (1, "#c1113d")])
        + linear("pink", [(0, "#ffc0d6"), (0.5, "#ff7aa6"), (1, "#e0457a")])
        + blur("soft", 2.5)
    )
    body = ""
    hearts = []
    for k in range(5):
        # Five hearts share the round, so that there is always one on its way.
        t = (frame / FRAMES + k / 5) % 1
        sway = math.sin(2 * math.pi * (1.2 * t + k * 0.37))
        x = WIDTH / 2 + 46 * t * sway + 14 * math.sin(2.4 * k)
        y = HEIGHT - 26 - (HEIGHT - 74) * t ** 0.9
        size = 0.28 + 0.92 * min(1, 1.6 * t)
        opacity = min(1, t / 0.12) * min(1, (1 - t) / 0.28)
        hearts.append((size, heart(x, y, size * (0.92 + 0.1 * (k % 2)), 14 * sway, opacity, "pink" if k % 2 else "red")))
    for _, drawing in sorted(hearts, key=lambda h: h[0]):
        body += drawing
    return document(WIDTH, HEIGHT, body, defs)


def drawings():
    for frame in range(FRAMES):
        yield f"rise/rise_{frame}", rise(frame)

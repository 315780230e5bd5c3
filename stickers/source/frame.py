"""A border for the screen: strings of lamps and leaves along the top and the bottom."""

import math

from svg import blur, document, ellipse, group, linear, path, radial

WIDTH, TOP, BOTTOM, FRAMES = 960, 150, 120, 4

COLOURS = [("#ffd45e", "#c98a12"), ("#ff7d6b", "#b8342a"), ("#7fd6ff", "#1f7fb8"), ("#a6e36b", "#4c8f1c"), ("#e7a1ff", "#8a3fb0")]


def leaf(x, y, angle, size, shade):
    d = "M 0 0 C 10 -14 34 -16 48 0 C 34 12 10 12 0 0 Z"
    body = path(d, fill=f"url(#leaf{shade})", stroke="#1f4a24", stroke_width=1.8, stroke_linejoin="round")
    body += path("M 4 0 L 42 0 M 16 -1 L 24 -8 M 26 -1 L 34 -7 M 16 1 L 24 7 M 26 1 L 34 6", fill="none", stroke="#17401d", stroke_width=1.2, opacity=0.6)
    return group(body, transform=f"translate({x:.1f} {y:.1f}) rotate({angle:.1f}) scale({size:.2f})")


def lamp(x, y, k, lit):
    light, dark = COLOURS[k % len(COLOURS)]
    body = ellipse(x, y + 19, 30, 30, fill=light, opacity=f"{0.16 + 0.42 * lit:.2f}", filter="url(#glow)")
    body += path(f"M {x - 6:.1f} {y - 4:.1f} h 12 v 9 h -12 Z", fill="#4b4f58", stroke="#22252b", stroke_width=1.5)
    bulb = f"M {x - 5:.1f} {y + 5:.1f} C {x - 17:.1f} {y + 15:.1f} {x - 14:.1f} {y + 36:.1f} {x:.1f} {y + 39:.1f} C {x + 14:.1f} {y + 36:.1f} {x + 17:.1f} {y + 15:.1f} {x + 5:.1f} {y + 5:.1f} Z"
    body += path(bulb, fill=light, stroke=dark, stroke_width=2.4, opacity=f"{0.72 + 0.28 * lit:.2f}")
    body += path(bulb, fill="#fff", opacity=f"{0.45 * lit:.2f}", filter="url(#fine)", transform=f"translate({x * 0.45:.2f} {(y + 24) * 0.45:.2f}) scale(0.55)")
    body += path(f"M {x - 7:.1f} {y + 14:.1f} q -4 7 -1 13", fill="none", stroke="#fff", stroke_width=3, stroke_linecap="round", opacity=0.85)
    return body


def garland(frame, height, base, sag, spans, lamps, flip):
    defs = blur("glow", 9) + blur("fine", 1.5) + blur("soft", 3)
    defs += "".join(linear(f"leaf{i}", [(0, a), (1, b)]) for i, (a, b) in enumerate((("#6fb65a", "#2f7a37"), ("#8ccb62", "#3f8f3f"), ("#4f9a52", "#1f5f33"))))

    def string(x):
        t = (x / WIDTH * spans) % 1
        return base + sag * 4 * t * (1 - t)

    steps = [f"{x:.0f} {string(x):.1f}" for x in range(0, WIDTH + 1, 8)]
    wire = "M " + " L ".join(steps)
    body = path(wire, fill="none", stroke="#000", stroke_width=6, opacity=0.25, filter="url(#soft)", transform="translate(0 5)")
    body += path(wire, fill="none", stroke="#20351f", stroke_width=5)
    body += path(wire, fill="none", stroke="#557a4c", stroke_width=2, transform="translate(0 -1)")
    for k in range(66):
        x = 6 + (WIDTH - 12) * k / 65
        angle = (-62 if k % 2 else 58) + 26 * math.sin(2.3 * k)
        if math.sin(5.1 * k) > 0:
            angle = 180 - angle
        body += leaf(x, string(x), angle, 0.62 + 0.22 * math.sin(1.7 * k), k % 3)
    for k in range(lamps):
        x = WIDTH * (k + 0.5) / lamps
        lit = 0.5 + 0.5 * math.sin(2 * math.pi * (frame / FRAMES + k * 0.38))
        y = string(x)
        if flip:
            body += group(lamp(0, 4, k + 2, lit), transform=f"translate({x:.1f} {y:.1f}) scale(1 -1)")
        else:
            body += lamp(x, y + 4, k, lit)
    return document(WIDTH, height, body, defs)


def drawings():
    for frame in range(FRAMES):
        yield f"top/top_{frame}", garland(frame, TOP, 26, 52, 3, 15, False)
    for frame in range(FRAMES):
        yield f"bottom/bottom_{frame}", garland(frame, BOTTOM, 96, -26, 4, 12, True)

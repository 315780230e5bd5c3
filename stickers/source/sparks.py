"""Light for hands: an orb over an open palm, a spark at a pointing finger, stars around other gestures."""

import math

from svg import blur, document, ellipse, group, radial, sparkle

SIDE, FRAMES = 240, 14
MIDDLE = SIDE / 2


def glow(name, colour):
    return radial(name, [(0, "#ffffff", 1), (0.25, colour, 0.85), (0.6, colour, 0.25), (1, colour, 0)])


def orb(frame):
    t = 2 * math.pi * frame / FRAMES
    defs = glow("light", "#5ec8ff") + glow("core", "#bff0ff") + blur("soft", 3)
    breath = 1 + 0.06 * math.sin(t)
    body = ellipse(MIDDLE, MIDDLE, 112 * breath, 112 * breath, fill="url(#light)", opacity=0.9)
    for k in range(3):
        # Rings around the orb, each tilted by a third of a turn.
        ring = ellipse(
            0, 0, 84, 26 + 5 * math.sin(t + 2.1 * k), fill="none", stroke="#d8f6ff", stroke_width=4,
            opacity=0.75, filter="url(#soft)")
        body += group(ring, transform=f"translate({MIDDLE} {MIDDLE}) rotate({60 * k + 18 * math.sin(t):.2f})")
    body += ellipse(MIDDLE, MIDDLE, 40 * breath, 40 * breath, fill="url(#core)")
    for k in range(7):
        angle = t + 2 * math.pi * k / 7
        radius = 62 + 26 * math.sin(2 * t + 1.7 * k)
        body += sparkle(
            MIDDLE + radius * math.cos(angle), MIDDLE + 0.85 * radius * math.sin(angle),
            9 + 4 * math.sin(3 * t + k), 0.55 + 0.4 * math.sin(2 * t + 2.4 * k))
    return document(SIDE, SIDE, body, defs)


def spark(frame):
    t = 2 * math.pi * frame / FRAMES
    defs = glow("light", "#ffd45e")
    body = ellipse(MIDDLE, MIDDLE, 70 + 8 * math.sin(t), 70 + 8 * math.sin(t), fill="url(#light)", opacity=0.9)
    star = sparkle(0, 0, 84 + 12 * math.sin(2 * t), 0.95)
    body += group(star, transform=f"translate({MIDDLE} {MIDDLE}) rotate({360 * frame / FRAMES / 4:.2f})")
    for k in range(8):
        # Embers that fly outwards and fade.
        way = (frame / FRAMES + k * 0.37) % 1
        angle = 2.4 * k
        body += sparkle(
            MIDDLE + (20 + 90 * way) * math.cos(angle), MIDDLE + (20 + 90 * way) * math.sin(angle) + 20 * way * way,
            12 * (1 - 0.6 * way), min(1, way / 0.1) * (1 - way), "#ffe9a8")
    return document(SIDE, SIDE, body, defs)


def stars(frame):
    defs = glow("light", "#ff8ad0")
    body = ""
    for k in range(12):
        # A ring of stars that opens, over and over, each a little later than the one before.
        way = (frame / FRAMES + k / 3) % 1
        angle = 2 * math.pi * k / 12 + 0.4 * way
        radius = 34 + 74 * way ** 0.7
        x, y = MIDDLE + radius * math.cos(angle), MIDDLE + radius * math.sin(angle)
        opacity = min(1, way / 0.15) * min(1, (1 - way) / 0.35)
        size = 9 + 13 * math.sin(math.pi * min(1, way + 0.15))
        body += ellipse(x, y, size, size, fill="url(#light)", opacity=f"{0.8 * opacity:.3f}")
        body += sparkle(x, y, size, opacity, "#fff3fb" if k % 2 else "#ffe36e")
    return document(SIDE, SIDE, body, defs)


def drawings():
    for frame in range(FRAMES):
        yield f"orb/orb_{frame}", orb(frame)
        yield f"spark/spark_{frame}", spark(frame)
        yield f"stars/stars_{frame}", stars(frame)

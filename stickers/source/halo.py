"""A golden ring that hovers and glints, and rosy cheeks."""

import math

from svg import blur, document, ellipse, group, linear, path, radial, sparkle

WIDTH, HEIGHT, FRAMES = 384, 176, 41


def arc(cx, cy, rx, ry, front):
    """The nearer or the farther half of the ring."""
    sweep = 0 if front else 1
    return f"M {cx - rx} {cy} A {rx} {ry} 0 0 {sweep} {cx + rx} {cy}"


def ring(frame):
    turn = 2 * math.pi * frame / FRAMES
    cx, cy = WIDTH / 2, HEIGHT / 2 + 5 * math.sin(turn)
    rx, ry = 148, 46 + 2 * math.sin(turn + 1)
    glow = 0.5 + 0.12 * math.sin(2 * turn)
    defs = (
        blur("soft", 9) + blur("fine", 1.1)
        + linear("back", [(0, "#b9770e"), (0.5, "#e9b12e"), (1, "#b9770e")], x2=1, y2=0)
        + linear("front", [(0, "#d8931a"), (0.3, "#ffd75e"), (0.55, "#fff0a8"), (0.75, "#ffd04a"), (1, "#d8931a")], x2=1, y2=0)
    )
    body = ellipse(cx, cy, rx, ry, fill="none", stroke="#ffe27a", stroke_width=34, opacity=f"{glow:.3f}", filter="url(#soft)")
    body += ellipse(cx, cy, rx, ry, fill="none", stroke="#8a5206", stroke_width=21)
    for front in (False, True):
        d = arc(cx, cy, rx, ry, front)
        body += path(d, fill="none", stroke="url(#front)" if front else "url(#back)", stroke_width=17)
        light = arc(cx, cy - 3.5, rx - 1, ry, front)
        body += path(light, fill="none", stroke="#fffbe0", stroke_width=4.6 if front else 3.4, stroke_linecap="round",
                     opacity=0.85 if front else 0.45, filter="url(#fine)")
        shade = arc(cx, cy + 5, rx - 3, ry, front)
        body += path(shade, fill="none", stroke="#9a5f08", stroke_width=3.2, stroke_linecap="round",
                     opacity=0.5, filter="url(#fine)")
    for k in range(3):
        a = turn + 2 * math.pi * k / 3
        x, y = cx + rx * math.cos(a), cy + ry * math.sin(a)
        near = 0.55 + 0.45 * math.sin(a)
        size = (12 + 18 * near) * (0.75 + 0.25 * math.sin(5 * turn + 2 * k))
        body += ellipse(x, y, size * 0.55, size * 0.55, fill="#fff6c2", opacity=f"{0.5 * near + 0.2:.3f}", filter="url(#soft)")
        body += sparkle(x, y, size, 0.5 + 0.5 * near)
    return document(WIDTH, HEIGHT, body, defs)


def blush(frame):
    """One cheek; it glows a little stronger and weaker."""
    strength = 0.62 + 0.06 * math.sin(2 * math.pi * frame / 8)
    defs = radial("rose", [(0, "#ff5f7a", strength), (0.45, "#ff6f86", strength * 0.72), (1, "#ff8c9c", 0)]) + blur("soft", 0.8)
    body = ellipse(96, 60, 94, 58, fill="url(#rose)")
    strokes = "".join(path(f"M {x} 74 L {x + 15} 46", stroke="#e2405f", stroke_width=5, stroke_linecap="round", opacity=0.5) for x in (60, 87, 114))
    return document(192, 120, body + group(strokes, filter="url(#soft)"), defs)


def drawings():
    for frame in range(FRAMES):
        yield f"ring/ring_{frame}", ring(frame)
    for frame in range(8):
        yield f"blush/blush_{frame}", blush(frame)

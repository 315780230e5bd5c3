"""A Venetian half mask, on the skin's own surface: velvet, gold braid, and stones."""

import math

from svg import blur, curve, document, ellipse, group, linear, mirrored, path, radial, sparkle, stroke

SIDE = 1024
# The left half's edge from the middle of the brow round to the nose's tip.
EDGE = [(512, 282), (460, 258), (380, 226), (286, 216), (204, 212), (136, 238), (90, 308), (70, 390), (108, 470),
        (176, 540), (272, 566), (360, 548), (424, 520), (462, 548), (490, 562), (512, 566)]
EYE = [(262, 396), (292, 362), (350, 344), (412, 356), (452, 398), (462, 416), (424, 428), (362, 434), (300, 424)]


def ring(points, spacing):
    """Places along a closed curve, so far apart."""
    out, left = [], 0.0
    dense = []
    n = len(points)
    for k in range(n):
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = (points[(k + j) % n] for j in (-1, 0, 1, 2))
        for s in range(24):
            t = s / 24
            def at(a, b, c, d):
                return b + t * (c - a) / 2 + t * t * (a - 2.5 * b + 2 * c - d / 2) + t ** 3 * (-a / 2 + 1.5 * b - 1.5 * c + d / 2)
            dense.append((at(x0, x1, x2, x3), at(y0, y1, y2, y3)))
    for (ax, ay), (bx, by) in zip(dense, dense[1:] + dense[:1]):
        length = math.hypot(bx - ax, by - ay)
        while left < length:
            share = left / length
            out.append((ax + (bx - ax) * share, ay + (by - ay) * share))
            left += spacing
        left -= length
    return out


def drawings():
    whole = EDGE + [(SIDE - x, y) for x, y in EDGE[-2:0:-1]]
    hole = curve(EYE)
    other = curve([(SIDE - x, y) for x, y in EYE])
    holes = f'<path d="{hole}" fill="black"/><path d="{other}" fill="black"/>'
    defs = (
        radial("velvet", [(0, "#b3123f"), (0.55, "#7d0a35"), (1, "#3c0524")], cy=0.35, r=0.62)
        + linear("gold", [(0, "#fff3b0"), (0.35, "#e8b93f"), (0.7, "#a8741a"), (1, "#f3d272")])
        + radial("pearl", [(0, "#ffffff"), (0.55, "#f2e6d8"), (1, "#a8917a")], cx=0.35, cy=0.32, r=0.75)
        + radial("stone", [(0, "#c9fff2"), (0.45, "#1fb58f"), (1, "#064d3d")], cx=0.36, cy=0.3, r=0.8)
        + radial("ruby", [(0, "#ffd0e2"), (0.4, "#ff3f7d"), (1, "#7a0634")], cx=0.36, cy=0.3, r=0.8)
        + linear("light", [(0, "#fff", 0.35), (0.45, "#fff", 0.05), (1, "#000", 0.3)]) + blur("soft", 8) + blur("fine", 1.2)
        + f'<mask id="cut"><rect width="1024" height="1024" fill="white"/>{holes}</mask>'
        + f'<clipPath id="inside"><path d="{curve(whole)}"/></clipPath>'
    )
    velvet = path(curve(whole), fill="url(#velvet)") + path(curve(whole), fill="url(#light)")
    # Scrolls of thread over the brow and the cheeks.
    scrolls = ""
    for points in (
        [(488, 300), (440, 284), (392, 276), (346, 286), (330, 312), (350, 330), (374, 318), (366, 304)],
        [(340, 262), (282, 248), (226, 252), (188, 280), (190, 316), (220, 326), (238, 304), (222, 292)],
        [(216, 240), (176, 240), (136, 270), (118, 316), (128, 350), (154, 348), (160, 328)],
        [(110, 372), (106, 424), (142, 474), (196, 482), (218, 456), (200, 434), (180, 448)],
        [(222, 502), (272, 524), (330, 516), (360, 488), (344, 466), (318, 472), (322, 490)],
        [(232, 392), (200, 372), (162, 366), (140, 344), (158, 328), (172, 342)],
        [(444, 486), (410, 472), (384, 480), (380, 500)],
    ):
        widths = [3 + 5 * math.sin(math.pi * (k + 0.6) / len(points)) for k in range(len(points))]
        scrolls += path(stroke([(x + 2, y + 3) for x, y in points], widths), fill="#2a0216", opacity=0.55)
        scrolls += path(stroke(points, widths), fill="url(#gold)")
    for x, y in ((410, 300), (300, 280), (176, 270), (120, 400), (170, 430), (290, 545), (250, 470), (152, 306), (255, 340)):
        scrolls += ellipse(x, y, 4.5, 4.5, fill="#ffe9a0")
    body = velvet + mirrored(group(scrolls, clip_path="url(#inside)"), SIDE)
    for edge in (EYE, [(SIDE - x, y) for x, y in EYE]):
        body += path(curve(edge), fill="none", stroke="#22010f", stroke_width=34, opacity=0.5, filter="url(#soft)")
        body += path(curve(edge), fill="none", stroke="url(#gold)", stroke_width=24)
        body += path(curve(edge), fill="none", stroke="#7a5210", stroke_width=25, stroke_dasharray="3 9", opacity=0.55)
    body = group(body, mask="url(#cut)")
    body += path(curve(whole), fill="none", stroke="#5d3d0a", stroke_width=19, stroke_linejoin="round")
    body += path(curve(whole), fill="none", stroke="url(#gold)", stroke_width=14, stroke_linejoin="round")
    for x, y in ring(whole, 23):
        body += ellipse(x, y, 7.4, 7.4, fill="url(#pearl)", stroke="#7d6a52", stroke_width=0.8)
    gems = ellipse(238, 366, 12, 15, fill="url(#gold)") + ellipse(238, 366, 8.5, 11.5, fill="url(#ruby)")
    gems += ellipse(186, 262, 12, 12, fill="url(#gold)") + ellipse(186, 262, 8.5, 8.5, fill="url(#stone)")
    body += mirrored(gems, SIDE)
    body += path("M 512 232 L 540 292 L 512 352 L 484 292 Z", fill="url(#gold)", stroke="#6b470c", stroke_width=3, stroke_linejoin="round")
    body += path("M 512 248 L 531 292 L 512 336 L 493 292 Z", fill="url(#stone)") + path("M 512 248 L 531 292 L 512 292 Z", fill="#eafff8", opacity=0.5)
    body += sparkle(505, 276, 16, 0.9) + sparkle(832, 252, 13, 0.8)
    yield "mask", document(SIDE, SIDE, body, defs)

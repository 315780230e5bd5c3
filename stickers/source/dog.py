"""Floppy ears, a wet nose, and a tongue that hangs out of an open mouth."""

import math

from svg import blur, document, ellipse, group, linear, mirrored, path, radial

TONGUE_FRAMES = 10


def ear():
    defs = (
        linear("coat", [(0, "#b9793f"), (0.5, "#8f5526"), (1, "#5d3313")])
        + linear("inner", [(0, "#d99a86"), (1, "#a85f55")])
        + blur("soft", 7) + blur("fine", 1.6)
    )
    outer = "M 196 66 C 176 24 118 4 76 28 C 30 54 8 132 14 206 C 17 244 40 262 62 250 C 98 230 108 178 134 146 C 152 124 190 112 196 66 Z"
    inner = "M 150 66 C 122 48 88 58 68 92 C 48 128 40 178 44 212 C 58 214 72 186 86 160 C 104 126 146 112 150 66 Z"
    ear = path(outer, fill="#000", opacity=0.28, filter="url(#soft)", transform="translate(0 8)")
    ear += path(outer, fill="url(#coat)", stroke="#38200d", stroke_width=5, stroke_linejoin="round")
    ear += path(inner, fill="url(#inner)", opacity=0.85, filter="url(#fine)")
    ear += path(inner, fill="none", stroke="#5d3313", stroke_width=5, opacity=0.45, filter="url(#fine)")
    fur = "M 62 46 C 40 72 26 116 24 158 M 92 32 C 74 40 60 52 50 66 M 120 28 C 108 28 98 30 90 34 M 40 232 C 34 222 30 210 29 196 M 60 240 C 52 236 46 228 43 218 M 170 78 C 164 94 152 106 138 116 M 182 62 C 180 76 174 90 166 100"
    ear += path(fur, fill="none", stroke="#e2ae74", stroke_width=4.5, stroke_linecap="round", opacity=0.75, filter="url(#fine)")
    ear += path("M 70 232 C 84 214 92 192 104 172 M 84 226 C 96 206 102 190 112 176", fill="none", stroke="#38200d", stroke_width=4, stroke_linecap="round", opacity=0.5, filter="url(#fine)")
    return document(210, 270, ear, defs)


def turned(drawing):
    """The same in a mirror."""
    head, body = drawing.split("</defs>", 1)
    return head + "</defs>" + group(body.removesuffix("</svg>"), transform="translate(210 0) scale(-1 1)") + "</svg>"


def nose():
    defs = (
        radial("skin", [(0, "#6b5f66"), (0.45, "#36292e"), (1, "#140c0f")], cx=0.45, cy=0.25, r=0.75)
        + radial("muzzle", [(0, "#fff3e2", 0.95), (0.7, "#f2d9b8", 0.75), (1, "#e6bf92", 0)])
        + blur("soft", 3.5) + blur("fine", 1)
    )
    body = ellipse(128, 120, 124, 66, fill="url(#muzzle)")
    shape = "M 128 38 C 172 34 206 50 204 80 C 202 108 162 134 128 140 C 94 134 54 108 52 80 C 50 50 84 34 128 38 Z"
    body += path(shape, fill="#000", opacity=0.3, filter="url(#soft)", transform="translate(0 6)")
    body += path(shape, fill="url(#skin)", stroke="#0b0507", stroke_width=4)
    body += mirrored(path("M 84 96 C 74 84 86 70 102 80 C 112 88 108 104 96 104 C 90 104 86 100 84 96 Z", fill="#050203"), 256)
    body += path("M 128 108 L 128 138", stroke="#050203", stroke_width=4, stroke_linecap="round")
    body += path("M 84 60 C 98 48 128 44 150 48 C 160 52 150 60 128 60 C 108 60 92 68 86 70 C 80 70 80 64 84 60 Z", fill="#fff", opacity=0.72, filter="url(#fine)")
    body += ellipse(172, 66, 9, 6, fill="#fff", opacity=0.5, filter="url(#fine)")
    dots = "".join(ellipse(x, y, 4, 4, fill="#7a4d2a", opacity=0.75) for x, y in ((40, 120), (58, 136), (34, 142), (52, 156)))
    whiskers = path("M 40 121 C 24 116 12 114 2 116 M 34 142 C 22 142 12 145 3 149", fill="none", stroke="#5d4630", stroke_width=2.4, stroke_linecap="round", opacity=0.8)
    return document(256, 192, body + mirrored(dots + whiskers, 256), defs)


def tongue(frame):
    swing = 7 * math.sin(2 * math.pi * frame / TONGUE_FRAMES)
    reach = 1 + 0.05 * math.cos(4 * math.pi * frame / TONGUE_FRAMES)
    tip = 236 * reach
    defs = (
        linear("flesh", [(0, "#a82f45"), (0.25, "#e0526b"), (0.7, "#f58497"), (1, "#ee6a82")])
        + blur("soft", 5) + blur("fine", 2)
    )
    left, right = 30 + swing * 0.6, 162 + swing * 0.6
    shape = (f"M 44 8 C 40 70 {left:.1f} 110 {left:.1f} {tip - 76:.1f} C {left:.1f} {tip - 20:.1f} {62 + swing:.1f} {tip:.1f} {96 + swing:.1f} {tip:.1f} "
             f"C {130 + swing:.1f} {tip:.1f} {right:.1f} {tip - 20:.1f} {right:.1f} {tip - 76:.1f} C {right:.1f} 110 152 70 148 8 C 130 -2 62 -2 44 8 Z")
    body = path(shape, fill="#000", opacity=0.25, filter="url(#soft)", transform="translate(0 5)")
    body += path(shape, fill="url(#flesh)", stroke="#7d1d31", stroke_width=5, stroke_linejoin="round")
    body += path(f"M 96 14 C 96 80 {96 + swing:.1f} 130 {96 + swing:.1f} {tip - 62:.1f}", fill="none", stroke="#a82f45", stroke_width=8, stroke_linecap="round", opacity=0.7, filter="url(#fine)")
    body += path(f"M {58 + swing * 0.5:.1f} 90 C {50 + swing * 0.6:.1f} 130 {48 + swing * 0.8:.1f} 160 {54 + swing:.1f} {tip - 56:.1f}", fill="none", stroke="#ffd3da", stroke_width=11, stroke_linecap="round", opacity=0.75, filter="url(#fine)")
    return document(192, 256, body, defs)


def drawings():
    yield "ear-left", ear()
    yield "ear-right", turned(ear())
    yield "nose", nose()
    for frame in range(TONGUE_FRAMES):
        yield f"tongue/tongue_{frame}", tongue(frame)

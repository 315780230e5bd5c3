"""A waxed handlebar moustache, hair by hair."""

import math

from svg import blur, document, group, linear, mirrored, path

WIDTH, HEIGHT = 512, 176


def drawings():
    defs = (
        linear("hair", [(0, "#7a4d2a"), (0.4, "#57331a"), (1, "#2e180a")])
        + blur("soft", 6) + blur("fine", 0.7)
    )
    shape = ("M 256 62 C 236 34 196 30 164 54 C 132 78 96 104 62 92 C 40 84 34 60 52 48 "
             "C 62 42 74 48 72 60 C 60 54 52 66 64 72 C 78 78 90 64 92 50 "
             "C 82 22 30 18 16 62 C 4 108 50 152 116 146 C 176 140 226 122 256 88 Z")
    half = path(shape, fill="url(#hair)", stroke="#1c0d04", stroke_width=4, stroke_linejoin="round")
    hairs = ""
    for k in range(15):
        t = k / 14
        y0 = 50 + 40 * t
        hairs += path(
            f"M {250 - 10 * t:.0f} {y0 + 8:.0f} C {210 - 4 * t:.0f} {36 + 62 * t:.0f} {160 - 8 * t:.0f} {70 + 58 * t:.0f} {92 - 22 * math.sin(3 * t):.0f} {104 + 34 * t:.0f}",
            fill="none", stroke="#b98653" if k % 3 == 0 else "#1f0f05",
            stroke_width=2.6 if k % 3 == 0 else 2.2, stroke_linecap="round", opacity=0.62 if k % 3 == 0 else 0.5)
    hairs += path("M 96 108 C 60 112 28 96 26 66 C 28 44 52 34 70 42", fill="none", stroke="#b98653", stroke_width=2.6, opacity=0.6, stroke_linecap="round")
    hairs += path("M 110 124 C 60 128 22 104 20 72", fill="none", stroke="#1f0f05", stroke_width=2.2, opacity=0.5, stroke_linecap="round")
    half += group(hairs, clip_path="url(#shape)", filter="url(#fine)")
    half += path("M 238 52 C 214 38 188 46 160 66", fill="none", stroke="#d9a974", stroke_width=5, opacity=0.5, stroke_linecap="round", filter="url(#fine)")
    defs += f'<clipPath id="shape"><path d="{shape}"/></clipPath>'
    shadow = group(mirrored(path(shape, fill="#000"), WIDTH), transform="translate(0 7)", opacity=0.26, filter="url(#soft)")
    yield "moustache", document(WIDTH, HEIGHT, shadow + mirrored(half, WIDTH), defs)

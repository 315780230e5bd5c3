"""Round sunglasses: tortoiseshell frame, graded lenses, a window's reflection.

In four pieces, since they stand in the head's space: two halves, which reach a little over each
other at the bridge, and two arms.
"""

from svg import blur, document, ellipse, group, linear, mirrored, path, radial

WIDTH, HEIGHT = 512, 216
# What a half shows of the whole drawing, and how large an arm is.
HALF = 223
ARM = (256, 48)


def half(body, defs, left):
    return document(HALF, HEIGHT, group(body, transform=f"translate({-left} 0)"), defs)


def arm():
    defs = linear("frame", [(0, "#7a4a22"), (0.45, "#4a2810"), (1, "#2c1608")]) + blur("soft", 3)
    shape = "M 254 6 L 254 40 L 236 40 L 30 32 Q 4 30 4 24 Q 4 17 30 16 L 232 8 Z"
    body = path(shape, fill="#000", opacity=0.25, filter="url(#soft)", transform="translate(0 4)")
    body += path(shape, fill="url(#frame)", stroke="#1d0d03", stroke_width=3, stroke_linejoin="round")
    body += path("M 240 14 L 34 20", stroke="#b7773a", stroke_width=3, stroke_linecap="round", opacity=0.7)
    return body, defs


def drawings():
    # The pupils are 512 / 2.35 pixels apart when worn.
    cx, cy, rx, ry = 147, 108, 88, 82
    defs = (
        linear("lens", [(0, "#1c2233", 0.9), (0.55, "#3b4a6b", 0.72), (1, "#8fa5c9", 0.42)])
        + linear("frame", [(0, "#7a4a22"), (0.45, "#4a2810"), (1, "#2c1608")])
        + radial("spot", [(0, "#c9822f", 0.9), (1, "#8a4d1a", 0)])
        + linear("shine", [(0, "#ffffff", 0.75), (1, "#ffffff", 0.05)], x2=1, y2=1)
        + blur("soft", 5) + blur("fine", 1.4)
        + f'<clipPath id="glass"><ellipse cx="{cx}" cy="{cy}" rx="{rx - 6}" ry="{ry - 6}"/></clipPath>'
        + f'<mask id="rim"><rect width="512" height="216" fill="black"/><ellipse cx="{cx}" cy="{cy}" rx="{rx}" ry="{ry}" fill="none" stroke="white" stroke-width="19"/></mask>'
    )
    shadow = ellipse(cx, cy + 7, rx, ry, fill="none", stroke="#000", stroke_width=20, opacity=0.28, filter="url(#soft)")
    lens = ellipse(cx, cy, rx - 4, ry - 4, fill="url(#lens)")
    shine = group(
        path("M 78 96 Q 96 44 152 36 L 176 42 Q 118 58 100 116 Z", fill="url(#shine)", opacity=0.8)
        + path("M 108 128 Q 122 78 190 50 L 200 58 Q 142 86 124 142 Z", fill="url(#shine)", opacity=0.45)
        + ellipse(cx + 8, cy + 62, 52, 14, fill="#dfeaff", opacity=0.22, filter="url(#soft)"),
        clip_path="url(#glass)")
    frame = ellipse(cx, cy, rx, ry, fill="none", stroke="#1d0d03", stroke_width=22)
    frame += ellipse(cx, cy, rx, ry, fill="none", stroke="url(#frame)", stroke_width=17)
    spots = "".join(ellipse(x, y, r, r * 0.7, fill="url(#spot)") for x, y, r in
                    ((70, 70, 22), (104, 34, 18), (170, 30, 20), (222, 78, 20), (228, 140, 22), (180, 184, 22), (106, 182, 20), (62, 138, 22)))
    frame += group(spots, mask="url(#rim)")
    frame += ellipse(cx, cy - 2.5, rx + 2, ry + 2, fill="none", stroke="#e7b277", stroke_width=2.5, opacity=0.55, stroke_dasharray="150 420", stroke_dashoffset="-285", filter="url(#fine)")
    bridge = path("M 226 92 Q 256 62 286 92 L 282 108 Q 256 82 230 108 Z", fill="url(#frame)", stroke="#1d0d03", stroke_width=3, stroke_linejoin="round")
    bridge += path("M 234 88 Q 256 70 278 88", fill="none", stroke="#d79a5b", stroke_width=3, stroke_linecap="round", opacity=0.8)
    body = mirrored(shadow, WIDTH) + bridge + mirrored(lens, WIDTH)
    # Light comes from one side: reflections are not mirrored.
    body += shine + group(shine, transform=f"translate({WIDTH - 2 * cx} 0)") + mirrored(frame, WIDTH)
    yield "left", half(body, defs, 42)
    yield "right", half(body, defs, WIDTH - 42 - HALF)
    side, defs = arm()
    yield "arm-left", document(*ARM, side, defs)
    yield "arm-right", document(*ARM, group(side, transform=f"translate({ARM[0]} 0) scale(-1 1)"), defs)

"""Face paint, on the skin's own surface: a butterfly over the eyes, and a tiger.

Drawn in the layout of face.svg at 1024 x 1024: eyes at (362, 392) and (662, 392), the nose's tip at
(512, 540), the mouth's corners at (390, 710) and (634, 710).
"""

from svg import blur, curve, document, ellipse, group, linear, mirrored, path, radial, stroke

SIDE = 1024
UPPER = [(497, 372), (470, 300), (415, 205), (330, 150), (225, 140), (135, 195), (95, 290), (112, 372),
         (185, 425), (290, 452), (400, 452), (478, 425)]
LOWER = [(486, 446), (420, 462), (320, 466), (222, 478), (182, 545), (205, 622), (262, 662), (300, 640),
         (345, 655), (392, 622), (430, 560), (470, 505)]


def butterfly():
    defs = (
        radial("upper", [(0, "#fff2a8"), (0.3, "#ffb338"), (0.58, "#f2458b"), (0.82, "#7a2bbf"), (1, "#2a1a78")], cx=0.86, cy=0.72, r=0.95)
        + radial("lower", [(0, "#ffe27a"), (0.35, "#ff7a59"), (0.68, "#c92f9e"), (1, "#38208c")], cx=0.86, cy=0.12, r=0.98)
        + radial("spot", [(0, "#c8fbff"), (0.5, "#3fc4f2"), (1, "#1c4fb8")])
        + linear("body", [(0, "#3a2a63"), (0.5, "#17102e"), (1, "#0b0718")])
        + blur("soft", 5) + blur("powder", 11)
        + f'<clipPath id="inUpper"><path d="{curve(UPPER)}"/></clipPath>'
        + f'<clipPath id="inLower"><path d="{curve(LOWER)}"/></clipPath>'
    )
    wing = path(curve(UPPER), fill="url(#upper)", opacity=0.4, filter="url(#powder)")
    wing += path(curve(UPPER), fill="url(#upper)")
    # Dark rims that grow toward the tips, and veins that leave the body.
    rim = path(curve(UPPER), fill="none", stroke="#160c33", stroke_width=62, opacity=0.85, filter="url(#soft)")
    for tip in ((412, 172), (300, 128), (182, 150), (98, 240), (96, 330), (170, 425), (290, 466)):
        x, y = tip
        rim += path(stroke([(x, y), ((x + 500) / 2 - 20, (y + 400) / 2), (470, 398)], [30, 7, 3]), fill="#160c33", opacity=0.82)
    wing += group(rim, clip_path="url(#inUpper)")
    for x, y, r in ((395, 196, 8), (344, 168, 9.5), (288, 156, 10.5), (230, 158, 10.5), (178, 180, 10), (138, 217, 9.5),
                    (113, 262, 9), (106, 312, 8), (122, 358, 7), (158, 395, 6), (206, 420, 5.5)):
        wing += ellipse(x, y, r, r, fill="#fff7e0")
    wing += path(curve(UPPER), fill="none", stroke="#120a2b", stroke_width=7, stroke_linejoin="round")
    # The forehead is no wider than this.
    upper = group(wing, transform="translate(497 410) scale(0.87) translate(-497 -410)")
    wing = path(curve(LOWER), fill="url(#lower)", opacity=0.4, filter="url(#powder)") + path(curve(LOWER), fill="url(#lower)")
    rim = path(curve(LOWER), fill="none", stroke="#1a0d38", stroke_width=42, opacity=0.85, filter="url(#soft)")
    for x, y in ((200, 560), (258, 660), (345, 655), (420, 590)):
        rim += path(stroke([(x, y), ((x + 480) / 2, (y + 456) / 2), (474, 458)], [24, 6, 3]), fill="#1a0d38", opacity=0.8)
    wing += group(rim, clip_path="url(#inLower)")
    for x, y, r in ((198, 520, 7), (197, 566, 7.5), (214, 609, 7.5), (246, 640, 7), (318, 640, 6), (368, 628, 6.5), (404, 592, 6)):
        wing += ellipse(x, y, r, r, fill="#fff7e0")
    wing += ellipse(262, 552, 31, 34, fill="#1a0d38") + ellipse(262, 552, 22, 25, fill="url(#spot)") + ellipse(256, 545, 6, 7, fill="#fff")
    wing += path(curve(LOWER), fill="none", stroke="#120a2b", stroke_width=6, stroke_linejoin="round")
    wing += path(stroke([(505, 300), (492, 235), (462, 180), (424, 150), (408, 168), (424, 182)], [8, 7, 6, 5.5, 5, 4]), fill="#160c33")
    body = mirrored(wing + upper, SIDE)
    body += path(stroke([(512, 292), (512, 325), (512, 380), (512, 440), (512, 500), (512, 536)], [16, 30, 26, 30, 20, 4]), fill="url(#body)")
    for y in (350, 376, 402, 428, 454):
        body += path(f"M 500 {y} q 12 7 24 0", fill="none", stroke="#ffc14d", stroke_width=4.5, opacity=0.85, stroke_linecap="round")
    body += ellipse(512, 306, 15, 16, fill="#241548") + ellipse(507, 301, 4, 4, fill="#b9a6ff")
    return document(SIDE, SIDE, body, defs)


def tiger():
    defs = (
        radial("fur", [(0, "#ffb347"), (0.55, "#f58a1f"), (1, "#c9590f")], cy=0.4, r=0.6)
        + linear("nose", [(0, "#ff9f9a"), (1, "#b8474f")]) + blur("soft", 9) + blur("wide", 20) + blur("fine", 1.6)
    )
    body = '<rect width="1024" height="1024" fill="url(#fur)"/>'
    white = path(curve([(240, 335), (300, 288), (392, 292), (455, 345), (440, 372), (362, 345), (275, 362)]), fill="#fff8ec")
    white += path(curve([(500, 600), (440, 596), (378, 615), (330, 668), (330, 740), (380, 800), (440, 860), (512, 900), (512, 600)]), fill="#fff8ec")
    white += path(curve([(262, 452), (330, 446), (410, 452), (420, 482), (345, 500), (272, 492)]), fill="#fff4e2", opacity=0.85)
    white += path(curve([(40, 560), (130, 540), (205, 600), (190, 700), (120, 760), (60, 690)]), fill="#fff4e2", opacity=0.9)
    body += mirrored(group(white, filter="url(#soft)"), SIDE)
    body += path(stroke([(512, 300), (512, 420), (512, 530)], [46, 60, 84]), fill="#f7a540", opacity=0.9, filter="url(#wide)")
    lines = [
        # The brow's fan.
        ([(468, 128), (476, 190), (492, 246), (500, 300)], [4, 24, 16, 3]),
        ([(398, 122), (412, 180), (440, 232), (468, 268)], [4, 26, 18, 3]),
        ([(318, 140), (330, 196), (366, 240), (408, 262)], [4, 26, 18, 3]),
        ([(236, 180), (246, 226), (280, 258), (322, 268)], [4, 24, 16, 3]),
        # From the temples and the cheeks toward the nose.
        ([(92, 262), (146, 292), (196, 318), (240, 330)], [4, 26, 18, 3]),
        ([(52, 372), (112, 386), (172, 398), (232, 402)], [4, 28, 18, 3]),
        ([(30, 470), (100, 470), (168, 474), (226, 486)], [4, 30, 20, 3]),
        ([(26, 600), (98, 572), (170, 556), (246, 552)], [4, 32, 22, 3]),
        ([(54, 720), (120, 668), (190, 626), (272, 606)], [4, 32, 22, 3]),
        ([(110, 812), (168, 756), (222, 706), (286, 672)], [4, 28, 20, 3]),
        ([(196, 884), (240, 830), (276, 790), (316, 762)], [4, 24, 16, 3]),
        ([(300, 936), (330, 890), (356, 860), (384, 836)], [4, 20, 14, 3]),
        # Beside the nose.
        ([(452, 446), (436, 470), (430, 500), (432, 528)], [3, 13, 11, 3]),
    ]
    black = "".join(path(stroke(p, w), fill="#1a0f0a") for p, w in lines)
    # Round the eye, with the corner drawn out toward the nose.
    black += path(stroke([(228, 366), (276, 350), (350, 338), (420, 360), (452, 404), (470, 440)], [3, 16, 18, 16, 14, 3]), fill="#1a0f0a")
    black += path(stroke([(272, 404), (310, 430), (366, 438), (420, 428), (448, 412)], [3, 10, 10, 9, 3]), fill="#1a0f0a")
    body += group(mirrored(black, SIDE), filter="url(#fine)")
    body += path(curve([(458, 540), (512, 522), (566, 540), (560, 574), (534, 600), (512, 606), (490, 600), (464, 574)]), fill="url(#nose)", stroke="#1a0f0a", stroke_width=7)
    body += path(stroke([(512, 604), (512, 640), (512, 664)], [9, 11, 4]), fill="#1a0f0a")
    dots = "".join(ellipse(x, y, 6, 5.4, fill="#1a0f0a") for x, y in
                   ((372, 640), (406, 634), (440, 632), (358, 664), (392, 660), (426, 656)))
    body += mirrored(dots, SIDE)
    return document(SIDE, SIDE, body, defs)


def drawings():
    yield "butterfly", butterfly()
    yield "tiger", tiger()

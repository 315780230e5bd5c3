"""Writes the SVG drawings of the backgrounds, 1920x1080: draw.py FOLDER."""

import math
import pathlib
import random
import sys

WIDTH, HEIGHT = 1920, 1080


def svg(body, blur=0, defs=""):
    """A drawing; `blur` is the standard deviation in pixels of what is out of the camera's focus."""
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">
<defs>
<filter id="focus" x="-10%" y="-10%" width="120%" height="120%"><feGaussianBlur stdDeviation="{blur}"/></filter>
<filter id="soft" x="-60%" y="-60%" width="220%" height="220%"><feGaussianBlur stdDeviation="42"/></filter>
{defs}
</defs>
<g filter="url(#focus)">
<rect x="-200" y="-200" width="{WIDTH + 400}" height="{HEIGHT + 400}" fill="#888888"/>
{body}
</g>
</svg>
"""


def gradient(name, stops, x2=0, y2=1, kind="linear", extra=""):
    points = "".join(f'<stop offset="{at}" stop-color="{color}"/>' for at, color in stops)
    if kind == "radial":
        return f'<radialGradient id="{name}" {extra}>{points}</radialGradient>'
    return f'<linearGradient id="{name}" x1="0" y1="0" x2="{x2}" y2="{y2}">{points}</linearGradient>'


def box(x, y, width, height, fill, more=""):
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}" {more}/>'


def plant(x, y, size, rng, color=(66, 104, 66)):
    """Leaves that stand in a pot whose rim's middle is at (x, y)."""
    parts = []
    for number in range(15):
        angle = math.radians(-165 + 150 * number / 14 + rng.uniform(-6, 6))
        length = size * rng.uniform(0.7, 1.05)
        tip = (x + length * math.cos(angle), y + length * math.sin(angle))
        side = size * 0.11
        normal = (-math.sin(angle) * side, math.cos(angle) * side)
        middle = (x + 0.55 * length * math.cos(angle), y + 0.55 * length * math.sin(angle) - size * 0.06)
        shade = rng.uniform(0.75, 1.3)
        fill = "#%02x%02x%02x" % tuple(min(255, int(part * shade)) for part in color)
        parts.append(
            f'<path d="M{x:.0f} {y:.0f} Q{middle[0] + normal[0]:.0f} {middle[1] + normal[1]:.0f} {tip[0]:.0f}'
            f' {tip[1]:.0f} Q{middle[0] - normal[0]:.0f} {middle[1] - normal[1]:.0f} {x:.0f} {y:.0f}" fill="{fill}"/>')
    pot = size * 0.32
    parts.append(
        f'<path d="M{x - pot:.0f} {y:.0f} h{2 * pot:.0f} l{-0.3 * pot:.0f} {1.7 * pot:.0f} h{-1.4 * pot:.0f} z"'
        ' fill="#d8d2c8"/>')
    return "".join(parts)


def books(x, y, width, height, rng, colors):
    """Books that stand on a board whose upper edge is at y."""
    parts, end = [], x + width
    while x < end - 14:
        if rng.random() < 0.07:
            x += rng.uniform(20, 70)
            continue
        thick, tall = rng.uniform(16, 44), height * rng.uniform(0.62, 0.96)
        thick = min(thick, end - x)
        fill = rng.choice(colors)
        parts.append(box(x, y - tall, thick - 2, tall, fill))
        parts.append(box(x, y - tall, 4, tall, "#ffffff", 'opacity="0.13"'))
        parts.append(box(x + thick * 0.2, y - tall * 0.82, thick * 0.55, tall * 0.06, "#f4ead2", 'opacity="0.7"'))
        x += thick
    return "".join(parts)


def office():
    rng = random.Random(1)
    defs = (
        gradient("wall", [(0, "#d9d7d2"), (1, "#b9b5ad")], x2=1, y2=0.5)
        + gradient("sky", [(0, "#cfe3f4"), (0.7, "#f2f6f8"), (1, "#e8ece6")])
        + gradient("desk", [(0, "#a98058"), (1, "#7c5a3a")]))
    body = box(-200, -200, 2400, 1500, "url(#wall)")
    # A window with a town in the haze, and its light on the wall.
    body += box(90, 70, 640, 640, "#f5f3ee") + box(115, 95, 590, 590, "url(#sky)")
    for number in range(12):
        tall = rng.uniform(80, 300)
        body += box(115 + 49.2 * number, 685 - tall, 49.2, tall, "#9fb2c0", 'opacity="0.55"')
    body += box(400, 95, 18, 590, "#f5f3ee") + box(115, 360, 590, 14, "#f5f3ee") + box(70, 700, 680, 34, "#ece8e0")
    body += '<path d="M760 120 L1120 60 L1120 760 L760 700 Z" fill="#fff6e0" opacity="0.3" filter="url(#soft)"/>'
    # Shelves with folders.
    body += box(1240, 130, 600, 800, "#8b6a4a") + box(1262, 152, 556, 756, "#6e5238")
    for row in range(3):
        y = 388 + 256 * row
        colors = ["#31475c", "#5c7286", "#c9b48a", "#e6e1d6", "#8a3f36", "#47604c"]
        body += books(1270, y, 540 if row != 1 else 330, 230, rng, colors) + box(1262, y, 556, 20, "#8b6a4a")
    body += plant(1720, 610, 150, rng)
    # A desk with a lamp.
    body += box(-200, 930, 2400, 400, "url(#desk)") + box(-200, 922, 2400, 14, "#c39a6f")
    body += '<path d="M930 930 h120 l-26 -18 h-68 z M978 915 L960 640 L1000 640 L1002 915 Z" fill="#2d3338"/>'
    body += '<path d="M880 640 Q980 520 1080 640 Z" fill="#2d3338"/>'
    body += '<ellipse cx="980" cy="668" rx="130" ry="46" fill="#ffe6a8" opacity="0.75" filter="url(#soft)"/>'
    body += plant(800, 850, 190, rng, (74, 118, 84))
    return svg(body, 7, defs)


def room():
    rng = random.Random(2)
    defs = (
        gradient("wall", [(0, "#e8dccb"), (1, "#cdb99f")])
        + gradient("floor", [(0, "#8d6748"), (1, "#5f432d")])
        + gradient("glow", [(0, "#fff1c9"), (1, "#fff1c900")], kind="radial").replace(
            'stop-color="#fff1c900"', 'stop-color="#fff1c9" stop-opacity="0"')
        + gradient("sofa", [(0, "#5e7a86"), (1, "#435a64")]))
    body = box(-200, -200, 2400, 1080, "url(#wall)") + box(-200, 860, 2400, 500, "url(#floor)")
    body += box(-200, 846, 2400, 26, "#efe6d8")
    # Pictures on the wall.
    for x, y, width, height, color in [(330, 150, 240, 320, "#b7c9c6"), (620, 190, 300, 220, "#d8a884"),
                                       (620, 440, 140, 140, "#86977d"), (780, 440, 140, 140, "#c7b07b")]:
        body += box(x, y, width, height, "#4a3a2c") + box(x + 12, y + 12, width - 24, height - 24, "#f7f2e8")
        body += box(x + 40, y + 40, width - 80, height - 80, color)
        body += f'<circle cx="{x + width * 0.6:.0f}" cy="{y + height * 0.42:.0f}" r="{width * 0.13:.0f}" fill="#f6e7c9"/>'
    # A sofa with cushions.
    body += box(140, 640, 1020, 300, "url(#sofa)", 'rx="46"') + box(90, 720, 170, 260, "#4c646f", 'rx="50"')
    body += box(1040, 720, 170, 260, "#4c646f", 'rx="50"') + box(240, 790, 820, 150, "#6b8894", 'rx="36"')
    for x, color, angle in [(280, "#d9a441", -10), (420, "#efe4d0", 8), (900, "#b8604a", 12)]:
        body += box(x, 660, 150, 150, color, f'rx="26" transform="rotate({angle} {x + 75} 735)"')
    # A floor lamp, and a large plant.
    body += '<circle cx="1460" cy="330" r="520" fill="url(#glow)" opacity="0.85"/>'
    body += box(1453, 420, 14, 520, "#3b3129") + box(1380, 930, 160, 16, "#3b3129", 'rx="8"')
    body += '<path d="M1370 430 L1410 240 H1510 L1550 430 Z" fill="#fff3d2"/>'
    body += plant(1760, 800, 330, rng, (70, 112, 74))
    return svg(body, 8, defs)


def library():
    rng = random.Random(3)
    defs = gradient("shade", [(0, "#000000"), (1, "#000000")]).replace(
        '<stop offset="0" stop-color="#000000"/>', '<stop offset="0" stop-color="#000000" stop-opacity="0.5"/>').replace(
        '<stop offset="1" stop-color="#000000"/>', '<stop offset="1" stop-color="#000000" stop-opacity="0"/>')
    defs += '<radialGradient id="corner" r="0.75"><stop offset="0.5" stop-opacity="0"/><stop offset="1" stop-opacity="0.45"/></radialGradient>'
    colors = ["#7b2d26", "#9c5a3c", "#c19a5b", "#ddc9a3", "#3d4f43", "#2f3e50", "#5b4a63", "#8a7a5c", "#b05a3a", "#4f3a2c"]
    body = box(-200, -200, 2400, 1500, "#4a301d")
    for column in range(-1, 5):
        x = column * 470 + 20
        for row in range(-1, 5):
            y = row * 262 + 232
            body += box(x, y - 232, 420, 232, "#2b1b10")
            body += books(x + 6, y, 408, 222, rng, colors)
            body += box(x, y - 232, 420, 46, "url(#shade)")
            body += box(x - 25, y, 470, 26, "#7a5233") + box(x - 25, y, 470, 5, "#a87a50")
        body += box(x - 40, -200, 34, 1500, "#7a5233") + box(x - 40, -200, 7, 1500, "#a87a50")
    body += box(-200, -200, 2400, 1500, "url(#corner)")
    return svg(body, 5, defs)


def ridge(y, height, rng, fill, steps=4):
    """A ridge of mountains by midpoint displacement, filled down to the lower edge."""
    points, rough = [y + rng.uniform(-height, height) * 0.5 for _ in range(3)], height
    for _ in range(steps + 4):
        finer = []
        for a, b in zip(points, points[1:]):
            finer += [a, (a + b) / 2 + rng.uniform(-rough, rough) * 0.5]
        points, rough = finer + [points[-1]], rough * 0.52
    step = (WIDTH + 200) / (len(points) - 1)
    path = " ".join(f"L{-100 + step * number:.1f} {value:.1f}" for number, value in enumerate(points))
    return f'<path d="M-100 {HEIGHT + 200} {path} L{WIDTH + 100} {HEIGHT + 200} Z" fill="{fill}"/>'


def mountains():
    rng = random.Random(8)
    defs = gradient("sky", [(0, "#7fb0dc"), (0.45, "#cfe2ef"), (0.7, "#f7e6d0"), (1, "#f7e6d0")])
    defs += gradient("mist", [(0, "#f4ece2"), (1, "#f4ece2")]).replace(
        '<stop offset="0" stop-color="#f4ece2"/>', '<stop offset="0" stop-color="#f4ece2" stop-opacity="0"/>')
    body = box(-200, -200, 2400, 1500, "url(#sky)")
    body += '<circle cx="1440" cy="330" r="70" fill="#fffaf0"/><circle cx="1440" cy="330" r="190" fill="#fff3d6" opacity="0.5" filter="url(#soft)"/>'
    for x, y, width in [(300, 190, 420), (1010, 140, 330), (1560, 220, 360)]:
        for part in range(6):
            body += (f'<ellipse cx="{x + width * part / 6:.0f}" cy="{y + rng.uniform(-18, 18):.0f}" rx="{width / 4:.0f}" ry="28"'
                     ' fill="#ffffff" opacity="0.35" filter="url(#soft)"/>')
    layers = [(520, 270, "#a9bdd0"), (610, 250, "#8aa3b8"), (700, 210, "#6b889a"), (800, 170, "#4e6f78"), (900, 130, "#3a5a54")]
    for number, (y, height, fill) in enumerate(layers):
        body += ridge(y, height, rng, fill)
        body += box(-200, y + 60, 2400, 260, "url(#mist)", f'opacity="{0.62 - 0.1 * number:.2f}"')
    body += ridge(1020, 60, rng, "#2c463a")
    return svg(body, 3, defs)


def beach():
    rng = random.Random(5)
    defs = (
        gradient("sky", [(0, "#4f9bd6"), (0.75, "#cbe8f5"), (1, "#f3f6ee")])
        + gradient("sea", [(0, "#2f86ad"), (0.55, "#45b0bd"), (1, "#a6ded6")])
        + gradient("sand", [(0, "#d9c092"), (0.3, "#efdcb2"), (1, "#e2c692")]))
    body = box(-200, -200, 2400, 790, "url(#sky)") + box(-200, 560, 2400, 330, "url(#sea)")
    for number in range(60):
        y = 575 + 240 * rng.random() ** 1.3
        wide = 40 + (y - 560) * rng.uniform(0.5, 1.6)
        body += (f'<ellipse cx="{rng.uniform(-100, 2020):.0f}" cy="{y:.0f}" rx="{wide:.0f}" ry="{2 + (y - 560) / 60:.1f}"'
                 f' fill="#ffffff" opacity="{rng.uniform(0.1, 0.4):.2f}"/>')
    body += '<path d="M-200 850 C200 800 500 890 900 845 S1600 880 2120 830 V1300 H-200 Z" fill="#ffffff" opacity="0.85"/>'
    body += '<path d="M-200 868 C200 820 500 908 900 864 S1600 900 2120 850 V1300 H-200 Z" fill="url(#sand)"/>'
    for x, y, scale in [(260, 200, 1.2), (900, 130, 0.9), (1330, 260, 1.0)]:
        for part in range(8):
            body += (f'<ellipse cx="{x + scale * 44 * part:.0f}" cy="{y - scale * 26 * math.sin(part * 0.45):.0f}" rx="{70 * scale:.0f}"'
                     f' ry="{40 * scale:.0f}" fill="#ffffff" opacity="0.4" filter="url(#soft)"/>')
    # A palm leans in from the right.
    body += '<path d="M1790 1120 C1760 800 1740 560 1640 330 L1670 318 C1790 560 1830 800 1880 1120 Z" fill="#7d6040"/>'
    for angle in [-200, -172, -145, -115, -82, -50, -20, 15]:
        radians, length = math.radians(angle), rng.uniform(330, 430)
        tip = (1655 + length * math.cos(radians), 325 + length * 0.75 * math.sin(radians) + 130)
        bend = (1655 + 0.55 * length * math.cos(radians), 325 + 0.9 * length * math.sin(radians) * 0.75 - 40)
        for side in (-34, 34):
            body += (f'<path d="M1655 325 Q{bend[0]:.0f} {bend[1]:.0f} {tip[0]:.0f} {tip[1]:.0f} Q{bend[0]:.0f}'
                     f' {bend[1] + side:.0f} 1655 325 Z" fill="{rng.choice(["#3f7a4a", "#4d8c55", "#35693f"])}"/>')
    return svg(body, 4, defs)


def studio():
    defs = (
        '<radialGradient id="paper" cx="0.5" cy="0.42" r="0.75"><stop offset="0" stop-color="#8fa0ad"/>'
        '<stop offset="0.45" stop-color="#667682"/><stop offset="1" stop-color="#252d34"/></radialGradient>'
        + gradient("floor", [(0, "#3a444c"), (1, "#1d2328")]))
    rng = random.Random(6)
    body = box(-200, -200, 2400, 1500, "url(#paper)")
    # The mottles of a painted cloth.
    for number in range(90):
        color = "#ffffff" if number % 2 else "#10161b"
        body += (f'<ellipse cx="{rng.uniform(-100, 2020):.0f}" cy="{rng.uniform(-100, 1180):.0f}" rx="{rng.uniform(90, 300):.0f}"'
                 f' ry="{rng.uniform(60, 190):.0f}" fill="{color}" opacity="0.045" filter="url(#soft)"/>')
    return svg(body, 4, defs)


DRAWINGS = {"beach": beach, "library": library, "mountains": mountains, "office": office, "room": room, "studio": studio}


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in DRAWINGS.items():
        (folder / f"{name}.svg").write_text(draw())


main()

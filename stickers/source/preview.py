"""The preview of a pack: its first pictures on a plain drawn face, placed as its meta.json says."""

import base64
import json
import math
import pathlib

from svg import blur, document, ellipse, linear, path, radial

SIZE = 256
# Pupils, and the places of the anchors in pupil distances from between them, up positive.
EYES, UNIT = (128, 128), 50
ANCHORS = {
    "head-top": (0, 1.6), "forehead": (0, 0.62), "eyes": (0, 0), "left-eye": (-0.5, 0),
    "right-eye": (0.5, 0), "nose": (0, -0.62), "mouth": (0, -1), "chin": (0, -1.68),
    "left-cheek": (-0.56, -0.55), "right-cheek": (0.56, -0.55), "face": (0, -0.4),
}
UNDER_NOSE = (0, -0.74)


def face():
    defs = (
        linear("wall", [(0, "#dfe7ee"), (1, "#b7c4d1")]) + radial("skin", [(0, "#f3d2b8"), (1, "#dba987")], cy=0.4, r=0.65)
    )
    body = f'<rect width="{SIZE}" height="{SIZE}" fill="url(#wall)"/>'
    body += path("M 46 256 C 50 216 100 214 104 204 L 152 204 C 156 214 206 216 210 256 Z", fill="#5f7f9e")
    body += path("M 106 180 h 44 v 30 q -22 18 -44 0 Z", fill="#cf9b78")
    body += ellipse(128, 124, 66, 84, fill="#6a4a35")
    body += ellipse(128, 136, 58, 74, fill="url(#skin)")
    for x in (EYES[0] - UNIT / 2, EYES[0] + UNIT / 2):
        body += ellipse(x, 128, 9, 6, fill="#fff") + ellipse(x, 128, 4.6, 5.2, fill="#3b2b22")
        body += path(f"M {x - 12} 114 q 12 -8 24 0", fill="none", stroke="#5a3d2a", stroke_width=4, stroke_linecap="round")
    body += path("M 126 136 q -8 22 2 24", fill="none", stroke="#b98060", stroke_width=3, stroke_linecap="round")
    body += path("M 110 178 q 18 14 36 0", fill="none", stroke="#a8505a", stroke_width=4, stroke_linecap="round")
    return body, defs


PALM, PALM_UNIT = (128, 172), 44


def hand():
    """An open hand, for packs whose first item is on one."""
    defs = linear("wall", [(0, "#3c4656"), (1, "#20262f")])
    body = f'<rect width="{SIZE}" height="{SIZE}" fill="url(#wall)"/>'
    for width, colour in ((30, "#b98664"), (24, "#dba987")):
        for d in ("M 128 270 V 220", "M 100 172 L 84 96", "M 118 164 L 112 72", "M 138 164 L 144 72", "M 156 172 L 174 98",
                  "M 100 208 L 62 160"):
            body += path(d, fill="none", stroke=colour, stroke_width=width, stroke_linecap="round")
        body += path("M 104 170 H 152 V 216 Q 128 236 104 216 Z", fill=colour, stroke=colour, stroke_width=width, stroke_linejoin="round")
    return body, defs


def picture(file, x, y, width, height):
    data = base64.b64encode(file.read_bytes()).decode()
    return (
        f'<image x="{x - width / 2:.2f}" y="{y - height / 2:.2f}" width="{width:.2f}" '
        f'height="{height:.2f}" preserveAspectRatio="none" href="data:image/png;base64,{data}"/>'
    )


def surface(pack, item):
    """What lies on the skin: a texture as it is over the face, or the region's own colour."""
    if "file" in item:
        # The pupils of a texture are 0.293 of its width apart, 0.383 of its height down.
        width, height = UNIT / 0.293, 148
        top = EYES[1] - 0.383 * height
        drawn = picture(pack / item["file"], EYES[0], top + height / 2, width, height)
        return f'<g clip-path="url(#skinOnly)">{drawn}</g>'
    given = {"fill": item["color"], "opacity": item.get("alpha", 1)}
    if item["region"] == "lips":
        return path("M 108 177 Q 118 170 128 174 Q 138 170 148 177 Q 128 196 108 177 Z", **given)
    return "".join(ellipse(x, 156, 17, 11, filter="url(#powder)", **given) for x in (92, 164))


def profile(item, half):
    """The points of a solid's profile: radii and heights in pupil distances."""
    if item["body"] == "lathe":
        return [(r * half, h) for r, h in item["profile"]]
    tube = item["thickness"] / 2
    return [(half - tube + tube * math.cos(a), tube * math.sin(a)) for a in (math.pi * (1 - k / 6) for k in range(13))]


def solid(file, item):
    """A surface of revolution, seen from a little above, piece by piece."""
    columns, lift = 48, 0.6 if item["body"] == "torus" else 0.2
    left, right = item["from"], item["to"]
    middle = [(a + b) / 2 for a, b in zip(left, right)]
    half = math.dist(left, right) / 2
    path_ = profile(item, half)
    lengths = [math.dist(a, b) for a, b in zip(path_, path_[1:])]
    tilt = item.get("down", [0, -1, 0])
    lean = -tilt[2] / tilt[1]

    def project(column, point):
        angle = 2 * math.pi * column / columns
        r, h = point
        x, z = -r * math.sin(angle), -r * math.cos(angle) * item.get("depth", 1)
        y, z = middle[1] + h + lean * z, middle[2] + z - lean * h
        # From above, what is before is lower.
        return EYES[0] + (middle[0] + x) * UNIT, EYES[1] - (y - lift * (z + 0.6)) * UNIT, z

    data = base64.b64encode(file.read_bytes()).decode()
    width, height = item["width"], item["height"]
    name = "solid" + file.stem
    defs = f'<image id="{name}" width="{width}" height="{height}" href="data:image/png;base64,{data}"/>'
    pieces, length = [], 0.0
    for line, step in enumerate(lengths):
        top, bottom = (height * at / sum(lengths) for at in (length, length + step))
        length += step
        for column in range(columns):
            a, b = project(column, path_[line]), project(column + 1, path_[line])
            c, d = project(column, path_[line + 1]), project(column + 1, path_[line + 1])
            across = [(b[i] - a[i] + d[i] - c[i]) / 2 for i in (0, 1)]
            down = [(c[i] - a[i] + d[i] - b[i]) / 2 for i in (0, 1)]
            if across[0] * down[1] - across[1] * down[0] <= 1e-6:
                continue
            u, w, h = width * column / columns, width / columns, max(bottom - top, 1e-3)
            x, y = (a[0] + b[0] + c[0] + d[0]) / 4 - (across[0] + down[0]) / 2, (a[1] + b[1] + c[1] + d[1]) / 4 - (across[1] + down[1]) / 2
            matrix = f"{across[0] / w:.5f} {across[1] / w:.5f} {down[0] / h:.5f} {down[1] / h:.5f} {x:.3f} {y:.3f}"
            pieces.append((a[2] + d[2], f'<g transform="matrix({matrix})"><svg x="0" y="0" width="{w * 1.25:.3f}" height="{h * 1.1:.3f}" '
                           f'viewBox="{u:.3f} {top:.3f} {w * 1.25:.3f} {h * 1.1:.3f}"><use href="#{name}"/></svg></g>'))
    return "".join(piece for _, piece in sorted(pieces)), defs


def depth(item):
    """Of what stands in space the farther is drawn first."""
    return item["from"][2] + item["to"][2] if "from" in item else 9


def preview(pack):
    """`pack` is a folder with meta.json and rendered frames."""
    items = json.loads((pack / "meta.json").read_text())["items"]
    if items[0].get("anchor") == "palm":
        item = items[0]
        body, defs = hand()
        file = sorted((pack / item["folder"]).glob("*.png"), key=lambda f: int(f.stem.split("_")[-1]))[item["frames"] // 3]
        width = item["scaleWidth"] * PALM_UNIT
        y = PALM[1] - item.get("offsetY", 0) * PALM_UNIT
        body += picture(file, PALM[0], y, width, width * item["height"] / item["width"])
        return document(SIZE, SIZE, body, defs)
    body, defs = face()
    defs += '<clipPath id="skinOnly"><ellipse cx="128" cy="136" rx="58" ry="74"/></clipPath>' + blur("powder", 5)
    for item in sorted(items, key=lambda item: (item.get("z", 0), depth(item))):
        if item["type"] == 2:
            body += surface(pack, item)
            continue
        ratio = item["height"] / item["width"]
        if "file" in item:
            file = pack / item["file"]
        else:
            middle = item["frames"] // 3
            file = sorted((pack / item["folder"]).glob("*.png"), key=lambda f: int(f.stem.split("_")[-1]))[middle]
        if item["type"] == 1:
            width = item["scaleWidth"] * SIZE
            height = width * ratio
            y = height / 2 if item["anchor"] == "top" else SIZE - height / 2
            body += picture(file, SIZE / 2, y, width, height)
            continue
        if item.get("body") in ("lathe", "torus"):
            drawn, own = solid(file, item)
            body, defs = body + drawn, defs + own
            continue
        if item.get("space") == "head":
            start = ANCHORS[item["anchor"]] if "body" in item and "anchor" in item else (0, 0)
            left, right = item["from"], item["to"]
            x, y = ((a + b) / 2 for a, b in list(zip(left, right))[:2])
            height = math.dist(left, right) * item.get("scaleWidth", 1) * ratio
            down = item.get("down", [0, -1, 0])
            height *= abs(down[1]) / math.hypot(*down)
            width = abs(right[0] - left[0])
            body += picture(file, EYES[0] + (x + start[0]) * UNIT, EYES[1] - (y + start[1]) * UNIT, width * UNIT, height * UNIT)
            continue
        x, y = ANCHORS[item["anchor"]] if "anchor" in item else UNDER_NOSE
        width = (item["scaleWidth"] + (0 if "anchor" in item else 0.24)) * UNIT
        x += item.get("offsetX", 0)
        y += item.get("offsetY", 0)
        body += picture(file, EYES[0] + x * UNIT, EYES[1] - y * UNIT, width, width * ratio)
    return document(SIZE, SIZE, body, defs)


if __name__ == "__main__":
    import sys

    print(preview(pathlib.Path(sys.argv[1])))

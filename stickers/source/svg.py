"""Small words for writing SVG: every drawing of the packs is made of these."""

import math


def document(width, height, body, defs=""):
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}"><defs>{defs}</defs>{body}</svg>'
    )


def linear(name, stops, x1=0, y1=0, x2=0, y2=1):
    return (
        f'<linearGradient id="{name}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}">'
        + _stops(stops) + "</linearGradient>"
    )


def radial(name, stops, cx=0.5, cy=0.5, r=0.5):
    return f'<radialGradient id="{name}" cx="{cx}" cy="{cy}" r="{r}">' + _stops(stops) + "</radialGradient>"


def _stops(stops):
    """Stops are (offset, colour) or (offset, colour, opacity)."""
    return "".join(
        f'<stop offset="{s[0]}" stop-color="{s[1]}" stop-opacity="{s[2] if len(s) > 2 else 1}"/>'
        for s in stops
    )


def blur(name, deviation):
    return (
        f'<filter id="{name}" x="-50%" y="-50%" width="200%" height="200%">'
        f'<feGaussianBlur stdDeviation="{deviation}"/></filter>'
    )


def attributes(**given):
    return " ".join(f'{key.replace("_", "-")}="{value}"' for key, value in given.items())


def path(d, **given):
    return f'<path d="{d}" {attributes(**given)}/>'


def ellipse(cx, cy, rx, ry, **given):
    return f'<ellipse cx="{cx:.2f}" cy="{cy:.2f}" rx="{rx:.2f}" ry="{ry:.2f}" {attributes(**given)}/>'


def group(body, **given):
    return f"<g {attributes(**given)}>{body}</g>"


def mirrored(body, width):
    """The drawing and its mirror image about the middle of a canvas this wide."""
    return body + group(body, transform=f"translate({width} 0) scale(-1 1)")


def sparkle(x, y, size, opacity=1.0, colour="#fffbe6"):
    """A star of four thin rays."""
    inner = size * 0.16
    points = []
    for k in range(8):
        r = size if k % 2 == 0 else inner
        if k in (2, 6):
            r = size * 0.8
        a = math.pi / 4 * k - math.pi / 2
        points.append(f"{x + r * math.cos(a):.2f},{y + r * math.sin(a):.2f}")
    return f'<polygon points="{" ".join(points)}" fill="{colour}" opacity="{opacity:.3f}"/>'


def curve(points, closed=True):
    """A smooth path through points (Catmull-Rom as Bezier curves)."""
    n = len(points)
    at = (lambda k: points[k % n]) if closed else (lambda k: points[min(max(k, 0), n - 1)])
    d = f"M {points[0][0]:.1f} {points[0][1]:.1f}"
    for k in range(n if closed else n - 1):
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = at(k - 1), at(k), at(k + 1), at(k + 2)
        d += (
            f" C {x1 + (x2 - x0) / 6:.1f} {y1 + (y2 - y0) / 6:.1f}"
            f" {x2 - (x3 - x1) / 6:.1f} {y2 - (y3 - y1) / 6:.1f} {x2:.1f} {y2:.1f}"
        )
    return d + (" Z" if closed else "")


def stroke(points, widths):
    """A brush stroke: a closed path along points, as wide at each as the brush was pressed."""
    left, right = [], []
    for k, ((x, y), w) in enumerate(zip(points, widths)):
        (ax, ay), (bx, by) = points[max(k - 1, 0)], points[min(k + 1, len(points) - 1)]
        length = math.hypot(bx - ax, by - ay) or 1
        nx, ny = -(by - ay) / length, (bx - ax) / length
        left.append((x + nx * w / 2, y + ny * w / 2))
        right.append((x - nx * w / 2, y - ny * w / 2))
    return curve(left + right[::-1])

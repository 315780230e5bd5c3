"""A felt fedora with a ribbon and a feather.

In three layers of one size, which stand one behind the other in space: the brim behind the head, the
crown, and the brim before it.
"""

from svg import blur, document, ellipse, group, linear, path, radial

WIDTH, HEIGHT = 512, 300


def drawings():
    defs = (
        linear("felt", [(0, "#3f2a1d"), (0.22, "#8a6244"), (0.45, "#a97c58"), (0.75, "#6f4b32"), (1, "#3a2519")], x2=1, y2=0)
        + linear("brim", [(0, "#4a3122"), (0.3, "#a07450"), (0.55, "#b98a63"), (0.8, "#7a5438"), (1, "#3f291b")], x2=1, y2=0)
        + linear("under", [(0, "#2b1a10"), (1, "#4b3324")])
        + linear("ribbon", [(0, "#260d12"), (0.35, "#8c2a3a"), (0.55, "#a63a4b"), (1, "#2c0f15")], x2=1, y2=0)
        + linear("feather", [(0, "#f2c14e"), (0.5, "#e0763a"), (1, "#8c2a3a")], x2=0, y2=1)
        + radial("dent", [(0, "#24150c", 0.75), (1, "#24150c", 0)])
        + blur("soft", 8) + blur("fine", 2)
    )
    crown = "M 116 214 C 112 150 128 70 168 40 C 196 20 226 42 256 42 C 286 42 316 20 344 40 C 384 70 400 150 396 214 C 352 242 160 242 116 214 Z"
    brim = "M 8 214 C 30 186 92 196 116 206 C 176 236 336 236 396 206 C 420 196 482 186 504 214 C 494 262 396 290 256 290 C 116 290 18 262 8 214 Z"
    shadow = ellipse(256, 262, 216, 26, fill="#000", opacity=0.3, filter="url(#soft)")
    far = path("M 8 214 C 20 176 120 152 256 152 C 392 152 492 176 504 214 C 470 246 380 256 256 256 C 132 256 42 246 8 214 Z", fill="url(#under)", stroke="#23140b", stroke_width=5, stroke_linejoin="round")
    far += path("M 34 212 C 60 184 150 166 256 166 C 362 166 452 184 478 212", fill="none", stroke="#6b4a33", stroke_width=4, opacity=0.5, stroke_linecap="round", filter="url(#fine)")
    yield "behind", document(WIDTH, HEIGHT, far, defs)
    body = path("M 104 206 Q 256 190 408 206 Q 404 246 256 250 Q 108 246 104 206 Z", fill="url(#under)")
    body += path(crown, fill="url(#felt)", stroke="#23140b", stroke_width=5, stroke_linejoin="round")
    body += ellipse(256, 70, 62, 34, fill="url(#dent)", filter="url(#fine)")
    body += path("M 176 58 C 200 96 222 110 250 112", fill="none", stroke="#2d1b10", stroke_width=7, stroke_linecap="round", opacity=0.55, filter="url(#fine)")
    body += path("M 336 58 C 312 96 290 110 262 112", fill="none", stroke="#2d1b10", stroke_width=7, stroke_linecap="round", opacity=0.55, filter="url(#fine)")
    body += path("M 150 92 C 160 66 178 50 196 48", fill="none", stroke="#e4bd97", stroke_width=9, stroke_linecap="round", opacity=0.55, filter="url(#fine)")
    band = "M 117 168 C 160 196 352 196 395 168 L 396 214 C 352 242 160 242 116 214 Z"
    body += path(band, fill="url(#ribbon)", stroke="#1c070b", stroke_width=3.5, stroke_linejoin="round")
    body += path("M 121 178 C 164 204 348 204 391 178", fill="none", stroke="#d9707f", stroke_width=2.5, opacity=0.6)
    feather = path("M 352 212 C 336 150 356 78 408 26 C 430 66 418 150 372 214 Z", fill="url(#feather)", stroke="#5a1c12", stroke_width=3, stroke_linejoin="round")
    feather += path("M 362 216 C 366 150 384 86 408 28", fill="none", stroke="#fbe3a2", stroke_width=3, stroke_linecap="round")
    for y, dx in ((172, 22), (146, 26), (120, 26), (94, 22), (70, 15)):
        x = 362 + (216 - y) * 0.245
        feather += path(f"M {x:.0f} {y} L {x - dx:.0f} {y - 26} M {x:.0f} {y} L {x + dx:.0f} {y - 22}", stroke="#7d2b1b", stroke_width=1.8, opacity=0.55, stroke_linecap="round")
    body += group(feather)
    body += ellipse(364, 204, 13, 17, fill="#5f1a26", stroke="#1c070b", stroke_width=3) + ellipse(361, 199, 4, 6, fill="#d9707f", opacity=0.8)
    yield "crown", document(WIDTH, HEIGHT, body, defs)
    body = shadow
    body += path(brim, fill="url(#brim)", stroke="#23140b", stroke_width=5, stroke_linejoin="round")
    body += path("M 24 216 C 48 198 92 208 118 218 C 178 246 334 246 394 218 C 420 208 464 198 488 216", fill="none", stroke="#e4bd97", stroke_width=4, opacity=0.5, stroke_linecap="round", filter="url(#fine)")
    body += path("M 40 246 C 110 280 402 280 472 246", fill="none", stroke="#2d1b10", stroke_width=10, opacity=0.35, stroke_linecap="round", filter="url(#fine)")
    body += path("M 19 227 C 60 268 160 283 256 283 C 352 283 452 268 493 227", fill="none", stroke="#d9ad84", stroke_width=1.8, opacity=0.7, stroke_dasharray="9 6")
    yield "before", document(WIDTH, HEIGHT, body, defs)

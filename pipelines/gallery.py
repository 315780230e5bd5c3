#!/usr/bin/python3
"""Draws sheets of frames of real films and portraits after processing.

    pipelines/env.sh pipelines/gallery.py                out/gallery/PACK-FILM.jpg, for every pack and film
    pipelines/env.sh pipelines/gallery.py page [FOLDER]  FOLDER/gallery-*.jpg, which docs/gallery.md shows

`make setup` downloads the films and portraits; docs/gallery.md lists their sources.
"""
import concurrent.futures
import multiprocessing
import os
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SCENES = os.path.join(ROOT, "models", "scenes")
FILMS = ["WolfgangLanger_Pexels.mp4", "single_face.mp4", "face_noface.mov", "noface_face.mov", "no_face.mp4"]
STILLS = ["multi_face.jpg", "single_face.jpg", "biden.jpg", "obama.jpg", "obama2.jpg", "obama3.jpg"]
FILM = f"{SCENES}/{FILMS[0]}"
SECONDS = 20


def pull(sink):
    return sink.emit("try-pull-sample", SECONDS * Gst.SECOND)


def frames(path, effects, width, height, crop="", limit=sys.maxsize):
    """Returns the first `limit` frames of a film or picture after the effects.

    They are RGB of this size, without row padding.
    """
    pipeline = Gst.parse_launch(
        f'filesrc location="{path}" ! decodebin ! videoconvert ! video/x-raw,format=I420 ! {effects}'
        f" ! videoconvert ! {crop} videoscale add-borders=true method=lanczos ! video/x-raw,format=RGB"
        f",width={width},height={height},pixel-aspect-ratio=1/1 ! appsink name=sink sync=false max-buffers=8"
    )
    sink = pipeline.get_by_name("sink")
    pipeline.set_state(Gst.State.PLAYING)
    taken = []
    try:
        while len(taken) < limit and (sample := pull(sink)):
            data = sample.get_buffer().extract_dup(0, sample.get_buffer().get_size())
            stride = len(data) // height
            taken.append(b"".join(data[y * stride : y * stride + 3 * width] for y in range(height)))
        message = pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
        if message or not taken:
            raise SystemExit(f"gallery: {path}: {message.parse_error().gerror.message if message else 'no frame'}")
    finally:
        pipeline.set_state(Gst.State.NULL)
    return taken


def spread(taken, count):
    """Returns `count` of the frames, evenly spaced from the first to the last."""
    last = len(taken) - 1
    return [taken[round(index * last / max(count - 1, 1))] for index in range(min(count, len(taken)))]


def write(pictures, columns, width, height, path):
    """Writes one JPEG file of pictures side by side."""
    rows = -(-len(pictures) // columns)
    pictures = pictures + [bytes(3 * width * height)] * (rows * columns - len(pictures))
    lines = []
    for row in range(rows):
        cells = pictures[row * columns : (row + 1) * columns]
        for y in range(height):
            lines.extend(cell[3 * width * y : 3 * width * (y + 1)] for cell in cells)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    caps = f"video/x-raw,format=RGB,width={width * columns},height={height * rows},framerate=1/1"
    # GStreamer expects rows padded to four bytes.
    stride, line = -(-3 * width * columns // 4) * 4, 3 * width * columns
    joined = b"".join(lines)
    data = b"".join(
        joined[start : start + line] + bytes(stride - line) for start in range(0, len(joined), line)
    )
    pipeline = Gst.parse_launch(
        f'appsrc name=source caps="{caps}" format=time ! videoconvert ! jpegenc quality=78'
        f' ! filesink location="{path}"'
    )
    source = pipeline.get_by_name("source")
    pipeline.set_state(Gst.State.PLAYING)
    source.emit("push-buffer", Gst.Buffer.new_wrapped(data))
    source.emit("end-of-stream")
    message = pipeline.get_bus().timed_pop_filtered(
        SECONDS * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR
    )
    pipeline.set_state(Gst.State.NULL)
    if message is None or message.type == Gst.MessageType.ERROR:
        raise SystemExit(f"gallery: {path} could not be written")
    print(f"gallery: {os.path.relpath(path, ROOT)}", flush=True)


def worn(pack):
    return f"facedetect updates=none ! sticker location={ROOT}/stickers/{pack}"


def sheets(folder):
    """Draws sheets for inspection: twelve frames of every film with every pack, and every portrait."""
    packs = sorted(
        name for name in os.listdir(f"{ROOT}/stickers") if os.path.exists(f"{ROOT}/stickers/{name}/meta.json")
    )
    looks = {pack: worn(pack) for pack in packs}
    looks["faces"] = "facedetect updates=none display=true"
    looks["retouched"] = "facedetect updates=none ! beautifymask"
    for name, effects in looks.items():
        for film in FILMS:
            taken = spread(frames(f"{SCENES}/{film}", effects, 320, 180), 12)
            write(taken, 4, 320, 180, f"{folder}/{name}-{film.split('.')[0]}.jpg")
        stills = [frames(f"{SCENES}/{still}", effects, 360, 360)[0] for still in STILLS]
        write(stills, 3, 360, 360, f"{folder}/{name}-portraits.jpg")


def page(folder):
    """Draws the pictures of docs/gallery.md in a process per core, in about a minute on two."""
    print(f"gallery: draws {len(PICTURES)} pictures; each is named when it is written", flush=True)
    processes = min(len(PICTURES), len(os.sched_getaffinity(0)))
    # GStreamer's threads do not survive a fork.
    with concurrent.futures.ProcessPoolExecutor(
        processes, multiprocessing.get_context("spawn"), Gst.init, (None,)
    ) as pool:
        for drawn in [pool.submit(draw, folder) for draw in PICTURES]:
            drawn.result()


def on_film(folder):
    rows = []
    for effects in ["identity", worn("hat") + f" ! sticker location={ROOT}/stickers/moustache", worn("dog")]:
        rows += spread(frames(FILM, effects, 320, 180), 5)[1:]
    write(rows, 4, 320, 180, f"{folder}/gallery-film.jpg")


def on_group(folder):
    write(
        [frames(f"{SCENES}/multi_face.jpg", effects, 640, 427)[0] for effects in
         ["facedetect updates=none display=true", worn("halo")]],
        2, 640, 427, f"{folder}/gallery-group.jpg")


def hidden(folder):
    write(
        [frames(f"{SCENES}/multi_face.jpg", f"facedetect updates=none ! facehide mode={mode}", 640, 427)[0]
         for mode in ["mosaic", "blur"]],
        2, 640, 427, f"{folder}/hidden.jpg")


def decorated(folder):
    write(
        [frames(f"{ROOT}/models/astronaut.png", effects, 320, 320)[0] for effects in
         ["identity", "mienlook look=instant sticker=hat", "mienlook person=blur retouch=0.6", "mienlook hide=mosaic"]],
        4, 320, 320, f"{folder}/look.jpg")


def backgrounds(folder):
    behind = ["beach", "library", "mountains", "office", "room", "studio"]
    write(
        [frames(FILM, f"facedetect ! personkey background={name}", 320, 180, limit=354)[-1] for name in behind],
        3, 320, 180, f"{folder}/backgrounds.jpg")


def retouched(folder):
    pairs = []
    for still, crop in [
        ("obama.jpg", "left=270 right=200 top=40 bottom=657"),
        ("biden.jpg", "left=320 right=150 top=100 bottom=1604"),
    ]:
        for effects in ["identity", "facedetect updates=none ! beautifymask"]:
            pairs.append(frames(f"{SCENES}/{still}", effects, 440, 440, f"videocrop {crop} !")[0])
    write(pairs, 4, 440, 440, f"{folder}/gallery-retouch.jpg")


def skin(folder):
    """Draws textures on the skin and billboards in space, on three portraits and a film."""
    seen = [
        (f"{ROOT}/models/astronaut.png", "videocrop left=124 right=184 bottom=308"),
        (f"{SCENES}/obama.jpg", "videocrop left=270 right=200 top=40 bottom=657"),
        (f"{SCENES}/biden.jpg", "videocrop left=320 right=150 top=100 bottom=1604"),
        (f"{SCENES}/single_face.jpg", "videocrop left=90 right=82 top=40 bottom=122"),
    ]
    pictures = []
    for packs in ["facepaint", "facepaint/tiger.json", "mask", "lipstick blush", "hat", "halo"]:
        effects = "facedetect updates=none" + "".join(
            f" ! sticker location={ROOT}/stickers/{pack}" for pack in packs.split())
        pictures += [frames(path, effects, 180, 180, f"{crop} !")[0] for path, crop in seen]
        taken = frames(FILM, effects, 180, 180, "videocrop left=200 right=80 !", limit=331)
        pictures += [taken[210], taken[330]]
    write(pictures, 6, 180, 180, f"{folder}/gallery-skin.jpg")


# Those that take longest first.
PICTURES = [skin, backgrounds, on_film, retouched, on_group, hidden, decorated]

if __name__ == "__main__":
    Gst.init(None)
    if any(argument.startswith("-") for argument in sys.argv[1:]):
        sys.exit(__doc__)
    is_page = sys.argv[1:2] == ["page"]
    folder = os.path.abspath((sys.argv[1 + is_page :] or [f"{ROOT}/out/gallery"])[0])
    (page if is_page else sheets)(folder)

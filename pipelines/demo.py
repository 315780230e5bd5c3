#!/usr/bin/python3
"""Finds the faces in a picture, a film or a camera, retouches and decorates them.

    pipelines/env.sh /usr/bin/python3 pipelines/demo.py INPUT [OUTPUT [STICKER]]

A picture comes out as two PNGs, one decorated and one (OUTPUT-faces) that shows what was found; a
film comes out as a WebM with its sound; a camera (/dev/videoN) is shown in a window until Ctrl-C.
Each face that is found is printed in one line: of a film, when faces come or go, at most twice a
second. STICKER is a pack or a picture, "dog" if none is named.
"""

import os
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402

from decoration import Decoration, Failure  # noqa: E402


def fail(text):
    sys.exit(f"mien: {text}")


def describe(face):
    """One readable line for a structure `face` of the MienFaces metadata."""
    eyes = memoryview(face["keypoints"].get_data()).cast("f")[:4]
    return (
        "face {id}: confidence {confidence:.2f}, box x {x:.3f} y {y:.3f} w {w:.3f} h {h:.3f}, "
        "eyes ({0:.3f}, {1:.3f}) ({2:.3f}, {3:.3f})"
    ).format(
        *eyes, id=face["id"], confidence=face["confidence"], x=face["x"], y=face["y"],
        w=face["width"], h=face["height"],
    )


class Report:
    """Prints the faces of the frames that pass, when they come or go, and how far a film is."""

    def __init__(self):
        self.is_film = False
        self.decoration = None  # of a camera there is none
        self.last_print = self.last_count = -1

    def frame(self, buffer):
        self.is_film = self.decoration is not None and self.decoration.is_film
        faces = buffer.get_custom_meta("MienFaces").get_structure()["faces"]
        due = buffer.pts == Gst.CLOCK_TIME_NONE or buffer.pts - self.last_print >= Gst.SECOND // 2
        if len(faces) != self.last_count and (due or self.last_print < 0):
            at = f"{buffer.pts / Gst.SECOND:8.2f} s  " if self.is_film else ""
            self.say("\n".join(at + describe(face) for face in faces) or at + "no face")
            self.last_print, self.last_count = buffer.pts, len(faces)

    def say(self, text):
        """Prints a line, over the progress where that is shown."""
        print(("\r\033[K" if self.is_film and sys.stdout.isatty() else "") + text, flush=True)

    def progress(self):
        if self.is_film and self.decoration.length > 0:
            share = min(1, self.decoration.end / self.decoration.length)
            print(f"\r\033[K{100 * share:5.1f} %", end="", flush=True)
        return True


def decorate(source, output, sticker):
    report = Report()
    report.decoration = Decoration(
        source, output, sticker, threads=0, on_frame=report.frame, shows_faces=True)
    if sys.stdout.isatty():
        GLib.timeout_add(200, report.progress)
    try:
        report.say("wrote " + " and ".join(report.decoration.run()))
        if report.decoration.left_out:
            report.say(f"{report.decoration.left_out} was left out")
    except Failure as failure:
        fail(failure)
    except KeyboardInterrupt:
        fail("stopped; nothing was written")


def show_camera(device, sticker):
    report = Report()
    pipeline = Gst.parse_launch(
        "v4l2src name=camera ! decodebin ! videoconvert ! mienfacedetect name=faces ! beautifymask"
        " ! sticker name=sticker ! videoconvert ! autovideosink")
    pipeline.get_by_name("camera").set_property("device", device)
    pipeline.get_by_name("sticker").set_property("location", sticker)

    def look(_pad, info):
        report.frame(info.get_buffer())
        return Gst.PadProbeReturn.OK

    pipeline.get_by_name("faces").get_static_pad("src").add_probe(Gst.PadProbeType.BUFFER, look)
    pipeline.set_state(Gst.State.PLAYING)
    try:
        message = pipeline.get_bus().timed_pop_filtered(
            Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    except KeyboardInterrupt:
        message = None
    pipeline.set_state(Gst.State.NULL)
    if message and message.type == Gst.MessageType.ERROR:
        fail("{0.message}\n      {1}".format(*message.parse_error()))


def main():
    if not 2 <= len(sys.argv) <= 4:
        fail(__doc__.split("\n\n")[1].strip())
    source = sys.argv[1]
    if not os.access(source, os.R_OK):
        fail(f"{source} cannot be read")
    output = (sys.argv[2] if len(sys.argv) > 2 else "") or "out/demo"
    output = os.path.splitext(output)[0]
    os.makedirs(os.path.dirname(output) or ".", exist_ok=True)
    Gst.init(None)
    sticker = (sys.argv[3] if len(sys.argv) > 3 else "") or "dog"
    if source.startswith("/dev/video"):
        show_camera(source, sticker)
    else:
        decorate(source, output, sticker)


if __name__ == "__main__":
    main()

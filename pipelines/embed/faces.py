#!/usr/bin/python3
"""Prints the faces in a picture, a film or a stream, and puts a sticker on while there is one.

    pipelines/env.sh pipelines/embed/faces.py [FILE|URI [SINK]]

SINK: elements in gst-launch's words, fakesink if none are given; autovideosink is a window.
"""
import os
import signal
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402


def look(_pad, info):
    """On the streaming thread, for every frame that leaves the detector."""
    buffer = info.get_buffer()
    meta = buffer.get_custom_meta("MienFaces")
    for face in meta.get_structure()["faces"] if meta else ():
        points = memoryview(face["keypoints"].get_data()).cast("f")
        numbers = [face[name] for name in ("x", "y", "width", "height")]
        print(f"{buffer.pts / 1e9:.3f} s: face {face['id']}, confidence {face['confidence']:.3f}, "
              "box {:.3f} {:.3f} {:.3f} {:.3f}, ".format(*numbers)
              + f"nose {points[4]:.3f} {points[5]:.3f}", flush=True)
    return Gst.PadProbeReturn.OK


class Program:
    def __init__(self, text):
        self.pipeline = Gst.parse_launch_full(text, None, Gst.ParseFlags.FATAL_ERRORS)
        self.sticker = self.pipeline.get_by_name("sticker")
        self.count = 0  # number of faces in the previous message
        self.status = 0
        self.loop = GLib.MainLoop()
        pad = self.pipeline.get_by_name("faces").get_static_pad("src")
        pad.add_probe(Gst.PadProbeType.BUFFER, look)
        bus = self.pipeline.get_bus()
        bus.add_signal_watch()
        bus.connect("message", self.hear)
        signal.signal(signal.SIGINT, lambda _signal, _frame: self.loop.quit())

    def hear(self, _bus, message):
        """On the main thread, for everything that elements say."""
        if message.type == Gst.MessageType.ERROR:
            error, detail = message.parse_error()
            self.tell(f"faces: {error.message}\n{detail}")
            self.status = 1
            self.loop.quit()
        elif message.type == Gst.MessageType.EOS:
            self.loop.quit()
        elif message.has_name("facedetect"):
            count = len(message.get_structure()["faces"])
            if count != self.count:
                alpha = 1 if count > 0 else 0
                self.sticker.set_property("alpha", alpha)
                self.tell(f"faces: {count}, alpha of the sticker: {alpha:.1f}")
            self.count = count
        elif message.has_name("face-event"):
            event = message.get_structure()
            self.tell(f"face {event['id']}: {event['event']}")

    def tell(self, text):
        print(text, file=sys.stderr, flush=True)

    def run(self):
        self.pipeline.set_state(Gst.State.PLAYING)
        self.loop.run()
        self.pipeline.set_state(Gst.State.NULL)
        return self.status


def main():
    os.environ.setdefault("GST_PLUGIN_FEATURE_RANK", "jpegparse:300")  # only jpegparse reads EXIF
    Gst.init(None)
    given = dict(enumerate(sys.argv[1:]))
    uri = given.get(0, "models/astronaut.png")
    try:
        uri = uri if Gst.uri_is_valid(uri) else Gst.filename_to_uri(uri)
        program = Program(
            f'uridecodebin uri="{uri}" ! videoconvert'
            " ! mienfacedetect name=faces video-direction=auto"
            f" ! sticker name=sticker location=halo alpha=0 ! {given.get(1, 'fakesink')}")
    except GLib.Error as error:
        sys.exit(f"faces: {error.message}")
    sys.exit(program.run())


main()

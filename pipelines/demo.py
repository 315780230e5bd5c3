#!/usr/bin/python3
"""Finds the faces in a picture, a film or a camera, retouches and decorates them.

    pipelines/env.sh /usr/bin/python3 pipelines/demo.py INPUT [OUTPUT [STICKER]]

A picture comes out as two PNGs, one decorated and one (OUTPUT-faces) that shows what was found; a
film comes out as a WebM with its sound; a camera (/dev/videoN) is shown in a window until Ctrl-C.
Each face that is found is printed in one line: of a film, when faces come or go, at most twice a
second. STICKER is a pack or a picture, "halo" if none is named.
"""

import os
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402

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


class Demo:
    def __init__(self, source, output, sticker):
        self.effects = f'beautifymask ! sticker location="{sticker}"'
        self.loop = GLib.MainLoop()
        self.failure = None
        self.last_print = -1
        self.last_count = -1
        self.output = output
        self.is_camera = source.startswith("/dev/video")
        self.is_film = False
        self.pipeline = Gst.Pipeline()
        if self.is_camera:
            head = self.bin(f"v4l2src device={source} ! decodebin ! videoconvert name=end")
            self.show_video(head.get_static_pad("src"), "autovideosink")
        else:
            decoder = Gst.ElementFactory.make("uridecodebin")
            decoder.set_property("uri", Gst.filename_to_uri(os.path.abspath(source)))
            decoder.connect("pad-added", self.pad_added)
            self.pipeline.add(decoder)
        bus = self.pipeline.get_bus()
        bus.add_signal_watch()
        bus.connect("message", self.message)

    def bin(self, description):
        part = Gst.parse_bin_from_description(description, True)
        self.pipeline.add(part)
        part.sync_state_with_parent()
        return part

    def pad_added(self, _decoder, pad):
        kind = pad.get_current_caps().get_structure(0)
        if kind.get_name().startswith("video/"):
            # A picture has no frame rate.
            rate = kind.get_fraction("framerate")
            self.is_film = rate[0] and rate[1] > 0
            self.muxer = None
            if self.is_film:
                self.muxer = Gst.ElementFactory.make("webmmux")
                sink = Gst.ElementFactory.make("filesink")
                sink.set_property("location", self.output + ".webm")
                for element in (self.muxer, sink):
                    self.pipeline.add(element)
                    element.sync_state_with_parent()
                self.muxer.link(sink)
                self.show_video(
                    pad, "vp8enc deadline=1 cpu-used=8 threads=2 target-bitrate=4000000 ! queue")
            else:
                png = "videoconvert ! pngenc snapshot=true ! filesink location="
                self.show_video(
                    pad,
                    f'{png}"{self.output}.png"',
                    f't. ! queue ! facedetect display=true ! {png}"{self.output}-faces.png"')
        elif kind.get_name().startswith("audio/") and getattr(self, "muxer", None):
            audio = self.bin("queue ! audioconvert ! audioresample ! vorbisenc ! queue")
            pad.link(audio.get_static_pad("sink"))
            audio.link(self.muxer)

    def show_video(self, pad, tail, aside=""):
        video = self.bin(
            "queue ! videoconvert ! facedetect name=faces"
            + (" ! tee name=t ! queue" if aside else "")
            + f" ! {self.effects} ! videoconvert ! {tail} {aside}")
        video.get_by_name("faces").get_static_pad("src").add_probe(
            Gst.PadProbeType.BUFFER, self.faces_found)
        pad.link(video.get_static_pad("sink"))
        if self.is_film:
            video.link(self.muxer)

    def faces_found(self, _pad, info):
        buffer = info.get_buffer()
        faces = buffer.get_custom_meta("MienFaces").get_structure()["faces"]
        due = buffer.pts == Gst.CLOCK_TIME_NONE or buffer.pts - self.last_print >= Gst.SECOND // 2
        if len(faces) != self.last_count and (due or self.last_print < 0):
            at = f"{buffer.pts / Gst.SECOND:8.2f} s  " if self.is_film else ""
            self.say("\n".join(at + describe(face) for face in faces) or at + "no face")
            self.last_print, self.last_count = buffer.pts, len(faces)
        return Gst.PadProbeReturn.OK

    def say(self, text):
        """Prints a line, over the progress where that is shown."""
        print(("\r\033[K" if self.is_film and sys.stdout.isatty() else "") + text, flush=True)

    def message(self, _bus, message):
        if message.type == Gst.MessageType.ERROR:
            error, detail = message.parse_error()
            self.failure = f"{error.message}\n      {detail}"
            self.loop.quit()
        elif message.type == Gst.MessageType.EOS:
            self.loop.quit()

    def progress(self):
        known, length = self.pipeline.query_duration(Gst.Format.TIME)
        at, position = self.pipeline.query_position(Gst.Format.TIME)
        if self.is_film and known and at and length > 0:
            print(f"\r\033[K{100 * position / length:5.1f} %", end="", flush=True)
        return True

    def run(self):
        if sys.stdout.isatty():
            GLib.timeout_add(200, self.progress)
        self.pipeline.set_state(Gst.State.PLAYING)
        try:
            self.loop.run()
        except KeyboardInterrupt:
            pass
        self.pipeline.set_state(Gst.State.NULL)
        if self.failure:
            fail(self.failure)
        if not self.is_camera:
            names = [f"{self.output}.webm"] if self.is_film else [
                f"{self.output}.png", f"{self.output}-faces.png"]
            self.say("wrote " + " and ".join(names))


def main():
    if not 2 <= len(sys.argv) <= 4:
        fail(__doc__.split("\n\n")[1].strip())
    source = sys.argv[1]
    if not os.path.exists(source):
        fail(f"there is no {source}")
    output = (sys.argv[2] if len(sys.argv) > 2 else "") or "out/demo"
    output = os.path.splitext(output)[0]
    os.makedirs(os.path.dirname(output) or ".", exist_ok=True)
    Gst.init(None)
    sticker = (sys.argv[3] if len(sys.argv) > 3 else "") or "halo"
    Demo(source, output, sticker).run()


if __name__ == "__main__":
    main()

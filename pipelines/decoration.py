"""Decorates a picture or a film: decodes it, finds its faces, retouches them, puts a sticker on.

What it writes appears under its name once it is whole and on the disk, or not at all. demo.py and
batch_one.py are built on it.
"""

import os
import sys
import tempfile
import urllib.parse

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402

import structure  # noqa: E402
from evidence import Evidence  # noqa: E402
from stall import Watch  # noqa: E402

# Files whose names begin so are not whole; batch.sh clears away what a killed run left of them.
PART = ".mien-part-"


class Failure(Exception):
    """Why there is no output, in words for the user."""


def use_orientation(source):
    """Has JPEG files parsed: their decoder alone does not say how a photograph was held."""
    with open(source, "rb") as file:
        if file.read(3) == b"\xff\xd8\xff":
            parser = Gst.Registry.get().lookup_feature("jpegparse")
            if parser:
                parser.set_rank(Gst.Rank.PRIMARY + 1)


class Output:
    """A file that has another name until it is whole."""

    def __init__(self, path):
        self.path = path
        self.folder = os.path.dirname(path) or "."
        self.file, self.part = tempfile.mkstemp(prefix=PART, dir=self.folder)

    def keep(self):
        mask = os.umask(0)
        os.umask(mask)
        os.fchmod(self.file, 0o666 & ~mask)
        os.fsync(self.file)
        os.rename(self.part, self.path)
        self.part = None
        # A name is on the disk only when its folder is.
        folder = os.open(self.folder, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)

    def discard(self):
        if self.part:
            os.unlink(self.part)

    def close(self):
        """Removes what was not kept."""
        os.close(self.file)
        self.discard()


class Decoration:
    """One picture or film on its way to BASE.png or BASE.webm, the film with all its sound.

    `on_frame` is called on the streaming thread with each frame that has been looked at. With
    `shows_faces` a picture comes out a second time, as BASE-faces.png, with what was found drawn
    in. `last_words` is called with the reason before a process is ended that would not end.
    """

    def __init__(self, source, base, sticker, threads=1, on_frame=None, shows_faces=False,
                 last_words=lambda reason: print(f"mien: {reason}", file=sys.stderr, flush=True)):
        self.source, self.base, self.sticker, self.threads = source, base, sticker, threads
        self.on_frame, self.shows_faces, self.last_words = on_frame, shows_faces, last_words
        self.is_film = None  # until the type of the file is known
        self.frames = self.written = 0
        self.counted = self.length = 0  # frames, and nanoseconds, as the file says
        self.picture, self.sounds = None, []
        self.left_out = None  # what did not come along, in words for the user
        self.outputs = []
        self.failure = None
        self.loop = GLib.MainLoop()
        use_orientation(source)
        self.pipeline = Gst.Pipeline()
        self.decoder = Gst.ElementFactory.make("uridecodebin")
        # A file's name is bytes, which need not be text.
        self.decoder.set_property(
            "uri", "file://" + urllib.parse.quote(os.fsencode(os.path.abspath(source))))
        self.decoder.connect("autoplug-continue", self.type_seen)
        self.decoder.connect("unknown-type", self.type_unknown)
        self.decoder.connect("no-more-pads", self.streams_known)
        self.evidence = Evidence(self.decoder, self.stop)
        self.pipeline.add(self.decoder)
        bus = self.pipeline.get_bus()
        bus.add_signal_watch()
        bus.connect("message", self.message)

    def run(self):
        """Plays to the end and returns the paths written; raises Failure and writes nothing."""
        watch = Watch(lambda: self.evidence.passed + self.frames + self.written,
                      self.stop, self.abandon)
        try:
            self.pipeline.set_state(Gst.State.PLAYING)
            self.loop.run()
            self.pipeline.set_state(Gst.State.NULL)
            watch.end()
            self.check()
            for output in self.outputs:
                output.keep()
            return [output.path for output in self.outputs]
        except OSError as error:
            raise Failure(f"{self.base}: {error.strerror}") from error
        finally:
            self.pipeline.set_state(Gst.State.NULL)
            watch.end()
            for output in self.outputs:
                output.close()

    def stop(self, why):
        """Ends `run` with a failure; from any thread, and the first reason stands."""
        self.failure = self.failure or why
        GLib.idle_add(self.loop.quit)

    def abandon(self, _why):
        """Ends the process: the change of state that ends the film does not come to an end."""
        for output in self.outputs:
            output.discard()
        self.last_words(self.failure)
        os._exit(1)

    @property
    def end(self):
        """How far the film is, nanoseconds."""
        return self.picture.end if self.picture else 0

    def check(self):
        if not self.failure and self.frames == 0:
            self.failure = "no frame came out of it"
        if not self.failure and self.is_film:
            self.failure = self.evidence.verdict(
                self.picture, self.sounds, self.length, self.counted)
        if not self.failure and self.is_film and self.written < self.frames:
            self.failure = f"only {self.written} of its {self.frames} frames could be encoded"
        if self.failure:
            raise Failure(self.failure)

    def type_seen(self, _decoder, _pad, caps):
        # The first type is that of the file; frame rates do not tell, for films may have none.
        if self.is_film is None:
            kind = caps.get_structure(0).get_name()
            self.is_film = not kind.startswith("image/")
            try:
                self.counted = structure.check(self.source, kind)
            except (structure.Damage, OSError) as damage:
                self.stop(getattr(damage, "strerror", None) or str(damage))
        return True

    def type_unknown(self, _decoder, _pad, caps):
        name = caps.get_structure(0).get_name()
        if name.startswith(("video/", "audio/", "image/")):
            self.stop(f"there is no decoder for {name}")

    def streams_known(self, decoder):
        try:
            streams = {"video": [], "audio": []}
            for pad in decoder.srcpads:
                caps = pad.get_current_caps()  # none where not a frame could be decoded
                kind = caps.get_structure(0).get_name().split("/")[0] if caps else "empty"
                streams.setdefault(kind, []).append(pad)
            more = len(streams["video"]) - 1
            if more > 0:
                self.left_out = f"{more} more picture track" + ("s" if more > 1 else "")
            if not streams["video"]:
                self.stop("there is no picture in it")
            elif self.is_film:
                self.write_film(streams["video"][0], streams["audio"])
            else:
                self.write_picture(streams["video"][0])
        except Exception as error:  # what is thrown here would otherwise only be printed
            self.stop(getattr(error, "strerror", None) or str(error))

    def write_picture(self, pad):
        tail = f"videoconvert ! pngenc snapshot=true ! fdsink fd={self.open('.png')}"
        if self.shows_faces:
            tail += (" t. ! queue ! mienfacedetect display=true ! videoconvert"
                     f" ! pngenc snapshot=true ! fdsink fd={self.open('-faces.png')}")
        self.link(pad, self.decorating(tail))

    def write_film(self, pad, sounds):
        self.picture = self.evidence.watch_picture(pad)
        self.sounds = [self.evidence.watch_sound(sound) for sound in sounds]
        self.length = pad.query_duration(Gst.Format.TIME)[1]
        muxer = self.add(Gst.ElementFactory.make("webmmux"))
        sink = Gst.ElementFactory.make("fdsink")
        sink.set_property("fd", self.open(".webm"))
        muxer.link(self.add(sink))
        # A tenth of a bit for every pixel.
        shape = pad.get_current_caps().get_structure(0)
        known, count, seconds = shape.get_fraction("framerate")
        rate = count / seconds if known and count > 0 else 30
        bits = max(500000, int(shape["width"] * shape["height"] * min(rate, 120) / 10))
        video = self.decorating(
            f"videoconvert ! vp8enc deadline=1 cpu-used=8 threads={self.threads}"
            f" target-bitrate={bits} ! queue")
        video.get_static_pad("src").add_probe(Gst.PadProbeType.BUFFER, self.frame_written)
        self.link(pad, video, muxer)
        for sound in sounds:
            self.link(sound, self.bin(
                "queue ! audioconvert ! audioresample ! vorbisenc ! queue"), muxer)

    def decorating(self, tail):
        """What every frame goes through, then `tail`, which may take undecorated ones from `t`."""
        video = self.bin(
            "queue ! videoconvert ! videoflip video-direction=auto ! videoconvert"
            f" ! mienfacedetect name=faces n-threads={self.threads} ! tee name=t ! queue"
            f" ! beautifymask n-threads={self.threads} ! sticker name=sticker ! {tail}",
            sticker=self.sticker)
        video.get_by_name("faces").get_static_pad("src").add_probe(
            Gst.PadProbeType.BUFFER, self.frame_passed)
        return video

    def open(self, ending):
        output = Output(self.base + ending)
        self.outputs.append(output)
        return output.file

    def bin(self, description, sticker=None):
        made = Gst.parse_bin_from_description(description, True)
        if sticker:
            made.get_by_name("sticker").set_property("location", sticker)
        return self.add(made)

    def add(self, element):
        self.pipeline.add(element)
        element.sync_state_with_parent()
        return element

    def link(self, pad, element, next_element=None):
        if next_element:
            element.link(next_element)
        if pad.link(element.get_static_pad("sink")) != Gst.PadLinkReturn.OK:
            self.stop(f"its {pad.get_current_caps().get_structure(0).get_name()} cannot be used")

    def frame_passed(self, _pad, info):
        self.frames += 1
        if self.on_frame:
            self.on_frame(info.get_buffer())
        return Gst.PadProbeReturn.OK

    def frame_written(self, _pad, _info):
        self.written += 1
        return Gst.PadProbeReturn.OK

    def message(self, _bus, message):
        if message.type == Gst.MessageType.ERROR:
            error, detail = message.parse_error()
            # The first line of the detail is a place in the source.
            reason = "; ".join((detail or "").strip().split("\n")[1:])
            self.stop(f"{error.message} ({reason})" if reason else error.message)
        elif message.type == Gst.MessageType.WARNING:
            error, _detail = message.parse_warning()
            # What has no decoder is told apart by its kind: words may be left behind.
            if message.src.has_as_ancestor(self.decoder) and not error.matches(
                    Gst.CoreError.quark(), Gst.CoreError.MISSING_PLUGIN):
                self.stop(error.message)
        elif message.type == Gst.MessageType.EOS:
            self.loop.quit()

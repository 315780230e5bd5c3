#!/usr/bin/python3
"""Hides every face in films and lists the frames to check by eye; see hide.sh.

A film gets its name when it is complete. The exit code is 0 if all films are done, else 1.
"""
import bisect
import os
import sys
import time
import warnings

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402

import gallery  # noqa: E402

ENDINGS = (".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".mpg", ".mpeg", ".ts", ".ogv", ".3gp")
USUAL = ["lookahead=15", "hold=1000", "margin=0.3"]
# GLib has deprecated GValueArray, the type of lists in messages.
warnings.filterwarnings("ignore", category=DeprecationWarning)
# The number and size of the pictures of a sheet.
MOST, COLUMNS, SIZE = 24, 4, (320, 180)
DOUBTFUL = {"held": "held", "between": "held", "ahead": "hidden ahead", "unknown": "hidden whole"}
# The tags that are kept, with their valid values: the orientation of frames and the language of audio
# tracks. All others are dropped, such as covers, titles, places, devices and chapters.
TURNS = {f"{flip}rotate-{angle}" for flip in ("", "flip-") for angle in (0, 90, 180, 270)}
NEEDED = {
    "image-orientation": lambda text: text in TURNS,
    "language-code": lambda text: text.isascii() and text.isalpha() and len(text) in (2, 3),
}
EVENTS = {
    Gst.EventType.STREAM_START, Gst.EventType.CAPS, Gst.EventType.SEGMENT, Gst.EventType.GAP,
    Gst.EventType.STREAM_GROUP_DONE, Gst.EventType.EOS, Gst.EventType.SEGMENT_DONE,
}


class Failure(Exception):
    """The reason why a film was not written, for the user."""


class Progress:
    """The number of frames done, on the terminal's last line; nothing if standard error is no terminal."""

    def __init__(self, film):
        self.film, self.shown = film, 0.0

    def show(self, frames):
        if sys.stderr.isatty() and time.monotonic() - self.shown > 0.5:
            self.shown = time.monotonic()
            print(f"\r\033[Kmien: {self.film}: {frames} frames", end="", file=sys.stderr, flush=True)

    def end(self):
        if self.shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


class Report:
    """The hidden faces of each frame."""

    def __init__(self):
        self.frames = []  # seconds, causes
        self.faces = set()

    def take(self, structure):
        instant = structure.get_uint64("stream-time")[1]
        causes, faces = [], structure.get_list("faces")[1]
        for index in range(faces.n_values):
            face = faces.get_nth(index)
            causes.append(face.get_string("cause"))
            if causes[-1] != "unknown":
                self.faces.add(face.get_uint("id")[1])
        self.frames.append((instant / Gst.SECOND, causes))

    def doubts(self):
        """Returns intervals of frames with hidden faces that were not detected: start, end, cause."""
        stretches = []
        for instant, causes in self.frames:
            why = sorted({DOUBTFUL[cause] for cause in causes if cause in DOUBTFUL})
            if not why:
                continue
            why = " and ".join(why)
            if stretches and stretches[-1][2] == why and instant - stretches[-1][1] < 0.3:
                stretches[-1][1] = instant
            else:
                stretches.append([instant, instant, why])
        return stretches

    def write(self, path, total, settings):
        def count(*causes):
            return sum(any(cause in causes for cause in found) for _, found in self.frames)

        lines = [
            f"facehide {' '.join(settings)}",
            f"{total} frames; {len(self.faces)} faces, by number",
            f"{len(self.frames)} frames in which something is hidden:",
            f"  {count('seen')} with a face that was seen in that frame",
            f"  {count('held', 'between')} with one that was held",
            f"  {count('ahead')} with one hidden ahead of its first sight",
            f"  {count('unknown')} hidden whole",
            "",
            "Look at these yourself:",
        ]
        lines += [
            f"  {start:8.2f} to {end:8.2f} s: {why}" for start, end, why in self.doubts()
        ] or ["  nothing: every face was seen in every frame that it was hidden in"]
        lines.append("and at frames in which nothing was hidden: nobody knows of a face never found.")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


def strip(pad, info):
    """Drops all events that frames and sound do not need, and all other tags."""
    event = info.get_event()
    if event.type != Gst.EventType.TAG:
        return Gst.PadProbeReturn.OK if event.type in EVENTS else Gst.PadProbeReturn.DROP
    tags, kept = event.parse_tag(), Gst.TagList.new_empty()
    kept.set_scope(tags.get_scope())
    for name, is_right in NEEDED.items():
        found, text = tags.get_string(name)
        if found and is_right(text):
            kept.add_value(Gst.TagMergeMode.APPEND, name, text)
    if kept.n_tags() == tags.n_tags():
        return Gst.PadProbeReturn.OK
    if not kept.is_empty():
        # The new event passes this probe too.
        pad.push_event(Gst.Event.new_tag(kept))
    return Gst.PadProbeReturn.DROP


def add_sound(pipeline, pad, mux):
    """Links a pad of the decoder to the audio branch."""
    chain = Gst.parse_bin_from_description(
        "queue max-size-time=0 max-size-bytes=0 max-size-buffers=0 ! audioconvert ! audioresample"
        " ! vorbisenc ! queue", True)
    pipeline.add(chain)
    chain.sync_state_with_parent()
    if pad.link(chain.get_static_pad("sink")) != Gst.PadLinkReturn.OK:
        raise Failure("its sound cannot be decoded")
    chain.link(mux)


def hide(source, target, settings):
    """Writes one film; returns its report and the times of its frames."""
    part = os.path.join(os.path.dirname(target), ".mien-part-" + os.path.basename(target))
    pipeline = Gst.parse_launch(
        "filesrc name=source ! decodebin name=d"
        " queue name=video max-size-time=0 ! videoconvert ! facedetect name=faces"
        " ! facehide name=hide report=true ! videoconvert name=out"
        " ! vp8enc deadline=1 cpu-used=8 threads=4 target-bitrate=4000000 ! queue ! webmmux name=mux"
        " ! filesink name=target")
    pipeline.get_by_name("source").set_property("location", source)
    pipeline.get_by_name("target").set_property("location", part)
    faces, hider = pipeline.get_by_name("faces"), pipeline.get_by_name("hide")
    if not faces.load_preset("Hide everyone"):
        raise Failure("the preset of facedetect is not there")
    for setting in settings:
        name, _, value = setting.partition("=")
        if hider.find_property(name) is None:
            raise Failure(f"facehide has no property {name}")
        Gst.util_set_object_arg(hider, name, value)
    times, problems, video = [], [], pipeline.get_by_name("video")

    def added(_, pad):
        # Before the encoders, which write tags into their own headers.
        pad.add_probe(Gst.PadProbeType.EVENT_DOWNSTREAM, strip)
        kind = pad.query_caps(None).to_string()
        if kind.startswith("video/") and not video.get_static_pad("sink").is_linked():
            pad.link(video.get_static_pad("sink"))
        elif kind.startswith("audio/"):
            try:
                add_sound(pipeline, pad, pipeline.get_by_name("mux"))
            except Failure as failure:
                problems.append(failure)

    def counted(_, info):
        times.append(info.get_buffer().pts / Gst.SECOND)
        return Gst.PadProbeReturn.OK

    pipeline.get_by_name("d").connect("pad-added", added)
    pipeline.get_by_name("out").get_static_pad("sink").add_probe(Gst.PadProbeType.BUFFER, counted)
    report, progress, bus = Report(), Progress(source), pipeline.get_bus()
    waited = 0
    pipeline.set_state(Gst.State.PLAYING)
    try:
        while True:
            message = bus.timed_pop_filtered(
                Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR | Gst.MessageType.ELEMENT)
            progress.show(len(times))
            waited = waited + 1 if message is None else 0
            if waited == 120:
                raise Failure("nothing came for two minutes")
            if message is None:
                continue
            if message.type == Gst.MessageType.ERROR:
                raise Failure(message.parse_error()[0].message)
            if message.type == Gst.MessageType.EOS:
                break
            if message.get_structure().get_name() == "facehide":
                report.take(message.get_structure())
        if problems:
            raise problems[0]
        if not times:
            raise Failure("it has no picture")
    finally:
        progress.end()
        pipeline.set_state(Gst.State.NULL)
        if os.path.exists(part) and sys.exc_info()[0] is not None:
            os.remove(part)
    os.replace(part, target)
    return report, times


def sheet(film, report, times, path):
    """Draws the frames to check, from the middle of each interval."""
    doubts = report.doubts()
    if not doubts:
        return
    step = max(1, -(-len(doubts) // MOST))
    shown = gallery.frames(film, "identity", *SIZE)
    pictures = [
        shown[min(len(shown) - 1, bisect.bisect_left(times, (start + end) / 2))]
        for start, end, _ in doubts[::step]
    ]
    gallery.write(pictures, COLUMNS, *SIZE, path)


class Output:
    """Prints lines to standard output. A closed pipe is no error; a full disk is."""

    def __init__(self):
        self.failure = None

    def print(self, line):
        try:
            print(line, flush=True)
        except OSError as error:
            if not isinstance(error, BrokenPipeError):
                self.failure = error.strerror
            # The rest of the buffer would cause the error again at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def end(self, failed):
        """Returns the exit code."""
        if self.failure:
            print(f"mien: the standard output cannot be written: {self.failure}", file=sys.stderr)
        return bool(failed or self.failure)


def main():
    if len(sys.argv) < 3:
        sys.exit("mien: pipelines/hide.sh FILM|FOLDER OUTFOLDER [PROPERTY=VALUE...]")
    source, folder, settings = sys.argv[1], sys.argv[2], USUAL + sys.argv[3:]
    Gst.init(None)
    os.makedirs(folder, exist_ok=True)
    films = [source]
    if os.path.isdir(source):
        films = sorted(
            os.path.join(source, name) for name in os.listdir(source)
            if name.lower().endswith(ENDINGS) and not name.startswith("."))
    failed, output = 0, Output()
    for film in films:
        base = os.path.join(folder, os.path.basename(film))
        try:
            if not os.path.isfile(film):
                raise Failure("there is no such film")
            report, times = hide(film, base + ".webm", settings)
            report.write(base + ".txt", len(times), settings)
            sheet(base + ".webm", report, times, base + ".jpg")
            output.print(f"mien: {film}: {len(times)} frames, {len(report.faces)} faces, "
                         f"{len(report.doubts())} stretches to look at: {base}.txt")
        except (Failure, GLib.Error, OSError) as error:
            failed += 1
            print(f"mien: {film}: {error}", file=sys.stderr, flush=True)
    if not films:
        sys.exit(f"mien: there is no film in {source}")
    sys.exit(output.end(failed))


main()

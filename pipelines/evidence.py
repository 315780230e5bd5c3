"""What speaks against a film's being whole, gathered while it is decoded.

Decoders go on past what they cannot decode, fill holes with what they have, and mostly say nothing.
So everything that passes is counted and timed: what comes out of the demuxer, what goes into each
decoder, what comes out.
"""

import os
from array import array

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

# Holes in the picture: captures drop a frame now and then, and are no less whole for it.
PICTURE_HOLE = Gst.SECOND // 4
# In the sound: shorter than any codec's frame, longer than times are out by rounding.
SOUND_HOLE = Gst.SECOND // 50


def seconds(time):
    return f"{time / Gst.SECOND:.2f} s"


def tolerance(length):
    """How much sooner than the longest a stream may end: containers round, sound runs on."""
    return max(Gst.SECOND // 2, length // 50)


class Passage:
    """The buffers that pass a pad, on its stream's running time."""

    def __init__(self, pad, see):
        self.segment, self.see = None, see
        pad.add_probe(
            Gst.PadProbeType.BUFFER | Gst.PadProbeType.EVENT_DOWNSTREAM, self.passed)

    def passed(self, pad, info):
        if info.type & Gst.PadProbeType.BUFFER:
            buffer = info.get_buffer()
            time = end = None
            if self.segment is None:  # it may have passed before we came
                event = pad.get_sticky_event(Gst.EventType.SEGMENT, 0)
                self.segment = event.parse_segment() if event else None
            if buffer.pts != Gst.CLOCK_TIME_NONE and self.segment:
                time = self.segment.to_running_time(Gst.Format.TIME, buffer.pts)
                if time == Gst.CLOCK_TIME_NONE:  # not to be shown
                    return Gst.PadProbeReturn.OK
                length = buffer.duration
                end = time + (0 if length == Gst.CLOCK_TIME_NONE else length)
            self.see(pad, buffer, time, end)
        elif info.get_event().type == Gst.EventType.SEGMENT:
            self.segment = info.get_event().parse_segment()
        return Gst.PadProbeReturn.OK


class Track:
    """One stream's times: as the container has them, into its decoder, out of it."""

    def __init__(self):
        self.first = None  # time of the first frame that the demuxer let out
        self.taken, self.taken_count = array("q"), 0
        self.given, self.given_count = array("q"), 0
        self.decoded = 0
        self.long = {}  # frames that are meant to stay longer than a hole: by time, their end
        self.end = self.position = 0  # the latest; and in the stream's own time, from anywhere
        self.rate = None  # frames a second where the film says so
        self.holes, self.buffers = [], 0  # in the sound


class Evidence:
    """Watches what `decoder`, a uridecodebin, takes in; `report` is called, on any thread and
    perhaps often, with what is certain at once. `passed` counts whatever moves."""

    def __init__(self, decoder, report):
        self.report = report
        self.passed = 0
        self.tracks = {}  # by stream identifier
        decoder.connect("deep-element-added", self.element_added)
        self.listen_to_libav()

    def listen_to_libav(self):
        """libav conceals broken parts of a picture and says so in its log alone."""
        if "GST_DEBUG" not in os.environ:
            Gst.debug_remove_log_function(None)  # or what we listen to would be printed too
        Gst.debug_set_active(True)
        Gst.debug_set_threshold_for_name("libav", Gst.DebugLevel.INFO)
        Gst.debug_add_log_function(self.logged)

    def logged(self, category, _level, _file, _function, _line, _object, message, *_):
        if category.get_name() == "libav":
            text = message.get() or ""
            if text.startswith(("concealing ", "error while decoding MB")):
                self.report(f"parts of its picture cannot be decoded ({text.strip()})")

    def element_added(self, _decoder, _bin, element):
        kind = element.get_metadata("klass") or ""
        if isinstance(element, Gst.Bin):
            return
        if "Demux" in kind:
            element.connect("pad-added", self.demuxer_pad_added)
        if "Decoder" in kind and any(word in kind for word in ("Video", "Audio", "Image")):
            if element.find_property("max-errors"):
                # The first error ends it, where none would. (To jpegdec 0 means "as you like".)
                least = element.get_property("max-errors") == 0
                element.set_property("max-errors", 1 if least else 0)
            for name, see in (("sink", self.see_taken), ("src", self.see_given)):
                pad = element.get_static_pad(name)
                if pad:
                    Passage(pad, see)

    def demuxer_pad_added(self, _demuxer, pad):
        if pad.get_direction() == Gst.PadDirection.SRC:
            Passage(pad, self.see_demuxed)

    def track(self, pad):
        self.passed += 1
        return self.tracks.setdefault(pad.get_stream_id(), Track())

    def see_demuxed(self, pad, _buffer, time, _end):
        track = self.track(pad)
        if track.first is None:
            track.first = time

    def see_taken(self, pad, buffer, time, end):
        track = self.track(pad)
        if buffer.has_flags(Gst.BufferFlags.CORRUPTED):
            self.report("parts of it are marked as broken")
        # Headers come first, and have no time.
        track.taken_count += time is not None or track.taken_count > 0
        if time is not None:
            track.taken.append(time)
            if end - time > PICTURE_HOLE:
                track.long[time] = end

    def see_given(self, pad, buffer, _time, _end):
        self.track(pad).decoded += 1
        if buffer.has_flags(Gst.BufferFlags.CORRUPTED):
            self.report("parts of it cannot be decoded")

    def watch_picture(self, pad):
        """Has the frames that leave `pad`, whether decoded or stored so, looked at."""
        track = self.track(pad)
        shape = pad.get_current_caps().get_structure(0)
        known, count, of_seconds = shape.get_fraction("framerate")
        track.rate = count / of_seconds if known and count > 0 and of_seconds > 0 else None
        Passage(pad, self.see_frame)
        return track

    def watch_sound(self, pad):
        track = self.track(pad)
        Passage(pad, self.see_sound)
        return track

    def see_frame(self, pad, buffer, time, end):
        track = self.track(pad)
        track.given_count += 1
        if time is not None:
            track.given.append(time)
            if track.rate:
                end = max(end, time + int(Gst.SECOND / track.rate))
            self.reach(track, buffer, time, end)

    def see_sound(self, pad, buffer, time, end):
        track = self.track(pad)
        track.buffers += 1
        if time is not None:
            if track.buffers > 1 and time - track.end > SOUND_HOLE:
                track.holes.append((track.end, time))
            self.reach(track, buffer, time, end)

    def reach(self, track, buffer, time, end):
        track.end = max(track.end, end)
        track.position = max(track.position, buffer.pts + end - time)

    # At the end of the film.

    def verdict(self, picture, sounds, length, counted):
        """What is missing, or None. `length`: nanoseconds that the container says, or 0;
        `counted`: frames that it says, or 0."""
        return (self.not_decoded(picture, counted) or self.lost_stream()
                or self.picture_hole(picture) or self.sound_hole(sounds)
                or self.breaks_off(picture, sounds, length))

    def not_decoded(self, track, counted):
        if len(track.given) < track.given_count / 2:
            return "its frames have no times"
        taken, given = track.taken_count, track.given_count
        # Of two fields that make a frame, each may come by itself.
        are_fields = given > 8 and abs(taken - 2 * given) <= 2
        if taken > given and not are_fields:
            missing = self.missing(track)
            if missing:
                at = f", the first at {seconds(missing[0])}" if missing[0] is not None else ""
                return f"{len(missing)} of its {taken} frames cannot be decoded{at}"
        if taken and taken < counted:
            return f"it holds {counted} frames, and {taken} could be read"
        if track.first is not None and track.given[0] - track.first > PICTURE_HOLE:
            return f"its first {seconds(track.given[0] - track.first)} cannot be decoded"
        return None

    def lost_stream(self):
        if any(len(track.taken) > 0 and track.decoded == 0 for track in self.tracks.values()):
            return "one of its streams cannot be decoded"
        return None

    def missing(self, track):
        """Frames that went into the decoder and did not come out, but those before the first
        that did: a film may begin with some that refer to what was cut away."""
        if len(track.taken) < track.taken_count:
            return [None] * (track.taken_count - track.given_count)
        given = sorted(track.given)
        steps = sorted(b - a for a, b in zip(given, given[1:]))
        near = steps[len(steps) // 2] * 3 // 4 if steps else 0
        missing, index = [], 0
        for time in sorted(track.taken):
            while index + 1 < len(given) and given[index + 1] <= time:
                index += 1
            next_one = given[min(index + 1, len(given) - 1)]
            if time > given[0] and min(abs(time - given[index]), abs(next_one - time)) > near:
                missing.append(time)
        return missing

    def picture_hole(self, track):
        """Of films with a steady rate alone: in others every frame stays for as long as it does."""
        if not track.rate:
            return None
        step = Gst.SECOND / track.rate
        times = sorted(track.given)
        steps = list(zip(times, times[1:]))
        uneven = sum(abs(b - a - step) > step / 5 for a, b in steps)
        holes = [(a, b) for a, b in steps
                 if b - a - step > PICTURE_HOLE and b - track.long.get(a, 0) > PICTURE_HOLE]
        if uneven > max(2, len(times) // 20) or not holes:
            return None
        start, end = holes[0]
        return f"its picture has a hole of {seconds(end - start)} at {seconds(start)}"

    def sound_hole(self, sounds):
        for track in sounds:
            # Where there are many, silence is not stored.
            if track.holes and len(track.holes) <= max(8, track.buffers // 50):
                start, end = track.holes[0]
                return f"its sound has a hole of {seconds(end - start)} at {seconds(start)}"
        return None

    def breaks_off(self, picture, sounds, length):
        sound_end = max((track.end for track in sounds), default=0)
        if sound_end - picture.end > tolerance(sound_end):
            return (f"its picture ends after {seconds(picture.end)},"
                    f" its sound after {seconds(sound_end)}")
        reached = max(max(track.end, track.position) for track in [picture, *sounds])
        if length - reached > tolerance(length):
            return f"it breaks off after {seconds(reached)} of {seconds(length)}"
        return None

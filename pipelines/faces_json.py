#!/usr/bin/python3
"""Writes what is known of the faces in each frame as JSON, one line a frame.

    pipelines/env.sh pipelines/faces_json.py INPUT [--mesh] > faces.jsonl

INPUT is a picture, a film or a camera (/dev/videoN). With --mesh the 468 points of each face are
written too.
"""
import json
import os
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst

NUMBERS = ("x", "y", "width", "height", "confidence", "roll", "yaw", "pitch", "left-eye-open",
           "right-eye-open", "mouth-open", "smile")


def as_dictionary(face, with_mesh):
    result = {"id": face["id"]}
    for name in NUMBERS:
        if face.has_field(name):
            result[name] = round(face[name], 4)
    for name, size in (("keypoints", 2), ("landmarks", 3)):
        if face.has_field(name) and (with_mesh or name == "keypoints"):
            values = memoryview(face[name].get_data()).cast("f")
            result[name] = [[round(v, 4) for v in values[i:i + size]]
                            for i in range(0, len(values), size)]
    return result


def main():
    arguments = [a for a in sys.argv[1:] if a != "--mesh"]
    if len(arguments) != 1:
        sys.exit(__doc__)
    Gst.init(None)
    source = (f"v4l2src device={arguments[0]}" if arguments[0].startswith("/dev/video")
              else f'uridecodebin uri="{Gst.filename_to_uri(os.path.abspath(arguments[0]))}"')
    pipeline = Gst.parse_launch(
        f"{source} ! videoconvert ! facedetect name=faces updates=none ! fakesink")

    def write(_pad, info):
        buffer = info.get_buffer()
        contents = buffer.get_custom_meta("MienFaces").get_structure()
        time = None if buffer.pts == Gst.CLOCK_TIME_NONE else round(buffer.pts / Gst.SECOND, 4)
        print(json.dumps({
            "time": time, "width": contents["width"], "height": contents["height"],
            "faces": [as_dictionary(face, "--mesh" in sys.argv) for face in contents["faces"]],
        }), flush=True)
        return Gst.PadProbeReturn.OK

    pad = pipeline.get_by_name("faces").get_static_pad("src")
    pad.add_probe(Gst.PadProbeType.BUFFER, write)
    pipeline.set_state(Gst.State.PLAYING)
    try:
        message = pipeline.get_bus().timed_pop_filtered(
            Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    except KeyboardInterrupt:
        message = None
    pipeline.set_state(Gst.State.NULL)
    if message and message.type == Gst.MessageType.ERROR:
        sys.exit(f"mien: {message.parse_error()[0].message}")


main()

#!/usr/bin/python3
"""Prints the faces in the test photograph: the shortest reader of the MienFaces metadata."""
import sys

import gi
gi.require_version("Gst", "1.0")
from gi.repository import Gst

Gst.init(None)
pipeline = Gst.parse_launch(
    "filesrc location=models/astronaut.png ! pngdec ! videoconvert ! facedetect name=f ! fakesink")

def look(pad, info):
    for face in info.get_buffer().get_custom_meta("MienFaces").get_structure()["faces"]:
        print(face["id"], round(face["confidence"], 2), round(face["x"], 3), round(face["y"], 3))
    return Gst.PadProbeReturn.OK

pipeline.get_by_name("f").get_static_pad("src").add_probe(Gst.PadProbeType.BUFFER, look)
pipeline.set_state(Gst.State.PLAYING)
end = pipeline.get_bus().timed_pop_filtered(10 * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR)
pipeline.set_state(Gst.State.NULL)
if end is None or end.type == Gst.MessageType.ERROR:
    sys.exit(end.parse_error()[0].message if end else "no end of the stream within 10 seconds")

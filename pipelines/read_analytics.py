#!/usr/bin/python3
"""Prints the faces in the test photograph as any reader of GstAnalytics does (GStreamer 1.24 on)."""
import gi
gi.require_version("Gst", "1.0")
gi.require_version("GstAnalytics", "1.0")
from gi.repository import GLib, Gst, GstAnalytics

Gst.init(None)
pipeline = Gst.parse_launch(
    "filesrc location=models/astronaut.png ! pngdec ! videoconvert"
    " ! facedetect analytics=always name=f ! fakesink")

def look(pad, info):
    found = GstAnalytics.buffer_get_analytics_relation_meta(info.get_buffer())
    numbers = range(GstAnalytics.relation_get_length(found)) if found else []
    for number in numbers:
        is_detection, face = found.get_od_mtd(number)
        if not is_detection:
            continue
        print(number, GLib.quark_to_string(face.get_obj_type()), face.get_location())
        for other in numbers:
            is_track, track = found.get_tracking_mtd(other)
            if is_track and found.get_relation(number, other) == GstAnalytics.RelTypes.RELATE_TO:
                print("track", track.get_info()[1])
            is_class, classes = found.get_cls_mtd(other)
            if is_class and found.get_relation(number, other) == GstAnalytics.RelTypes.CONTAIN:
                print({GLib.quark_to_string(classes.get_quark(k)): round(classes.get_level(k), 2)
                       for k in range(classes.get_length())})
    return Gst.PadProbeReturn.OK

pipeline.get_by_name("f").get_static_pad("src").add_probe(Gst.PadProbeType.BUFFER, look)
pipeline.set_state(Gst.State.PLAYING)
pipeline.get_bus().timed_pop_filtered(10 * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR)
pipeline.set_state(Gst.State.NULL)

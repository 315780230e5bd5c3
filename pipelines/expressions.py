#!/usr/bin/python3
"""Prints face events as they happen: blinks, smiles, open mouths, found and lost faces.

    pipelines/env.sh pipelines/expressions.py [INPUT]

INPUT is a film or a camera; /dev/video0 if none is named. Ctrl-C ends it.
"""
import os
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst

TEXTS = {
    "found": "is here", "lost": "is gone", "blink": "blinks", "smile-started": "smiles",
    "smile-finished": "stops smiling", "mouth-opened": "opens the mouth",
    "mouth-closed": "closes the mouth",
}


def main():
    if any(argument in ("-h", "--help") for argument in sys.argv[1:]):
        print(__doc__)
        return
    path = sys.argv[1] if len(sys.argv) > 1 else "/dev/video0"
    Gst.init(None)
    source = (f"v4l2src device={path}" if path.startswith("/dev/video")
              else f'uridecodebin uri="{Gst.filename_to_uri(os.path.abspath(path))}"')
    pipeline = Gst.parse_launch(
        f"{source} ! videoconvert ! facedetect landmarks=false video-direction=auto"
        " ! fakesink sync=true")
    bus = pipeline.get_bus()
    pipeline.set_state(Gst.State.PLAYING)
    failure = None
    try:
        while True:
            message = bus.timed_pop(Gst.CLOCK_TIME_NONE)
            if message.type == Gst.MessageType.EOS:
                break
            if message.type == Gst.MessageType.ERROR:
                failure = message.parse_error()[0].message
                break
            event = message.get_structure()
            if message.type == Gst.MessageType.ELEMENT and event.get_name() == "face-event":
                time = event["stream-time"] / Gst.SECOND
                print(f"{time:8.2f} s  face {event['id']} {TEXTS[event['event']]}", flush=True)
    except KeyboardInterrupt:
        pass
    pipeline.set_state(Gst.State.NULL)
    if failure:
        sys.exit(f"mien: {failure}")


main()

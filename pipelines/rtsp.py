#!/usr/bin/python3
"""Serves a film, decorated, to every player that opens its RTSP address; or counts the frames of one player.

  pipelines/env.sh pipelines/rtsp.py FILM [--count] [--port PORT]

Each player gets a pipeline of its own, from the start of the film. With --count a player in this process opens
the address, and the number of its frames is printed at the end of the film; without it the server runs until
Ctrl+C. Needs gir1.2-gst-rtsp-server-1.0.
"""
import argparse
import os
import signal
import sys

import gi
try:
    for name in ("Gst", "GstRtspServer"):
        gi.require_version(name, "1.0")
except ValueError as error:
    sys.exit(f"rtsp: {error}: install gir1.2-gst-rtsp-server-1.0")
from gi.repository import GLib, Gst, GstRtspServer

# A live source, such as v4l2src, needs set_shared(True): all players see the same frames then.
FACTORY = (
    "( filesrc location={} ! decodebin ! videoconvert ! mienlook sticker=halo ! videoconvert"
    " ! vp8enc deadline=1 keyframe-max-dist=20 ! rtpvp8pay name=pay0 pt=96 )")
PLAYER = "rtspsrc location={} latency=100 ! decodebin ! videoconvert ! fakesink name=view signal-handoffs=true"


def count(address, loop):
    """Plays an address; returns the frames that came, and an error or None."""
    player, frames, errors = Gst.parse_launch(PLAYER.format(address)), [], []
    player.get_by_name("view").connect("handoff", lambda _, buffer, pad: frames.append(buffer.pts))

    def message(_, message):
        if message.type == Gst.MessageType.ERROR:
            error, details = message.parse_error()
            errors.append(details.splitlines()[-1] if details else error.message)
        if message.type in (Gst.MessageType.ERROR, Gst.MessageType.EOS):
            loop.quit()

    bus = player.get_bus()
    bus.add_signal_watch()
    bus.connect("message", message)
    player.set_state(Gst.State.PLAYING)
    loop.run()
    player.set_state(Gst.State.NULL)
    return len(frames), errors[0] if errors else None


def main():
    parser = argparse.ArgumentParser(usage="pipelines/rtsp.py FILM [--count] [--port PORT]")
    parser.add_argument("film")
    parser.add_argument("--count", action="store_true")
    parser.add_argument("--port", type=int, default=8554)
    arguments = parser.parse_args()
    if not os.path.isfile(arguments.film):
        sys.exit(f"rtsp: there is no file {arguments.film}")
    Gst.init(None)
    factory = GstRtspServer.RTSPMediaFactory()
    quoted = arguments.film.replace("\\", "\\\\").replace('"', '\\"')
    factory.set_launch(FACTORY.format(f'"{quoted}"'))
    server = GstRtspServer.RTSPServer(service=str(arguments.port), address="127.0.0.1")
    server.get_mount_points().add_factory("/mien", factory)
    if not server.attach(None):
        sys.exit(f"rtsp: port {arguments.port} is in use: choose another one by --port")
    address = f"rtsp://127.0.0.1:{arguments.port}/mien"
    loop = GLib.MainLoop()
    for number in (signal.SIGINT, signal.SIGTERM):
        GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, number, loop.quit)
    print(address, flush=True)
    if not arguments.count:
        loop.run()
        return 0
    frames, error = count(address, loop)
    if error:
        sys.exit("rtsp: " + error)
    print(f"received: {frames} frames")
    return 0 if frames else 1


sys.exit(main())

#!/usr/bin/python3
"""Sends a decorated film over WebRTC to a receiver in this process, and counts the frames that arrive.

  pipelines/env.sh pipelines/webrtc.py FILM

A program with a browser at the other end exchanges the descriptions and candidates with it by a signalling
server; here they are passed from one webrtcbin to the other. Needs gstreamer1.0-nice and
gir1.2-gst-plugins-bad-1.0. It takes about as long as the film, and ends with 1 if no frame arrives.
"""
import sys

import gi
try:
    for name in ("Gst", "GstSdp", "GstWebRTC"):
        gi.require_version(name, "1.0")
except ValueError as error:
    sys.exit(f"webrtc: {error}: install gir1.2-gst-plugins-bad-1.0")
from gi.repository import GLib, Gst, GstWebRTC

SENDER = (
    "uridecodebin name=film ! videoconvert ! mienlook sticker=halo ! videoconvert ! clocksync ! queue"
    " ! vp8enc deadline=1 keyframe-max-dist=20 ! rtpvp8pay"
    " ! application/x-rtp,media=video,encoding-name=VP8,payload=96 ! webrtcbin name=peer")
VIEW = "rtpvp8depay ! vp8dec ! videoconvert ! fakesink name=view signal-handoffs=true sync=false"


def connect(sender, receiver):
    """Passes the descriptions and the candidates of each side to the other one."""
    sides = {sender: receiver, receiver: sender}
    for side in sides:
        side.connect(
            "on-ice-candidate",
            lambda side, line, candidate: sides[side].emit("add-ice-candidate", line, candidate))

    def describe(side, kind, then):
        def described(promise, _):
            # The reply owns the description.
            reply = promise.get_reply()
            description = reply.get_value(kind)
            side.emit("set-local-description", description, None)
            sides[side].emit(
                "set-remote-description", description,
                Gst.Promise.new_with_change_func(lambda _, __: then(), None))
        side.emit("create-" + kind, None, Gst.Promise.new_with_change_func(described, None))

    def answer():
        describe(receiver, "answer", lambda: None)

    sender.connect("on-negotiation-needed", lambda _: describe(sender, "offer", answer))


def wait_for_connection(sender, receiver, failed):
    """Holds the packets of the film until both sides are connected: earlier ones would be lost.

    Calls `failed` if they cannot be connected.
    """
    states = GstWebRTC.WebRTCPeerConnectionState
    pad = sender.get_static_pad("sink_0").get_peer()
    held = pad.add_probe(
        Gst.PadProbeType.BLOCK | Gst.PadProbeType.BUFFER, lambda _, __: Gst.PadProbeReturn.OK)
    waiting = {sender, receiver}

    def changed(side, _):
        state = side.get_property("connection-state")
        # The states change in a thread of each side.
        if state == states.CONNECTED:
            GLib.idle_add(connected, side)
        elif state == states.FAILED:
            GLib.idle_add(failed)

    def connected(side):
        if side in waiting:
            waiting.remove(side)
            if not waiting:
                pad.remove_probe(held)

    for side in (sender, receiver):
        side.connect("notify::connection-state", changed)


def main():
    if len(sys.argv) != 2:
        sys.exit("webrtc: the film is missing: pipelines/webrtc.py FILM")
    Gst.init(None)
    if not Gst.ElementFactory.find("nicesrc"):
        sys.exit("webrtc: webrtcbin needs the element nicesrc: install gstreamer1.0-nice")
    sending, receiving = Gst.parse_launch(SENDER), Gst.Pipeline()
    sending.get_by_name("film").set_property("uri", Gst.filename_to_uri(sys.argv[1]))
    sender, receiver = sending.get_by_name("peer"), Gst.ElementFactory.make("webrtcbin")
    receiving.add(receiver)
    loop, frames, problems = GLib.MainLoop(), [], []

    def handle(fakesink, buffer, pad):
        frames.append(pad.get_current_caps().to_string().split(", "))

    def view(peer, pad):
        if pad.direction != Gst.PadDirection.SRC:
            return
        viewer = Gst.parse_bin_from_description(VIEW, True)
        viewer.get_by_name("view").connect("handoff", handle)
        receiving.add(viewer)
        viewer.sync_state_with_parent()
        pad.link(viewer.get_static_pad("sink"))

    receiver.connect("pad-added", view)
    def failed():
        problems.append("the two sides cannot be connected")
        loop.quit()

    connect(sender, receiver)
    wait_for_connection(sender, receiver, failed)

    def message(_, message):
        if message.type == Gst.MessageType.ERROR:
            problems.append(message.parse_error()[0].message)
            loop.quit()

    for pipeline in (receiving, sending):
        bus = pipeline.get_bus()
        bus.add_signal_watch()
        bus.connect("message", message)
        pipeline.set_state(Gst.State.PLAYING)

    # The film has ended when its last frame has passed the encoder, and no frame arrived for half a second.
    def stopped_after(count):
        if len(frames) == count:
            loop.quit()
        else:
            GLib.timeout_add(500, stopped_after, len(frames))

    def ended(pad, info):
        if info.get_event().type == Gst.EventType.EOS:
            GLib.timeout_add(500, stopped_after, len(frames))
        return Gst.PadProbeReturn.OK

    sender.get_static_pad("sink_0").add_probe(Gst.PadProbeType.EVENT_DOWNSTREAM, ended)
    loop.run()
    for pipeline in (sending, receiving):
        pipeline.set_state(Gst.State.NULL)
    if problems:
        sys.exit("webrtc: " + problems[0])
    size = [field for field in frames[-1] if field.startswith(("width", "height"))] if frames else []
    print(f"received: {len(frames)} frames", *[field.replace("(int)", "") for field in size])
    return 0 if frames else 1


sys.exit(main())

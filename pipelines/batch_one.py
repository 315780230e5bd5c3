#!/usr/bin/python3
"""Decorates one file of a batch; batch.sh runs it, on this machine or another.

    pipelines/env.sh pipelines/batch_one.py NUMBER FOLDER OUTFOLDER STICKER NAME
    pipelines/env.sh pipelines/batch_one.py --check STICKER

Prints one line: NUMBER; "done", "partly" (done, but something did not come along) or "failed"; and
what there is to say, with tabs between.
"""

import os
import signal
import sys
import time

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402

from decoration import Decoration, Failure  # noqa: E402


def say(number, state, text):
    print(number, state, " ".join(text.split()), sep="\t", flush=True)


def decorate(number, folder, outfolder, sticker, name):
    """Returns the state and what there is to say."""
    source, base = os.path.join(folder, name), os.path.join(outfolder, name)
    for made in (base + ".webm", base + ".png"):
        # Another machine, or a job that outlived its batch, may have been faster.
        if os.path.isfile(made):
            return "done", "was there already"
        if os.path.isdir(made):
            raise Failure(f"the folder {made} has the name that it would come out under; move the"
                          " folder away, or give the batch another place to write to")
    started = time.monotonic()
    try:
        os.makedirs(os.path.dirname(base), exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise Failure(f"a file is in the way of the folder {os.path.dirname(base)}; move it away,"
                      " or give the batch another place to write to") from None
    decoration = Decoration(
        source, base, sticker, last_words=lambda reason: say(number, "failed", reason))
    for signal_number in (signal.SIGINT, signal.SIGTERM):
        GLib.unix_signal_add(GLib.PRIORITY_HIGH, signal_number, decoration.stop, "it was stopped")
    decoration.run()
    frames = f"{decoration.frames} frames, " if decoration.is_film else ""
    text = f"{frames}{time.monotonic() - started:.1f} s"
    if decoration.left_out:
        return "partly", f"{decoration.left_out} was left out ({text})"
    return "done", text


def check(sticker):
    """Whether the plugin and the sticker can be used at all, before every file fails of it."""
    pipeline = Gst.parse_launch(
        "videotestsrc num-buffers=1 ! video/x-raw,width=64,height=64 ! mienfacedetect"
        " ! sticker name=sticker ! fakesink")
    pipeline.get_by_name("sticker").set_property("location", sticker)
    pipeline.set_state(Gst.State.PLAYING)
    message = pipeline.get_bus().timed_pop_filtered(
        60 * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    if message is None or message.type == Gst.MessageType.ERROR:
        raise Failure(message.parse_error()[0].message if message else "a test picture is stuck")


def main():
    Gst.init(None)
    if sys.argv[1] == "--check":
        try:
            check(sys.argv[2])
        except (Failure, GLib.Error) as error:
            sys.exit(f"mien: {error}")
        return
    number, folder, outfolder, sticker, name = sys.argv[1:]
    sys.stdout.reconfigure(errors="backslashreplace")
    try:
        state, text = decorate(number, folder, outfolder, sticker, name)
    except Exception as error:  # whatever it is, the batch goes on with the next file
        state, text = "failed", str(error) or type(error).__name__
    say(number, state, text)
    sys.exit(state == "failed")


main()

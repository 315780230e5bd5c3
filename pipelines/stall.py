"""Tells a pipeline that has stopped for good from one that is slow.

A demuxer or decoder that meets what it cannot digest may pause every task and report nothing; the
pipeline would then stand there for ever. `Watch` gives up when for two seconds nothing has moved:
no buffer, no processor time, no thread that waits for its turn, for a disk or for a file. However
slow the machine and however heavy the film, one of these goes on while there is anything to wait
for.
"""

import os
import platform
import stat
import threading
import time

TICK = 0.25  # seconds
# Ticks are counted, not seconds: a process that was stopped, or a machine that slept, is not stuck.
PATIENCE = 8
# What a main loop may use up in a tick by itself, seconds of processor time.
IDLE = 0.002
# Ticks of computing without a buffer: ten minutes are more than any frame takes.
ENDLESS = 2400
# read, write, pread, pwrite, readv, writev, fsync, fdatasync
FILE_CALLS = {
    "x86_64": {0, 1, 17, 18, 19, 20, 74, 75}, "aarch64": {63, 64, 67, 68, 65, 66, 82, 83},
}.get(platform.machine(), set())


def waits_for_file(thread):
    """Whether a thread is reading or writing a file: over some networks that looks like sleep."""
    try:
        with open(f"/proc/self/task/{thread}/syscall") as file:
            words = file.read().split()
        return (words[0].isdigit() and int(words[0]) in FILE_CALLS
                and stat.S_ISREG(os.fstat(int(words[1], 16)).st_mode))
    except (OSError, IndexError):
        return False


def is_busy(thread):
    """Whether a thread runs, could run, or waits for a disk or a file."""
    try:
        with open(f"/proc/self/task/{thread}/stat") as file:
            state = file.read().rpartition(")")[2].split()[0]
    except OSError:  # it has ended meanwhile
        return True
    return state in "RD" or waits_for_file(thread)


class Watch(threading.Thread):
    """Calls `give_up` with a reason when nothing moves any more, and `abandon` when after that
    nothing moves either. `count` returns a number that changes with every buffer."""

    def __init__(self, count, give_up, abandon):
        super().__init__(daemon=True)
        self.count, self.give_up, self.abandon = count, give_up, abandon
        self.ended = threading.Event()
        self.start()

    def run(self):
        still = computing = 0
        counted, used = None, 0.0
        steps = [self.give_up, self.abandon]
        while steps and not self.ended.wait(TICK):
            was_counted, counted = counted, self.count()
            was_used, used = used, time.process_time() - time.thread_time()
            computing = 0 if counted != was_counted else computing + 1
            if counted != was_counted or used - was_used > IDLE or self.others_are_busy():
                still = 0
            else:
                still += 1
            if still == PATIENCE or computing == ENDLESS:
                seconds = (still if still == PATIENCE else computing) * TICK
                steps.pop(0)(f"nothing has moved for {seconds:.0f} s: GStreamer met something in it"
                             " that it neither decodes nor reports")
                still = computing = 0

    def others_are_busy(self):
        me = threading.get_native_id()
        return any(is_busy(thread) for thread in os.listdir("/proc/self/task")
                   if int(thread) != me)

    def end(self):
        self.ended.set()
        self.join()

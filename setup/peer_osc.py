#!/usr/bin/python3
"""Receives what `mien faces --send vmc` sends, with python-osc, for `make puppet-check`.

    setup/peer_osc.py PACKAGES COMMAND INPUT

Prints the number of bundles, the messages of one, and their rate, and ends with 1 if python-osc reads
anything else than it should.
"""
import math
import socket
import subprocess
import sys
import time

sys.path.insert(0, sys.argv[1])
from pythonosc.osc_bundle import OscBundle

receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
receiver.bind(("127.0.0.1", 0))
receiver.settimeout(0.5)
port = receiver.getsockname()[1]
command = [sys.argv[2], "faces", sys.argv[3], "--send", "vmc", "--to", f":{port}"]
sender = subprocess.Popen(command)
times, bundles = [], []
while True:
    try:
        datagram = receiver.recv(65536)
    except TimeoutError:
        if sender.poll() is not None:
            break
        continue
    times.append(time.monotonic())
    bundles.append([(message.address, message.params) for message in OscBundle(datagram)])
if sender.returncode != 0 or not bundles:
    sys.exit(f"mien: the command ended with {sender.returncode} after {len(bundles)} bundles")
for bundle in bundles:
    addresses = [address for address, _ in bundle]
    if addresses[:2] != ["/VMC/Ext/OK", "/VMC/Ext/T"]:
        sys.exit(f"mien: a bundle begins with {addresses[:2]}")
    heads = [values for address, values in bundle if address == "/VMC/Ext/Bone/Pos"]
    scores = [values for address, values in bundle if address == "/VMC/Ext/Blend/Val"]
    if len(heads) != bundle[0][1][3] or heads and addresses[-1] != "/VMC/Ext/Blend/Apply":
        sys.exit(f"mien: a bundle has {len(heads)} heads and ends with {addresses[-1]}")
    if any(abs(math.hypot(*head[4:]) - 1) > 1e-5 for head in heads):
        sys.exit(f"mien: {heads} has no unit quaternion")
    if any(not 0 <= score <= 1 for _, score in scores):
        sys.exit(f"mien: a score is not in 0...1: {scores}")
print(*bundles[-1], sep="\n")
span = times[-1] - times[0]
rate = f", {(len(times) - 1) / span:.1f} a second" if span > 0 else ""
print(f"mien: python-osc reads {len(bundles)} bundles{rate}")

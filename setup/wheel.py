#!/usr/bin/env python3
"""Packs the products of `make build` as a wheel for pip:

    setup/wheel.py [FILE]             without FILE, out/gst_mien-VERSION-py3-none-linux_ARCH.whl

The plugin links the system's GStreamer, which no manylinux policy permits, so the tag is that of plain Linux.
The wheel says in its metadata which glibc its files need. Entries have fixed times and an order of their own, so
that equal inputs make equal wheels.
"""
import base64
import glob
import hashlib
import os
import platform
import re
import subprocess
import sys
import tempfile
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
os.chdir(ROOT)
version = open("VERSION").read().strip()
tag = f"py3-none-linux_{platform.machine()}"
info = f"gst_mien-{version}.dist-info"
name = sys.argv[1] if len(sys.argv) > 1 else f"out/gst_mien-{version}-{tag}.whl"
files = {}


def add(path, source):
    with open(source, "rb") as file:
        files[path] = file.read()


for source in sorted(glob.glob("python/gst_mien/*")):
    if os.path.isfile(source):
        add("gst_mien/" + os.path.basename(source), source)
start = files["gst_mien/__init__.py"]
files["gst_mien/__init__.py"] = start.replace(b"@VERSION@", version.encode())

# Stripped copies of the libraries, in the layout that they find each other and the models in.
needed = (0, 0)
libraries = glob.glob(".build/lib/**/*.so", recursive=True)
if not libraries:
    sys.exit("mien: make build comes first")
with tempfile.TemporaryDirectory() as folder:
    for source in sorted(libraries):
        copy = os.path.join(folder, "copy.so")
        subprocess.run(["strip", "--strip-unneeded", "-o", copy, source], check=True)
        add("gst_mien/lib/" + os.path.relpath(source, ".build/lib"), copy)
        symbols = subprocess.run(["objdump", "-T", copy], check=True, capture_output=True, text=True).stdout
        for found in re.findall(r"GLIBC_(\d+)\.(\d+)", symbols):
            needed = max(needed, tuple(map(int, found)))
        # Packed relocations are a feature of the loader.
        if "GLIBC_ABI_DT_RELR" in subprocess.run(["objdump", "-p", copy], capture_output=True, text=True).stdout:
            needed = max(needed, (2, 36))
for source in sorted(glob.glob("models/*.tflite") + glob.glob("models/*.onnx") + glob.glob("models/LICENSE.*")):
    add("gst_mien/share/mien/" + source, source)
for manifest in sorted(glob.glob("stickers/*/meta.json")):
    for folder, _, names in os.walk(os.path.dirname(manifest)):
        for file in sorted(names):
            add("gst_mien/share/mien/" + os.path.join(folder, file), os.path.join(folder, file))
for source in sorted(glob.glob("backgrounds/*.jpg")):
    add("gst_mien/share/mien/" + source, source)
for source in sorted(glob.glob("presets/*.prs") + glob.glob(".build/lib/presets/*.prs")):
    add("gst_mien/share/gstreamer-1.0/presets/" + os.path.basename(source), source)

add(f"{info}/LICENSE", "LICENSE")
files[f"{info}/METADATA"] = f"""Metadata-Version: 2.1
Name: gst-mien
Version: {version}
Summary: GStreamer plugin that finds, retouches and decorates faces, with its models
Author: The Mien authors
License: MIT
License-File: LICENSE
Keywords: gstreamer,face,landmarks,detection
Classifier: License :: OSI Approved :: MIT License
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Multimedia :: Video
Requires-Python: >=3.9
Requires-Dist: numpy
Requires-External: glibc (>={needed[0]}.{needed[1]})
Requires-External: libgstreamer-1.0.so.0 (>=1.22)
Description-Content-Type: text/markdown

{open("python/README.md").read()}""".encode()
files[f"{info}/WHEEL"] = f"""Wheel-Version: 1.0
Generator: mien
Root-Is-Purelib: false
Tag: {tag}
""".encode()

record = ""
for path, content in files.items():
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    record += f"{path},sha256={digest},{len(content)}\n"
files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()

os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
with zipfile.ZipFile(name + ".part", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
    for path, content in files.items():
        entry = zipfile.ZipInfo(path, (2026, 1, 1, 0, 0, 0))
        entry.external_attr = 0o644 << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        wheel.writestr(entry, content)
os.replace(name + ".part", name)
print(f"mien: {name}: {os.path.getsize(name) / 1e6:.1f} MB, glibc {needed[0]}.{needed[1]} or newer")

#!/usr/bin/python3
"""Counts the instructions a frame of each element in two builds, and prints them side by side.

    setup/count_instructions.py BEFORE AFTER [ROW...]

BEFORE and AFTER are folders of this project after `make build`. Only rows whose name contains one of the
words ROW are counted. Instruction counts repeat on a busy machine, where times do not.

Each row is a pipeline that runs under callgrind with N and with 2 N frames. A frame's instructions are the
difference divided by N, which excludes start-up, less those of the same pipeline without the element.
Frames are raw, and effects get faces from a file, so that both builds have the same input. Valgrind does
not support AVX-512 and reports a processor with AVX2, so builds for x86-64-v3 are counted. Rows whose ratio
is beyond 3 % are counted twice, and the smaller counts used.

The columns are the row, millions of instructions a frame of each build, their ratio, and whether the output
of both builds (frames, or face metadata for facedetect) is bit-identical. Rows over 1.03 are marked.
"""
import concurrent.futures
import hashlib
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INPUTS = os.path.join(ROOT, ".build", "counts")
REPLAY = os.path.join(INPUTS, "replay_faces")
WIDTH, HEIGHT = 640, 360
FILM_FRAMES = 24
LIMIT = 1.03
BITS = {"RGB": 24, "RGBA": 32, "YUY2": 16}

FACE_PRESETS = {"natural": "intensity=0.4 detail=0.4 brightness=0.08 even-skin=0.15",
                "strong": "intensity=1 detail=0 brightness=0.25 even-skin=0.8"}
SHAPES = {"slim": "slim=1", "doll": "slim=0.55 jaw=-0.3 eyes=0.9 nose=-0.7 mouth=-0.25 chin=-0.3 forehead=0.3",
          "stretch": "effect=stretch amount=0.8", "bulge": "effect=bulge amount=0.8",
          "pinch": "effect=pinch amount=0.8", "twirl": "effect=twirl amount=0.8"}
ALONE = "tracking=false landmarks=false expressions=false"


class Row:
    """A pipeline: frames of an input, and elements between them and the sink."""

    def __init__(self, name, source, format, elements, frames=8):
        self.name, self.source, self.format, self.elements, self.frames = name, source, format, elements, frames

    @property
    def detects(self):
        return self.elements.startswith("facedetect")

    def pipeline(self, elements, frames, sink="fakesink sync=false"):
        # Faces are attached to frames that leave the element "faces", and read from there.
        path = lambda ending: os.path.join(INPUTS, f"{self.source}-{self.format}.{ending}")
        width, height = size(self.source)
        frame = width * height * BITS.get(self.format, 12) // 8
        parse = f"rawvideoparse format={self.format.lower()} width={width} height={height} framerate=30/1"
        if self.source == "film":
            start = f"filesrc location={path('raw')} blocksize={frame} num-buffers={frames} ! {parse}"
        else:
            start = f"filesrc location={path('raw')} blocksize={frame} ! {parse} ! imagefreeze num-buffers={frames}"
        faces = "" if self.detects else "! identity name=faces"
        return f"{start} {faces} ! {elements} ! {sink}"


def size(source):
    return (1920, 1080) if source == "crowd" else (WIDTH, HEIGHT)


def rows():
    found = []
    for accuracy in "high", "low":
        for format in "NV12", "RGB":
            found.append(Row(f"facedetect accuracy={accuracy}, {format}", "film", format,
                             f"facedetect accuracy={accuracy} {ALONE}", 5))
    found += [
        Row("facedetect mesh, max-faces=1, NV12", "film", "NV12", "facedetect max-faces=1 expressions=false", 5),
        Row("facedetect mesh, searching, NV12", "film", "NV12", "facedetect expressions=false", 5),
        Row("facedetect mesh, expressions, NV12", "film", "NV12", "facedetect", 5),
        Row("facedetect mesh, expressions, RGB", "film", "RGB", "facedetect max-faces=1", 5),
        Row("facedetect boxes, tracked, NV12", "film", "NV12", "facedetect landmarks=false expressions=false", 5),
        Row("facedetect display, NV12", "film", "NV12", "facedetect max-faces=1 display=true", 5),
        Row("facedetect 16 faces, NV12", "crowd", "NV12", "facedetect expressions=false", 1),
        Row("facedetect 16 faces, expressions, NV12", "crowd", "NV12", "facedetect", 1)]
    for preset, text in FACE_PRESETS.items():
        for format in "I420", "NV12", "RGB", "YUY2":
            found.append(Row(f"beautifymask {preset}, {format}", "film", format, "beautifymask " + text))
    found += [Row(f"beautifymask mask={mask}, NV12", "film", "NV12", f"beautifymask mask={mask}")
              for mask in ("ellipse", "full")]
    found.append(Row("beautifymask 16 faces, NV12", "crowd", "NV12", "beautifymask", 2))
    picture = f"background={ROOT}/models/astronaut.png"
    for format, alpha in ("I420", "A420"), ("NV12", "AV12"), ("RGB", "RGBA"):
        found.append(Row(f"chromakey {format} to {alpha}", "screen", format,
                         f"chromakey ! video/x-raw,format={alpha}"))
    for format in "I420", "NV12", "RGB", "YUY2":
        found.append(Row(f"chromakey onto a picture, {format}", "screen", format, "chromakey " + picture))
    found += [
        Row("chromakey onto a colour, NV12", "screen", "NV12", "chromakey background-color=0xff204060"),
        Row("chromakey screen-adapt=0, NV12", "screen", "NV12",
            "chromakey method=green screen-adapt=0 ! video/x-raw,format=AV12"),
        Row("chromakey shrink, soften, NV12", "screen", "NV12",
            "chromakey shrink=1 soften=2 ! video/x-raw,format=AV12")]
    for pack in "dog", "glasses", "halo", "facepaint", "hat", "lipstick", "frame":
        for format in "I420", "RGB":
            found.append(Row(f"sticker {pack}, {format}", "film", format, "sticker location=PROJECT/stickers/" + pack))
    found += [
        Row("sticker glasses, NV12", "film", "NV12", "sticker location=PROJECT/stickers/glasses"),
        Row("sticker facepaint, NV12", "film", "NV12", "sticker location=PROJECT/stickers/facepaint"),
        Row("sticker, a picture, NV12", "film", "NV12", f"sticker location={ROOT}/models/astronaut.png"),
        Row("sticker dog, 16 faces, NV12", "crowd", "NV12", "sticker location=PROJECT/stickers/dog", 2)]
    for shape, text in SHAPES.items():
        for format in "NV12", "RGB":
            found.append(Row(f"facereshape {shape}, {format}", "film", format, "facereshape " + text))
    found += [Row("facereshape slim, I420", "film", "I420", "facereshape slim=1"),
              Row("facereshape doll, 16 faces, NV12", "crowd", "NV12", "facereshape " + SHAPES["doll"], 2)]
    found += [Row(f"facehide {mode}, NV12", "film", "NV12", "facehide mode=" + mode)
              for mode in ("mosaic", "blur", "color")]
    found += [Row("facehide mosaic, RGB", "film", "RGB", "facehide"),
              Row("facehide lookahead=3, NV12", "film", "NV12", "facehide lookahead=3"),
              Row("facehide mosaic, 16 faces, NV12", "crowd", "NV12", "facehide", 2)]
    looks = [(look, "look=" + look) for look in ("noir", "chrome", "sepia", "cartoon")]
    looks += [("a cube", f"cube={INPUTS}/look.cube"), ("vignette, grain", "vignette=0.5 grain=0.5"),
              ("noir, faces", "look=noir where=faces")]
    for look, text in looks:
        for format in "NV12", "RGBA":
            found.append(Row(f"photoeffect {look}, {format}", "film", format, "photoeffect " + text))
    found += [
        Row("photoeffect chrome, I420", "film", "I420", "photoeffect look=chrome"),
        Row("photoeffect a cube, YUY2", "film", "YUY2", f"photoeffect cube={INPUTS}/look.cube"),
        Row("personkey NV12 to AV12", "film", "NV12", "personkey ! video/x-raw,format=AV12", 3),
        Row("personkey blur, NV12", "film", "NV12", "personkey blur=4 light-wrap=0.3", 3),
        Row("personkey onto a picture, NV12", "film", "NV12", "personkey " + picture, 3),
        Row("personkey onto a picture, RGB", "film", "RGB", "personkey " + picture, 3)]
    return found


# Inputs

def run(folder, *command, **options):
    """Runs a command with the build of a folder; its standard error if it succeeds."""
    environment = dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1")
    done = subprocess.run([os.path.join(folder, "pipelines", "env.sh"), *command], cwd=folder, env=environment,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **options)
    if done.returncode:
        raise SystemExit(f"count_instructions: {' '.join(command)}:\n{done.stderr}")
    return done.stderr


def launch(folder, pipeline):
    run(folder, "gst-launch-1.0", "-q", *pipeline.split())


def raw(source, format):
    return os.path.join(INPUTS, f"{source}-{format}.raw")


def write_screen(photograph):
    """Writes a person, an ellipse of the photograph, before an uneven green screen."""
    with open(photograph, "rb") as file:
        frame = bytearray(file.read())
    noise = 1
    for y in range(HEIGHT):
        for x in range(WIDTH):
            distance = ((x - 320) / 130) ** 2 + ((y - 190) / 165) ** 2
            alpha = min(max((1.06 - distance) / 0.12, 0), 1)
            noise = noise * 1103515245 + 12345 & 0x7FFFFFFF
            light = 0.8 + 0.25 * x / WIDTH - 0.1 * y / HEIGHT
            at = 3 * (y * WIDTH + x)
            for channel, value in enumerate((40, 175, 60)):
                screen = min(value * light + (noise >> 20 + channel & 3), 255)
                frame[at + channel] = int(alpha * frame[at + channel] + (1 - alpha) * screen)
    with open(raw("screen", "RGB"), "wb") as file:
        file.write(frame)


def write_cube():
    with open(os.path.join(INPUTS, "look.cube"), "w") as file:
        file.write("LUT_3D_SIZE 33\n")
        for index in range(33**3):
            r, g, b = index % 33 / 32, index // 33 % 33 / 32, index // 33**2 / 32
            file.write(f"{0.05 + 0.9 * r * (1.1 - 0.1 * g)} {0.95 * g * (0.8 + 0.2 * b)} {b * b}\n")


def make_inputs(folder):
    """Writes the raw frames, and the faces that the build of the folder finds in them."""
    os.makedirs(INPUTS, exist_ok=True)
    if os.path.exists(os.path.join(INPUTS, "complete")):
        return
    flags = subprocess.check_output(["pkg-config", "--cflags", "--libs", "gstreamer-1.0"], text=True).split()
    subprocess.run(["cc", "-o", REPLAY, os.path.join(ROOT, "Tests/SameBits/replay_faces.c"), *flags], check=True)
    photograph = f"filesrc location={ROOT}/models/astronaut.png ! pngdec ! videoconvert"
    caps = lambda format, source: "video/x-raw,format={},width={},height={},pixel-aspect-ratio=1/1".format(
        format, *size(source))
    launch(folder, f"filesrc location={ROOT}/models/scenes/single_face.mp4 ! decodebin ! videoconvert ! videoscale"
           f" ! {caps('RGB', 'film')} ! identity eos-after={FILM_FRAMES + 1} ! filesink location={raw('film', 'RGB')}")
    launch(folder, f"{photograph} ! videocrop bottom=224 ! videoscale ! {caps('RGB', 'screen')}"
           f" ! filesink location={raw('photograph', 'RGB')}")
    write_screen(raw("photograph", "RGB"))
    places = " ".join(f"sink_{i}::xpos={105 + 480 * (i % 4)} sink_{i}::ypos={270 * (i // 4)}" for i in range(16))
    launch(folder, f"{photograph} ! videocrop left=80 right=172 bottom=252 ! videoscale"
           f" ! video/x-raw,width=270,height=270 ! tee name=t compositor name=mix {places}"
           f" ! video/x-raw,width=1920,height=1080 ! videoconvert ! {caps('RGB', 'crowd')}"
           f" ! filesink location={raw('crowd', 'RGB')}" + " t. ! queue ! mix.sink_%d" * 16 % tuple(range(16)))
    for source in "film", "screen", "crowd":
        width, height = size(source)
        for format in "I420", "NV12", "YUY2", "RGBA":
            launch(folder, f"filesrc location={raw(source, 'RGB')} blocksize={3 * width * height} ! rawvideoparse"
                   f" format=rgb width={width} height={height} framerate=30/1 ! videoconvert dither=none"
                   f" ! {caps(format, source)} ! filesink location={raw(source, format)}")
    for source, frames in ("film", FILM_FRAMES), ("crowd", 4):
        row = Row("", source, "NV12", "facedetect name=faces updates=none")
        run(folder, REPLAY, "write", faces(source), row.pipeline(row.elements, frames))
    write_cube()
    open(os.path.join(INPUTS, "complete"), "w").close()


def faces(source):
    return os.path.join(INPUTS, ("film" if source == "screen" else source) + ".faces")


# Counting

def arguments(row, pipeline):
    if row.detects:
        return ["gst-launch-1.0", "-q", *pipeline.split()]
    return [REPLAY, "read", faces(row.source), pipeline]


def elements(row, folder):
    text = row.elements.replace("PROJECT", folder)
    return re.sub("^facedetect", "facedetect updates=none", text)


def collected(folder, row, pipeline):
    errors = run(folder, "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                 *arguments(row, pipeline))
    return int(re.search(r"Collected : (\d+)", errors).group(1))


class Counts:
    """The counts of one build: of each pipeline and number of frames the smallest, since what a thread
    does while it waits only adds."""

    def __init__(self, folder, jobs):
        self.folder, self.jobs, self.runs = folder, jobs, {}

    def submit(self, row, again=False):
        """Starts the runs of a row that were not run yet, or all of them."""
        for text in elements(row, self.folder), "identity":
            for frames in row.frames, 2 * row.frames:
                pipeline = row.pipeline(text, frames)
                if again or pipeline not in self.runs:
                    run = self.jobs.submit(collected, self.folder, row, pipeline)
                    self.runs.setdefault(pipeline, []).append(run)

    def per_frame(self, row):
        """A row's instructions a frame, once its runs have ended."""
        least = lambda text, frames: min(run.result() for run in self.runs[row.pipeline(text, frames)])
        own, without = (least(text, 2 * row.frames) - least(text, row.frames)
                        for text in (elements(row, self.folder), "identity"))
        return (own - without) / row.frames


def digest(folder, row):
    with tempfile.TemporaryDirectory() as temporary:
        path = os.path.join(temporary, "output")
        if row.detects:
            text = elements(row, folder).replace("facedetect", "facedetect name=faces", 1)
            run(folder, REPLAY, "write", path, row.pipeline(text, 2 * row.frames))
        else:
            text = row.pipeline(elements(row, folder), 2 * row.frames, f"filesink location={path}")
            run(folder, *arguments(row, text))
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()


def main():
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    folders, words = [os.path.abspath(path) for path in sys.argv[1:3]], sys.argv[3:]
    make_inputs(folders[0])
    wanted = [row for row in rows() if not words or any(word in row.name for word in words)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as jobs:
        counts = [Counts(folder, jobs) for folder in folders]
        for row in wanted:
            for count in counts:
                count.submit(row)
        print(f"{'row':40}{'before':>10}{'after':>10}{'ratio':>8}  output")
        for row in wanted:
            before, after = (count.per_frame(row) for count in counts)
            if not 1 / LIMIT < after / before < LIMIT:
                for count in counts:
                    count.submit(row, again=True)
                before, after = (count.per_frame(row) for count in counts)
            same = len({digest(folder, row) for folder in folders}) == 1
            print(f"{row.name:40}{before / 1e6:10.3f}{after / 1e6:10.3f}{after / before:8.3f}"
                  f"  {'same' if same else 'differs'}{'  slower' if after > LIMIT * before else ''}", flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""Counts the faces that three detectors find in the output of facehide, for `make hiding-check`.

    pipelines/env.sh setup/peer_hiding.py PACKAGES [FILM...]

The detectors: facedetect at 0.3 with tiles on single frames, the mediapipe wheel's two models at 0.5,
and OpenCV's frontal Haar cascade. Detections of the cascade alone within half a second do not count:
hands, a shoulder, leaves. In the synthetic crowd the positions of the faces are known. A face counts as
covered if 98 % of the ellipse in its box are.
"""
import os
import sys

sys.path.insert(0, sys.argv[1])
os.environ.update(GLOG_minloglevel="3", TF_CPP_MIN_LOG_LEVEL="3")
import gi

gi.require_version("Gst", "1.0")
import cv2
import mediapipe
import numpy
from gi.repository import Gst

SCENES = "models/scenes/"
CROWD = "a made crowd"
# The range of frames with a face, for films in which not all have one.
FILMS = {
    "face_noface.mov": range(0, 73),
    "noface_face.mov": range(100, 10**6),
    "single_face.mp4": None,
    "WolfgangLanger_Pexels.mp4": None,
    CROWD: None,
    "no_face.mp4": range(0),
}
EVERYONE = (
    "facedetect min-confidence=0.4 tiles=3x3 detect-interval=1 max-faces=64 smoothing=0"
    " expressions=false updates=none"
)
OURS = (
    "facedetect min-confidence=0.3 tiles=2x2 max-faces=64 tracking=false expressions=false"
    " updates=none"
)
MARK = (255, 0, 255)
# The number of frames within which another detector must confirm a detection of the cascade.
NEAR = 12


def pull(sink):
    """Yields each frame of an appsink with the faces in its metadata."""
    while sample := sink.emit("pull-sample"):
        buffer, caps = sample.get_buffer(), sample.get_caps().get_structure(0)
        width, height = caps.get_value("width"), caps.get_value("height")
        _, memory = buffer.map(Gst.MapFlags.READ)
        lines = numpy.frombuffer(memory.data, numpy.uint8).reshape(height, -1)
        picture = lines[:, : width * 3].reshape(height, width, 3).copy()
        buffer.unmap(memory)
        meta = buffer.get_custom_meta("MienFaces")
        boxes = []
        if meta:
            faces = meta.get_structure().get_array("faces")[1]
            for number in range(faces.n_values):
                face = faces.get_nth(number)
                boxes.append([face.get_double(key)[1] for key in ("x", "y", "width", "height")])
        yield picture, boxes


def frames(film, chain):
    """Yields the film's frames after a chain of elements."""
    caps, made = "video/x-raw,format=RGB", crowd()[0] if film == CROWD else None
    if made:
        height, width = made[0].shape[:2]
        source = f"appsrc name=source format=time caps={caps},width={width},height={height},framerate=25/1"
    else:
        source = f"filesrc location={SCENES}{film} ! decodebin ! videoconvert ! {caps}"
    pipeline = Gst.parse_launch(f"{source} ! {chain} ! appsink name=sink sync=false max-buffers=4")
    if made:
        for number, picture in enumerate(made):
            buffer = Gst.Buffer.new_wrapped(picture.tobytes())
            buffer.pts, buffer.duration = number * Gst.SECOND // 25, Gst.SECOND // 25
            pipeline.get_by_name("source").emit("push-buffer", buffer)
        pipeline.get_by_name("source").emit("end-of-stream")
    pipeline.set_state(Gst.State.PLAYING)
    yield from pull(pipeline.get_by_name("sink"))
    error = pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    if error:
        sys.exit(f"{film}: {error.parse_error()[0].message}")


def crowd():
    """A film of forty real heads, 24 to 60 pixels wide, before letters, under a panning camera."""
    # Faces of the portraits, in pixels: x, y, width, height.
    people = [
        ("multi_face.jpg", [(530, 320, 99, 115), (680, 300, 109, 119), (310, 247, 97, 112)]),
        ("multi_face.jpg", [(220, 73, 92, 98), (440, 220, 79, 88)]),
        ("single_face.jpg", [(194, 174, 186, 223)]),
        ("biden.jpg", [(427, 220, 289, 335)]),
        ("obama.jpg", [(373, 125, 238, 292)]),
        ("obama2.jpg", [(194, 276, 290, 359)]),
        ("obama3.jpg", [(645, 303, 275, 315)]),
    ]
    heads, boxes = [], []
    for name, faces in people:
        picture = cv2.cvtColor(cv2.imread(SCENES + name), cv2.COLOR_BGR2RGB)
        for x, y, w, h in faces:
            x0, y0, x1, y1 = x - 0.45 * w, y - 0.5 * h, x + 1.45 * w, y + 1.4 * h
            cut = picture[max(0, int(y0)) : int(y1), max(0, int(x0)) : int(x1)]
            heads.append((cut, (x - max(0, x0), y - max(0, y0), w, h)))
    ground = cv2.VideoCapture(SCENES + "no_face.mp4").read()[1][:, :, ::-1]
    wall = cv2.resize(ground, (1520, 720))
    random = numpy.random.default_rng(5)
    for number in range(40):
        cut, face = heads[number % len(heads)]
        scale = random.uniform(24, 60) / face[2]
        small = cv2.resize(cut, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        x = 2 + number % 10 * 152 + int(random.uniform(0, max(1, 148 - small.shape[1])))
        y = 2 + number // 10 * 180 + int(random.uniform(0, max(1, 176 - small.shape[0])))
        wall[y : y + small.shape[0], x : x + small.shape[1]] = small
        boxes.append((x + face[0] * scale, y + face[1] * scale, face[2] * scale, face[3] * scale))
    pictures = [numpy.ascontiguousarray(wall[:, 4 * n : 4 * n + 1280]) for n in range(60)]
    return pictures, [
        # The faces that are completely in the frame.
        [
            [(x - 4 * n) / 1280, y / 720, w / 1280, h / 720]
            for x, y, w, h in boxes
            if 0 <= x - 4 * n <= 1280 - w
        ]
        for n in range(60)
    ]


class Others:
    """The detectors of mediapipe and OpenCV."""

    def __init__(self):
        finder = mediapipe.solutions.face_detection.FaceDetection
        self.models = [finder(model_selection=n, min_detection_confidence=0.5) for n in (1, 0)]
        self.haar = cv2.CascadeClassifier(
            "/usr/share/opencv4/haarcascades/haarcascade_frontalface_default.xml"
        )

    def look(self, picture):
        """Returns boxes in normalized coordinates by the name of the detector."""
        height, width = picture.shape[:2]
        found = [d for model in self.models for d in model.process(picture).detections or []]
        boxes = [d.location_data.relative_bounding_box for d in found]
        grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
        haar = self.haar.detectMultiScale(grey, 1.1, 4, minSize=(24, 24))
        return {
            "mediapipe": [[b.xmin, b.ymin, b.width, b.height] for b in boxes],
            "Haar": [[x / width, y / height, w / width, h / height] for x, y, w, h in haar],
        }


def overlap(a, b):
    """Intersection over union."""
    x = max(0, min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0]))
    y = max(0, min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1]))
    return x * y / (a[2] * a[3] + b[2] * b[3] - x * y + 1e-9)


def covered(mask, box):
    """Returns the fraction of a box's ellipse that a mask covers."""
    height, width = mask.shape
    x, y, w, h = box[0] * width, box[1] * height, box[2] * width, box[3] * height
    left, top = max(0, int(x)), max(0, int(y))
    part = mask[top : max(0, int(y + h) + 1), left : max(0, int(x + w) + 1)]
    rows, columns = numpy.mgrid[top : top + part.shape[0], left : left + part.shape[1]]
    inside = ((columns + 0.5 - x - w / 2) / w) ** 2 + ((rows + 0.5 - y - h / 2) / h) ** 2 <= 0.25
    return part[inside].mean() if inside.any() else 1.0


def watch(film, others):
    """Returns the detections of each detector in each frame of the unprocessed film."""
    seen = []
    for picture, boxes in frames(film, OURS):
        seen.append({"ours": boxes, **others.look(picture)})
    for number, frame in enumerate(seen):
        near = [
            box
            for other in seen[max(0, number - NEAR) : number + NEAR + 1]
            for who in ("ours", "mediapipe")
            for box in other[who]
        ]
        frame["Haar"] = [b for b in frame["Haar"] if any(overlap(b, n) > 0.25 for n in near)]
    if film == CROWD:
        # The positions of all faces are known; those that a detector finds count as visible.
        for frame, drawn in zip(seen, crowd()[1]):
            for who, boxes in frame.items():
                frame[who] = [d for d in drawn if any(overlap(d, b) > 0.25 for b in boxes)]
    return seen


def check(film, others):
    """Prints a line with the coverage, and one with the detections after hiding."""
    meant, seen = FILMS.get(film), watch(film, others)
    for ahead in (15, 0):
        total, kept, area = dict.fromkeys(seen[0], 0), dict.fromkeys(seen[0], 0), []
        hide = f"facehide lookahead={ahead} mode=color color=0xff{bytes(MARK).hex()}"
        for number, (picture, _) in enumerate(frames(film, f"{EVERYONE} ! {hide}")):
            mask = (picture == MARK).all(axis=2)
            area.append(mask.mean())
            if meant is not None and number not in meant:
                continue
            for who, boxes in seen[number].items():
                total[who] += len(boxes)
                kept[who] += sum(covered(mask, box) >= 0.98 for box in boxes)
        said = ", ".join(
            f"{who} {kept[who]} of {total[who]} ({100 * kept[who] / max(total[who], 1):.1f} %)"
            for who in total
        )
        mean = 100 * sum(area) / max(len(area), 1)
        print(f"{film}, lookahead={ahead}: covered {said}; {mean:.1f} % of the frame", flush=True)
    if meant is not None and not len(meant):
        return
    for hide in ("mode=mosaic", "mode=blur"):
        found = {}
        for mask, left in zip(
            frames(film, f"{EVERYONE} ! facehide lookahead=15 mode=color color=0xffff00ff"),
            frames(film, f"{EVERYONE} ! facehide lookahead=15 {hide} ! {OURS}"),
        ):
            hidden = (mask[0] == MARK).all(axis=2)
            height, width = hidden.shape
            for who, boxes in {"ours": left[1], **others.look(left[0])}.items():
                for x, y, w, h in boxes:
                    u, v = int((x + w / 2) * width), int((y + h / 2) * height)
                    inside = 0 <= u < width and 0 <= v < height and hidden[v, u]
                    found[who] = found.get(who, 0) + int(inside)
        print(f"{film}, {hide}: found in what is hidden {found}", flush=True)


Gst.init(None)
cv2.setNumThreads(1)
for name in sys.argv[2:] or FILMS:
    check(name, Others())

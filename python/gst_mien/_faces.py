"""The faces of MienFaces metadata as objects."""
from __future__ import annotations

import dataclasses
import os
from typing import Iterator, Optional, Union

import numpy
from gi.repository import Gst


@dataclasses.dataclass(frozen=True)
class Face:
    """A face; coordinates are normalized (0 to 1 across the frame), angles are degrees.

    What the detector does not write, such as `landmarks` with mesh=none, is None.
    """

    id: int
    confidence: float
    x: float
    y: float
    width: float
    height: float
    roll: Optional[float] = None
    yaw: Optional[float] = None
    pitch: Optional[float] = None
    left_eye_open: Optional[float] = None
    right_eye_open: Optional[float] = None
    mouth_open: Optional[float] = None
    smile: Optional[float] = None
    #: float32, 6 x 2: left eye, right eye, nose tip, mouth, left ear, right ear.
    keypoints: Optional[numpy.ndarray] = dataclasses.field(default=None, compare=False, repr=False)
    #: float32, 478 x 3, or 468 x 3 without irises: the face mesh.
    landmarks: Optional[numpy.ndarray] = dataclasses.field(default=None, compare=False, repr=False)

    @property
    def box(self) -> tuple[float, float, float, float]:
        """x, y, width and height."""
        return self.x, self.y, self.width, self.height


@dataclasses.dataclass(frozen=True)
class Frame:
    """A frame with its faces; `time` in seconds is None for a picture."""

    time: Optional[float]
    width: int
    height: int
    faces: list[Face]


_NUMBERS = [f.name for f in dataclasses.fields(Face) if f.name not in ("keypoints", "landmarks")]


def _field(structure, name):
    """A field of a structure; None where there is none, whatever the bindings' version does then."""
    try:
        return structure[name]
    except KeyError:
        return None


def _points(structure, name, size):
    data = _field(structure, name)
    if data is None:
        return None
    return numpy.frombuffer(data.get_data(), dtype="<f4").reshape(-1, size)


def _face(structure) -> Face:
    values = {name: _field(structure, name.replace("_", "-")) for name in _NUMBERS}
    return Face(
        **values, keypoints=_points(structure, "keypoints", 2), landmarks=_points(structure, "landmarks", 3)
    )


def frame_of(buffer: Gst.Buffer) -> Optional[Frame]:
    """What the metadata of a buffer says; None where no detector looked at it."""
    meta = buffer.get_custom_meta("MienFaces")
    if meta is None:
        return None
    structure = meta.get_structure()
    time = None if buffer.pts == Gst.CLOCK_TIME_NONE else buffer.pts / Gst.SECOND
    found = [_face(face) for face in _field(structure, "faces") or ()]
    return Frame(time, _field(structure, "width"), _field(structure, "height"), found)


def faces_of(buffer: Gst.Buffer) -> list[Face]:
    """The faces in the metadata of a buffer."""
    frame = frame_of(buffer)
    return frame.faces if frame else []


def faces(path: Union[str, os.PathLike], **properties) -> Iterator[Frame]:
    """Yields each frame of a picture or film.

    `path` is a file or a URI; `properties` are those of facedetect, such as max_faces=4.
    """
    from gst_mien import Error

    path = os.fspath(path)
    uri = path if "://" in path else Gst.filename_to_uri(os.path.abspath(path))
    if "://" not in path and not os.path.isfile(path):
        raise Error(f"{path}: there is no such file")
    pipeline = Gst.parse_launch(
        "uridecodebin name=source ! videoconvert ! videoflip video-direction=auto ! videoconvert"
        " ! mienfacedetect name=detector updates=none n-threads=0"
        " ! appsink name=sink sync=false max-buffers=4"
    )
    pipeline.get_by_name("source").set_property("uri", uri)
    for name, value in properties.items():
        Gst.util_set_object_arg(
            pipeline.get_by_name("detector"), name.replace("_", "-"), str(value)
        )
    pictures = []
    pipeline.get_by_name("source").connect(
        "autoplug-continue",
        # The bindings of 1.26 do not give the name of a caps' structure.
        lambda _source, _pad, caps: pictures.append(caps.to_string()) or True,
    )
    sink = pipeline.get_by_name("sink")
    pipeline.set_state(Gst.State.PLAYING)
    try:
        while True:
            sample = sink.emit("try-pull-sample", 100 * Gst.MSECOND)
            if sample is None:
                message = pipeline.get_bus().timed_pop_filtered(0, Gst.MessageType.ERROR)
                if message is not None:
                    raise Error(f"{path}: {message.parse_error()[0].message}")
                if sink.get_property("eos"):
                    return
                continue
            frame = frame_of(sample.get_buffer())
            if frame is not None:
                is_picture = pictures and pictures[0].startswith("image/")
                yield dataclasses.replace(frame, time=None) if is_picture else frame
    finally:
        pipeline.set_state(Gst.State.NULL)

#!/usr/bin/python3
"""Prints hashes of the output of each element, by preset, format and film.

    pipelines/env.sh setup/frame_hashes.py >out/hashes-before.txt

If two builds print the same, their frames and their face and mask metadata are bit-identical. A line
contains the element, settings, format, film, the hash of all output frames, and that of their metadata.
The width is not a multiple of 16, so that rows end within a vector. At this size no format has row
padding, whose contents are undefined.
"""
import hashlib
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst

FILMS = ["WolfgangLanger_Pexels.mp4", "face_noface.mov", "no_face.mp4"]
FRAMES = 8
WIDTH, HEIGHT = 328, 242
# Elements that detect faces themselves, or need none.
WITHOUT_FACES = {"facedetect", "chromakey", "mienlook"}
# Settings in addition to the presets, so that each branch of an element is run.
FURTHER = {
    "facedetect": ["display=true", "accuracy=low tracking=false", "tiles=2x2 detect-interval=1"],
    "beautifymask": ["mask=ellipse", "mask=rectangle radius=7", "mask=full even-skin=1", "show-mask=true"],
    "chromakey": ["method=green screen-adapt=0", "method=custom color=0xff808080 shrink=1 soften=2",
                  "background=models/astronaut.png despill=0.5", "background-color=0xff204060", "show-matte=true"],
    "personkey": ["blur=4 light-wrap=0.3", "background=models/astronaut.png", "model=fast", "invert=true"],
    "photoeffect": ["look=cartoon", "look=noir where=faces", "look=chrome vignette=0.6 grain=0.4"],
    "facereshape": ["slim=1 jaw=-1 eyes=0.7 nose=-0.5", "effect=twirl amount=0.8", "effect=pinch amount=1"],
    "facehide": ["mode=blur", "mode=color shape=rectangle", "lookahead=3 hold=200"],
    "mienlook": ["retouch=0.7 look=noir sticker=hat", "person=blur hide=mosaic", "key=#204060 reshape=doll"],
    "sticker": ["location=" + pack for pack in
                ["dog", "halo", "glasses", "facepaint", "hat", "hearts", "models/astronaut.png"]],
}
# Settings without which an element would do nothing.
DEFAULTS = {"sticker": None, "photoeffect": "look=sepia", "facereshape": "slim=0.5"}
META = ["MienFaces", "MienMask"]


def formats(element):
    """The formats of an element's sink pad template, as its caps list them."""
    template = [t for t in element.get_factory().get_static_pad_templates()
                if t.direction == Gst.PadDirection.SINK][0]
    found = []
    caps = template.get_caps()
    for index in range(caps.get_size()):
        value = caps.get_structure(index).get_value("format")
        found += [value] if isinstance(value, str) else list(value)
    return found


def settings(name, element):
    cases = [("preset " + preset, "", preset) for preset in sorted(element.get_preset_names() or [])]
    default = DEFAULTS.get(name, "")
    cases += [] if default is None else [(default or "default", default, None)]
    return cases + [(text, text, None) for text in FURTHER.get(name, [])]


def run(name, properties, preset, format, film):
    before = "" if name in WITHOUT_FACES else "facedetect !"
    pipeline = Gst.parse_launch(
        f"filesrc location=models/scenes/{film} ! decodebin ! videoconvert dither=none ! videoscale"
        f" ! videoconvert dither=none ! video/x-raw,format={format},width={WIDTH},height={HEIGHT},"
        f"pixel-aspect-ratio=1/1 ! {before} {name} name=tested {properties}"
        " ! fakesink name=sink sync=false signal-handoffs=true")
    if preset:
        pipeline.get_by_name("tested").load_preset(preset)
    pixels, metadata = hashlib.sha256(), hashlib.sha256()
    left = FRAMES

    def handoff(sink, buffer, pad):
        nonlocal left
        left -= 1
        if left == 0:
            pipeline.post_message(Gst.Message.new_application(sink, Gst.Structure.new_empty("enough")))
        if left < 0:
            return
        pixels.update(pad.get_current_caps().to_string().encode())
        pixels.update(buffer.extract_dup(0, buffer.get_size()))
        for key in META:
            meta = buffer.get_custom_meta(key)
            if meta:
                metadata.update(meta.get_structure().to_string().encode())

    sink = pipeline.get_by_name("sink")
    handler = sink.connect("handoff", handoff)
    pipeline.set_state(Gst.State.PLAYING)
    message = pipeline.get_bus().timed_pop_filtered(
        60 * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR | Gst.MessageType.APPLICATION)
    pipeline.set_state(Gst.State.NULL)
    # The handler refers to the pipeline, which refers to the sink and so to the handler.
    sink.disconnect(handler)
    if not message or message.type == Gst.MessageType.ERROR:
        return message.parse_error()[0].message if message else "no end after a minute", "-"
    return pixels.hexdigest()[:16], metadata.hexdigest()[:16]


def main():
    Gst.init(None)
    wanted = sys.argv[1:]
    for name in FURTHER:
        if wanted and name not in wanted:
            continue
        element = Gst.ElementFactory.make(name)
        for text, properties, preset in settings(name, element):
            for format in formats(element):
                for film in FILMS:
                    result = run(name, properties, preset, format, film)
                    print(name, text, format, film, *result, sep="\t", flush=True)


main()

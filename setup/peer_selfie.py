#!/usr/bin/python3
"""Segments the person in a picture with the selfie segmentation of the mediapipe wheel, for `make bench`.

    setup/peer_selfie.py PACKAGES WIDTH HEIGHT FRAMES mask|blend|blur [MODEL]
    setup/peer_selfie.py PACKAGES WIDTH HEIGHT FRAMES keep|smooth|obs|lite|jitsi INPUT OUTPUT
    setup/peer_selfie.py PACKAGES WIDTH HEIGHT FRAMES lite|jitsi

`blend` and `blur` composite as mediapipe's own example does. `keep` reads RGB frames and writes the mask
of each, one byte a pixel. `smooth` blends the mask with the previous one where the network is uncertain,
by nine tenths at most, with the formula of mediapipe's segmentation_smoothing_calculator. `obs` processes
it as OBS's background removal does by default: a binary mask without parts under a twentieth of the
picture, blurred and thresholded again. `lite` and `jitsi` are recipes of peer_mattes.py; without files they
process a picture that moves by two pixels a frame.
"""
import sys

sys.path.insert(0, sys.argv[1])
import cv2
import mediapipe
import numpy
from peer_mattes import RECIPES

width, height, frames = map(int, sys.argv[2:5])
job = sys.argv[5]
cv2.setNumThreads(1)
is_film = len(sys.argv) > 7
model = 1 if job in RECIPES else int(sys.argv[6]) if not is_film and len(sys.argv) > 6 else 0
selfie = mediapipe.solutions.selfie_segmentation.SelfieSegmentation(model_selection=model)
recipe = RECIPES[job](selfie) if job in RECIPES else None
if is_film:
    last = None
    with open(sys.argv[6], "rb") as source, open(sys.argv[7], "wb") as target:
        for _ in range(frames):
            picture = numpy.frombuffer(source.read(width * height * 3), numpy.uint8)
            picture = picture.reshape(height, width, 3)
            mask = recipe.matte(picture) if recipe else selfie.process(picture).segmentation_mask
            if job == "smooth":
                if last is not None:
                    x = (mask - 0.5) ** 2
                    sure = x * (5.68842 + x * (-0.748699 + x * (-57.8051 + x * (291.309 - 624.717 * x))))
                    mask = mask + (last - mask) * (1 - numpy.minimum(1, sure)) * 0.9
                last = mask
            if job == "obs":
                mask = (mask > 0.5).astype(numpy.uint8) * 255
                parts, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
                parts = [p for p in parts if cv2.contourArea(p) > mask.size * 0.05]
                mask = cv2.drawContours(numpy.zeros_like(mask), parts, -1, 255, cv2.FILLED)
                mask = (cv2.blur(mask, (9, 9)) > 128).astype(numpy.float32)
            target.write((numpy.clip(mask, 0, 1) * 255 + 0.5).astype(numpy.uint8).tobytes())
    sys.exit()
picture = cv2.cvtColor(cv2.imread("models/astronaut.png"), cv2.COLOR_BGR2RGB)
picture = cv2.resize(picture, (width, height))
behind = numpy.full_like(picture, 90)
if recipe:
    moved = [numpy.roll(picture, 2 * step, axis=1) for step in range(8)]
    for number in range(frames):
        recipe.matte(moved[number % 8])
    sys.exit()
for _ in range(frames):
    mask = selfie.process(picture).segmentation_mask
    if job != "mask":
        condition = numpy.stack((mask,) * 3, axis=-1) > 0.1
        room = cv2.GaussianBlur(picture, (55, 55), 0) if job == "blur" else behind
        out = numpy.where(condition, picture, room)

#!/usr/bin/python3
"""Tracks the face in the test photograph with FaceLandmarker of the mediapipe wheel, for `make bench`: 478 points and
52 blendshapes.

    setup/peer_landmarker.py PACKAGES WIDTH HEIGHT FRAMES
"""
import sys

sys.path.insert(0, sys.argv[1])
import cv2
import mediapipe
from mediapipe.tasks.python import BaseOptions, vision

width, height, frames = map(int, sys.argv[2:])
cv2.setNumThreads(1)
picture = cv2.cvtColor(cv2.imread("models/astronaut.png"), cv2.COLOR_BGR2RGB)
picture = cv2.resize(picture, (width, height))
options = vision.FaceLandmarkerOptions(
    base_options=BaseOptions(model_asset_path=sys.argv[1] + "/face_landmarker.task"),
    running_mode=vision.RunningMode.VIDEO, num_faces=1, output_face_blendshapes=True)
with vision.FaceLandmarker.create_from_options(options) as landmarker:
    for frame in range(frames):
        image = mediapipe.Image(image_format=mediapipe.ImageFormat.SRGB, data=picture)
        result = landmarker.detect_for_video(image, frame * 33)
        if not result.face_landmarks or len(result.face_blendshapes[0]) != 52:
            sys.exit("no face")

#!/usr/bin/python3
"""Tracks the hands in a picture with GestureRecognizer of the mediapipe wheel, for `make bench`.

    setup/peer_gestures.py PACKAGES PICTURE HANDS FRAMES
"""
import sys

sys.path.insert(0, sys.argv[1])
import cv2
import mediapipe
from mediapipe.tasks.python import BaseOptions, vision

hands, frames = map(int, sys.argv[3:])
cv2.setNumThreads(1)
picture = cv2.cvtColor(cv2.imread(sys.argv[2]), cv2.COLOR_BGR2RGB)
options = vision.GestureRecognizerOptions(
    base_options=BaseOptions(model_asset_path=sys.argv[1] + "/gesture_recognizer.task"),
    running_mode=vision.RunningMode.VIDEO, num_hands=hands)
with vision.GestureRecognizer.create_from_options(options) as recognizer:
    for frame in range(frames):
        image = mediapipe.Image(image_format=mediapipe.ImageFormat.SRGB, data=picture)
        result = recognizer.recognize_for_video(image, frame * 33)
        if len(result.gestures) != hands:
            sys.exit(f"{len(result.gestures)} hands")

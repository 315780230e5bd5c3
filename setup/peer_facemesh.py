#!/usr/bin/python3
"""Tracks the face in the test photograph with FaceMesh of the mediapipe wheel, for `make bench`.

    setup/peer_facemesh.py PACKAGES WIDTH HEIGHT FRAMES
"""
import sys

sys.path.insert(0, sys.argv[1])
import cv2
import mediapipe

width, height, frames = map(int, sys.argv[2:])
cv2.setNumThreads(1)
picture = cv2.cvtColor(cv2.imread("models/astronaut.png"), cv2.COLOR_BGR2RGB)
picture = cv2.resize(picture, (width, height))
mesh = mediapipe.solutions.face_mesh.FaceMesh(max_num_faces=1)
for _ in range(frames):
    if not mesh.process(picture).multi_face_landmarks:
        sys.exit("no face")

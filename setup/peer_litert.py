#!/usr/bin/python3
"""Runs a TFLite model with LiteRT on one thread, for `make bench`.

    setup/peer_litert.py PACKAGES MODEL RUNS
"""
import sys

sys.path.insert(0, sys.argv[1])
import numpy
from ai_edge_litert.interpreter import Interpreter

interpreter = Interpreter(sys.argv[2], num_threads=1)
interpreter.allocate_tensors()
place = interpreter.get_input_details()[0]
count = int(numpy.prod(place["shape"]))
values = (numpy.arange(count) * 7919 % 1000).astype(numpy.float32) / 1000
interpreter.set_tensor(place["index"], values.reshape(place["shape"]))
for _ in range(int(sys.argv[3])):
    interpreter.invoke()

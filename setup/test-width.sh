#!/bin/sh
# Prints the option of `swift test` that limits how many test cases run at once: three per core.
#
# By default Swift Testing starts all cases together. Then those that operate a window or wait for another process
# exceed their time limits. Swift before 6.3 has no such option; then nothing is printed.
if swift test --help-hidden | grep -q maximum-parallelization-width; then
  echo "--experimental-maximum-parallelization-width $((3 * $(nproc)))"
fi

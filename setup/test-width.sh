#!/bin/sh
# Prints the option of `swift test` that limits how many test cases run at once: eight per core.
#
# By default Swift Testing starts the time limits of all cases together, and cases that wait for a thread may
# exceed theirs. Swift before 6.3 has no such option; then nothing is printed.
if swift test --help-hidden | grep -q maximum-parallelization-width; then
  echo "--experimental-maximum-parallelization-width $((8 * $(nproc)))"
fi

#!/bin/sh
# Prints the option of `swift test` that limits how many test cases run at once: eight per core.
# By default Swift Testing starts the clocks of all cases together, and those that wait for a thread may
# exceed their time limits. Before Swift 6.3 there is no such option, and nothing is printed.
if swift test --help-hidden | grep -q maximum-parallelization-width; then
  echo "--experimental-maximum-parallelization-width $((8 * $(nproc)))"
fi

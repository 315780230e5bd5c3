#!/bin/sh
# Ends the tests that still run, and names those that started and did not end, from the events of `swift test --event-stream-output-path`.
# (The log does not show them: its last 4 KB are lost when the run is killed.)
#
#   setup/unfinished-tests.sh EVENTS MINUTES     MINUTES: the limit that ended the run
set -eu
# They have a process group of their own, which the limit of the run does not end.
for process in /proc/[0-9]*; do
  case $(readlink "$process/exe") in
  "$PWD"/.build/*.xctest) kill -KILL "${process##*/}" || true ;;
  esac
done
printf 'mien: the tests did not end within %s minutes. Started and not ended:\n' "$2" >&2
# One JSON object per line; the ID of a test has parentheses, that of a suite has none.
awk '
  match($0, /"testID":"[^"]*"/) {
    id = substr($0, RSTART + 10, RLENGTH - 11)
    gsub(/\\/, "", id)
    if (id !~ /\(/) next
    if (/"kind":"testStarted"/) open[id] = 1
    if (/"kind":"(testEnded|testSkipped)"/) delete open[id]
  }
  END { for (id in open) print "mien:   " id }' "$1" | sort >&2

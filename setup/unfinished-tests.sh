#!/bin/sh
# Names the tests of a log of `swift test` that started and did not end.
#
#   setup/unfinished-tests.sh LOG MINUTES     MINUTES: the limit that ended the run
set -eu
printf 'mien: the tests did not end within %s minutes. Started and not ended:\n' "$2" >&2
# Names may occur in several suites, so starts and ends are counted. A line is "SIGN Test NAME started."
# or "SIGN Test NAME [with N test cases] passed|failed after ...". Tests that wait for a thread count as
# started: the first to hang is among those whose cases the log names last.
awk '
  $2 == "Test" && $3 == "case" && match($0, / to [^ ]+ started\.$/) {
    name = substr($0, RSTART + 4, RLENGTH - 13); last[name] = $0; next }
  $2 == "Test" && $3 != "run" && $NF == "started." { open[$3]++; next }
  $2 == "Test" && / (passed|failed) after / || /^. Test .* skipped/ { open[$3]-- }
  END { for (name in open) if (open[name] > 0) print "mien:   " name }' "$1" | sort >&2

#!/bin/sh
# Builds the tests under the address sanitizer and runs them, then the same under the thread
# sanitizer: one line a part, its log beside it. Tests of the built plugin run other programs, which
# no sanitizer sees; valgrind watches those in `make test`.
set -eu
cd "$(dirname "$0")/.."
mkdir -p out
status=0
# Programs that the tests start, and what is counted or timed.
outside='Built|LevelTests|ReleaseTests|BatchTests|ClientTests|DocumentationTests|EmbeddingTests|PipelinesTests'
for kind in address thread; do
  log=out/sanitize-$kind.log
  # GLib's slices hide what is used after it was given back; what GStreamer and GLib register is
  # never given back, and the valgrind tests know which of it is theirs.
  if env G_SLICE=always-malloc \
    ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1 \
    TSAN_OPTIONS="suppressions=$PWD/setup/tsan.supp" \
    swift test --sanitize=$kind --scratch-path .build/$kind --skip "$outside" >"$log" 2>&1; then
    printf 'mien: %s sanitizer: %s\n' $kind "$(grep -a 'Test run with' "$log" | tail -n 1)"
  else
    status=1
    printf 'mien: %s sanitizer failed (%s):\n' $kind "$log"
    grep -aE 'SUMMARY:|recorded an issue|error:' "$log" | sort | uniq -c | head -n 20
  fi
done
exit $status

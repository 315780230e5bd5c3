#!/bin/sh
# Builds the tests under the address sanitizer and runs them, then under the thread sanitizer: a
# line a part, its log in out/. What CONTRIBUTING.md says of sanitizers is why some are left out.
#
#   setup/sanitize.sh [address|thread]...
set -eu
cd "$(dirname "$0")/.."
mkdir -p out
# Tests that start other programs, which no sanitizer sees, and tests that measure memory.
skipped='Built|LevelTests|ReleaseTests|BatchTests|ClientTests|DocumentationTests|EmbeddingTests'
skipped="$skipped|PipelinesTests|MemoryTests|AllocationTests"
status=0
for kind in ${*:-address thread}; do
  wanted=.
  if [ $kind = thread ]; then
    # Tests of threads; but GLib's locks cannot be seen, by which GStreamer's threads share memory.
    wanted='ThreadsTests|FilesTests|BackgroundTests|[Tt]hread'
    skipped="$skipped|PluginTests|GstTests"
  fi
  log=out/sanitize-$kind.log
  # Optimised: the tests draw and compare millions of pixels.
  if G_SLICE=always-malloc \
    ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1 \
    TSAN_OPTIONS="suppressions=$PWD/setup/thread-sanitizer.supp" \
    swift test --sanitize=$kind --scratch-path .build/$kind -Xswiftc -O \
    --filter "$wanted" --skip "$skipped" >"$log" 2>&1; then
    printf 'mien: %s sanitizer: %s\n' $kind "$(grep -a 'Test run with' "$log" | tail -n 1)"
  else
    status=1
    printf 'mien: %s sanitizer failed, see %s:\n' $kind "$log"
    grep -aE '^SUMMARY:|recorded an issue|error:' "$log" | cut -c 1-200 | sort | uniq -c | head -n 20
  fi
done
exit $status

#!/bin/sh
# Runs the tests, the fuzzer and the stress test under the address sanitizer, the last two once more in
# the AVX2 build, and tests and stress test under the thread sanitizer. Prints a line for each part, with
# its log in out/. CONTRIBUTING.md lists what is left out and why.
#
#   setup/sanitize.sh [address|address-v3|thread]...
#   FUZZ_SECONDS=60 STRESS_ACTIONS=10000 SEED=1     in the environment: durations and seed
set -eu
cd "$(dirname "$0")/.."
mkdir -p out
# Tests that start other programs, which are not instrumented, and tests that measure memory.
skipped='Built|LevelTests|ReleaseTests|BatchTests|ClientTests|DocumentationTests|EmbeddingTests'
skipped="$skipped|PipelinesTests|MemoryTests|AllocationTests"
status=0
export G_SLICE=always-malloc SWIFT_BACKTRACE=enable=no
export ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1
export TSAN_OPTIONS="suppressions=$PWD/setup/thread-sanitizer.supp"

# run NAME PATTERN COMMAND...: prints the last line of its log that matches PATTERN, or its findings.
run() {
  log=out/sanitize-$1.log
  pattern=$2
  part=$1
  shift 2
  if "$@" >"$log" 2>&1; then
    printf 'mien: %s: %s\n' "$part" "$(grep -aE "$pattern" "$log" | tail -n 1)"
  else
    status=1
    printf 'mien: %s found something, see %s:\n' "$part" "$log"
    grep -aE '^SUMMARY:|FOUND|hangs:|recorded an issue|error:' "$log" | cut -c 1-200 | sort | uniq -c \
      | head -n 20
  fi
}

# build FOLDER PRODUCT FLAGS...: optimised, since fuzzing processes millions of pixels.
build() {
  folder=$1
  product=$2
  shift 2
  swift build -c release --scratch-path "$folder" --product "$product" "$@" >out/sanitize-build.log 2>&1 \
    || { cat out/sanitize-build.log; exit 1; }
}

# Sanitizers slow everything down, so calls get a longer time limit.
fuzz() { run "$1-fuzz" 'fuzz:' "$2/release/mien-fuzz" "seconds=${FUZZ_SECONDS:-60}" "seed=${SEED:-1}" limit=20; }
stress() { run "$1-stress" 'actions' "$2/release/mien-stress" "actions=${STRESS_ACTIONS:-10000}" "seed=${SEED:-1}" limit=20; }

width=$(setup/test-width.sh)
covered='-Xswiftc -sanitize-coverage=edge,inline-8bit-counters'
for part in ${*:-address address-v3 thread}; do
  case $part in
    address)
      run address-tests 'Test run with' swift test --sanitize=address --scratch-path .build/address \
        -Xswiftc -O $width --skip "$skipped"
      for product in mien-fuzz mien-stress; do
        build .build/fuzz $product --sanitize=address $covered
      done
      fuzz address .build/fuzz
      stress address .build/fuzz
      ;;
    address-v3)
      grep -q avx2 /proc/cpuinfo || { echo 'mien: this processor has no AVX2'; continue; }
      for product in mien-fuzz mien-stress; do
        build .build/fuzz-v3 $product --sanitize=address $covered -Xcc -march=x86-64-v3 \
          -Xswiftc -Xcc -Xswiftc -march=x86-64-v3 -Xswiftc -Dx86_64_v3
      done
      fuzz address-v3 .build/fuzz-v3
      stress address-v3 .build/fuzz-v3
      ;;
    thread)
      # Tests of threads only: of the synchronisation in GStreamer only the stress test's is annotated.
      run thread-tests 'Test run with' swift test --sanitize=thread --scratch-path .build/thread \
        -Xswiftc -O $width --filter 'ThreadsTests|FilesTests|[Tt]hread' \
        --skip "$skipped|PluginTests|GstTests"
      build .build/stress-thread mien-stress --sanitize=thread
      stress thread .build/stress-thread
      ;;
  esac
done
exit $status

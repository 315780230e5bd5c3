#!/bin/sh
# Builds the tests, the fuzz and the storm under the address sanitizer and runs them, and the fuzz and
# storm once more for AVX2; then tests and storm under the thread sanitizer. A line a part, its log in
# out/. What CONTRIBUTING.md says of sanitizers is why some are left out.
#
#   setup/sanitize.sh [address|address-v3|thread]...
#   FUZZ_SECONDS=60 STORM_ACTIONS=10000 SEED=1      in the environment: how long, and from where
set -eu
cd "$(dirname "$0")/.."
mkdir -p out
# Tests that start other programs, which no sanitizer sees, and tests that measure memory.
skipped='Built|LevelTests|ReleaseTests|BatchTests|ClientTests|DocumentationTests|EmbeddingTests'
skipped="$skipped|PipelinesTests|MemoryTests|AllocationTests"
status=0
export G_SLICE=always-malloc SWIFT_BACKTRACE=enable=no
export ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1
export TSAN_OPTIONS="suppressions=$PWD/setup/thread-sanitizer.supp"

# run NAME WHAT COMMAND...: what its log says in the end of WHAT, or what was found.
run() {
  log=out/sanitize-$1.log
  said=$2
  part=$1
  shift 2
  if "$@" >"$log" 2>&1; then
    printf 'mien: %s: %s\n' "$part" "$(grep -aE "$said" "$log" | tail -n 1)"
  else
    status=1
    printf 'mien: %s found something, see %s:\n' "$part" "$log"
    grep -aE '^SUMMARY:|FOUND|hangs:|recorded an issue|error:' "$log" | cut -c 1-200 | sort | uniq -c \
      | head -n 20
  fi
}

# build FOLDER PRODUCT FLAGS...: optimised, as what is fuzzed is pixels by the million.
build() {
  folder=$1
  product=$2
  shift 2
  swift build -c release --scratch-path "$folder" --product "$product" "$@" >out/sanitize-build.log 2>&1 \
    || { cat out/sanitize-build.log; exit 1; }
}

# Slower than without, so that calls are given longer.
fuzz() { run "$1-fuzz" 'fuzz:' "$2/release/mien-fuzz" "seconds=${FUZZ_SECONDS:-60}" "seed=${SEED:-1}" limit=20; }
storm() { run "$1-storm" 'actions' "$2/release/mien-storm" "actions=${STORM_ACTIONS:-10000}" "seed=${SEED:-1}" limit=20; }

covered='-Xswiftc -sanitize-coverage=edge,inline-8bit-counters'
for part in ${*:-address address-v3 thread}; do
  case $part in
    address)
      run address-tests 'Test run with' swift test --sanitize=address --scratch-path .build/address \
        -Xswiftc -O --skip "$skipped"
      for product in mien-fuzz mien-storm; do
        build .build/fuzz $product --sanitize=address $covered
      done
      fuzz address .build/fuzz
      storm address .build/fuzz
      ;;
    address-v3)
      grep -q avx2 /proc/cpuinfo || { echo 'mien: this processor has no AVX2'; continue; }
      for product in mien-fuzz mien-storm; do
        build .build/fuzz-v3 $product --sanitize=address $covered -Xcc -march=x86-64-v3 \
          -Xswiftc -Xcc -Xswiftc -march=x86-64-v3 -Xswiftc -Dx86_64_v3
      done
      fuzz address-v3 .build/fuzz-v3
      storm address-v3 .build/fuzz-v3
      ;;
    thread)
      # Tests of threads; the rest of GStreamer's hand-overs only the storm tells the sanitizer of.
      run thread-tests 'Test run with' swift test --sanitize=thread --scratch-path .build/thread \
        -Xswiftc -O --filter 'ThreadsTests|FilesTests|BackgroundTests|[Tt]hread' \
        --skip "$skipped|PluginTests|GstTests"
      build .build/storm-thread mien-storm --sanitize=thread
      storm thread .build/storm-thread
      ;;
  esac
done
exit $status

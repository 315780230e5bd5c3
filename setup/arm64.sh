#!/bin/sh
# Builds the tests for arm64 and runs them under emulation: what `make systems SYSTEMS=arm64` runs.
#
#   setup/arm64.sh                    all tests that need neither the built plugin nor the command
#   setup/arm64.sh InferenceTests     those of one test target
#
# Compiled in the root of Debian sid by its own Swift, for a root of sid of arm64, whose headers and
# libraries come from there; then run in that root by qemu. Says nothing of speed. Needs root, and
# roots and builds stay in SYSTEMS_FOLDER (.systems); logs come to out/systems/arm64.
set -eu
cd "$(dirname "$0")/.."
fail() { printf 'mien: %s\n' "$*" >&2; exit 1; }
say() { printf 'mien: %s\n' "$*"; }
[ "$(id -u)" -eq 0 ] || fail "setup/arm64.sh makes Debian roots and needs to be run by root."
folder=${SYSTEMS_FOLDER:-.systems}
mkdir -p "$folder" out/systems/arm64
folder=$(cd "$folder" && pwd)
root=$folder/arm64
copy=$folder/arm64-mien
setup/setup.sh models
setup/setup.sh arm64
[ -x "$folder/sid/usr/libexec/swift/bin/swift-build" ] \
  || fail "Debian sid's Swift compiles for arm64: make systems SYSTEMS=sid comes first."

packages="gcc libc6-dev libgstreamer1.0-dev libgstreamer-plugins-base1.0-dev libglib2.0-dev
  libjson-glib-dev libpthreadpool-dev libxnnpack-dev gstreamer1.0-tools gstreamer1.0-plugins-base
  gstreamer1.0-plugins-good gstreamer1.0-plugins-bad gstreamer1.0-libav ffmpeg python3-gi
  python3-gst-1.0 gir1.2-gst-plugins-base-1.0 swiftlang"

# Emulated, unpacking takes many times as long: this machine's dpkg unpacks, the root's configures.
make_root() {
  ARCHITECTURE=arm64 setup/debian-root.sh make sid "$folder/bare-arm64" \
    && rm -rf --one-file-system "$root" \
    && cp -a "$folder/bare-arm64" "$root" \
    && mkdir -p "$root/downloaded/partial" \
    && setup/debian-root.sh run "$root" -- sh -c "apt-get update -q && apt-get install -q -y \
      --no-install-recommends --download-only -o Dir::Cache::archives=/downloaded $(echo $packages)" \
    && dpkg --root="$root" --force-architecture --force-depends --no-triggers --unpack \
      "$root"/downloaded/*.deb \
    && setup/debian-root.sh run "$root" -- sh -c "dpkg --configure -a && ldconfig" \
    && rm -r "$root/downloaded" && touch "$root/ready"
}
if [ ! -e "$root/ready" ]; then
  say "making a root of sid for arm64, with what tests need (once; ten minutes)"
  make_root >out/systems/arm64/root.log 2>&1 || { tail -n 15 out/systems/arm64/root.log >&2; exit 1; }
fi

mkdir -p "$copy"
find "$copy" -mindepth 1 -maxdepth 1 ! -name .build ! -name models -exec rm -rf {} +
git ls-files --cached --others --exclude-standard -z \
  | tar --create --null --ignore-failed-read --files-from=- 2>/dev/null | tar -x -C "$copy"

# What SwiftPM is told of the other system; of the testing library that lacks, see setup/setup.sh.
mkdir -p "$copy/.build/stand-ins"
ar rc "$copy/.build/stand-ins/lib_Testing_Foundation.a"
cat >"$copy/.build/arm64.json" <<'JSON'
{"version": 1, "sdk": "/arm64", "toolchain-bin-dir": "/usr/libexec/swift/bin",
 "target": "aarch64-unknown-linux-gnu", "dynamic-library-extension": "so",
 "extra-cc-flags": ["-fPIC"], "extra-cpp-flags": [],
 "extra-swiftc-flags": ["-sdk", "/arm64", "-use-ld=lld",
   "-resource-dir", "/arm64/usr/libexec/swift/lib/swift"]}
JSON
say "compiling the tests for arm64"
setup/debian-root.sh run "$folder/sid" "$copy=/mien" "$root=/arm64" -- sh -c 'cd /mien \
  && export PKG_CONFIG_SYSROOT_DIR=/arm64 PKG_CONFIG_PATH=/arm64/usr/lib/aarch64-linux-gnu/pkgconfig \
  && swift build --product gst-mienPackageTests --destination .build/arm64.json \
  --scratch-path .build/arm64 -Xlinker -L.build/stand-ins' >out/systems/arm64/build.log 2>&1 \
  || { grep -a 'error:' out/systems/arm64/build.log | sort -u | cut -c 1-300 >&2; exit 1; }

# Each target on its own, so that each has a count; those of StudioTests draw nothing.
[ $# -gt 0 ] || set -- PixelsTests FilesTests FacesTests ThreadsTests StudioTests HidingTests \
  LooksTests KeyingTests InferenceTests ReshapingTests VisionTests GstTests StickersTests \
  RetouchTests PeopleTests
status=0
for target; do
  log=out/systems/arm64/$target.log
  setup/debian-root.sh run "$root" "$copy=/mien" "$PWD/models=/mien/models" -- sh -c 'cd /mien \
    && export LD_LIBRARY_PATH=/usr/libexec/swift/lib/swift/linux G_DEBUG=fatal-warnings \
    && exec .build/arm64/aarch64-unknown-linux-gnu/debug/gst-mienPackageTests.xctest \
    --testing-library swift-testing --filter "^$1\."' sh "$target" >"$log" 2>&1 || status=1
  said=$(grep -aoE 'Test run with .*' "$log") || said="it did not end; all of it is in $log"
  say "arm64, emulated: $target: $said"
  grep -a 'recorded an issue' "$log" | cut -c 1-300 >&2 || true
done
exit $status

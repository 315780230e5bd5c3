#!/bin/sh
# Cross-compiles for arm64, makes packages, and runs tests under emulation (`make systems SYSTEMS=arm64`).
#
#   setup/arm64.sh                    everything: packages, comparison of frames, tests
#   setup/arm64.sh packages           builds, makes the packages, and tests them in a bare root
#   setup/arm64.sh frames             compares the elements' frames with those of this machine's build
#   setup/arm64.sh InferenceTests...  the tests of those targets
#
# Debian sid's own Swift, in a root of its own, compiles for a root of sid for arm64, which has the headers
# and libraries; qemu runs the packaging and the tests in that root. The times say nothing about real
# hardware. Needs root. Roots and builds stay in SYSTEMS_FOLDER (.systems); packages and logs are written to
# out/systems/arm64.
set -eu
cd "$(dirname "$0")/.."
fail() { printf 'mien: %s\n' "$*" >&2; exit 1; }
say() { printf 'mien: %s\n' "$*"; }
[ "$(id -u)" -eq 0 ] || fail "setup/arm64.sh makes Debian roots and needs to be run by root."
folder=${SYSTEMS_FOLDER:-.systems}
out=$PWD/out/systems/arm64
mkdir -p "$folder" "$out"
folder=$(cd "$folder" && pwd)
cross=$folder/cross
root=$folder/arm64
copy=$folder/arm64-mien
setup/setup.sh models
setup/setup.sh arm64

# Packages of the root for cross-compilation; nothing for arm64 is installed there.
compiling="binutils ca-certificates g++ gettext git libc6-dev lintian make pkg-config swiftlang"
# Packages of the arm64 root: for linking, packaging and testing the plugin and the window.
packages="adwaita-icon-theme debhelper ffmpeg g++ gettext python3-markdown gir1.2-gst-plugins-base-1.0
  gstreamer1.0-libav gstreamer1.0-plugins-bad gstreamer1.0-plugins-base gstreamer1.0-plugins-good
  gstreamer1.0-tools libc6-dev libglib2.0-dev libgstreamer-plugins-base1.0-dev libgstreamer1.0-dev
  libgtk-4-dev libjson-glib-dev libpthreadpool-dev libxnnpack-dev make pkg-config python3-gi
  python3-gst-1.0 swiftlang"

make_cross() {
  setup/debian-root.sh make sid "$folder/bare-sid" \
    && rm -rf --one-file-system "$cross" \
    && cp -a "$folder/bare-sid" "$cross" \
    && setup/debian-root.sh run "$cross" -- sh -c "apt-get update -q && apt-get upgrade -q -y \
      && apt-get install -q -y --no-install-recommends $(echo $compiling)" \
    && touch "$cross/ready"
}
# Unpacking is very slow under emulation: this machine's dpkg unpacks, and the root's dpkg configures.
make_arm64() {
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
for name in cross arm64; do
  [ ! -e "$folder/$name/ready" ] || continue
  say "making the root \"$name\", with what is needed there (once; ten minutes)"
  make_$name >"$out/$name.log" 2>&1 || { tail -n 15 "$out/$name.log" >&2; exit 1; }
done

mkdir -p "$copy"
find "$copy" -mindepth 1 -maxdepth 1 ! -name .build ! -name models ! -name out -exec rm -rf {} +
git ls-files --cached --others --exclude-standard -z \
  | tar --create --null --ignore-failed-read --files-from=- 2>/dev/null | tar -x -C "$copy"

# step NAME COMMAND...: runs a command with its output in the log NAME; on failure prints the errors and the
# end of the log.
step() {
  log=$out/$1.log
  shift
  "$@" >"$log" 2>&1 && return
  { grep -aE '^[EW]: |error:|mien:' "$log" | sort -u | cut -c 1-300; tail -n 5 "$log"; } >&2
  return 1
}
in_cross() {
  setup/debian-root.sh run "$cross" "$copy=/mien" "$root=/arm64" "$PWD/models=/mien/models" -- \
    env PKG_CONFIG_SYSROOT_DIR=/arm64 \
    PKG_CONFIG_PATH=/arm64/usr/lib/aarch64-linux-gnu/pkgconfig:/arm64/usr/share/pkgconfig \
    sh -euc "cd /mien; $1"
}
emulated() {
  setup/debian-root.sh run "$root" "$copy=/mien" "$PWD/models=/mien/models" -- sh -euc "cd /mien; $1" \
    sh "${2:-}"
}

# Debian's Swift libraries are not in the folder where the compiler searches in an SDK.
ln -sfn ../libexec/swift/lib/swift_static "$root/usr/lib/swift_static"

# The destination file of SwiftPM for cross-compilation.
destination() {
  cat >"$copy/.build/$1.json" <<JSON
{"version": 1, "sdk": "/arm64", "toolchain-bin-dir": "/usr/libexec/swift/bin",
 "target": "aarch64-unknown-linux-gnu", "dynamic-library-extension": "so",
 "extra-cc-flags": ["-fPIC"], "extra-cpp-flags": [],
 "extra-swiftc-flags": ["-sdk", "/arm64", "-use-ld=lld", "-resource-dir", "/arm64/usr/libexec/swift/lib/$2"]}
JSON
}
# An empty library for the missing one of the testing module: see setup/setup.sh.
mkdir -p "$copy/.build/stubs"
ar rc "$copy/.build/stubs/lib_Testing_Foundation.a"
destination release swift_static
destination debug swift

build() {
  say "building for arm64"
  step build in_cross 'make build SETUP=no LEVELS= CROSS="--destination .build/release.json" \
    CC="/usr/libexec/swift/bin/clang --target=aarch64-linux-gnu --sysroot=/arm64 -fuse-ld=lld"'
}

pack() {
  say "packing, emulated"
  rm -f "$copy"/out/*.deb "$out"/*.deb
  mkdir -p "$copy/out"
  step pack emulated 'debian/rules binary PACK_ONLY=yes STAGE_ONLY=yes RELEASE='
  # Compression takes many minutes under emulation.
  step lintian in_cross 'for package in gstreamer1.0-mien mien mien-doc mien-studio; do
      dpkg-deb -Zxz --root-owner-group --build debian/$package out/
    done
    lintian --fail-on error,warning --tag-display-limit 0 out/*.deb'
  mv "$copy"/out/*.deb "$out/"
  say "installing the packages with apt in a bare root, emulated"
  bare=$folder/arm64-installed
  rm -rf --one-file-system "$bare"
  cp -a "$folder/bare-arm64" "$bare"
  mkdir -p "$bare/packages" "$bare/tests"
  cp "$out"/*.deb "$bare/packages/"
  cp debian/tests/elements "$bare/tests/"
  step install setup/debian-root.sh run "$bare" -- sh -euc 'apt-get update -q
    apt-get install -q -y --no-install-recommends /packages/*.deb gstreamer1.0-tools python3-gst-1.0
    /tests/elements'
  say "arm64, emulated: the packages install, and debian/tests/elements passes"
}

# Compares the output of this machine's build and that for arm64, for the same frames and faces.
frames() {
  [ -e .build/lib/gstreamer-1.0/libgstmien.so ] || make plugin
  rm -rf out/same-bits "$copy/out/same-bits"
  step inputs setup/same-bits.sh inputs out/same-bits/given
  step frames-here setup/same-bits.sh frames out/same-bits/given out/same-bits/here
  mkdir -p "$copy/out/same-bits"
  cp -r out/same-bits/given "$copy/out/same-bits/"
  step frames emulated 'setup/same-bits.sh frames out/same-bits/given out/same-bits/arm64'
  setup/same-bits.sh compare out/same-bits/here "$copy/out/same-bits/arm64" | tee "$out/compared.log"
}

# Runs each target separately, to count the tests of each, with one case at a time: an emulated test that
# waits for a thread would exceed its time limit.
tests() {
  say "building the tests for arm64"
  step build-tests in_cross 'swift build --build-tests --destination .build/debug.json \
    -Xlinker -L.build/stubs'
  status=0
  for target; do
    began=$(date +%s)
    emulated 'export LD_LIBRARY_PATH=/usr/libexec/swift/lib/swift/linux
      exec pipelines/env.sh env G_DEBUG=fatal-warnings \
      .build/aarch64-unknown-linux-gnu/debug/gst-mienPackageTests.xctest \
      --testing-library swift-testing --no-parallel --filter "^$1"' "$target" >"$out/$target.log" 2>&1 || status=1
    said=$(grep -aoE 'Test run with .*' "$out/$target.log") || said="it did not end"
    say "arm64, emulated: $target, $(($(date +%s) - began)) s: $said"
    grep -a 'recorded an issue' "$out/$target.log" | cut -c 1-300 >&2 || true
  done
  return $status
}

case ${1:-} in
  packages) build && pack ;;
  frames) frames ;;
  "")
    build
    pack
    frames
    # From PluginTests only suites that run the built plugin or the command and do not take hours.
    tests PixelsTests FilesTests FacesTests ThreadsTests StudioTests HidingTests LooksTests \
      KeyingTests InferenceTests ReshapingTests VisionTests GstTests StickersTests RetouchTests \
      PeopleTests PluginTests.BuiltPluginTests PluginTests.FacesTests PluginTests.MisuseTests
    ;;
  *) tests "$@" ;;
esac

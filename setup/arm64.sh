#!/bin/sh
# What `make systems SYSTEMS=arm64` does: cross-compiles in the root of sid with its own Swift for an
# arm64 Debian, then runs tests there under emulation (qemu-user) and packs there.
#
#   setup/arm64.sh FOLDER [FILTER]     FOLDER: of the roots; FILTER: which tests, as `swift test` has it
#
# Emulated, a test takes ten to twenty times as long. The default is what sums, rounds and stores: the
# networks against their reference vectors, and every effect against its definition.
set -eu
cd "$(dirname "$0")/.."
fail() { printf 'mien: %s\n' "$*" >&2; exit 1; }
say() { printf 'mien: %s\n' "$*"; }
folder=$1
filter=${2:-InferenceTests|VisionTests|PixelsTests|FacesTests|FilesTests|KeyingTests|LooksTests|HidingTests|RetouchTests|StickersTests|ReshapingTests|PeopleTests}
root=$folder/arm64
builder=$folder/sid
triple=aarch64-unknown-linux-gnu

[ -e "$builder/usr/bin/swiftc" ] || fail "arm64 is built in the root of sid: make systems SYSTEMS=sid comes first."
[ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ] || {
  setup/setup.sh emulation
  [ -e /proc/sys/fs/binfmt_misc/register ] || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
  [ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ] \
    || cat /usr/lib/binfmt.d/qemu-aarch64.conf >/proc/sys/fs/binfmt_misc/register
} || fail "This machine does not run programs of other processors (binfmt_misc, qemu-user-static)."

# Packages are fetched by the root's apt, unpacked by this machine's dpkg, which is not emulated, and
# set up by the root's own. Of Swift only what programs are linked with is wanted.
packages="libc6-dev libstdc++-16-dev zlib1g-dev binutils pkg-config make debhelper fakeroot gettext
  libgstreamer1.0-dev libgstreamer-plugins-base1.0-dev libjson-glib-dev libpthreadpool-dev libxnnpack-dev libgtk-4-dev
  gstreamer1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-plugins-bad gstreamer1.0-libav
  python3-gst-1.0"
ARCHITECTURE=arm64 setup/debian-root.sh make sid "$root"
if [ ! -e "$root/set-up" ]; then
  say "setting up the arm64 root (once; a quarter of an hour)"
  setup/debian-root.sh run "$root" -- sh -c "apt-get update -q && apt-get install -q -y \
    --no-install-recommends --download-only $(echo $packages) && cd /var/cache && apt-get download -q swiftlang libswiftlang"
  dpkg --root="$root" --force-architecture --force-depends --unpack "$root"/var/cache/apt/archives/*.deb
  setup/debian-root.sh run "$root" -- dpkg --force-depends --configure -a
  for package in "$root"/var/cache/*swiftlang_*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x -C "$root" --exclude='./usr/libexec/swift/bin/*' \
      --exclude='./usr/libexec/swift/lib/lib*' --exclude='./usr/libexec/swift/lib/swift/host/*'
    rm "$package"
  done
  ln -sfn ../libexec/swift/lib/swift "$root/usr/lib/swift"
  ln -sfn ../libexec/swift/lib/swift_static "$root/usr/lib/swift_static"
  touch "$root/set-up"
fi >"out/systems/arm64.log" 2>&1

# The same sources, built by sid's compiler for the root's system.
target=$root/mien
mkdir -p "$target"
find "$target" -mindepth 1 -maxdepth 1 ! -name '.build*' ! -name models -exec rm -rf {} +
git ls-files --cached --others --exclude-standard -z \
  | tar --create --null --ignore-failed-read --files-from=- 2>/dev/null | tar -x -C "$target"
cat >"$builder/tmp/arm64.json" <<JSON
{ "version": 1, "sdk": "/arm64", "toolchain-bin-dir": "/usr/libexec/swift/bin", "target": "$triple",
  "dynamic-library-extension": "so", "extra-cc-flags": ["-fPIC", "--sysroot=/arm64"],
  "extra-swiftc-flags": ["-sdk", "/arm64", "-resource-dir", "/arm64/usr/lib/swift", "-use-ld=lld", "-Xcc", "--sysroot=/arm64", "-Xclang-linker", "--sysroot=/arm64"],
  "extra-cpp-flags": ["-fPIC", "--sysroot=/arm64"] }
JSON
pc=/arm64/usr/lib/aarch64-linux-gnu/pkgconfig:/arm64/usr/share/pkgconfig
cross() {
  setup/debian-root.sh run "$builder" "$root=/arm64" "$target=/mien" -- env PKG_CONFIG_PATH=$pc \
    PKG_CONFIG_LIBDIR=$pc PKG_CONFIG_SYSROOT_DIR=/arm64 sh -c 'cd /mien && exec "$@"' sh "$@"
}
emulated() {
  setup/debian-root.sh run "$root" "$PWD/models=/mien/models" -- sh -c 'cd /mien && exec "$@"' sh "$@"
}

say "cross-compiling the plugin, the command and the tests"
cross swift build -c release --product mien --destination /tmp/arm64-static.json >>out/systems/arm64.log 2>&1 \
  && cross swift build --build-tests --destination /tmp/arm64.json >>out/systems/arm64.log 2>&1 \
  || { grep -a 'error:' out/systems/arm64.log | cut -c 1-300 | tail -n 12 >&2; fail "arm64 does not build."; }
say "running tests under emulation: $filter"
emulated env LD_LIBRARY_PATH=/usr/lib/swift/linux .build/$triple/debug/gst-mienPackageTests.xctest \
  --testing-library swift-testing --filter "$filter" >>out/systems/arm64.log 2>&1 || true
grep -aE 'Test run with [0-9]+ tests' out/systems/arm64.log | tail -n 1

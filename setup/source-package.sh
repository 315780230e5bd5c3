#!/bin/sh
# Writes Debian's source package into out/: gst-mien_VERSION.orig.tar.xz, the .debian.tar.xz and the
# .dsc, which `dpkg-source -x` unpacks and `dpkg-buildpackage` builds without a network.
set -eu
cd "$(dirname "$0")/.."
version=$(cat VERSION)
name=gst-mien-$version
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
mkdir -p "$scratch/$name/models" out
git ls-files -z | tar --create --null --files-from=- | tar -x -C "$scratch/$name"
cp models/*.tflite models/*.onnx models/LICENSE.* models/astronaut.png "$scratch/$name/models/"
mv "$scratch/$name/debian" "$scratch/debian"
# Reproducible: times are that of the last commit, the owner is root, and files are sorted.
tar --create --directory "$scratch" --sort=name --owner=0 --group=0 --numeric-owner \
  --mtime="@$(git log -1 --format=%ct)" "$name" | xz -6 >"$scratch/gst-mien_$version.orig.tar.xz"
mv "$scratch/debian" "$scratch/$name/debian"
rm -f "out/gst-mien_$version"*
(cd "$scratch" && dpkg-source --build "$name") >/dev/null
mv "$scratch"/gst-mien_* out/
ls -l out/gst-mien_*

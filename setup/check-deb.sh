#!/bin/sh
# Tests the Debian packages in a separate root: installs them with apt into a bare Debian, uses them
# as a user other than root without the build or a Swift toolchain, and removes them completely.
#
#   setup/check-deb.sh                  the packages in out/, in the release that runs here
#   setup/check-deb.sh 13 FOLDER        those in FOLDER, in a bare Debian 13
#
# Needs root. Bare roots are kept in SYSTEMS_FOLDER (.systems), so that each is downloaded once.
set -eu
cd "$(dirname "$0")/.."
fail() { printf 'mien: %s\n' "$*" >&2; exit 1; }
say() { printf 'mien: %s\n' "$*"; }
[ "$(id -u)" -eq 0 ] || fail "setup/check-deb.sh makes a Debian root and needs to be run by root."
release=${1:-$(. /etc/os-release && echo "${VERSION_ID:-sid}")}
packages=${2:-out}

package=$(ls -t "$packages"/gstreamer1.0-mien_*.deb | head -n 1)
command=$(ls -t "$packages"/mien_*.deb | head -n 1)
pages=$(ls -t "$packages"/mien-doc_*.deb | head -n 1)
studio=$(ls -t "$packages"/mien-studio_*.deb | head -n 1)
bare=${SYSTEMS_FOLDER:-.systems}/bare-$release
setup/debian-root.sh make "$release" "$bare"
root=$(mktemp -d)
trap 'umount "$root/proc" 2>/dev/null; rm -rf --one-file-system "$root"' EXIT
trap 'exit 1' INT TERM
cp -a "$bare/." "$root/"
cp /etc/resolv.conf "$root/etc/" 2>/dev/null || true
mount -t proc proc "$root/proc"
cp "$package" "$command" "$pages" "$studio" "$root/tmp/"
in_root() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
  DEBIAN_FRONTEND=noninteractive "$@"; }
as_user() { in_root su guest -c "cd && $*"; }
in_root useradd -m guest
cp models/astronaut.png "$root/home/guest/"
files() { (cd "$root" && find . -xdev \( -path ./proc -o -path ./tmp -o -path ./var \) -prune \
  -o -print | sort); }

say "apt-get install ./${package##*/} ./${command##*/} ./${pages##*/}"
in_root apt-get update -q >"$root/log" 2>&1 || { cat "$root/log"; fail "apt-get update failed."; }
# Dependencies are installed first, to distinguish their files from the package's own.
depends=$(dpkg-deb -f "$package" Depends | sed 's/([^)]*)//g; s/,/ /g')
in_root apt-get install -q -y --no-install-recommends $depends gstreamer1.0-tools \
  >"$root/log" 2>&1 || { tail -n 15 "$root/log"; fail "Its dependencies do not install."; }
files >"$root/tmp/before"
in_root apt-get install -q -y --no-install-recommends "/tmp/${package##*/}" "/tmp/${command##*/}" \
  "/tmp/${pages##*/}" >"$root/log" 2>&1 \
  || { tail -n 15 "$root/log"; fail "The package does not install."; }

say "as a plain user: gst-inspect-1.0 mien"
as_user gst-inspect-1.0 mien | grep -E '^ +[a-z]+: ' || fail "The elements are not there."
for words in "faces astronaut.png --expect 1" "faces astronaut.png --json" \
  "check /usr/share/mien/stickers/halo" "decorate astronaut.png --retouch=soft --sticker hat" \
  "decorate astronaut.png out-mien.jpg --look noir"; do
  say "as a plain user: mien $words"
  as_user "mien $words" >"$root/log" 2>&1 || { cat "$root/log"; fail "The command does not do that."; }
done
cmp models/astronaut.png "$root/home/guest/astronaut.png"
rm "$root/home/guest/astronaut-mien.png" "$root/home/guest/out-mien.jpg"
as_user "mien doctor --missing" >"$root/log" 2>&1 || { cat "$root/log"; fail "The command misses something."; }
grep -q 'apt install parallel' "$root/log" || { cat "$root/log"; fail "It does not name what is missing."; }
as_user "mien faces astronaut.png --expect 2" >"$root/log" 2>&1 && fail "One face counts as two."
# Networks sum in an order that depends on the vector width of a build: pictures may differ slightly.
for withheld in "" -AVX2; do
  say "as a plain user: a face in the photograph${withheld:+, with $withheld}"
  as_user "GLIBC_TUNABLES=glibc.cpu.hwcaps=$withheld gst-launch-1.0 -m filesrc location=astronaut.png ! pngdec" \
    "! videoconvert ! facedetect ! beautifymask ! sticker location=halo ! videoconvert ! pngenc" \
    "! filesink location=/home/guest/out$withheld.png" >"$root/log" 2>&1 \
    || { cat "$root/log"; fail "The pipeline does not run."; }
  grep -q 'confidence' "$root/log" || fail "No face was found."
done
ffmpeg -nostdin -i "$root/home/guest/out.png" -i "$root/home/guest/out-AVX2.png" -lavfi psnr -f null - \
  2>&1 | grep -Eq 'average:(inf|[5-9][0-9]\.)' || fail "The two builds make other pictures."
as_user "gst-launch-1.0 -q videotestsrc num-buffers=1 ! chromakey background-color=0xff102030" \
  "! fakesink"


# The window, whose package installs GTK; there is no screen here.
say "apt-get install ./${studio##*/}"
depends=$(dpkg-deb -f "$studio" Depends | sed 's/([^)]*)//g; s/,/ /g; s/gstreamer1.0-mien//')
mv "$root/tmp/before" "$root/tmp/plugin-alone"
files >"$root/tmp/with-plugin"
in_root apt-get install -q -y --no-install-recommends $depends >"$root/log" 2>&1 \
  || { tail -n 15 "$root/log"; fail "What the window depends on does not install."; }
files >"$root/tmp/before"
in_root apt-get install -q -y --no-install-recommends "/tmp/${studio##*/}" >"$root/log" 2>&1 \
  || { tail -n 15 "$root/log"; fail "The window's package does not install."; }
as_user "mien studio --help" >"$root/log" 2>&1 || { cat "$root/log"; fail "There is no window."; }
as_user "mien studio" >"$root/log" 2>&1 && fail "A window opens without a screen."
grep -q "there is no screen" "$root/log" || { cat "$root/log"; fail "It does not say why."; }
in_root apt-get purge -q -y mien-studio >"$root/log" 2>&1 || { cat "$root/log"; exit 1; }
files >"$root/tmp/after"
diff "$root/tmp/before" "$root/tmp/after" | grep -v -e ' ./log$' -e ' ./home/' | grep '^[<>]' \
  && fail "Removing the window leaves what is named above."
# The expected remainder: the plugin's own files and those installed with GTK.
diff "$root/tmp/with-plugin" "$root/tmp/before" | sed -n 's/^> //p' | grep -v '^./log$' >"$root/tmp/of-gtk"
sort "$root/tmp/plugin-alone" "$root/tmp/of-gtk" >"$root/tmp/before"

say "apt-get remove gstreamer1.0-mien mien mien-doc"
in_root apt-get purge -q -y gstreamer1.0-mien mien mien-doc >"$root/log" 2>&1 || { cat "$root/log"; exit 1; }
# Files that GStreamer writes in the user's home folder.
rm -rf "$root/home/guest/.cache" "$root/home/guest/.local" "$root"/home/guest/out*.png
files >"$root/tmp/after"
rm -f "$root/log"
diff "$root/tmp/before" "$root/tmp/after" | grep -v ' ./log$' | grep '^[<>]' \
  && fail "Removing it leaves what is named above."
say "installed, used and removed: ${package##*/}"

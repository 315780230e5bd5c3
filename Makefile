# make demo | gallery | build | test | check | sanitize | inspect | embed | bench | install | setup
#                                                              (see README.md and CONTRIBUTING.md)
#
#   make build [STUDIO=no]             (no: without the window, which needs GTK 4)
#   make demo [INPUT=picture|film|/dev/video0] [OUTPUT=file] [STICKER=pack|picture]
#   make fuzz [SECONDS=60] [SEED=1] [TARGET=name [INPUT=file]]
#   make stress [SECONDS=60] [SEED=1] [ACTIONS=number] [ROUND=number] [SANITIZE=address|thread]
#   make install PREFIX=/usr/local [LIBDIR=$PREFIX/lib] [DESTDIR=folder]
#   make deb                           (packages of this build, for the release it runs on)
#   make wheel                         (a wheel for pip, of this build)
#   make source-package                (out/gst-mien_*.dsc, which Debian's own tools build)
#   make systems [SYSTEMS="12 13 sid source arm64"] (build, test and pack in Debian roots; as root)
#   make pack-check PACK=folder        (what `mien check` does)

FRAMES ?= 100000
EVENTS ?= 10000
ROUNDS ?= 5
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
DESTDIR ?=
ROOT = $(if $(DESTDIR),$(abspath $(DESTDIR)))
SHARE = $(ROOT)$(PREFIX)/share
demo: INPUT ?= models/astronaut.png
demo: OUTPUT ?= out/demo
STICKER ?=
VERSION := $(shell cat VERSION)
# The products of `make build`, in the layout of the installation.
BUILT = .build/lib
COMMAND = .build/bin/mien
WINDOW = .build/bin/mien-studio
STUDIO ?= yes
LANGUAGES = $(basename $(notdir $(wildcard po/*.po)))
# Processor levels with a build of their own, by their names in glibc-hwcaps.
LEVELS ?= $(if $(filter x86_64,$(shell uname -m)),x86-64-v3 x86-64-v4)
# SwiftPM caches its build plan with the results of pkg-config: a plan made before GTK was installed would
# never find it. Planning without the cache takes half a second.
BUILD_SWIFT = swift build --disable-build-manifest-caching
# The same without the window, which alone needs GTK.
BUILD_PLUGIN = STUDIO=no $(BUILD_SWIFT)
# Temporary files of all commands. SwiftPM leaves some with every build; `make setup` deletes those older
# than an hour.
export TMPDIR := $(shell mkdir -p .build/tmp && realpath .build/tmp)
# PulseAudio's clients would otherwise create a folder among the temporary files.
export PULSE_RUNTIME_PATH := $(dir $(TMPDIR))pulse
# SwiftPM prints a harmless line about -pthread in GStreamer's pkg-config files on every run.
QUIET = 2>&1 | grep -v 'prohibited flag(s): -pthread'
# Swift code learns the level from a compilation condition: it has no other test for vector extensions.
LEVEL_FLAGS = --scratch-path .build/$$level -Xcc -march=$$level -Xswiftc -Xcc -Xswiftc -march=$$level \
  -Xswiftc -D$${level//-/_} $(WIDE:%=-Xswiftc -Xcc -Xswiftc %)
# Use 512-bit vectors: for x86-64-v4 compilers prefer 256-bit ones by default.
WIDE = -Xclang -target-feature -Xclang -prefer-256-bit
# Extra arguments of builds for another processor (setup/arm64.sh).
CROSS ?=
# The highest level that this machine supports, according to glibc's loader.
BEST_LEVEL = $(lastword $(foreach level,$(LEVELS),$(shell \
  /lib64/ld-linux-x86-64.so.2 --help | grep -o "$(level) .supported" | cut -d ' ' -f 1)))
# Valgrind, which counts the instructions of networks, does not support AVX-512.
BENCH_LEVELS = $(BEST_LEVEL) $(if $(filter x86-64-v4,$(BEST_LEVEL)),$(if \
  $(or $(filter networks,$(BENCH)),$(if $(BENCH),,all)),x86-64-v3))
BENCH_FOLDER = .build/$(addsuffix /,$(BEST_LEVEL))release

# A limit for the whole test run. Each test has one of its own, but a synchronous test that blocks cannot
# be cancelled; with all threads of the pool blocked only this limit ends the run.
TEST_MINUTES ?= 25
# Test cases that run at once.
TEST_WIDTH = $(shell setup/test-width.sh)
# While tests run, free() overwrites memory at once, so that a use after free fails in every run.
FREED = MALLOC_PERTURB_=165 GLIBC_TUNABLES=glibc.malloc.tcache_count=0

# Build flags of `make fuzz` and `make stress`.
SANITIZED_address = --scratch-path .build/fuzz --sanitize=address \
  -Xswiftc -sanitize-coverage=edge,inline-8bit-counters
SANITIZED_thread = --scratch-path .build/stress-thread --sanitize=thread

.DELETE_ON_ERROR:
SHELL = /bin/bash
.SHELLFLAGS = -o pipefail -c

.PHONY: all build plugin levels command studio words demo gallery embed test check sanitize fuzz stress inspect bench window-bench monkey soak hiding-check puppet-check mien-bench \
  install copy-files copy-plugin copy-command copy-studio deb deb-check wheel source-package systems pack-check setup setup-run setup-test clean

all: build

# With SETUP=no nothing is installed and only the toolchain is checked, for package builders.
SETUP ?= yes
setup:
	@find $(TMPDIR) -mindepth 1 -maxdepth 1 -mmin +60 -exec rm -rf {} +
	@setup/setup.sh $(if $(filter yes,$(SETUP)),build,swift)

# Runs before the build, so that a failed download ends it early.
setup-run: setup
	@$(if $(filter yes,$(SETUP)),setup/setup.sh run)

setup-test:
	@setup/setup.sh test

build: plugin levels command $(if $(filter yes,$(STUDIO)),studio)

# The file that GStreamer loads and the library that it needs, for the baseline processor. Builds for
# other levels are deleted first: the loader would prefer them. (The plugin file uses no symbol of libc,
# but packages must name it: --no-as-needed.) A preset belongs to one GType, so mienfacedetect, which has
# its own, gets a copy.
plugin: setup
	@echo "mien: building the plugin"
	@$(BUILD_PLUGIN) -c release --product mien $(CROSS) $(QUIET)
	@rm -rf $(BUILT)
	@install -D .build/release/libmien.so $(BUILT)/mien/libmien.so
	@mkdir $(BUILT)/gstreamer-1.0
	@$(CC) -shared -fPIC -O2 -Wall -Wextra -DMIEN_VERSION='"$(VERSION)"' CShim/plugin.c \
	  -o $(BUILT)/gstreamer-1.0/libgstmien.so $$(pkg-config --cflags --libs gstreamer-1.0) \
	  -L$(BUILT)/mien -lmien -Wl,-z,relro,-z,now,--enable-new-dtags,-rpath,'$$ORIGIN/../mien',--no-as-needed
	@install -d $(BUILT)/presets
	@sed '/^element-name=/s/$$/Alias/' presets/MienFaceDetect.prs >$(BUILT)/presets/MienFaceDetectAlias.prs

levels: plugin
	@for level in $(LEVELS); do \
	  echo "mien: building the plugin for $$level"; \
	  $(BUILD_PLUGIN) -c release --product mien $(LEVEL_FLAGS) $(QUIET) || exit; \
	  install -D .build/$$level/release/libmien.so \
	    $(BUILT)/mien/glibc-hwcaps/$$level/libmien.so || exit; \
	done

# The command, with the Swift runtime linked in. In .build the library already has the name mien.
command: setup
	@echo "mien: building the command"
	@$(BUILD_PLUGIN) -c release --product mien-command $(CROSS) $(QUIET)
	@install -D .build/release/mien-command $(COMMAND)

# The window, with its translations. Only this target needs GTK.
studio: setup
	@$(if $(filter yes,$(SETUP)),setup/setup.sh studio)
	@echo "mien: building the studio"
	@$(BUILD_SWIFT) -c release --product mien-studio $(CROSS) $(QUIET)
	@install -D .build/release/mien-studio $(WINDOW)
	@for language in $(LANGUAGES); do folder=.build/share/locale/$$language/LC_MESSAGES; \
	  mkdir -p $$folder && msgfmt -o $$folder/mien-studio.mo po/$$language.po || exit; done

# Updates po/mien-studio.pot and every po file from the window's sources.
words: setup
	@setup/setup.sh studio
	@setup/words.sh

# A camera is shown in a window; other input is written to OUTPUT.
demo: setup-run plugin command
	@mkdir -p "$$(dirname "$(OUTPUT)")"
	@pipelines/env.sh $(COMMAND) decorate --verbose --force --retouch --sticker "$(or $(STICKER),dog)" \
	  "$(INPUT)" $(if $(filter /dev/video%,$(INPUT)),,"$(OUTPUT)")

# Contact sheets of every pack, the faces and the retouching on real films and portraits.
gallery: setup-test plugin
	@pipelines/env.sh pipelines/gallery.py

# The programs that embed the plugin, in C and in Swift (docs/embedding.md).
embed: setup-run
	@mkdir -p out
	cc -o out/faces pipelines/embed/faces.c $$(pkg-config --cflags --libs gstreamer-1.0)
	@swift build --package-path pipelines/embed/swift --scratch-path .build/embed $(QUIET)

test: setup-test build
	@echo "mien: building and running the tests"
	@for level in $(LEVELS); do \
	  $(BUILD_PLUGIN) -c release --product network-answers $(LEVEL_FLAGS) $(QUIET) || exit; done
	@$(BUILD_SWIFT) --build-tests $$([ ! -d .build/stubs ] || echo "-Xlinker -L$$PWD/.build/stubs") $(QUIET)
	@mkdir -p out && touch .build/tests-began && rm -f .build/test-events.jsonl
	@timeout --kill-after=30 $(TEST_MINUTES)m pipelines/env.sh env G_DEBUG=fatal-warnings $(FREED) \
	  swift test --skip-build $(TEST_WIDTH) --event-stream-version 0 \
	  --event-stream-output-path .build/test-events.jsonl $(QUIET) | tee out/test.log || { status=$$?; \
	  if [ $$status -eq 124 ] || [ $$status -eq 137 ]; then \
	    setup/unfinished-tests.sh .build/test-events.jsonl $(TEST_MINUTES); fi; \
	  echo "mien: failures (the whole log is out/test.log):"; \
	  grep -a -A 1 'recorded an issue' out/test.log | grep -aE 'recorded an issue|↳' | cut -c 1-300 \
	  | head -n 24; exit 1; }
	@echo "mien: fuzzing for 15 s, stress test for 6 s"
	@SWIFT_BACKTRACE=enable=no .build/debug/mien-fuzz seconds=15 seed=1 limit=10 \
	  >>out/test.log 2>&1 \
	  && SWIFT_BACKTRACE=enable=no .build/debug/mien-stress seconds=6 seed=1 limit=10 >>out/test.log 2>&1 \
	  || { grep -a -B 2 'FOUND' out/test.log | cut -c 1-300; exit 1; }
	@left=$$(find $(TMPDIR) -mindepth 1 -maxdepth 1 -newer .build/tests-began ! -name 'TemporaryDirectory.*' \
	  ! -name '*.build*.lock' ! -name '*swiftpm*.lock' -printf ' %f'); [ -z "$$left" ] \
	  || { echo "mien: tests left temporary files behind, in $(TMPDIR):$$left"; exit 1; }

# Formatting, lengths, warnings as errors, and declared dependencies of every module.
check: setup-test
	@setup/check-source.sh
	swift format lint --strict -r Sources Tests pipelines Package.swift
	$(BUILD_SWIFT) -c release --scratch-path .build-check -Xswiftc -warnings-as-errors \
	  --explicit-target-dependency-import-check error $(QUIET)

# The tests under the address sanitizer, then under the thread sanitizer.
sanitize: setup-test
	@setup/sanitize.sh

# Coverage-guided fuzzing of every reader of untrusted input, under the address sanitizer; see
# CONTRIBUTING.md.
fuzz: setup-test
	@echo "mien: building the fuzzer"
	@$(BUILD_PLUGIN) -c release --product mien-fuzz $(SANITIZED_address) $(QUIET)
	@SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 .build/fuzz/release/mien-fuzz target=$(TARGET) input=$(INPUT) \
	  seconds=$(SECONDS) seed=$(SEED) inputs=$(INPUTS)

# Stress test: random actions on whole pipelines, from several threads; see CONTRIBUTING.md.
stress: setup-test
	@echo "mien: building the stress test"
	@$(BUILD_PLUGIN) -c release --product mien-stress $(SANITIZED_$(SANITIZE)) $(QUIET)
	@SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=suppressions=setup/thread-sanitizer.supp \
	  $(or $(word 2,$(SANITIZED_$(SANITIZE))),.build)/release/mien-stress seconds=$(SECONDS) \
	  seed=$(SEED) actions=$(ACTIONS) round=$(ROUND) $(if $(SANITIZE),limit=20)

# Writes the output of gst-inspect for every element (the alias mienfacedetect excepted), and the plugin's
# description in the format of GStreamer's documentation.
inspect: setup-test build
	@for element in $$(pipelines/env.sh gst-inspect-1.0 mien | sed -n '/^  mienfacedetect/d; s/^  \([a-z]*\): .*/\1/p'); \
	do pipelines/env.sh gst-inspect-1.0 --no-colors $$element | grep -v '  Filename  ' \
	  >Tests/PluginTests/Inspected/$$element.txt || exit; done
	@pipelines/env.sh setup/plugin_cache.py >docs/plugins/gst_plugins_cache.json

bench: mien-bench
	@setup/setup.sh bench
	@ROUNDS=$(ROUNDS) $(BENCH_FOLDER)/mien-bench $(BENCH)

# Measures the window's start-up time and the lateness of its frames.
window-bench: setup-test build
	@pipelines/env.sh Tests/PluginTests/studio/late.sh $(SECONDS)

# Sends random events to the window: EVENTS of them, from SEED.
monkey: setup-test build
	@folder=$$(mktemp -d) && pipelines/env.sh Tests/PluginTests/studio/monkey.sh $$folder $(abspath $(COMMAND)) \
	  $(EVENTS) $(or $(SEED),1) $(abspath models/scenes/WolfgangLanger_Pexels.mp4) && rm -rf $$folder

# Counts the hidden faces that three detectors still find: Mien's, the mediapipe wheel's and OpenCV's.
hiding-check: setup-test plugin
	@setup/setup.sh bench
	@pipelines/env.sh setup/peer_hiding.py .build/peers 2>/dev/null

# Reads what `mien faces --send` sends with an independent reader, python-osc.
puppet-check: setup-test plugin command
	@setup/setup.sh osc
	@pipelines/env.sh setup/peer_osc.py .build/osc $(COMMAND) "$(or $(FILM),models/scenes/WolfgangLanger_Pexels.mp4)"

# Runs FRAMES frames through the elements and checks the memory; half an hour.
soak: mien-bench
	@$(BENCH_FOLDER)/mien-bench soak $(FRAMES)

mien-bench: setup-test build
	@$(if $(BEST_LEVEL),for level in $(BENCH_LEVELS); do \
	  $(BUILD_PLUGIN) -c release --product mien-bench $(LEVEL_FLAGS) $(QUIET) || exit; done, \
	  $(BUILD_PLUGIN) -c release --product mien-bench $(QUIET))

# Reports the errors of a sticker pack.
pack-check: setup
	@log=$$($(BUILD_PLUGIN) --product mien-command 2>&1) || { echo "$$log"; exit 1; }
	@.build/debug/mien-command check $(PACK)

install: setup-run build
	@$(MAKE) --no-print-directory copy-files $(if $(filter yes,$(STUDIO)),copy-studio)
	@echo "mien: installed. If $(LIBDIR)/gstreamer-1.0 is not where GStreamer looks:"
	@echo "  export GST_PLUGIN_PATH_1_0=$(LIBDIR)/gstreamer-1.0"
	@echo "  export GST_PRESET_PATH=$(PREFIX)/share/gstreamer-1.0/presets"

copy-files: copy-plugin copy-command

copy-plugin:
	install -d "$(SHARE)/mien/models" "$(SHARE)/gstreamer-1.0/presets"
	rm -rf "$(ROOT)$(LIBDIR)/mien"
	for file in $$(cd $(BUILT) && find . -name '*.so'); do \
	  install -D -s -m 644 "$(BUILT)/$$file" "$(ROOT)$(LIBDIR)/$$file" || exit; done
	install -m 644 models/*.tflite models/*.onnx models/LICENSE.* "$(SHARE)/mien/models/"
	for pack in stickers/*/meta.json; do \
	  (cd stickers && find "$$(basename "$$(dirname "$$pack")")" -type f -exec \
	    install -D -m 644 {} "$(SHARE)/mien/stickers/{}" \;) || exit; done
	install -d "$(SHARE)/mien/backgrounds"
	install -m 644 backgrounds/*.jpg "$(SHARE)/mien/backgrounds/"
	install -m 644 presets/*.prs $(BUILT)/presets/*.prs "$(SHARE)/gstreamer-1.0/presets/"

copy-command:
	install -D -s $(COMMAND) "$(ROOT)$(PREFIX)/bin/mien"
	install -D -m 644 docs/mien.1 "$(SHARE)/man/man1/mien.1"
	install -D -m 644 setup/mien.bash "$(SHARE)/bash-completion/completions/mien"
	install -d "$(ROOT)$(PREFIX)/lib/systemd/user"
	sed 's|@PREFIX@|$(PREFIX)|' data/mien-camera.service >"$(ROOT)$(PREFIX)/lib/systemd/user/mien-camera.service"

copy-studio:
	install -D -s $(WINDOW) "$(ROOT)$(PREFIX)/bin/mien-studio"
	install -D -m 644 models/astronaut.png "$(SHARE)/mien/studio/photograph.png"
	install -D -m 644 data/org.mien.Studio.desktop "$(SHARE)/applications/org.mien.Studio.desktop"
	install -D -m 644 data/org.mien.Studio.metainfo.xml "$(SHARE)/metainfo/org.mien.Studio.metainfo.xml"
	install -D -m 644 data/org.mien.Studio.svg "$(SHARE)/icons/hicolor/scalable/apps/org.mien.Studio.svg"
	install -D -m 644 docs/mien-studio.1 "$(SHARE)/man/man1/mien-studio.1"
	for language in $(LANGUAGES); do install -D -m 644 .build/share/locale/$$language/LC_MESSAGES/mien-studio.mo \
	  "$(SHARE)/locale/$$language/LC_MESSAGES/mien-studio.mo" || exit; done

# The suffix of a package's version that names the Debian release of the build.
RELEASE ?= $(shell . /etc/os-release; [ "$$ID" = debian ] && echo "$${VERSION_ID:+~deb$${VERSION_ID}u1}")

# Debian packages of the products of `make build`, in out/: gstreamer1.0-mien, mien, mien-studio and
# mien-doc. LINTIAN is the lowest severity of lintian's tags that fails the build.
LINTIAN ?= error
deb: setup-run build
	@setup/setup.sh deb
	@mkdir -p out
	@echo "mien: packing"
	@log=$$(mktemp); rm -f out/*.deb; fakeroot debian/rules binary PACK_ONLY=yes RELEASE=$(RELEASE) STUDIO=$(STUDIO) >$$log 2>&1 || { cat $$log; exit 1; }; rm $$log
	@lintian --fail-on error,$(LINTIAN) --tag-display-limit 0 out/*.deb
	@ls -l out/*.deb

# A wheel for pip: out/gst_mien-*.whl (docs/python.md).
wheel: setup-run build
	@setup/wheel.py

# Installs the package in a bare Debian root, uses it as an ordinary user, and removes it.
deb-check: deb
	@setup/check-deb.sh

# The source package: the files in git, the models and the photograph, since builders have no network.
source-package:
	@setup/setup.sh models
	@setup/setup.sh deb
	@setup/source-package.sh

# Builds, tests and packages in roots of Debian's releases (setup/systems.sh).
systems:
	@setup/systems.sh $(SYSTEMS)

clean:
	rm -rf .build .build-check out debian/.debhelper debian/files debian/gstreamer1.0-mien debian/mien debian/mien-doc \
	  debian/mien-studio \
	  debian/*.substvars debian/*.log debian/debhelper-build-stamp

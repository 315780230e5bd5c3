# make demo | gallery | build | test | check | sanitize | inspect | embed | bench | install | setup
#                                                              (see README.md and CONTRIBUTING.md)
#
#   make build [STUDIO=no]             (no: without the window, which needs GTK 4)
#   make demo [INPUT=picture|film|/dev/video0] [OUTPUT=file] [STICKER=pack|picture]
#   make fuzz [SECONDS=60] [SEED=1] [TARGET=name [INPUT=file]]
#   make storm [SECONDS=60] [SEED=1] [ACTIONS=number] [ROUND=number] [SANITIZE=address|thread]
#   make install PREFIX=/usr/local [LIBDIR=$PREFIX/lib] [DESTDIR=folder]
#   make deb                           (packages of this build, for the release it runs on)
#   make source-package                (out/gst-mien_*.dsc, which Debian's own tools build)
#   make systems [SYSTEMS="12 13 sid source arm64"] (build, test and pack in Debian roots; as root)
#   make pack-check PACK=folder        (what `mien check` does)

FRAMES ?= 100000
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
# What `make build` builds, laid out as it is installed: the plugin and the command.
BUILT = .build/lib
COMMAND = .build/bin/mien
WINDOW = .build/bin/mien-studio
STUDIO ?= yes
LANGUAGES = $(basename $(notdir $(wildcard po/*.po)))
# Processors that get a build of their own, in the words of glibc's loader, which chooses.
LEVELS ?= $(if $(filter x86_64,$(shell uname -m)),x86-64-v3 x86-64-v4)
# SwiftPM plans a build once and keeps the plan, with the headers that pkg-config knew of then: one made
# before GTK was installed would never find it. Planning anew takes half a second.
BUILD_SWIFT = swift build --disable-build-manifest-caching
# The same without the window, so that GTK is asked for only where the window is built.
BUILD_PLUGIN = STUDIO=no $(BUILD_SWIFT)
# Temporary files of all that runs here. SwiftPM leaves some behind with every build; `make setup` takes
# away those of an hour ago.
export TMPDIR := $(shell mkdir -p .build/tmp && realpath .build/tmp)
# PulseAudio's clients otherwise make a folder among the temporary files, and leave it there.
export PULSE_RUNTIME_PATH := $(dir $(TMPDIR))pulse
# SwiftPM repeats a harmless line about -pthread in GStreamer's pkg-config files on every run.
QUIET = 2>&1 | grep -v 'prohibited flag(s): -pthread'
# Swift is told the level's name too, for it has no other word for what its vectors may be.
LEVEL_FLAGS = --scratch-path .build/$$level -Xcc -march=$$level -Xswiftc -Xcc -Xswiftc -march=$$level \
  -Xswiftc -D$${level//-/_} $(WIDE:%=-Xswiftc -Xcc -Xswiftc %)
# Vectors of loops as long as registers are: for x86-64-v4 compilers stop at half of that.
WIDE = -Xclang -target-feature -Xclang -prefer-256-bit
# Said of builds for another processor (setup/arm64.sh), which cannot be run here.
CROSS ?=
# The last of them that this machine runs, by the word of the system's loader.
BEST_LEVEL = $(lastword $(foreach level,$(LEVELS),$(shell \
  /lib64/ld-linux-x86-64.so.2 --help | grep -o "$(level) .supported" | cut -d ' ' -f 1)))
# Valgrind, which counts what networks execute, knows no AVX-512.
BENCH_LEVELS = $(BEST_LEVEL) $(if $(filter x86-64-v4,$(BEST_LEVEL)),$(if \
  $(or $(filter networks,$(BENCH)),$(if $(BENCH),,all)),x86-64-v3))
BENCH_FOLDER = .build/$(addsuffix /,$(BEST_LEVEL))release

# Freed memory is overwritten at once while tests run, so that a read of it fails in every run.
FREED = MALLOC_PERTURB_=165 GLIBC_TUNABLES=glibc.malloc.tcache_count=0

# What `make fuzz` and `make storm` are built with.
SANITIZED_address = --scratch-path .build/fuzz --sanitize=address \
  -Xswiftc -sanitize-coverage=edge,inline-8bit-counters
SANITIZED_thread = --scratch-path .build/storm-thread --sanitize=thread

.DELETE_ON_ERROR:
SHELL = /bin/bash
.SHELLFLAGS = -o pipefail -c

.PHONY: all build plugin levels command studio words demo gallery embed test check sanitize fuzz storm inspect bench window-bench soak hiding-check mien-bench \
  install copy-files copy-studio deb deb-check source-package systems pack-check setup setup-run setup-test clean

all: build

# With SETUP=no nothing is brought, and only the toolchain is checked: for builders of packages.
SETUP ?= yes
setup:
	@find $(TMPDIR) -mindepth 1 -maxdepth 1 -mmin +60 -exec rm -rf {} +
	@setup/setup.sh $(if $(filter yes,$(SETUP)),build,swift)

# Before anything is built, so that what cannot be fetched is known at once.
setup-run: setup
	@$(if $(filter yes,$(SETUP)),setup/setup.sh run)

setup-test:
	@setup/setup.sh test

build: plugin levels command $(if $(filter yes,$(STUDIO)),studio)

# What runs on every processor, and all that a first look needs: the file that GStreamer loads, and
# the library that it needs. Older builds go, or the loader would prefer them. (The plugin file uses
# nothing of libc, which packages want named all the same.) A preset is of one type: mienfacedetect,
# which has a type of its own, gets a copy.
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

# The command, which needs nothing of the toolchain either; the library has its name in .build.
command: setup
	@echo "mien: building the command"
	@$(BUILD_PLUGIN) -c release --product mien-command $(CROSS) $(QUIET)
	@install -D .build/release/mien-command $(COMMAND)

# The window, which alone needs GTK, with its words in other languages.
studio: setup
	@$(if $(filter yes,$(SETUP)),setup/setup.sh studio)
	@echo "mien: building the studio"
	@$(BUILD_SWIFT) -c release --product mien-studio $(CROSS) $(QUIET)
	@install -D .build/release/mien-studio $(WINDOW)
	@for language in $(LANGUAGES); do folder=.build/share/locale/$$language/LC_MESSAGES; \
	  mkdir -p $$folder && msgfmt -o $$folder/mien-studio.mo po/$$language.po || exit; done

# What the window says, for translators: renews po/mien-studio.pot and every po file.
words: setup
	@setup/setup.sh studio
	@setup/words.sh

# A camera is shown in a window; what comes of all else is kept.
demo: setup-run plugin command
	@mkdir -p "$$(dirname "$(OUTPUT)")"
	@pipelines/env.sh $(COMMAND) decorate --verbose --force --retouch --sticker "$(or $(STICKER),dog)" \
	  "$(INPUT)" $(if $(filter /dev/video%,$(INPUT)),,"$(OUTPUT)")

# Every pack, the faces and the retouching on real films and portraits, for one's own eyes.
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
	@$(BUILD_SWIFT) --build-tests $$([ ! -d .build/stand-ins ] || echo "-Xlinker -L$$PWD/.build/stand-ins") $(QUIET)
	@mkdir -p out && touch .build/tests-began
	@pipelines/env.sh env G_DEBUG=fatal-warnings $(FREED) swift test --skip-build $(QUIET) | tee out/test.log \
	  || { echo "mien: what failed, once more (all of it is in out/test.log):"; \
	  grep -a -A 1 'recorded an issue' out/test.log | grep -aE 'recorded an issue|↳' | cut -c 1-300 \
	  | head -n 24; exit 1; }
	@echo "mien: a short fuzz and a short storm"
	@SWIFT_BACKTRACE=enable=no .build/debug/mien-fuzz seconds=15 seed=1 limit=10 \
	  >>out/test.log 2>&1 \
	  && SWIFT_BACKTRACE=enable=no .build/debug/mien-storm seconds=6 seed=1 limit=10 >>out/test.log 2>&1 \
	  || { grep -a -B 2 'FOUND' out/test.log | cut -c 1-300; exit 1; }
	@left=$$(find $(TMPDIR) -mindepth 1 -maxdepth 1 -newer .build/tests-began ! -name 'TemporaryDirectory.*' \
	  ! -name '*.build*.lock' ! -name '*swiftpm*.lock' -printf ' %f'); [ -z "$$left" ] \
	  || { echo "mien: tests left temporary files behind, in $(TMPDIR):$$left"; exit 1; }

# Formatting, lengths, warnings as errors, and that no module uses another it does not name.
check: setup-test
	@setup/check-source.sh
	swift format lint --strict -r Sources Tests pipelines Package.swift
	$(BUILD_SWIFT) -c release --scratch-path .build-check -Xswiftc -warnings-as-errors \
	  --explicit-target-dependency-import-check error $(QUIET)

# The tests under the address sanitizer, then under the thread sanitizer.
sanitize: setup-test
	@setup/sanitize.sh

# Wrong inputs for all that reads what nobody trusts, under the address sanitizer and guided by what
# code they reach; see CONTRIBUTING.md.
fuzz: setup-test
	@echo "mien: building what tries inputs"
	@$(BUILD_PLUGIN) -c release --product mien-fuzz $(SANITIZED_address) $(QUIET)
	@SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 .build/fuzz/release/mien-fuzz target=$(TARGET) input=$(INPUT) \
	  seconds=$(SECONDS) seed=$(SEED) inputs=$(INPUTS)

# Whole pipelines under all that an application may do, from several threads.
storm: setup-test
	@echo "mien: building what acts on pipelines"
	@$(BUILD_PLUGIN) -c release --product mien-storm $(SANITIZED_$(SANITIZE)) $(QUIET)
	@SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=suppressions=setup/thread-sanitizer.supp \
	  $(or $(word 2,$(SANITIZED_$(SANITIZE))),.build)/release/mien-storm seconds=$(SECONDS) \
	  seed=$(SEED) actions=$(ACTIONS) round=$(ROUND)

# Writes what gst-inspect says of every element, which has no name that begins with "mien", and the
# whole plugin as GStreamer's documentation keeps it.
inspect: setup-test build
	@for element in $$(pipelines/env.sh gst-inspect-1.0 mien | sed -n '/^  mien/d; s/^  \([a-z]*\): .*/\1/p'); \
	do pipelines/env.sh gst-inspect-1.0 --no-colors $$element | grep -v '  Filename  ' \
	  >Tests/PluginTests/Inspected/$$element.txt || exit; done
	@pipelines/env.sh setup/plugin_cache.py >docs/plugins/gst_plugins_cache.json

bench: mien-bench
	@setup/setup.sh bench
	@ROUNDS=$(ROUNDS) $(BENCH_FOLDER)/mien-bench $(BENCH)

# How long the window takes to start, and how late its frames are.
window-bench: setup-test build
	@pipelines/env.sh Tests/PluginTests/studio/late.sh $(SECONDS)

# What three detectors see of faces that were hidden: ours, the mediapipe wheel's and OpenCV's.
hiding-check: setup-test plugin
	@setup/setup.sh bench
	@pipelines/env.sh setup/peer_hiding.py .build/peers 2>/dev/null

# All four elements for a long time, watching the memory: half an hour.
soak: mien-bench
	@$(BENCH_FOLDER)/mien-bench soak $(FRAMES)

mien-bench: setup-test build
	@$(if $(BEST_LEVEL),for level in $(BENCH_LEVELS); do \
	  $(BUILD_PLUGIN) -c release --product mien-bench $(LEVEL_FLAGS) $(QUIET) || exit; done, \
	  $(BUILD_PLUGIN) -c release --product mien-bench $(QUIET))

# Says in words what is wrong with a sticker pack.
pack-check: setup
	@log=$$($(BUILD_PLUGIN) --product mien-command 2>&1) || { echo "$$log"; exit 1; }
	@.build/debug/mien-command check $(PACK)

install: setup-run build
	@$(MAKE) --no-print-directory copy-files $(if $(filter yes,$(STUDIO)),copy-studio)
	@echo "mien: installed. If $(LIBDIR)/gstreamer-1.0 is not where GStreamer looks:"
	@echo "  export GST_PLUGIN_PATH_1_0=$(LIBDIR)/gstreamer-1.0"
	@echo "  export GST_PRESET_PATH=$(PREFIX)/share/gstreamer-1.0/presets"

copy-files:
	install -d "$(SHARE)/mien/models" "$(SHARE)/gstreamer-1.0/presets"
	install -D -s $(COMMAND) "$(ROOT)$(PREFIX)/bin/mien"
	rm -rf "$(ROOT)$(LIBDIR)/mien"
	for file in $$(cd $(BUILT) && find . -name '*.so'); do \
	  install -D -s -m 644 "$(BUILT)/$$file" "$(ROOT)$(LIBDIR)/$$file" || exit; done
	install -m 644 models/*.tflite models/LICENSE.models "$(SHARE)/mien/models/"
	for pack in stickers/*/meta.json; do \
	  (cd stickers && find "$$(basename "$$(dirname "$$pack")")" -type f -exec \
	    install -D -m 644 {} "$(SHARE)/mien/stickers/{}" \;) || exit; done
	install -m 644 presets/*.prs $(BUILT)/presets/*.prs "$(SHARE)/gstreamer-1.0/presets/"
	install -D -m 644 docs/mien.1 "$(SHARE)/man/man1/mien.1"
	install -D -m 644 setup/mien.bash "$(SHARE)/bash-completion/completions/mien"

copy-studio:
	install -D -s $(WINDOW) "$(ROOT)$(PREFIX)/bin/mien-studio"
	install -D -m 644 models/astronaut.png "$(SHARE)/mien/studio/photograph.png"
	install -D -m 644 data/org.mien.Studio.desktop "$(SHARE)/applications/org.mien.Studio.desktop"
	install -D -m 644 data/org.mien.Studio.metainfo.xml "$(SHARE)/metainfo/org.mien.Studio.metainfo.xml"
	install -D -m 644 data/org.mien.Studio.svg "$(SHARE)/icons/hicolor/scalable/apps/org.mien.Studio.svg"
	install -D -m 644 docs/mien-studio.1 "$(SHARE)/man/man1/mien-studio.1"
	for language in $(LANGUAGES); do install -D -m 644 .build/share/locale/$$language/LC_MESSAGES/mien-studio.mo \
	  "$(SHARE)/locale/$$language/LC_MESSAGES/mien-studio.mo" || exit; done

# What a package's version says of the release that it was built on: the same source is built on each.
RELEASE ?= $(shell . /etc/os-release; [ "$$ID" = debian ] && echo "$${VERSION_ID:+~deb$${VERSION_ID}u1}")

# Debian packages of what `make build` built: out/gstreamer1.0-mien_*.deb and out/mien-studio_*.deb.
# What lintian says of them is shown; LINTIAN=warning says from what on it is a failure.
LINTIAN ?= error
deb: setup-run build
	@setup/setup.sh deb
	@mkdir -p out
	@echo "mien: packing"
	@log=$$(mktemp); rm -f out/*.deb; fakeroot debian/rules binary PACK_ONLY=yes RELEASE=$(RELEASE) STUDIO=$(STUDIO) >$$log 2>&1 || { cat $$log; exit 1; }; rm $$log
	@lintian --fail-on error,$(LINTIAN) --tag-display-limit 0 out/*.deb
	@ls -l out/*.deb

# Installs that package in a Debian root of its own, uses it as a plain user, and removes it.
deb-check: deb
	@setup/check-deb.sh

# The source package: what git knows, and the models and the photograph, for builders have no network.
source-package:
	@setup/setup.sh models
	@setup/setup.sh deb
	@setup/source-package.sh

# Builds, tests and packs in roots of Debian's releases, which are made once: setup/systems.sh.
systems:
	@setup/systems.sh $(SYSTEMS)

clean:
	rm -rf .build .build-check out debian/.debhelper debian/files debian/gstreamer1.0-mien debian/mien-studio \
	  debian/*.substvars debian/*.log debian/debhelper-build-stamp

#!/bin/sh
# Updates po/mien-studio.pot and every po file. The texts are those of the window's sources, and the elements'
# descriptions in the output of gst-inspect.
set -eu
cd "$(dirname "$0")/.."
pot=po/mien-studio.pot
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
# xgettext has no Swift parser; calls and string literals look like those of C.
xgettext --language=C --from-code=UTF-8 --keyword=tr --omit-header --no-location --sort-output \
  --output="$work/window.pot" $(ls Sources/mien-studio/*/*.swift | grep -v Style) 2>/dev/null
python3 - >"$work/elements.pot" <<'PYTHON'
import glob
import json

plugin = json.load(open("docs/plugins/gst_plugins_cache.json"))["mien"]
texts = []
shown = [
    "sticker", "beautifymask", "facereshape", "photoeffect", "personkey", "chromakey", "facehide", "facedetect",
]
for name in shown:
    element = plugin["elements"][name]
    texts += [element["long-name"], element["description"]]
    for prop, what in element["properties"].items():
        if what.get("mutable") == "playing" and prop != "qos":
            words = prop.replace("-", " ")
            texts += [words[:1].upper() + words[1:], what["blurb"]]
            choices = plugin["other-types"].get(what["type"], {}).get("values", [])
            texts += [choice["name"] for choice in choices if not choice["name"][0].isdigit()]
for presets in glob.glob("presets/*.prs"):
    lines = open(presets).read().split("\n")
    texts += [line[1:-1] for line in lines if line.startswith("[") and line != "[_presets_]"]
looks = plugin["other-types"]["MienPhotoEffectLook"]["values"]
texts += [look["name"][:1].upper() + look["name"][1:] for look in looks[1:]]
texts += [folder.split("/")[1].capitalize() for folder in glob.glob("stickers/*/meta.json")]
texts += [file.split("/")[1][:-4].capitalize() for file in glob.glob("backgrounds/*.jpg")]
for text in sorted(set(texts)):
    print(f"msgid {json.dumps(text, ensure_ascii=False)}\nmsgstr \"\"\n")
PYTHON
msguniq "$work/window.pot" -o "$work/once.pot"
msgcat --use-first --sort-output "$work/once.pot" "$work/elements.pot" -o "$work/all.pot"
{ printf 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'; cat "$work/all.pot"; } >$pot
for po in po/*.po; do
  [ -e "$po" ] && msgmerge --quiet --update --backup=none --no-fuzzy-matching --sort-output "$po" $pot
done

#!/bin/sh
# Checks of `make check` beyond formatting and warnings: lengths of files, sizes of folders, no import
# of Foundation, other files beside sources, and the number of lines with `unsafe`.
#
#   setup/check-source.sh            checks
#   setup/check-source.sh --update   writes the current counts to setup/unsafe.txt
set -eu
cd "$(dirname "$0")/.."
table=setup/unsafe.txt
status=0
fail() { printf 'mien: %s\n' "$*" >&2; status=1; }

long=$(find Sources Tests -name '*.swift' -exec awk 'END { if (FNR > 300) print FILENAME, FNR }' {} \;)
[ -z "$long" ] || fail "longer than 300 lines: $long"
full=$(find Sources Tests -type f \( -name '*.swift' -o -name '*.[ch]' \) -printf '%h\n' | sort \
  | uniq -c | awk '$1 > 25 { print $2, $1 }')
[ -z "$full" ] || fail "more than 25 source files: $full"
foreign=$(grep -rlE '^ *(package |public |@[a-z]+ )*import Foundation' Sources || true)
[ -z "$foreign" ] || fail "imports Foundation, which doubles the library: $foreign"
# SwiftPM warns about each file of a target that Package.swift does not name.
unnamed=$(git ls-files Tests/PluginTests | sed 's:^Tests/PluginTests/::' | grep -vE '\.swift$|^Inspected/' \
  | while read -r file; do grep -qF "\"$file\"" Package.swift || echo "$file"; done)
[ -z "$unnamed" ] || fail "not excluded in Package.swift: $unnamed"

# The number of lines with the word outside comments, by file. Modules that wrap GStreamer's objects are not
# counted, since C structs require it on every line there. Metadata is counted, since it reads bytes written
# by other elements.
count() {
  find Sources -name '*.swift' ! -path 'Sources/Frames/*' ! -path 'Sources/Binding/*' \
    ! -path 'Sources/Decoding/*' ! -path 'Sources/Backdrops/*' ! -path 'Sources/Elements/*' \
    ! -path 'Sources/mien*' ! -path 'Sources/Programs/*' | LC_ALL=C sort | while read -r file; do
    lines=$(sed 's://.*::' "$file" | grep -cw unsafe || true)
    [ "$lines" = 0 ] || echo "$lines $file"
  done
}
counted=$(count)
if [ "${1:-}" = --update ]; then
  new=$(printf '%s\n' "$counted" | awk -v table=$table '
    BEGIN { while ((getline < table) > 0) { if (/^#/) print; if ($1 == "fence") fenced[$2] = 1 } }
    { print ($2 in fenced ? "fence" : $1), $2 }')
  printf '%s\n' "$new" >$table
fi
printf '%s\n' "$counted" | awk -v table=$table '
  BEGIN { while ((getline < table) > 0) if (!/^#/) allowed[$2] = $1 }
  { seen[$2] = 1
    split($2, part, "/")
    if (allowed[$2] == "fence") { inside += $1; if (fences[part[2]]++) two = two " " part[2] }
    else {
      outside += $1; limit = allowed[$2] + 0; sum += limit
      printf "%5d  %s%s\n", $1, $2, $1 == limit ? "" : " (" limit " in " table ")"
      if ($1 > limit) { more = more " " $2 }
    } }
  END {
    for (file in allowed) if (!(file in seen)) gone = gone " " file
    printf "mien: %d lines say unsafe outside the kernel files, %d inside\n", outside, inside
    if (gone) print "mien: no longer unsafe, take out of " table ":" gone
    if (two) print "mien: more than one fenced file in:" two
    if (more) print "mien: more unsafe lines than " table " allows:" more
    exit (more || two) ? 1 : 0
  }' || status=1
exit $status

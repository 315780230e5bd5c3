#!/bin/bash
# Decorates every film and picture of a folder and of the folders in it, on all cores; run again, it
# goes on where it was stopped.
#
#   pipelines/batch.sh FOLDER OUTFOLDER [STICKER [OPTIONS OF GNU PARALLEL...]]
#
# FOLDER/a.mp4 becomes OUTFOLDER/a.mp4.webm, with its sound; FOLDER/b.jpg becomes OUTFOLDER/b.jpg.png.
# The other options spread the work over machines: --sshlogin :,8/anna,8/bert
# Ends with 0 when all are done, 1 when some failed (they are listed), 2 when it could not begin.
set -u
fail() { printf 'mien: %s\n' "$*" >&2; exit 2; }

# shown NAME: the name on one line, whatever is in it.
shown() { case $1 in *[[:cntrl:]]*) printf %q "$1" ;; *) printf %s "$1" ;; esac; }

is_done() { [ -e "$outfolder/$1.webm" ] || [ -e "$outfolder/$1.png" ]; }

[ $# -ge 2 ] || fail "pipelines/batch.sh FOLDER OUTFOLDER [STICKER [OPTIONS OF GNU PARALLEL...]]"
command -v parallel >/dev/null || fail "GNU parallel is missing: apt-get install parallel"
IFS= read -r -d '' here < <(realpath -ez -- "$(dirname -- "$0")")
IFS= read -r -d '' folder < <(realpath -ez -- "$1") && [ -d "$folder" ] || fail "there is no folder $1"
mkdir -p -- "$2" || exit 2
IFS= read -r -d '' outfolder < <(realpath -ez -- "$2")
[ "$folder" != "$outfolder" ] || fail "what comes out needs a folder of its own"
sticker=${3:-halo}
[ ! -e "$sticker" ] || IFS= read -r -d '' sticker < <(realpath -ez -- "$sticker")
shift "$(($# < 3 ? $# : 3))"
"$here/env.sh" "$here/batch_one.py" --check "$sticker" || exit 2

# The jobs hold the lock too: it is free when the last of them is gone, however the batch ended.
exec 9>"$outfolder/.mien-batch.lock"
flock -w 10 9 || fail "another batch is at work in $outfolder"
find "$outfolder" -name '.mien-part-*' -type f -delete

# The largest first, so that no long film is left to one core at the end.
endings='mp4|m4v|mov|mkv|webm|avi|mpe?g|m?ts|m2ts|vob|wmv|asf|flv|ogv|ogg|3gp'
endings="$endings|jpe?g|png|webp|bmp|tiff?|pn[mg]|ppm|pgm"
names=() todo=()
while IFS= read -r -d '' entry; do
  name=${entry#* }
  names+=("$name")
  is_done "$name" || todo+=("$name")
done < <(
  export LC_ALL=C
  find "$folder" -samefile "$outfolder" -prune -o -xtype f ! -name '._*' \
    -regextype posix-extended -iregex ".*\.($endings)" -printf '%s %P\0' | sort -z -k 1,1nr -k 2)
others=$(find "$folder" -samefile "$outfolder" -prune -o -xtype f -printf x | wc -c)
[ ${#names[@]} -gt 0 ] || fail "there is no film or picture in $folder"
printf 'mien: %d films and pictures, %d done already, %d to do; %d other files are passed over\n' \
  ${#names[@]} $((${#names[@]} - ${#todo[@]})) ${#todo[@]} $((others - ${#names[@]}))
[ ${#todo[@]} -gt 0 ] || exit 0

# Parallel ends with this script and jobs end with parallel, or they would be in the way of the next
# batch.
exec 8< <(exec setpriv --pdeathsig KILL parallel --will-cite "$@" -0 -q exec setpriv --pdeathsig TERM "$here/env.sh" \
  "$here/batch_one.py" {#} {2} {3} {4} {1} \
  :::: <(printf '%s\0' "${todo[@]}") ::: "$folder" ::: "$outfolder" ::: "$sticker")
runner=$!
trap 'kill -TERM "$runner"; kill -TERM "$runner"; exit 143' TERM
trap 'kill -TERM "$runner"; kill -TERM "$runner"; exit 130' INT

count=0
declare -A reasons
while IFS=$'\t' read -r -u 8 number state text; do
  [[ $state =~ ^(done|failed)$ ]] || { printf '%s\n' "$number $state $text"; continue; }
  count=$((count + 1))
  [ "$state" = "done" ] || { reasons[$number]=$text; text="FAILED: $text"; }
  left=$((SECONDS * (${#todo[@]} - count) / count))
  printf 'mien: [%d/%d, %d:%02d left] %s: %s\n' "$count" "${#todo[@]}" $((left / 60)) \
    $((left % 60)) "$(shown "${todo[number - 1]}")" "$text"
done
wait "$runner"

# What is on the disk decides, not what was said.
failed=0
for index in "${!todo[@]}"; do
  is_done "${todo[index]}" && continue
  [ "$failed" -gt 0 ] || printf 'mien: these failed, and are tried again the next time:\n' >&2
  failed=$((failed + 1))
  printf '  %s: %s\n' "$(shown "${todo[index]}")" \
    "${reasons[$((index + 1))]:-its job ended and gave no reason}" >&2
done
printf 'mien: %d of %d are done\n' $((${#names[@]} - failed)) ${#names[@]}
[ "$failed" -eq 0 ]

#!/bin/bash
# Decorates every film and picture of a folder and of the folders in it, on all cores; run again, it
# goes on where it was stopped.
#
#   pipelines/batch.sh FOLDER OUTFOLDER [STICKER [OPTIONS OF GNU PARALLEL...]]
#
# FOLDER/a.mp4 becomes OUTFOLDER/a.mp4.webm, with its sound; FOLDER/b.jpg becomes OUTFOLDER/b.jpg.png.
# The other options spread the work over machines: --sshlogin :,8/anna,8/bert
# Ends with 0 when all are done; with 1 when some failed, something was left out of one, or not all
# of FOLDER could be looked into (what and why is listed); with 2 when it could not begin.
set -u
fail() { printf 'mien: %s\n' "$*" >&2; exit 2; }

# shown NAME: the name on one line, whatever is in it.
shown() { case $1 in *[![:print:]]*) printf %q "$1" ;; *) printf %s "$1" ;; esac; }

# A folder of that name is none of ours.
is_done() { [ -f "$outfolder/$1.webm" ] || [ -f "$outfolder/$1.png" ]; }

# list HEADING NAME REASON...: what went wrong with which.
list() {
  printf 'mien: %s:\n' "$1" >&2
  shift
  while [ $# -gt 0 ]; do
    printf '  %s: %s\n' "$(shown "$1")" "$2" >&2
    shift 2
  done
}

[ $# -ge 2 ] || fail "pipelines/batch.sh FOLDER OUTFOLDER [STICKER [OPTIONS OF GNU PARALLEL...]]"
command -v parallel >/dev/null || fail "GNU parallel is missing: apt-get install parallel"
IFS= read -r -d '' here < <(realpath -ez -- "$(dirname -- "$0")")
IFS= read -r -d '' folder < <(realpath -ez -- "$1") && [ -d "$folder" ] || fail "there is no folder $1"
[ -r "$folder" ] && [ -x "$folder" ] || fail "the folder $folder cannot be read"
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
names=() todo=() unseen=() others=0
while IFS= read -r -d '' entry; do
  kind=${entry%% *} name=${entry#* * }
  case $kind in
    film) names+=("$name"); is_done "$name" || todo+=("$name") ;;
    other) others=$((others + 1)) ;;
    unreadable) unseen+=("$name" "the folder cannot be read; see to its permissions") ;;
    nowhere) unseen+=("$name" "its link leads nowhere") ;;
    nothing) unseen+=("$name" "it is no file") ;;
    linked)
      target=
      IFS= read -r -d '' target < <(realpath -ez -- "$folder/$name" 2>/dev/null)
      # What lies in the folder is found there, and what came out is not gone into.
      case $target/ in
        "$folder"/* | "$outfolder"/*) ;;
        *) unseen+=("$name" "linked folders are not followed; give it a batch of its own") ;;
      esac ;;
    status)
      [ "${entry#* }" = "0 " ] || unseen+=(. "not all of it could be looked into, as said above") ;;
  esac
done < <(
  export LC_ALL=C
  film="-regextype posix-extended -iregex .*\.($endings) ! -name ._*"
  set -f # the words of $film are find's
  {
    find "$folder" -regextype posix-extended -samefile "$outfolder" -prune \
      -o -type d \( ! -readable -o ! -executable \) -printf 'unreadable 0 %P\0' -prune \
      -o -type d -o -type l -xtype d -printf 'linked 0 %P\0' \
      -o -xtype f $film -printf 'film %s %P\0' -o -xtype f -printf 'other 0 %P\0' \
      -o -xtype l $film -printf 'nowhere 0 %P\0' -o $film -printf 'nothing 0 %P\0' \
      -o -printf 'other 0 %P\0'
    printf 'status %d \0' $?
  } | sort -z -k 1,1 -k 2,2nr -k 3)
if [ ${#names[@]} -eq 0 ]; then
  [ ${#unseen[@]} -eq 0 ] || list "these were passed over" "${unseen[@]}"
  fail "there is no film or picture in $folder"
fi
printf 'mien: %d films and pictures, %d done already, %d to do; %d other files are passed over\n' \
  ${#names[@]} $((${#names[@]} - ${#todo[@]})) ${#todo[@]} "$others"

count=0 partly=()
declare -A reasons
work() {
  # Parallel ends with this script and jobs end with parallel, or they would be in the way of the
  # next batch.
  exec 8< <(exec setpriv --pdeathsig KILL parallel --will-cite "$@" -0 -q \
    exec setpriv --pdeathsig TERM "$here/env.sh" "$here/batch_one.py" {#} {2} {3} {4} {1} \
    :::: <(printf '%s\0' "${todo[@]}") ::: "$folder" ::: "$outfolder" ::: "$sticker")
  runner=$!
  trap 'kill -TERM "$runner"; kill -TERM "$runner"; exit 143' TERM
  trap 'kill -TERM "$runner"; kill -TERM "$runner"; exit 130' INT

  while IFS=$'\t' read -r -u 8 number state text; do
    [[ $state =~ ^(done|partly|failed)$ ]] || { printf '%s\n' "$number $state $text"; continue; }
    count=$((count + 1))
    case $state in
      failed) reasons[$number]=$text text="FAILED: $text" ;;
      partly) partly+=("${todo[number - 1]}" "$text") ;;
    esac
    left=$((SECONDS * (${#todo[@]} - count) / count))
    printf 'mien: [%d/%d, %d:%02d left] %s: %s\n' "$count" "${#todo[@]}" $((left / 60)) \
      $((left % 60)) "$(shown "${todo[number - 1]}")" "$text"
  done
  wait "$runner"
}
[ ${#todo[@]} -eq 0 ] || work "$@"

# What is on the disk decides, not what was said.
failed=()
for index in "${!todo[@]}"; do
  is_done "${todo[index]}" \
    || failed+=("${todo[index]}" "${reasons[$((index + 1))]:-its job ended and gave no reason}")
done
[ ${#unseen[@]} -eq 0 ] || list "these were passed over, and may hold films" "${unseen[@]}"
[ ${#partly[@]} -eq 0 ] || list "of these not everything came along" "${partly[@]}"
[ ${#failed[@]} -eq 0 ] || list "these failed, and are tried again the next time (what to do with \
broken films stands in docs/batch.md)" "${failed[@]}"
printf 'mien: %d of %d are done\n' $((${#names[@]} - ${#failed[@]} / 2)) ${#names[@]}
[ $((${#unseen[@]} + ${#partly[@]} + ${#failed[@]})) -eq 0 ]

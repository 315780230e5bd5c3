#!/bin/bash
# Shows that no film is lost and none is made twice where processes die:
#
#   pipelines/cluster/prove.sh ENGINE [FILMS [SHARES [KILLED]]]        200 films, 8 shares, 2 killed
#
# ENGINE: processes (plain background jobs), parallel, dask, ray or slurm. Makes small films of two seconds,
# begins all shares, kills as many with SIGKILL at random times (with dask and ray the last of them is a
# worker), and lets the engine begin them again. Then each film has one complete output, and mien verify
# finds nothing. Then it damages ten outputs, makes five anew with other options, and mien verify names
# exactly those (a third as many of each with fewer than 60 films). PYTHON: that of a venv with dask and ray.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
engine=$1 films=${2:-200} shares=${3:-8} killed=${4:-2}
damaged=10 stale=5
[ "$films" -ge 60 ] || damaged=3 stale=2
MIEN=${MIEN:-$here/../../.build/bin/mien}
export MIEN
fail() { printf 'mien: %s\n' "$*" >&2; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
in=$folder/in out=$folder/out
mkdir "$in" "$out"

# Films that differ, in folders that differ. The first film's stream is copied, with another title for each.
gst-launch-1.0 -q videotestsrc num-buffers=24 ! video/x-raw,width=160,height=120,framerate=12/1 ! videoconvert \
  ! vp8enc deadline=1 cpu-used=16 ! webmmux ! filesink location="$folder/film.webm"
for number in $(seq "$films"); do
  mkdir -p "$in/part-$((number % 7))"
  gst-launch-1.0 -q filesrc location="$folder/film.webm" ! matroskademux ! taginject tags="title=film-$number" \
    ! webmmux ! filesink location="$in/part-$((number % 7))/film $number.webm"
done

options=(--look noir --sticker halo)
share() { "$MIEN" batch "$in" "$out" --shard "$1/$shares" --report "$out/report-$1.jsonl" --jobs 1 "${options[@]}"; }
# A scheduler in four lines: a share that was killed is begun again.
processes() {
  for number in $(seq "$shares"); do
    (for attempt in 1 2 3 4 5; do share "$number" && exit 0; done; exit 1) &
  done
  wait
}
started=$EPOCHREALTIME
case $engine in
  processes) processes ;;
  parallel) JOBS=${JOBS:-2} "$here/parallel.sh" "$in" "$out" "$shares" "${options[@]}" ;;
  dask) "${PYTHON:-python3}" "$here/dask_bag.py" "$in" "$out" "$shares" "${options[@]}" ;;
  ray) "${PYTHON:-python3}" "$here/ray_shares.py" "$in" "$out" "$shares" "${options[@]}" ;;
  slurm) sbatch --wait --array="1-$shares" --cpus-per-task=1 --output="$folder/slurm-%a.log" "$here/slurm.sh" \
    "$in" "$out" "${options[@]}" ;;
  *) fail "the engines are processes, parallel, dask, ray and slurm" ;;
esac >"$folder/log" 2>&1 &
run=$!
# The shares in work: processes of this command that were given this folder, not the engine that names both.
working() {
  local process
  for process in /proc/[0-9]*; do
    [ "$(readlink "$process/exe" 2>/dev/null)" = "$(realpath "$MIEN")" ] || continue
    tr '\0' ' ' 2>/dev/null <"$process/cmdline" | grep -qF "batch $in $out --shard" || continue
    echo "${process#/proc/}"
  done
}
left=$killed
while [ "$left" -gt 0 ] && kill -0 $run 2>/dev/null; do
  # Few films are done within a second or two.
  sleep "0.$([ "$films" -ge 60 ] && echo $((RANDOM % 900 + 100)) || echo 0$((RANDOM % 90 + 10)))"
  # Not before some films are there, so that a share is killed at work.
  [ "$(find "$out" -name '*.webm' | wc -l)" -ge 2 ] || continue
  victim=$(working | shuf -n 1)
  [ -n "$victim" ] || continue
  what="a share"
  case $engine-$left in
    dask-1 | ray-1) victim=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$victim/status") what="a worker" ;;
  esac
  kill -KILL "$victim" 2>/dev/null || continue
  echo "mien: killed $what, with $(find "$out" -name '*.webm' | wc -l) outputs there"
  left=$((left - 1))
done
wait $run || { tail -n 20 "$folder/log" >&2; fail "$engine did not end well"; }
[ "$left" -eq 0 ] || fail "all films were done before $left more shares could be killed; take more films"
spent=$(awk "BEGIN { printf \"%.1f\", $EPOCHREALTIME - $started }")
# A worker that is killed leaves its share at work, which ends by itself.
for _ in $(seq 100); do [ -n "$(working)" ] || break; sleep 0.1; done

outputs=$(find "$out" -name '*.webm' | wc -l)
leftovers=$(find "$out" -name '.mien-*')
lines=$(cat "$out"/report-*.jsonl | wc -l)
written=$(cat "$out"/report-*.jsonl | grep -o '"file": "[^"]*"' | sort -u | wc -l)
[ "$outputs" -eq "$films" ] && [ "$written" -eq "$films" ] \
  || fail "$films films have $outputs outputs and $written reports"
[ -z "$leftovers" ] || fail "left behind: $leftovers"
"$MIEN" verify "$in" "$out" "${options[@]}"
echo "mien: $films films, $shares shares, $killed killed, in $spent s on $engine; $((lines - written)) lines of" \
  "the reports are of outputs that were made and not written, because their process was killed"

# Damage: a byte changed, the end cut off, nothing left.
mapfile -t some < <(cd "$out" && find . -name '*.webm' -printf '%P\n' | shuf -n $((damaged + stale)))
for index in $(seq 0 $((damaged - 1))); do
  file=$out/${some[index]}
  case $((index % 3)) in
    0) printf 'X' | dd of="$file" bs=1 seek=200 conv=notrunc status=none ;;
    1) truncate -s -10 "$file" ;;
    2) : >"$file" ;;
  esac
done
for film in "${some[@]:damaged}"; do
  rm "$out/$film"
  printf '%s\n' "$film" | "$MIEN" batch "$in" "$out" --files-from - --report "$out/other.jsonl" --look sepia \
    >/dev/null
done
status=0
"$MIEN" verify "$in" "$out" "${options[@]}" >"$folder/found" || status=$?
tail -n 1 "$folder/found"
[ "$status" -eq 1 ] || fail "verify ended with $status"
sed -n 's/^\(damaged\|stale\): \(.*\.webm\): .*/\1 \2/p' "$folder/found" | sort >"$folder/named"
{ printf 'damaged %s\n' "${some[@]:0:damaged}"; printf 'stale %s\n' "${some[@]:damaged}"; } | sort \
  | diff - "$folder/named" || fail "verify names others"
"$MIEN" verify "$in" "$out" "${options[@]}" --delete >/dev/null || true
"$MIEN" batch "$in" "$out" --report "$out/again.jsonl" "${options[@]}" >/dev/null
"$MIEN" verify "$in" "$out" "${options[@]}" || fail "what was deleted was not made again"

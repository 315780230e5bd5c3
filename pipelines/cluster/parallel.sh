#!/bin/sh
# Shares of a folder on this machine and others, by GNU parallel over ssh:
#
#   HOSTS=:,anna,bert pipelines/cluster/parallel.sh FOLDER OUTFOLDER SHARES [OPTIONS OF MIEN BATCH...]
#
# All machines see both folders, and have mien (MIEN), under the same paths. A share that was killed is
# begun again, on another machine where there is one. Standing alone, mien batch --sshlogin does
# without this: it sends single films, not shares.
set -eu
folder=$(realpath "$1") out=$2 shares=$3
shift 3
mkdir -p "$out"
out=$(realpath "$out")
# 5 says that films are damaged: no reason to begin again.
exec parallel --will-cite --sshlogin "${HOSTS:-:}" --jobs "${JOBS:-100%}" --retries 5 --line-buffer -q \
  sh -c '"$@"; status=$?; [ $status -ne 5 ] || status=0; exit $status' share \
  "${MIEN:-mien}" batch "$folder" "$out" --shard "{}/$shares" --report "$out/report-{}.jsonl" \
  --jobs 1 "$@" ::: $(seq "$shares")

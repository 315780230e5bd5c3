#!/bin/sh
#SBATCH --job-name=mien
#SBATCH --array=1-8
#SBATCH --cpus-per-task=2
#SBATCH --requeue
#SBATCH --open-mode=append
# Shares of a folder as a job array of Slurm, one task a share:
#
#   sbatch --array=1-8 pipelines/cluster/slurm.sh FOLDER OUTFOLDER [OPTIONS OF MIEN BATCH...]
#
# Slurm begins a task again when its node fails (--requeue); the lines below do so where the task itself
# was killed, up to five times. Exit codes that no further attempt would change end it.
set -u
folder=$1 out=$2
shift 2
mkdir -p "$out"
"${MIEN:-mien}" batch "$folder" "$out" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
  --report "$out/report-$SLURM_ARRAY_TASK_ID.jsonl" --jobs "${SLURM_CPUS_PER_TASK:-1}" "$@"
status=$?
case $status in
  0) exit 0 ;;
  2 | 5) exit $status ;;
esac
if [ "${SLURM_RESTART_COUNT:-0}" -lt 5 ]; then
  scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
  # Slurm ends the task now.
  sleep 60
fi
exit $status

#!/usr/bin/env python3
"""Shares of a folder as a Dask bag, one element a share:

    pip install "dask[distributed]"
    pipelines/cluster/dask_bag.py FOLDER OUTFOLDER SHARES [OPTIONS OF MIEN BATCH...]

Without DASK_SCHEDULER, the address of a cluster, two worker processes are started on this machine.
A share whose worker dies goes to another; one that was killed is begun again.
"""
import os
import subprocess
import sys


def run_share(number, shares, folder, out, options):
    """Runs one share; a damaged film (5) is no reason to begin it again."""
    report = os.path.join(out, f"report-{number}.jsonl")
    words = [os.environ.get("MIEN", "mien"), "batch", folder, out, "--shard", f"{number}/{shares}"]
    status = subprocess.run(words + ["--report", report, "--jobs", "1", *options]).returncode
    if status not in (0, 5):
        raise RuntimeError(f"share {number} ended with {status}")
    return status


def main():
    import dask.bag
    from distributed import Client, LocalCluster

    folder, out, shares, options = *map(os.path.abspath, sys.argv[1:3]), int(sys.argv[3]), sys.argv[4:]
    os.makedirs(out, exist_ok=True)
    address = os.environ.get("DASK_SCHEDULER")
    with Client(address or LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)) as client:
        bag = dask.bag.from_sequence(range(1, shares + 1), npartitions=shares)
        results = bag.map(run_share, shares, folder, out, options)
        states = client.compute(results, retries=5).result()
    sys.exit(max(states))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Shares of a folder as tasks of Ray:

    pip install ray
    pipelines/cluster/ray_shares.py FOLDER OUTFOLDER SHARES [OPTIONS OF MIEN BATCH...]

Without RAY_ADDRESS, the address of a cluster, Ray is started on this machine with two worker processes. A
share whose worker dies, or that was killed, is begun again.
"""
import os
import subprocess
import sys

import ray


@ray.remote(num_cpus=1, max_retries=5, retry_exceptions=True)
def run_share(number, shares, folder, out, options):
    """Runs one share; a damaged film (5) is no reason to begin it again."""
    report = os.path.join(out, f"report-{number}.jsonl")
    words = [os.environ.get("MIEN", "mien"), "batch", folder, out, "--shard", f"{number}/{shares}"]
    status = subprocess.run(words + ["--report", report, "--jobs", "1", *options]).returncode
    if status not in (0, 5):
        raise RuntimeError(f"share {number} ended with {status}")
    return status


def main():
    folder, out, shares, options = *map(os.path.abspath, sys.argv[1:3]), int(sys.argv[3]), sys.argv[4:]
    os.makedirs(out, exist_ok=True)
    local = {} if os.environ.get("RAY_ADDRESS") else {"num_cpus": 2, "include_dashboard": False}
    ray.init(log_to_driver=True, **local)
    tasks = [run_share.remote(number, shares, folder, out, options) for number in range(1, shares + 1)]
    states = ray.get(tasks)
    ray.shutdown()
    sys.exit(max(states))


if __name__ == "__main__":
    main()

"""Loops over the cores: by numba's own threads on every machine, and from whatever threads they are begun."""

import os
import subprocess
import sys
from typing import Any

import pytest

PROGRAM = """
import multiprocessing, threading
from multiprocessing import resource_tracker
multiprocessing.set_start_method("forkserver")  # as from Python 3.14 on
import numpy as np
from engine.runtime.jit import parallel_kernel, prange
import numba

@parallel_kernel
def count(rounds, out_counts):
    for block in prange(2):
        for _ in range(rounds):
            out_counts[block] = out_counts[block] % 1000003 + 1

def run():
    for each in range(20):
        counts = np.zeros(2, dtype=np.int64)
        count(200_000, counts)
        assert counts.tolist() == [200_000, 200_000]
        done.append(each)

done = []
count(1, np.zeros(2, dtype=np.int64))
threads = [threading.Thread(target=run) for _ in range(THREADS)]
for each in threads:
    each.start()
for each in threads:
    each.join()
print(numba.threading_layer(), len(done), resource_tracker._resource_tracker._pid)
"""


@pytest.mark.parametrize("threads", [1, 3])
def test_kernels_on_all_cores_may_be_begun_by_several_threads(threads: int) -> None:
    """numba's work queue ends the process where two threads are in it at once; and it would start another process."""
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_THREADING_LAYER"}
    environment["NUMBA_NUM_THREADS"] = "2"
    program = PROGRAM.replace("THREADS", str(threads))
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=300.0
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"workqueue {20 * threads} None\n"


def test_tests_have_the_threads_of_the_application() -> None:
    """What loads numba or numpy before `engine` brings OpenMP and a BLAS on all cores, which spin while they wait."""
    import numba
    from threadpoolctl import threadpool_info

    config: Any = numba.config
    assert config.THREADING_LAYER == "workqueue"
    assert {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"} == {1}

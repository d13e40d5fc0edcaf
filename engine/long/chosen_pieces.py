"""The way to do pieces that somebody has chosen: in this process, on the cores of this machine, or by a cluster."""

from __future__ import annotations

import os

from engine.long.pieces import Cores, Here, PieceRunner
from engine.runtime.errors import InvalidArguments

MOST_CORES = 256


def cores() -> int:
    """Count the cores that this process may use."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, min(count or 1, MOST_CORES))


def pieces_on(workers: int | None, scheduler: str | None = None) -> PieceRunner:
    """Choose a way: so many processes of this machine, as many as it has cores where none is said, or a cluster."""
    if scheduler is not None:
        if workers is not None:
            allowed = "one of them: a cluster has its own workers"
            raise InvalidArguments(what="workers beside a scheduler", value=workers, allowed=allowed)
        from engine.long.cluster import Cluster

        return Cluster(scheduler)
    if workers is not None and not 1 <= workers <= MOST_CORES:
        raise InvalidArguments(what="the number of workers", value=workers, allowed=f"1 to {MOST_CORES}")
    count = cores() if workers is None else workers
    return Here() if count == 1 else Cores(count)

"""A video drawn by two processes against one, by the clock: to be run where two cores are free, which is measured.

One process of this machine draws on one core, as each of two does; `sinew render` without `--workers` draws in the
process that encodes, on as many cores as OpenGL likes.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from app.shell.render import RenderRequest, plan_of, render
from app.shell.render_parts import render_in_parts
from engine.long.pieces import Cores
from engine.queries.examples import example
from tests.benchmarks.harness import Row
from tests.benchmarks.sweep import clock_time, idle_cores

NAME = "film_workers"
SECONDS = 5.0  # of the video: long enough that starting processes counts little
ASKED = 1.7
FREE = 1.8  # cores, from which on the ratio counts


def measure() -> Iterator[Row]:
    """The rows."""
    document, free = example("walk").build(), idle_cores()
    with tempfile.TemporaryDirectory() as folder:
        request = RenderRequest(out=Path(folder, "film.mp4"), range=(0.0, SECONDS), rate=(30, 1), replace=True)
        plan = plan_of(request, document)

        def drawn(count: int) -> bytes:
            render_in_parts(plan, document, asdict(request), Cores(count), keeps=False, replace=True)
            return request.out.read_bytes()

        first = drawn(2)  # and whatever is loaded from the disk
        one, two = clock_time(lambda: drawn(1)), clock_time(lambda: drawn(2))
        alone = clock_time(lambda: render(document, request))
        same = first == request.out.read_bytes()
    yield Row(
        what=f"a video of {plan.count} frames, 1280 x 720, 8 samples, shadows, by two processes",
        measured=two,
        unit="s",
        asked=f"at least {ASKED} times as fast as by one, where two cores are free",
        peer="one process",
        peer_measured=one,
        allowed=1.0 / ASKED if free > FREE else None,
        note=f"{one / two:.2f} times as fast, {plan.count / two:.1f} frames a second; {free:.1f} cores were free; "
        f"{'the same file' if same else 'ANOTHER FILE'}",
    )
    yield Row(
        what="the same by sinew render without workers",
        measured=alone,
        unit="s",
        peer="one process",
        peer_measured=one,
        note=f"{plan.count / alone:.1f} frames a second",
    )

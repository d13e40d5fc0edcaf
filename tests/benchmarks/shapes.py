"""Frames of a face of blend shapes, loose and as it is keyed, as processor time.

The face of the example, 2,087 vertices and 160 control points in 4 clusters: a window before each frame is stepped
anew, in the first round with what it follows worked out, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import thread_time

from engine.document import Document
from engine.document.extent import play_extent
from engine.document.motion import frame_time
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.queries.examples import example
from engine.shapes.parts import BlendShapes
from engine.shapes.stage import ShapesStage
from tests.benchmarks.harness import Row, percentile

NAME = "shapes"
ROUNDS = 3


def measure() -> Iterator[Row]:
    """The rows."""
    loose = example("face").build()
    surface = loose.actor("face").part(BlendShapes)
    assert surface is not None
    tight = edit("set_shape_motion", actor="face", on=False).apply(loose)
    size = f"{surface.positions.shape[0]:,} vertices, {surface.motion.points} control points"
    yield row("a picture of a loose face that plays", loose, pictures(loose), asked="at most 33.3 ms", note=size)
    yield row("a picture of the face as it is keyed", tight, pictures(tight), asked="at most 33.3 ms")
    yield row("a window of the loose face alone", loose, windows(loose))


def row(what: str, document: Document, call: Callable[[int], object], *, asked: str = "", note: str = "") -> Row:
    """Time a call at each frame that is played; kernels and what is kept of the whole are there before."""
    first, last = (time // frame_time(1, document.rate) for time in play_extent(document))
    call(0)
    times = []
    for _ in range(ROUNDS):
        for frame in range(first, last + 1):
            began = thread_time()
            call(frame_time(frame, document.rate))
            times.append(1e3 * (thread_time() - began))
    told = f"95% within {percentile(times, 0.95):.2g} ms"
    return Row(what=what, measured=percentile(times, 0.5), unit="ms", asked=asked, note=f"{note}; {told}".lstrip("; "))


def pictures(document: Document) -> Callable[[int], object]:
    """Make a call that draws a frame."""
    evaluator = Evaluator()
    return lambda time: evaluator.snapshot(document, time)


def windows(document: Document) -> Callable[[int], object]:
    """Make a call that works out where the vertices are."""
    stage = Evaluator().stage("shapes")
    assert isinstance(stage, ShapesStage)
    return lambda time: stage.of(document, "face").vertices(time)

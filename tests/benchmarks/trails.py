"""Trails of ten joints of the human over ten seconds, all keyed twice a second: until they are whole, and drawn.

Processor time: on the engine's thread in steps as the worker takes them; in the real window what they add to a picture,
and how long it takes them over, while they are worked out and while the motion plays.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import dataclass, replace
from time import process_time, thread_time
from typing import TYPE_CHECKING

import numpy as np

from app.scene.canvas import Canvas
from app.session import Item
from app.session.trails import Choice
from engine.document import Actor, Document, Key, Layer, Lock, Span, Track
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure
from engine.ik.goals import Spot
from engine.queries.trails import Trails, Wanted
from tests.benchmarks.harness import Row
from tests.benchmarks.window import one_draw
from tests.stage import Stage, stage

if TYPE_CHECKING:
    from engine.model import TrailPicture

NAME = "trails"
LENGTH, KEYS, LOCKED, PICTURES = 10, 21, "ankle_left", 20
JOINTS = (
    "pelvis", "head", "wrist_left", "wrist_right", "elbow_left", "elbow_right", "knee_left", "knee_right", "ankle_left",
    "ankle_right",
)  # fmt: skip


@dataclass(frozen=True)
class Record:
    """What one answer took on the engine's thread [ms]."""

    whole: float
    longest: float  # of its steps


def scene(*, locked: bool = False) -> Document:
    """The human with keys of all its coordinates, a foot held where that is asked for."""
    figure, rng = load_figure("human"), np.random.default_rng(5)
    tracks = []
    for dof in figure.dofs:
        for name in dof.coordinates:
            values = 0.15 * rng.standard_normal(KEYS)
            times = (round(place * LENGTH * SECOND / (KEYS - 1)) for place in range(KEYS))
            keys = tuple(Key(time, dof.clamp(float(value))) for time, value in zip(times, values, strict=True))
            tracks.append(Track(coordinate=name, keys=keys))
    held = Lock(id="foot", name="Foot", joint=LOCKED, position=(0.1, 0.1, 0.0))
    actor = Actor(id="me", name="Me", figure=figure, layers=(Layer(id="pose", tracks=tuple(tracks)),))
    actor = replace(actor, locks=(held,) if locked else ())
    return Document(actors=(actor,), play=Span(start=0, end=LENGTH * SECOND))


def wanted(document: Document) -> Wanted:
    """The trails of the ten joints."""
    assert set(JOINTS) <= document.actors[0].figure.joint_index.keys(), "joints of the human"
    return Wanted(spots=tuple(Spot(actor="me", joint=joint) for joint in JOINTS), first=0, last=LENGTH * SECOND)


def answered(trails: Trails, document: Document, time: int) -> Record:
    """One answer, in its steps."""
    steps, began = [], thread_time()
    for _ in trails.answer(document, time, wanted(document)):
        steps.append(1e3 * (thread_time() - began))
        began = thread_time()
    return Record(sum(steps), max(steps))


def shown_first(document: Document) -> Trails:
    """Trails beside an evaluator that has compiled the motion and its locks for a picture: a picture comes first."""
    evaluator = Evaluator()
    evaluator.snapshot(document, 0, skins=False)
    return Trails(evaluator)


def measure() -> Iterator[Row]:
    """The rows."""
    for what, document in (("", scene()), (", a foot locked", scene(locked=True))):
        answered(Trails(Evaluator()), document, 0)
        trails = shown_first(document)
        first = answered(trails, document, 0)
        yield Row(what=f"ten trails over 10 s{what}", measured=first.whole, unit="ms", asked="at most 500 ms",
                  note=f"longest step {first.longest:.1f} ms, asked 8")  # fmt: skip
        change = edit("set_key", actor="me", layer="pose", coordinate="pelvis.move_x", time=5 * SECOND, value=0.4)
        again = answered(trails, change.apply(document), 0)  # one track is compiled again with it
        yield Row(what=f"the same after one key was moved{what}", measured=again.whole, unit="ms",
                  note=f"longest step {again.longest:.1f} ms")  # fmt: skip
        same = answered(trails, change.apply(document), 5 * SECOND // 2)
        yield Row(what=f"the same at another time{what}", measured=same.whole, unit="ms")
    with stage(scene()) as opened:
        yield from shown(opened)


def shown(opened: Stage) -> Iterator[Row]:
    """What trails add to a picture, and for how long at most they hold the window's thread beside drawing."""
    session = opened.session
    session.select([Item("me", joint) for joint in JOINTS])
    without = drawing(opened)
    taken: list[float] = []
    canvas = opened.view.findChild(Canvas)
    picture = canvas.picture if canvas is not None else None
    assert picture is not None, "settled"
    take_over = picture.set_trails

    def timed(trails: TrailPicture | None) -> None:
        began = thread_time()
        take_over(trails)
        taken.append(1e3 * (thread_time() - began))

    picture.set_trails = timed  # type: ignore[method-assign]
    session.trails.choose(Choice(trails=True))
    trails = session.trails
    opened.until(lambda: trails.picture is not None and trails.picture.whole)
    together = drawing(opened)
    yield Row(what="a picture of four views with ten trails, all threads", measured=together, unit="ms",
              peer="without", peer_measured=without, allowed=4.0)  # fmt: skip
    session.play()
    opened.until(lambda: len(taken) > PICTURES)
    session.player.pause()
    playing = statistics.median(taken)
    yield Row(what="ten trails taken over by the window's thread, at worst", measured=max(taken), unit="ms",
              asked="at most 20 ms", note=f"median while the motion plays {playing:.2f} ms")  # fmt: skip
    picture.set_trails = take_over  # type: ignore[method-assign]


def drawing(opened: Stage) -> float:
    """Processor time of one picture [ms]."""
    opened.settle()
    times = []
    for _ in range(PICTURES):
        began = process_time()
        one_draw(opened)
        times.append(1e3 * (process_time() - began))
    return statistics.median(times)

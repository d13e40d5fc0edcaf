"""Whatever edits and readers let in can be saved, drawn and read back; whatever they refuse is named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from time import process_time

import pytest

from engine.document import Document, Key, Layer, Track
from engine.document.ticks import TICKS_LIMIT
from engine.edits import Edit, edit
from engine.evaluate.evaluator import Evaluator
from tests.engine.figures import scene
from tests.reliability.gate import SLOW, Tally, look_at, try_edits, try_inputs

FILES, EDITS = 200, 60  # deep runs have the many


def check(tally: Tally) -> None:
    assert not tally.wrong
    assert not tally.unforeseen
    assert sum(tally.let_in.values()) > sum(tally.tried.values()) // 50


@pytest.mark.filterwarnings("ignore:.*encountered in cast:RuntimeWarning")
@pytest.mark.filterwarnings("ignore:Casting complex values")
@pytest.mark.parametrize("count", [FILES, pytest.param(100_000, marks=pytest.mark.deep)])
def test_mutated_files_are_read_or_refused_by_name(count: int) -> None:
    tally = Tally()
    try_inputs(count, 7 if count == FILES else Random().randrange(10**6), tally)
    check(tally)


@pytest.mark.parametrize("count", [EDITS, pytest.param(10_000, marks=pytest.mark.deep)])
def test_edits_with_extreme_values_are_done_or_refused_by_name(count: int) -> None:
    tally = Tally()
    try_edits(count, 10 if count == EDITS else Random().randrange(10**6), tally)
    check(tally)


FAR: tuple[Edit, ...] = (
    edit("set_physics", actor="one", role="simulated", start=-TICKS_LIMIT),
    edit("loop_ranges", parts=(("one", "fast", None),), start=0, end=2, count=10_000),
    edit("set_secondary", actor="one", on=True),
)


def fast() -> Document:
    """A scene in which a curve jumps every tick."""
    document = scene(1)
    actor = document.actor("one")
    keys = (Key(0, 0.0, "stepped"), Key(1, 0.2, "stepped"), Key(2, 0.1, "stepped"))
    track = Track(coordinate=actor.figure.coordinates[-1], keys=keys, before="cycle", after="cycle")
    return document.with_actor(replace(actor, layers=(Layer(id="fast", tracks=(track,)),)))


@pytest.mark.parametrize("change", FAR, ids=lambda change: change.name)
def test_what_reaches_far_or_repeats_fast_is_drawn_soon(change: Edit, tmp_path: Path) -> None:
    document, evaluator = fast(), Evaluator()
    look_at(document, tmp_path, evaluator, to_disk=False)
    started = process_time()
    look_at(change.apply(document), tmp_path, evaluator, to_disk=False)
    assert process_time() - started < 5.0 * SLOW

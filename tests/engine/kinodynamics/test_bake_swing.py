"""Baked secondary motion equals the live one exactly, frame by frame, corrections included."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.document import Document, Span, Target
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import frame_time
from engine.document.secondary import Gains
from engine.document.validation import validate
from engine.evaluate.evaluator import Evaluator
from engine.kinodynamics.commands.bake_swing import BakeSwing
from engine.runtime.errors import InvalidArguments
from engine.runtime.progress import finish
from tests.engine.targets.test_meet_targets import met, puncher, scene

RATE, FRAMES = (30, 1), 46


def swinging() -> Document:
    """A punch that meets a target, played for a second and a half."""
    goal = Target(id="hand", kind="point", joint="wrist_right", time=SECOND)
    document = scene(goal, actor=puncher(), gains=Gains(tension=3.0))
    played = replace(document, play=Span(start=0, end=frame_time(FRAMES - 1, RATE)))
    return met(played).edit.apply(played)


def rows(document: Document) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    times = [frame_time(frame, RATE) for frame in range(FRAMES)]
    return np.asarray(Evaluator().coordinates(document, "one", times))


def test_every_frame_is_the_same_bytes_and_secondary_motion_is_off() -> None:
    document = swinging()
    after = finish(BakeSwing(id="baked", actor="one").work_through(Evaluator(), document)).apply(document)
    validate(after)
    owner = after.actors[0]
    assert not owner.swings
    assert owner.secondary is not None
    assert owner.secondary.targets == document.actors[0].secondary.targets  # type: ignore[union-attr]
    assert owner.layers[-1].samples is not None
    assert owner.layers[-1].samples.frame_count == FRAMES
    assert rows(after).tobytes() == rows(document).tobytes()
    keyed = document.with_actor(replace(document.actors[0], secondary=None))
    assert np.abs(rows(keyed) - rows(document)).max() > 0.01


def test_frames_are_those_of_the_document_where_what_is_played_begins_between_two() -> None:
    document = replace(swinging(), play=Span(start=frame_time(3, RATE) - 1000, end=frame_time(20, RATE) + 1000))
    after = finish(BakeSwing(id="baked", actor="one").work_through(Evaluator(), document)).apply(document)
    samples = after.actors[0].layers[-1].samples
    assert samples is not None
    assert (samples.start, samples.time(samples.frame_count - 1)) == (frame_time(2, RATE), frame_time(21, RATE))
    assert rows(after)[2:22].tobytes() == rows(document)[2:22].tobytes()


def test_an_actor_that_follows_exactly_is_not_baked() -> None:
    document = scene(actor=puncher(), on=False)
    with pytest.raises(InvalidArguments, match="secondary motion to bake"):
        finish(BakeSwing(id="baked", actor="one").work_through(Evaluator(), document))

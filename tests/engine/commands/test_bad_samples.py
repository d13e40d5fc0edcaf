"""Samples that limits cannot be built of are refused by name; how far the building is comes field by field."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.commands.build_limits import BuildLimits
from engine.document import Document, Key, Track
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.evaluate.evaluator import Evaluator
from engine.runtime.errors import InvalidArguments
from engine.runtime.progress import finish
from tests.engine.queries.limit_figures import SHOULDER, arm, moving


def build(document: Document, **wished: object) -> Document:
    wish = BuildLimits(**{"actor": "arm", "actors": ("arm",), "ids": ("one", "two"), "nodes": 16, **wished})  # type: ignore[arg-type]
    return finish(wish.work_through(Evaluator(), document)).apply(document)


def with_keys(times: Sequence[int], values: Sequence[float], interpolation: str = "linear") -> Document:
    """The arm, whose shoulder alone moves, about its first hinge."""
    actor = arm()
    keys = tuple(Key(time, value, interpolation=interpolation) for time, value in zip(times, values, strict=True))  # type: ignore[arg-type]
    layer = replace(actor.layers[0], tracks=(Track(coordinate=SHOULDER[0], keys=keys),))
    return Document(actors=(replace(actor, layers=(layer,)),))


def test_one_sample_is_refused_by_name() -> None:
    with pytest.raises(InvalidArguments, match="the clips for Shoulder is 'one sample'"):
        build(with_keys([0], [0.3]), joints=("shoulder",))


@pytest.mark.parametrize("together", [False, True])
def test_samples_that_leap_are_refused_with_joint_and_frame(together: bool) -> None:
    leaping = with_keys([0, SECOND, 2 * SECOND], [-0.8, 1.2, 1.2], "stepped")
    joints = ("shoulder", "elbow") if together else ("shoulder",)
    with pytest.raises(InvalidArguments, match=r"the clip of Arm for Shoulder is .a turn of 115 degrees from frame"):
        build(leaping, joints=joints, together=together)
    assert build(leaping, joints=("elbow",)).actor("arm").figure.limits, "another joint has its limit all the same"


def test_a_whole_turn_from_one_frame_to_the_next_is_no_leap() -> None:
    around = with_keys([0, SECOND, 2 * SECOND], [math.tau - 0.2, 0.1, 0.3], "stepped")
    assert build(around, joints=("shoulder",)).actor("arm").figure.limits


def test_it_says_how_far_it_is_field_by_field() -> None:
    wish = BuildLimits(actor="arm", joints=("shoulder", "elbow"), actors=("arm",), ids=("one", "two"), nodes=8)
    shares = list(wish.work_through(Evaluator(), moving()))
    assert shares == sorted(shares)
    assert sum(share > 0.5 for share in shares) >= 2
    assert shares[-1] == 1.0
    assert len(set(shares)) >= 3

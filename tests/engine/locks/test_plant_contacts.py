"""Contacts of a motion become locks: when, where, and how far what is held had slid."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.document import Actor, Blob, Document, Layer, Samples
from engine.document.motion import frame_time
from engine.document.validation import validate
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure
from engine.locks.commands.plant_contacts import PlantContacts, Planted
from engine.runtime.errors import EngineError

HUMAN, RATE = load_figure("human"), (30, 1)
FEET = frozenset(("ankle_left", "ankle_right"))


def _scene(slide: float = 0.0) -> Document:
    """It stands for a second, goes up and on by half a metre within a second, and stands for a second again."""
    time = np.arange(91) / 30.0
    share = np.clip(time - 1.0, 0.0, 1.0)
    values = np.stack((0.3 * np.sin(np.pi * share) ** 2, 0.5 * share + slide * np.minimum(time, 1.0)), axis=1)
    samples = Samples(coordinates=("pelvis.move_y", "pelvis.move_z"), values=Blob(values), rate=RATE)
    actor = Actor(id="one", name="One", figure=HUMAN, layers=(Layer(id="walk", samples=samples),))
    return Document(actors=(actor,), rate=RATE)


def _planted(document: Document, joints: frozenset[str] | None = FEET, speed: float = 0.25) -> Planted:
    steps = PlantContacts(id="c", parts=(("one", joints),), speed=speed).work_through(Evaluator(), document)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


def test_each_foot_is_held_while_it_stands_and_free_in_the_air() -> None:
    document = _scene()
    told = _planted(document)
    after = told.edit.apply(document)
    validate(after)
    locks = after.actors[0].locks
    assert told.count == len(locks) == 4
    assert len({lock.id for lock in locks}) == 4
    air = frame_time(45, RATE)
    for lock in locks:
        assert lock.span is not None
        assert not lock.span.start <= air <= lock.span.end
    assert {lock.joint for lock in locks} == FEET


def test_what_slid_is_told_and_stays_where_it_is_held() -> None:
    document = _scene(slide=0.04)
    told = _planted(document)
    assert told.slid == pytest.approx(0.02, abs=0.004)
    after, evaluator = told.edit.apply(document), Evaluator()
    place = HUMAN.joint_index["ankle_left"]
    held = [evaluator.joint_transforms(after, "one", frame_time(frame, RATE))[place, :, 3] for frame in range(0, 28, 9)]
    assert np.abs(np.diff(held, axis=0)).max() < 0.001


def test_without_joints_motion_or_contacts_it_is_refused_in_words() -> None:
    document = _scene()
    with pytest.raises(EngineError, match="as both ankles"):
        _planted(document, None)
    with pytest.raises(EngineError, match="there is no joint 'tail'"):
        _planted(document, FEET | {"tail"})
    still = document.with_actor(replace(document.actors[0], layers=(Layer(id="pose"),)))
    with pytest.raises(EngineError, match="does not move"):
        _planted(still)
    values = Blob(np.linspace(0.0, 6.0, 91)[:, None])
    samples = Samples(coordinates=("pelvis.move_z",), values=values, rate=RATE)
    running = document.with_actor(replace(document.actors[0], layers=(Layer(id="run", samples=samples),)))
    with pytest.raises(EngineError, match="a higher speed"):
        _planted(running)

"""What is locked in the examples that ship stays within a millimetre while secondary motion moves the rest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.document import Document, Lock
from engine.document.motion import frame_time
from engine.document.secondary import Gains, Secondary
from engine.evaluate.evaluator import Evaluator
from engine.locks.commands.plant_contacts import PlantContacts
from engine.maths.rotation_arrays import quaternion_of
from engine.queries.examples import example
from engine.runtime.progress import finish

WITHIN = 1e-3  # [m]
FEET = frozenset(("ankle_left", "ankle_right"))


def swinging(document: Document) -> Document:
    """With every actor that has locks on springs."""
    loose = Secondary(gains=Gains(tension=3.0, damping=0.4))
    return replace(
        document, actors=tuple(replace(each, secondary=loose) if each.locks else each for each in document.actors)
    )


def planted(name: str, *, speed: float) -> Document:
    """An example that moves, its feet locked where they stand."""
    document = example(name).build()
    wish = PlantContacts(id="planted", parts=((document.actors[0].id, FEET),), speed=speed)
    return finish(wish.work_through(Evaluator(), document)).edit.apply(document)


def counts(lock: Lock, time: int) -> bool:
    """Whether a lock in the world holds in full."""
    if lock.target is not None or lock.held != "point" or lock.mute or lock.tracks or lock.weight < 1.0:
        return False
    span = lock.span
    return span is None or span.start + span.ease_in <= time <= span.end - span.ease_out


def farthest(document: Document, every: int) -> tuple[float, float, int]:
    """Of all frames, or one in so many: how far a lock in full is from being kept [m], how far secondary motion moves a
    body [m], and how many were looked at."""
    away, moved, looked, evaluator = 0.0, 0.0, 0, Evaluator()
    keyed = replace(document, actors=tuple(replace(each, secondary=None) for each in document.actors))
    last = document.play.end if document.play is not None else 0
    times = range(0, last + 1, every * frame_time(1, document.rate))
    for time in times:
        for actor in document.actors:
            held = [lock for lock in actor.locks if counts(lock, time)]
            if not held:
                continue
            places = evaluator.joint_transforms(document, actor.id, time)
            there = evaluator.joint_transforms(keyed, actor.id, time)
            moved = max(moved, float(np.linalg.norm(places[:, :, 3] - there[:, :, 3], axis=1).max()))
            for lock in held:
                now = places[actor.figure.joint_index[lock.joint]]
                away = max(away, float(np.linalg.norm(now[:, 3] + now[:, :3] @ np.array(lock.point) - lock.position)))
                looked += 1
                if set(lock.axes) >= {"i", "j"}:
                    assert abs(float(np.dot(quaternion_of(now), lock.rotation))) > 1.0 - 1e-6, (lock.name, time)
    return away, moved, looked


@pytest.mark.parametrize(("name", "every"), [("standing", 1), ("ball", 10), ("quadruped", 1), ("hands", 1)])
def test_what_is_locked_as_it_ships_stays(name: str, every: int) -> None:
    away, moved, looked = farthest(swinging(example(name).build()), every)
    assert away < WITHIN
    assert looked >= 2
    assert moved > 1e-3


@pytest.mark.parametrize(("name", "speed"), [("jump", 0.25), ("walk", 0.6)])
def test_planted_feet_stay_in_every_frame(name: str, speed: float) -> None:
    away, moved, looked = farthest(swinging(planted(name, speed=speed)), 1)
    assert away < WITHIN
    assert looked > 20
    assert moved > 5e-3

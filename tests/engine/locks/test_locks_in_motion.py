"""Locks while time goes on: nothing leaps, and they hold between frames."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.document import Actor, Document, Layer, Lock
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.evaluate.evaluator import Evaluator
from tests.engine.evaluate.locked import KEPT, LEFT, RIGHT, SPAN, crouch, held, human, walker


@pytest.mark.parametrize(
    ("joints", "axes", "by", "step", "turn"),
    [
        (("wrist_right",), (), (0.0, 0.0, 0.0), 0.026, 8.0),
        (("wrist_right",), (), (-0.35, 0.3, 0.4), 0.026, 10.0),
        (("wrist_right",), ("i", "j"), (0.0, 0.0, 0.0), 0.026, 8.0),
        ((LEFT,), (), (0.0, 0.0, 0.0), 0.035, 10.0),
        ((LEFT, "wrist_right"), (), (0.0, 0.0, 0.0), 0.026, 8.0),
        ((LEFT, RIGHT), ("i", "j"), (0.0, 0.0, 0.0), 0.022, 6.0),
    ],
)
def test_a_walk_that_leaves_behind_what_is_locked_leaps_nowhere(
    joints: tuple[str, ...], axes: tuple[str, ...], by: tuple[float, ...], step: float, turn: float
) -> None:
    """Largest step [m] and turn [degrees] of a joint within 1/240 s; the walk itself takes 21 mm and 3 degrees."""
    when = {LEFT: SECOND // 5}
    locks = [held(walker(), each, axes=axes, time=when.get(each, SECOND // 2)) for each in joints]
    locks = [replace(each, position=tuple(np.add(each.position, by).tolist())) for each in locks]
    document, evaluator = Document(actors=(replace(walker(), locks=tuple(locks)),)), Evaluator()
    fine = [time * SECOND // 240 for time in range(100, 480)]
    places = np.array([evaluator.joint_transforms(document, "one", time)[:, :, 3] for time in fine])
    hinges = [place for name, place in walker().figure.coordinate_index.items() if "move" not in name]
    turns = np.diff(evaluator.coordinates(document, "one", fine)[:, hinges], axis=0)
    assert np.abs(np.diff(places, axis=0)).max() < step
    assert np.degrees(np.abs(turns).max()) < turn


@pytest.mark.parametrize("seed", [0, 1, 2, 33])
def test_what_is_out_of_reach_does_not_hang_on_the_last_digits_of_where_it_is(seed: int) -> None:
    """A head that is wanted metres away over a foot that is held: a picometre turned joints by a radian."""
    chance, figure = np.random.default_rng(seed), human()
    hinges = [dof for joint in figure.joints if joint.parent is not None for dof in joint.dofs]
    pose = tuple((dof.id, dof.clamp(chance.uniform(-0.3, 0.3))) for dof in hinges)
    way, turn = chance.normal(size=3), chance.normal(size=4)
    far = np.array([0.0, 1.0, 0.0]) + chance.uniform(1.5, 2.5) * way / np.linalg.norm(way)
    foot = Lock(id="foot", name="foot", joint=LEFT, position=(0.1, 0.1, 0.0))
    rotation, found = tuple((turn / np.linalg.norm(turn)).tolist()), []
    for by in (0.0, 1e-12):
        fields: dict[str, Any] = {"position": tuple((far + by).tolist()), "rotation": rotation}
        head = Lock(id="head", name="head", joint="head", axes=("i", "j"), **fields)
        layers = (Layer(id="pose", values=pose),)
        actor = Actor(id="one", name="One", figure=figure, layers=layers, locks=(foot, head))
        found.append(Evaluator().coordinates(Document(actors=(actor,)), "one", [0])[0])
    assert np.abs(found[0] - found[1]).max() < 1e-8


def test_four_locks_hold_in_between_frames_and_begin_and_end_without_a_jump_of_speed() -> None:
    """Every frame and four times within each; a jump is less than 5% of the fastest joint's speed."""
    actor = crouch()
    places = {"wrist_left": (0.0, 0.1, 0.1), "wrist_right": (0.05, 0.0, 0.15)}
    locks = [held(actor, joint, span=SPAN) for joint in (LEFT, RIGHT)]
    for joint, by in places.items():
        lock = held(actor, joint, axes=(), span=SPAN)
        locks.append(replace(lock, position=tuple(np.add(lock.position, by).tolist())))
    document, evaluator = Document(actors=(replace(actor, locks=tuple(locks)),)), Evaluator()
    for time in range(SPAN.start + SPAN.ease_in, SPAN.end - SPAN.ease_out + 1, SECOND // 120):
        joints = evaluator.joint_transforms(document, "one", time)
        for lock in locks:
            at = joints[human().joint_index[lock.joint]][:, 3]
            assert np.linalg.norm(at - lock.position) < 1e-3
            assert np.abs(at - lock.position).max() < KEPT
    short = SECOND // 4800
    for edge in (SPAN.start, SPAN.start + SPAN.ease_in, SPAN.end - SPAN.ease_out, SPAN.end):
        three = [evaluator.joint_transforms(document, "one", edge + by)[:, :, 3] for by in (-short, 0, short)]
        before, after = np.diff(np.array(three), axis=0) * 4800.0
        fastest = np.linalg.norm(before, axis=1).max()
        assert fastest > 0.01
        assert np.linalg.norm(after - before, axis=1).max() < 0.05 * fastest

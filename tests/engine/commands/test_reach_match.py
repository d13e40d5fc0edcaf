"""Where a pull takes over, the pose is the one that was seen: what stands where it is wanted is moved by no solver."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.commands.reach import PullHandle, Reach, Reached
from engine.document import Document, Key, Layer, Track
from engine.document.segment import middle_of_segment
from engine.evaluate.evaluator import Evaluator
from engine.ik.goals import PositionGoal, Spot
from engine.ik.methods import Method, Terms
from engine.ik.solvers import SOLVERS
from tests.benchmarks.posing import FEET, scene

TIME = 352_800_000  # half a second
BENT = (("elbow_left.flexion", 0.8), ("hip_right.flexion", 0.4), ("knee_right.flexion", 0.7), ("spine.flexion", 0.1))


def posed() -> Document:
    """The human in a pose that is none of rest."""
    document = scene()
    actor = document.actors[0]
    known = [(name, value) for name, value in BENT if name in actor.figure.coordinate_index]
    assert len(known) >= 3
    return document.with_actor(replace(actor, layers=(Layer(id="pose", values=tuple(known)),)))


def moving() -> Document:
    """The human between two keys, below a layer that adds to it."""
    document = scene()
    actor = document.actors[0]
    keys = (Key(time=0, value=0.2), Key(time=705_600_000, value=1.2))
    keyed = Layer(id="keys", tracks=(Track(coordinate="elbow_left.flexion", keys=keys),))
    return document.with_actor(replace(actor, layers=(keyed,)))


def standing() -> Document:
    """The human with both feet locked."""
    return scene(*FEET)


@pytest.mark.parametrize(
    ("document", "joint"),
    [(posed(), "wrist_left"), (moving(), "wrist_left"), (standing(), "ankle_right")],
    ids=["posed", "moving", "locked"],
)
@pytest.mark.parametrize("solver", list(SOLVERS))
def test_a_pull_that_goes_nowhere_moves_nothing(solver: str, joint: str, document: Document) -> None:
    evaluator, actor = Evaluator(), document.actors[0]
    before = evaluator.coordinates(document, actor.id, [TIME])[0]
    point = middle_of_segment(actor.figure, joint)
    frame = evaluator.joint_transforms(document, actor.id, TIME)[actor.figure.joint_index[joint]]
    x, y, z = (frame[:, :3] @ point + frame[:, 3]).tolist()
    goal = PositionGoal(spot=Spot(actor=actor.id, joint=joint, point=point), target=(x, y, z))
    request = PullHandle(
        drag="1", actor=actor.id, goals=(goal,), method=Method(solver=solver), terms=Terms(milliseconds=50.0)
    )
    *_, reached = Reach(evaluator).answer(document, TIME, request, skins=False)
    assert isinstance(reached, Reached)
    after = evaluator.coordinates(reached.snapshot.document, actor.id, [TIME])[0]
    assert np.abs(after - before).max() < 1e-9

"""What a target asks for is taken from what is seen: with it asked for, nothing has to be corrected."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.document import Document, Target
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.secondary import Gains
from engine.document.validation import validate
from engine.evaluate.evaluator import Evaluator
from engine.runtime.errors import InvalidArguments
from engine.targets.actor_targets import compile_targets
from engine.targets.commands.take_target import TakeTarget
from tests.engine.targets.test_meet_targets import WITHIN, place, puncher, scene, seen

HAND, ELBOW, WHEN = "wrist_right", "elbow_right.flexion", 7 * SECOND // 10


def taken(document: Document, what: str, time: int = WHEN) -> Document:
    (target,) = document.actors[0].secondary.targets  # type: ignore[union-attr]
    change = TakeTarget(actor="one", target=target.id, what=what, time=time)  # type: ignore[arg-type]
    after = change.work_out(Evaluator(), document).apply(document)
    validate(after)
    return after


def swinging(**fields: object) -> Document:
    made = Target(**({"id": "t", "time": WHEN, "kind": "point", "joint": HAND} | fields))  # type: ignore[arg-type]
    return scene(made, actor=puncher(), gains=Gains(tension=3.0))


def asked(document: Document) -> Target:
    secondary = document.actors[0].secondary
    assert secondary is not None
    return secondary.targets[0]


def missed(document: Document) -> float:
    """By how much what is seen misses what is asked for, in the unit of each."""
    evaluator = Evaluator()
    actor_targets = compile_targets(evaluator, document, "one")
    return max(residual.size for residual in actor_targets.residuals(evaluator, document, actor_targets.goals[0]))


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"point": (0.0, -0.1, 0.02)}, "position"),
        ({"kind": "turn"}, "rotation"),
        ({"kind": "pose", "joint": None}, "values"),
        ({"velocity": True, "place": False}, "speed"),
        ({"kind": "turn", "velocity": True, "place": False}, "speed"),
        ({"kind": "pose", "joint": None, "velocity": True, "place": False}, "rates"),
    ],
)
def test_what_is_taken_is_met_by_what_is_seen_and_was_not_before(fields: dict[str, object], what: str) -> None:
    document = swinging(**fields)
    within = 1e-4 if what in ("speed", "rates") else WITHIN
    assert missed(document) > 100.0 * within
    assert missed(taken(document, what)) <= within


def test_a_place_is_that_of_the_point_at_the_time_that_is_meant() -> None:
    document = swinging(point=(0.0, -0.1, 0.02))
    there = asked(taken(document, "position", time=SECOND)).position
    assert there is not None
    assert np.allclose(there, place(document, HAND, (0.0, -0.1, 0.02), SECOND), atol=1e-12)


def test_a_pose_is_that_of_the_joints_that_it_is_about() -> None:
    document = swinging(kind="pose", joint=None, joints=("elbow_right",))
    values = asked(taken(document, "values")).values
    assert values is not None
    names = [name for name, _ in values]
    assert names == [dof.id for dof in document.actors[0].figure.joint("elbow_right").dofs]
    index = document.actors[0].figure.coordinate_index[ELBOW]
    assert dict(values)[ELBOW] == pytest.approx(float(seen(document, WHEN)[index]), abs=1e-12)


def test_taking_a_velocity_asks_for_it_and_keeps_the_place() -> None:
    document = swinging()
    after = asked(taken(document, "speed"))
    assert (after.place, after.velocity) == (True, True)
    assert replace(after, speed=None, velocity=False) == asked(document)


def test_what_a_target_of_its_kind_has_not_is_refused() -> None:
    with pytest.raises(InvalidArguments, match="position, speed"):
        taken(swinging(), "rotation")

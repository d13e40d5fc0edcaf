"""What a figure wears pushes its secondary motion, without history."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.document import Document, Key
from engine.document.secondary import Gains, OwnGains, Secondary
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array
from engine.motion.changed import changed_span
from engine.physics.parts import PhysicsWorld
from engine.soft.parts import SoftBody, SoftWorld
from engine.soft.stage import SoftStage
from tests.engine.soft.driven import SECOND, arm, flag

LOOSE = Secondary(gains=Gains(tension=3.0, damping=0.7), own=(OwnGains(joint="arm", exact=False),))
TURN = (Key(0, 0.0), Key(SECOND // 2, 0.8), Key(SECOND, -0.4))


def swinging(*keys: Key, gravity: float = 9.80665, **given: Any) -> Document:
    """An arm that swings about its keys, with a soft slab on its end."""
    options: dict[str, Any] = {
        "young": 1e6,
        "stiffness_damping": 0.01,
        "window": 0.15,
        "pushes": True,
        "touches": False,
        "mass_damping": 0.0,
        **given,
    }
    owner = replace(arm(*(keys or TURN)), secondary=LOOSE)
    parts = (PhysicsWorld(ground=False, gravity=gravity), SoftWorld(step=1.0 / 240.0))
    return Document(actors=(owner, flag(**options)), parts=parts)


def angle(document: Document, time: int, evaluator: Evaluator | None = None) -> float:
    return float((evaluator or Evaluator()).coordinates(document, "arm", (time,))[0, 0])


def pushes(document: Document, times: Array) -> tuple[Array, Array]:
    stage = Evaluator().stage("soft")
    assert isinstance(stage, SoftStage)
    pushed, weight = stage.push_over(document, "arm", times)
    return pushed[:, 0], weight[:, 0]


def test_a_stiff_body_pushes_with_its_inertia_and_its_weight() -> None:
    document = swinging(Key(0, 0.0, interpolation="linear"), Key(SECOND, 0.0))
    times = 0.5 * SECOND + np.arange(10.0) * SECOND / 100
    pushed, weight = pushes(document, times)
    mass = 1000.0 * 0.2 * 0.1 * 0.05
    assert weight[:, 1] == pytest.approx(-9.80665 * mass, rel=1e-9)
    assert weight[:, 5] == pytest.approx(-9.80665 * mass * 0.3, rel=2e-2)
    assert pushed == pytest.approx(weight, abs=1e-2)


def test_what_turns_evenly_is_pulled_outward() -> None:
    document = swinging(Key(0, 0.0, interpolation="linear"), Key(2 * SECOND, 4.0), gravity=0.0, young=1e7)
    times = SECOND + np.arange(5.0) * SECOND / 100
    pushed, weight = pushes(document, times)
    assert not weight.any()
    turn = 2.0 * times / SECOND
    outward = np.stack((np.cos(turn), np.sin(turn)), axis=1)
    assert np.einsum("ni,ni->n", pushed[:, :2], outward) == pytest.approx(1.0 * 0.3 * 4.0, rel=0.05)
    assert np.abs(pushed[:, 5]).max() < 0.01


def test_a_worn_body_changes_how_a_figure_swings_but_not_how_it_stands() -> None:
    held = swinging(Key(0, 0.3), Key(SECOND, 0.3))
    assert angle(held, SECOND) < 0.0, "it sags under the weight"
    firm = replace(LOOSE, gains=replace(LOOSE.gains, gravity=0.0))
    held = held.with_actor(replace(held.actor("arm"), secondary=firm))
    assert angle(held, SECOND) == pytest.approx(0.3, abs=5e-3), "keys that hold a weight hold this one, too"
    document = swinging()
    bare = document.with_actor(document.actor("flag").with_part(with_body(document, pushes=False)))
    assert abs(angle(document, SECOND) - angle(bare, SECOND)) > 0.01
    assert angle(bare, SECOND) == angle(replace(bare, actors=bare.actors[:1]), SECOND)


def with_body(document: Document, **given: Any) -> SoftBody:
    body = document.actor("flag").part(SoftBody)
    assert body is not None
    return replace(body, **given)


def test_a_time_alone_has_the_bytes_that_it_has_in_sequence_and_the_figure_alone_too() -> None:
    document, evaluator = swinging(), Evaluator()
    times = [round(each * SECOND / 30) for each in (9, 10, 11, 12)]
    whole = [evaluator.rows(document, time)["arm"].tobytes() for time in times]
    assert [Evaluator().rows(document, time)["arm"].tobytes() for time in reversed(times)] == whole[::-1]
    alone = Evaluator().coordinates(document, "arm", times)
    assert [row.tobytes() for row in alone] == [np.frombuffer(each)[12:].tobytes() for each in whole]


def test_an_edit_of_what_is_worn_touches_the_wearer_for_as_long_as_both_windows() -> None:
    document, evaluator = swinging(), Evaluator()
    late, early = round(0.9 * SECOND), SECOND // 4
    before = [angle(document, each, evaluator) for each in (early, late)]
    moved = edit("set_key", actor="arm", layer="keys", coordinate="turn", time=SECOND // 2, value=0.9).apply(document)
    spans = [(start, end) for actor, start, end in changed_span(document, moved) if actor == "arm"]
    assert spans
    last = max(end for _, end in spans if end is not None)
    assert SECOND + LOOSE.window < last < SECOND + LOOSE.memory + 0.25 * SECOND
    after = [angle(moved, each, evaluator) for each in (early, late)]
    assert after == [angle(moved, each) for each in (early, late)]
    assert after[1] != before[1]
    beyond = 2 * SECOND
    assert angle(document, beyond) == angle(moved, beyond, evaluator)
    stiffer = document.with_actor(document.actor("flag").with_part(with_body(document, density=300.0)))
    assert ("arm", None, None) in changed_span(document, stiffer)
    assert angle(stiffer, late, evaluator) == angle(stiffer, late) != before[1]
    assert angle(document, late, evaluator) == before[1]

"""Times that are posed side by side: the same bytes as alone, whatever was posed before, and little work for each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.document import Actor, Attachment, Document, Draft, Ellipsoid, Layer, Lock, Placement, prop
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.secondary import Gains, Secondary
from engine.evaluate.evaluator import Evaluator
from engine.ik.problem import Problem
from engine.ik.rows_led import lead_rows
from engine.ik.solver import Solver
from engine.kinodynamics.secondary import secondaries_of
from engine.locks import problems
from engine.locks.as_goals import LockColumns
from engine.locks.places import Places
from engine.maths.arrays import Array
from tests.engine.evaluate.locked import LEFT, RIGHT, SPAN, away, crouch, held, planted, track

HELD = (LEFT, RIGHT, "wrist_left", "wrist_right")
TIMES = [SECOND // 5 + each * SECOND // 7 for each in range(20)]
LOOSE = Secondary(gains=Gains(tension=3.0, damping=0.4))


def four(id: str = "one", *, x: float = 0.0, **fields: Any) -> Actor:
    actor = crouch(id, x=x)
    return replace(actor, locks=tuple(held(actor, joint, axes=(), **fields) for joint in HELD))


def carried() -> Document:
    """One that holds on to a ball that moves, and one that hangs on the first and is locked to it."""
    moving = Layer(id="pose", tracks=(track("body.move_y", (0.0, 0.0), (2.0, 0.2)),))
    ball = prop("Ball", (Ellipsoid(radii=(0.1, 0.1, 0.1)),))
    thing = Actor(
        id="ball", name="Ball", figure=ball, placement=Placement(position=(0.25, 1.0, 0.35)), layers=(moving,)
    )
    hand = Lock(id="hand", name="Hand", joint="wrist_left", target="ball", target_joint="body", point=(0.0, -0.06, 0.0))
    hold = Lock(id="hold", name="Hold", joint="wrist_right", target="one", target_joint="wrist_right")
    hang = Attachment(id="hang", joint="pelvis", target="one", target_joint="wrist_left", position=(0.0, -0.3, 0.0))
    hung = replace(crouch("two"), attachments=(hang,), locks=(hold,), secondary=LOOSE)
    return Document(actors=(replace(crouch(), locks=(hand,)), hung, thing))


def drafted() -> Document:
    actor = four()
    draft = Draft(time=TIMES[3], values=(("elbow_left.flexion", 0.9),))
    return Document(actors=(replace(actor, layers=(replace(actor.layers[0], drafts=(draft,)),)),))


def astray() -> Document:
    """A hand that gets out of reach while both feet turn with what they are locked to."""
    far = held(crouch(), "wrist_right", axes=())
    far = replace(far, position=tuple(np.add(far.position, (0.3, 0.4, 0.9)).tolist()))
    return Document(actors=(replace(crouch(), locks=(far, held(crouch(), LEFT), held(crouch(), RIGHT))),))


SCENES: dict[str, Callable[[], Document]] = {
    "four locks": lambda: Document(actors=(four(),)),
    "two of one figure": lambda: Document(actors=(four(), four("two", x=1.0))),
    "swinging": lambda: Document(actors=(replace(four(), secondary=LOOSE),)),
    "eased": lambda: Document(actors=(four(span=replace(SPAN, start=0, ease_in=2 * SECOND)),)),
    "eased, swinging": lambda: Document(actors=(replace(four(span=SPAN), secondary=LOOSE),)),
    "on planes": lambda: planted(held="plane", axes=()),
    "by multipliers": lambda: replace(planted(), lock_solver="multipliers"),
    "few iterations": lambda: replace(planted(), lock_iterations=2),
    "carried": carried,
    "drafted": drafted,
    "out of reach": astray,
}


@pytest.mark.parametrize("name", SCENES)
def test_times_side_by_side_are_the_same_bytes_as_each_alone(name: str) -> None:
    document, together = SCENES[name](), Evaluator()
    alone = [Evaluator().rows(document, time) for time in TIMES[::3]]
    backwards = together.rows_at(document, TIMES[::-1])[::-1]
    for one, found in zip(alone, backwards[::3], strict=True):
        assert {id: row.tobytes() for id, row in one.items()} == {id: row.tobytes() for id, row in found.items()}
    rows = together.rows_at(document, TIMES)
    assert np.ptp([row["one"] for row in rows], axis=0).max() > 1e-3, "the times differ"


def test_a_draft_is_shown_at_its_own_time_among_many() -> None:
    document, place = drafted(), crouch().figure.coordinate_index["elbow_left.flexion"]
    rows = Evaluator().rows_at(replace(document, actors=(replace(document.actors[0], locks=()),)), TIMES)
    assert [row["one"][12 + place] == 0.9 for row in rows] == [time == TIMES[3] for time in TIMES]


def test_a_lock_that_is_moved_and_a_figure_that_is_placed_elsewhere_are_followed_at_once() -> None:
    """What a problem was aimed at last is not taken for what it is to be aimed at."""
    here = Document(actors=(four(),))
    actor = here.actors[0]
    lock = actor.locks[0]
    lifted = replace(lock, position=(lock.position[0], lock.position[1] + 0.05, lock.position[2]))
    moved = Document(actors=(replace(actor, locks=(lifted, *actor.locks[1:])),))
    placed = Document(actors=(replace(actor, placement=Placement(position=(0.02, 0.0, 0.01))),))
    evaluator = Evaluator()
    for document in (here, moved, here, placed, moved, placed, here):
        found = evaluator.rows(document, SECOND)["one"]
        assert found.tobytes() == Evaluator().rows(document, SECOND)["one"].tobytes()
    assert away(evaluator, moved, lifted, "one", SECOND) < 1e-6
    assert away(evaluator, moved, lock, "one", SECOND) > 0.04


def test_locks_that_stay_are_aimed_at_once_for_all_times(monkeypatch: pytest.MonkeyPatch) -> None:
    aimed: list[int] = []
    original = LockColumns.follow

    def noted(self: LockColumns, *arguments: object) -> None:
        aimed.append(1)
        original(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(LockColumns, "follow", noted)
    evaluator = Evaluator()
    evaluator.rows_at(Document(actors=(four(),)), TIMES)
    assert len(aimed) == 1
    evaluator.rows_at(carried(), TIMES)
    assert len(aimed) > len(TIMES), "what moves is followed"


def test_all_times_are_looked_at_in_one_call_and_led_in_another(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, bool]] = []

    def noted(problem: Problem, solver: Solver, rows: Array, work: Array, iterations: int) -> Array:
        asked.append((len(rows), iterations > 0))
        return lead_rows(problem, solver, rows, work, iterations)

    monkeypatch.setattr(problems, "lead_rows", noted)
    Evaluator().rows_at(Document(actors=(four(),)), TIMES)
    assert asked == [(len(TIMES), False), (len(TIMES), True)]


def test_what_stays_is_one_object_at_all_times_and_what_is_keyed_is_not() -> None:
    places, lock = Places(), held(crouch(), LEFT)
    first, second = places.holding("one", lock, 0), places.holding("one", lock, SECOND)
    assert first is not None
    assert first is second
    other = places.holding("two", lock, 0)
    assert other is not None
    assert other.actor == "two"
    assert not first.place.flags.writeable
    keyed = replace(lock, tracks=(track("y", (0.0, 0.0), (2.0, 0.2)),))
    one, two = places.holding("one", keyed, 0), places.holding("one", keyed, SECOND)
    assert one is not None
    assert two is not None
    assert two.place[1, 3] > one.place[1, 3] + 0.05
    eased = replace(lock, span=SPAN)
    half = places.holding("one", eased, SPAN.start + SPAN.ease_in // 2)
    assert half is not None
    assert half.share == pytest.approx(0.5)


def test_gains_that_are_dragged_leave_the_mass_of_a_figure_as_it_was_packed() -> None:
    actor, evaluator = replace(four(), secondary=LOOSE), Evaluator()
    models = []
    for tension in (2.0, 2.5, 3.5):
        swinging = replace(actor, secondary=Secondary(gains=Gains(tension=tension)))
        document = Document(actors=(swinging,))
        found = evaluator.rows(document, SECOND)["one"]
        assert found.tobytes() == Evaluator().rows(document, SECOND)["one"].tobytes()
        models.append(secondaries_of(evaluator).model(swinging))
    first = models[0]
    for other in models[1:]:
        assert other.mechanics.model is first.mechanics.model
        assert not np.array_equal(other.gains.kp, first.gains.kp)
    elsewhere = replace(actor, placement=Placement(position=(1.0, 0.0, 0.0)))
    assert secondaries_of(evaluator).model(elsewhere).mechanics.floats.tobytes() != first.mechanics.floats.tobytes()

"""Whoever pushes what is simulated is asked at each step, and once more where it has forgotten."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import pytest

from engine.document import Document
from engine.evaluation import MovingBodies
from engine.maths.arrays import Array
from engine.model.inertia import masses_of
from engine.physics.parts import Physics, PhysicsWorld
from engine.physics.simulation import BETWEEN, SceneSimulation
from engine.runtime.errors import InvalidArguments
from tests.engine.physics.scenes import BALL, CRATE, SECOND, actor, simulation

WEIGHTLESS = PhysicsWorld(gravity=0.0, ground=False)
MASS = float(masses_of(BALL)[0, 0])


@dataclass
class Pushing:
    """Pushes by a function of the state, and knows how far it was asked."""

    wrenches: Callable[[MovingBodies], Mapping[str, Array]]
    asked: list[int] = field(default_factory=list)
    knows: int | None = None  # the tick up to which it remembers; None: all

    def push(self, moving: MovingBodies) -> Mapping[str, Array]:
        """Push over the step that comes."""
        self.asked.append(moving.time)
        self.knows = None
        return self.wrenches(moving)

    def has_pushed(self, time: int) -> bool:
        """Tell whether it was asked for all steps before a tick."""
        return self.knows is None or time <= self.knows


def on_ball(*wrench: float) -> dict[str, Array]:
    return {"ball": np.array([wrench])}


def pushed(pusher: Pushing, world: PhysicsWorld = WEIGHTLESS) -> SceneSimulation:
    found = simulation(Document(actors=(actor("ball", at=(0.0, 1.0, 0.0)),)), world)
    found.pushers = (pusher,)
    return found


def place(found: SceneSimulation, time: int) -> Array:
    return found.pose(found.scene.members[0], time)


def test_a_steady_force_moves_a_ball_by_its_mass() -> None:
    found = pushed(Pushing(lambda _: on_ball(2.0, 0.0, 0.0, 0.0, 0.0, 0.0)))
    dt = found.scene.dt
    steps = round(1.0 / dt)
    assert place(found, SECOND)[0] == pytest.approx(2.0 / MASS * dt * dt * steps * (steps + 1) / 2, rel=1e-12)


def test_speeds_tell_how_bodies_move_and_turn() -> None:
    seen: list[Array] = []

    def turn(moving: MovingBodies) -> Mapping[str, Array]:
        seen.append(moving.speeds["ball"][0])
        assert moving.frames["ball"].shape == (1, 3, 4)
        return on_ball(1.0, 0.0, 0.0, 0.0, 0.3, 0.0)

    found = pushed(Pushing(turn))
    place(found, SECOND // 10)
    count = len(seen) - 1
    inertia = 0.4 * MASS * 0.01
    wanted = np.array((1.0 / MASS, 0.0, 0.0, 0.0, 0.3 / inertia, 0.0)) * count * found.scene.dt
    assert seen[-1] == pytest.approx(wanted, rel=1e-9)


def test_the_response_is_linear_and_what_the_step_ahead_does() -> None:
    done: list[bool] = []

    def look(moving: MovingBodies) -> Mapping[str, Array]:
        one, other = on_ball(1.0, 2.0, -1.0, 0.02, 0.1, 0.0), on_ball(0.0, -3.0, 0.5, 0.01, 0.0, 0.2)
        both = {"ball": one["ball"] + 2.0 * other["ball"]}
        first, second, third = (moving.respond(each)["ball"] for each in (one, other, both))
        assert third == pytest.approx(first + 2.0 * second, rel=1e-12)
        assert first[0, :3] == pytest.approx(moving.dt * one["ball"][0, :3] / MASS, rel=1e-12)
        _, ahead = moving.ahead(both, 1)
        assert ahead["ball"] == pytest.approx(moving.speeds["ball"] + third, abs=1e-12)
        done.append(True)
        return one

    place(pushed(Pushing(look)), SECOND // 50)
    assert done


def test_responses_of_joints_together_are_those_of_unit_impulses() -> None:
    done: list[bool] = []

    def look(moving: MovingBodies) -> Mapping[str, Array]:
        joints = [("ball", 0), ("crate", 0)]
        found = moving.responses(joints)
        assert found == pytest.approx(found.T)
        for column in range(12):
            wrench = np.zeros((1, 6))
            wrench[0, column % 6] = 1.0 / moving.dt
            answer = moving.respond({joints[column // 6][0]: wrench})
            whole = np.concatenate([answer[each][0] for each, _ in joints])
            assert found[:, column] == pytest.approx(whole, abs=1e-12)
        done.append(True)
        return {}

    found = simulation(Document(actors=(actor("ball"), actor("crate", CRATE, at=(3.0, 0.0, 0.0)))), WEIGHTLESS)
    found.pushers = (Pushing(look),)
    found.pose(found.scene.members[0], SECOND // 100)
    assert done


def test_what_is_tried_ahead_is_what_comes() -> None:
    tried: dict[int, Array] = {}

    def look(moving: MovingBodies) -> Mapping[str, Array]:
        given = on_ball(0.3, -9.0, 0.0, 0.0, 0.0, 0.01)
        if moving.time in tried:
            assert moving.frames["ball"].tobytes() == tried[moving.time].tobytes()
        tried[round(moving.time + moving.dt * SECOND)] = moving.ahead(given, 1)[0]["ball"]
        return given

    place(pushed(Pushing(look), PhysicsWorld()), SECOND // 2)  # it strikes the ground meanwhile
    assert len(tried) > 50


def test_a_frame_alone_is_the_same_bytes_as_in_sequence() -> None:
    def spring(moving: MovingBodies) -> Mapping[str, Array]:
        force = -40.0 * moving.frames["ball"][0, :, 3]
        return on_ball(*force, 0.0, 0.0, 0.0)

    alone, after = Pushing(spring), Pushing(spring)
    found = pushed(after)
    for frame in range(1, 11):
        place(found, frame * SECOND // 10)
    assert place(pushed(alone), SECOND).tobytes() == place(found, SECOND).tobytes()
    assert after.asked == alone.asked


def test_who_has_forgotten_is_asked_again_from_a_checkpoint_on() -> None:
    pusher = Pushing(lambda moving: on_ball(1.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    found = pushed(pusher)
    before = place(found, 4 * SECOND)
    pusher.asked.clear()
    assert place(found, 4 * SECOND).tobytes() == before.tobytes()
    assert not pusher.asked
    pusher.knows = found.tick(BETWEEN + 3)
    assert place(found, 4 * SECOND).tobytes() == before.tobytes()
    assert pusher.asked[0] == found.tick(BETWEEN)
    pusher.asked.clear()
    pusher.knows = found.tick(BETWEEN + 3)
    place(found, found.tick(BETWEEN))
    assert not pusher.asked, "a time that it remembers"


def test_an_edit_leaves_the_states_before_it_to_the_next_simulation() -> None:
    pusher = Pushing(lambda moving: on_ball(1.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    found = pushed(pusher)
    whole = place(found, 4 * SECOND)
    known = found.known
    changed = found.changed(2 * SECOND, found.keyed, found.pushers)
    assert changed.known == BETWEEN + 1
    assert found.known == known
    assert place(changed, 4 * SECOND).tobytes() == whole.tobytes()


def test_what_pushes_with_numbers_that_are_none_is_refused_by_name() -> None:
    found = pushed(Pushing(lambda _: on_ball(np.nan, 0.0, 0.0, 0.0, 0.0, 0.0)))
    with pytest.raises(InvalidArguments, match="what pushes ball"):
        place(found, SECOND)


def test_those_that_follow_their_keys_are_not_seen() -> None:
    later = actor("ball", at=(0.0, 1.0, 0.0), physics=Physics(start=SECOND))
    found = simulation(Document(actors=(actor("other", at=(5.0, 1.0, 0.0)), later)), WEIGHTLESS)
    seen: list[tuple[int, frozenset[str]]] = []

    def look(moving: MovingBodies) -> Mapping[str, Array]:
        seen.append((moving.time, frozenset(moving.frames)))
        return on_ball(1.0, 0.0, 0.0, 0.0, 0.0, 0.0)

    found.pushers = (Pushing(look),)
    assert abs(found.pose(found.scene.members[1], SECOND)[0]) < 1e-12
    assert found.pose(found.scene.members[1], 2 * SECOND)[0] > 0.01
    assert {time >= SECOND: ids for time, ids in seen} == {False: {"other"}, True: {"other", "ball"}}

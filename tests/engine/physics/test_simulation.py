"""Simulated actors against closed forms, and what a simulation promises of its times."""

from __future__ import annotations

import numpy as np
import pytest

from engine.document import Capsule, Document, Dof, Figure, Joint
from engine.document.ticks import TICKS_LIMIT
from engine.dynamics.articulation import Articulation, State
from engine.dynamics.stepping import SemiImplicitEuler, Work
from engine.physics import simulation as simulations
from engine.physics.parts import Physics, PhysicsWorld
from engine.physics.simulation import BETWEEN, TooLong
from engine.runtime.errors import Diverged
from tests.engine.physics.scenes import BALL, CRATE, POLE, SECOND, actor, heights, simulation

G = 9.80665
EXACT = PhysicsWorld(stepper="midpoint")
WEIGHTLESS = PhysicsWorld(gravity=0.0, ground=False)


def test_what_is_let_go_falls() -> None:
    times = (0.0, 0.1, 0.4)
    assert heights(Document(actors=(actor("ball", at=(0.0, 5.0, 0.0)),)), times, world=EXACT) == pytest.approx(
        [-0.5 * G * time * time for time in times], abs=1e-9
    )


def test_an_actor_follows_its_keys_and_then_goes_on_at_their_speed() -> None:
    thrown = actor("ball", at=(0.0, 1.0, 0.0), physics=Physics(start=SECOND // 2), keys=((0.0, 0.0), (1.0, 2.0)))
    found = simulation(Document(actors=(thrown,)), EXACT)
    (member,) = found.scene.members
    assert not found.shows(member, SECOND // 2 - 1)
    assert found.shows(member, SECOND // 2)
    for time in (0.0, 0.1, 0.3):
        height = found.pose(member, SECOND // 2 + round(time * SECOND))[1]
        assert height == pytest.approx(1.0 + 2.0 * time - 0.5 * G * time * time, abs=1e-6)


def test_those_that_are_let_go_later_begin_with_the_pose_and_speed_of_their_keys() -> None:
    first = actor("first", at=(3.0, 9.0, 0.0))
    later = actor("later", at=(0.0, 1.0, 0.0), physics=Physics(start=SECOND // 2), keys=((0.0, 0.0), (1.0, 2.0)))
    found = simulation(Document(actors=(first, later)), EXACT)
    height = found.pose(found.scene.members[1], SECOND // 2 + SECOND // 10)[1]
    assert height == pytest.approx(1.0 + 0.2 - 0.5 * G * 0.01, abs=1e-6)


@pytest.mark.parametrize("figure", [BALL, CRATE])
def test_what_falls_on_an_obstacle_rests_on_it(figure: Figure) -> None:
    half = 0.1 if figure is BALL else 0.15
    above = actor("above", figure, at=(0.0, 0.9, 0.0))
    below = actor("below", CRATE, at=(0.0, 0.4, 0.0), physics=None)
    found = simulation(Document(actors=(above, below)))
    rests = found.pose(found.scene.members[0], 3 * SECOND)
    assert 0.9 + rests[1] == pytest.approx(0.4 + 0.15 + half, abs=1e-3)
    assert np.abs(found.pose(found.scene.members[1], 3 * SECOND)[:3]).max() < 1e-3


def test_an_obstacle_that_rises_lifts_what_lies_on_it() -> None:
    above = actor("above", CRATE, at=(0.0, 0.7, 0.0))
    lift = actor("lift", CRATE, at=(0.0, 0.4, 0.0), physics=None, keys=((1.0, 0.0), (2.0, 0.8), (4.0, 0.8)))
    low, high = heights(Document(actors=(above, lift)), (1.0, 4.0))
    assert high - low == pytest.approx(0.8, abs=2e-3)


def test_contact_carries_the_weight_of_what_rests() -> None:
    found = simulation(Document(actors=(actor("ball", at=(0.0, 0.2, 0.0)),)))
    (member,) = found.scene.members
    found.pose(member, 2 * SECOND)
    touching = found.contacts(2 * SECOND)
    weight = G * float(found.scene.mechanics.bodies()[0, 0])
    assert touching.forces.sum(axis=0) == pytest.approx([0.0, weight, 0.0], rel=1e-3, abs=1e-3 * weight)
    assert touching.points[0] == pytest.approx([0.0, 0.0, 0.0], abs=1e-3)
    assert len(found.contacts(SECOND // 20).points) == 0
    assert len(found.changed(0, found.keyed).contacts(2 * SECOND).points) == 0


def test_two_that_collide_keep_their_momentum() -> None:
    one = actor("one", at=(0.0, 1.0, 0.0), physics=Physics(start=SECOND), keys=((0.0, 0.0), (2.0, 2.0)))
    two = actor("two", POLE, at=(0.5, 3.0, 0.0), physics=Physics(start=SECOND))
    found = simulation(Document(actors=(one, two)), WEIGHTLESS)
    masses = [0.0, 0.0]
    bodies = found.scene.mechanics.bodies()
    masses = [float(bodies[0, 0]), float(bodies[1, 0])]
    speeds = []
    for time in (1.1, 3.9):
        now, then = round(time * SECOND), round(time * SECOND) + SECOND // 100
        speeds.append([100.0 * (found.pose(each, then)[1] - found.pose(each, now)[1]) for each in found.scene.members])
    assert speeds[0] == pytest.approx([1.0, 0.0], abs=1e-6)
    assert speeds[1][1] > 0.1
    assert np.dot(masses, speeds[1]) == pytest.approx(np.dot(masses, speeds[0]), rel=1e-4)


def test_servos_hold_a_pose_and_slack_joints_let_go() -> None:
    frame = Joint(id="frame", name="Frame")
    hinge = Dof(id="turn", name="Turn", kind="hinge", axis=(0.0, 0.0, 1.0))
    arm = Capsule(start=(0.0, 0.0, 0.0), end=(1.0, 0.0, 0.0), radius=0.05)
    figure = Figure(
        name="Arm", joints=(frame, Joint(id="arm", name="Arm", parent="frame", dofs=(hinge,), shapes=(arm,)))
    )
    turns = []
    for follow in (0.0, 8.0):
        held = actor("arm", figure, at=(0.0, 3.0, 0.0), physics=Physics(follow=follow))
        found = simulation(Document(actors=(held,)), PhysicsWorld(ground=False))
        turns.append(abs(float(found.pose(found.scene.members[0], SECOND // 2)[0])))
    assert turns[0] > 0.8
    assert turns[1] < 0.02


def test_a_time_alone_has_the_bytes_that_it_has_in_sequence() -> None:
    document = Document(actors=(actor("one", CRATE, at=(0.1, 0.9, 0.0)), actor("two", CRATE, at=(0.0, 0.5, 0.1))))
    whole, alone = simulation(document), simulation(document)
    times = [SECOND // 3, SECOND // 2 + 12345, SECOND, 2 * SECOND + 77]
    member = whole.scene.members[0]
    assert [whole.pose(member, time).tobytes() for time in times] == [
        simulation(document).pose(member, time).tobytes() for time in times
    ]
    assert alone.pose(member, times[-1]).tobytes() == whole.pose(member, times[-1]).tobytes()
    assert whole.pose(member, times[0]).tobytes() == simulation(document).pose(member, times[0]).tobytes()


def test_between_two_steps_bodies_go_on_evenly() -> None:
    found = simulation(Document(actors=(actor("ball", at=(0.0, 5.0, 0.0)),)))
    (member,) = found.scene.members
    before, after = found.tick(20), found.tick(21)
    low, middle, high = (found.pose(member, time)[1] for time in (before, (before + after) // 2, after))
    assert middle == pytest.approx(0.5 * (low + high), abs=1e-9)


@pytest.mark.parametrize("seconds", [0.1, 1.0, 2.5, 4.0])
def test_what_is_cut_off_is_worked_out_anew_to_the_same_bytes(seconds: float) -> None:
    document = Document(actors=(actor("one", CRATE, at=(0.1, 0.9, 0.0)), actor("two", POLE, at=(0.0, 0.5, 0.1))))
    found, end = simulation(document), 3 * SECOND
    member = found.scene.members[0]
    assert found.tick(2 * BETWEEN) < end
    before = found.pose(member, end).tobytes()
    known = found.known
    again = found.changed(seconds * SECOND, found.keyed)
    assert again.known <= known
    assert again.tick(max(again.known - 1, 0)) <= max(seconds * SECOND, again.tick(0))
    assert again.pose(member, end).tobytes() == before
    assert found.known == known, "the one before stays as it was"


def test_reaching_goes_in_slices_and_can_be_left_and_taken_up() -> None:
    found = simulation(Document(actors=(actor("ball", at=(0.0, 50.0, 0.0)),)))
    steps = found.reach(2 * SECOND)
    shares = [next(steps) for _ in range(5)]
    steps.close()
    assert shares == sorted(shares)
    assert 0.0 < shares[-1] < 0.5
    assert found.known > 1
    assert list(found.reach(2 * SECOND))[-1] == 1.0
    assert list(found.reach(2 * SECOND)) == []


def test_a_step_that_diverges_is_told_each_time_and_leaves_those_before_it_as_they_were(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    document = Document(actors=(actor("ball", at=(0.0, 50.0, 0.0)),))
    found, whole = simulation(document), simulation(document)
    (member,) = found.scene.members
    step, broken = SemiImplicitEuler.step, found.tick(21)

    def diverging(self: SemiImplicitEuler, model: Articulation, state: State, work: Work, dt: float) -> None:
        if state.time > 20.5 * dt:
            raise Diverged(what="a speed", value=float("nan"))
        step(self, model, state, work, dt)

    monkeypatch.setattr(SemiImplicitEuler, "step", diverging)
    for _ in range(2):
        with pytest.raises(Diverged):
            found.pose(member, broken)
    monkeypatch.undo()
    for time in (found.tick(10), found.tick(21), SECOND):
        assert found.pose(member, time).tobytes() == whole.pose(whole.scene.members[0], time).tobytes()


def test_a_start_days_before_what_is_seen_is_refused_by_name_before_a_step_is_made() -> None:
    found = simulation(Document(actors=(actor("ball", physics=Physics(start=-TICKS_LIMIT)),)))
    with pytest.raises(TooLong, match=r"6382652.5 s'; allowed: about .* begin later"):
        next(found.reach(0))
    assert found.known == 0


def test_states_are_kept_up_to_a_size_and_stay_when_more_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    document = Document(actors=(actor("ball", at=(0.0, 0.1, 0.0)),))
    found, whole = simulation(document), simulation(document)
    (member,) = found.scene.members
    whole.pose(member, SECOND)
    assert 0 < whole.bytes - 100 * 1024 < 400 * 1024, "more than half a kB a step, with what touches"
    monkeypatch.setattr(simulations, "MOST_BYTES", whole.bytes // 2)
    with pytest.raises(TooLong):
        found.pose(member, SECOND)
    assert found.bytes < whole.bytes // 2 + 16 * 1024
    before = found.pose(member, SECOND // 4)
    assert before.tobytes() == whole.pose(member, SECOND // 4).tobytes()
    assert found.changed(SECOND // 8, found.keyed).bytes < found.bytes

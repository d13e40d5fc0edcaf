"""Measured forces that a simulated figure feels in place of the ground; against closed forms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from engine.document import Actor, Blob, Document, Placement
from engine.document.measured_forces import MeasuredForce, MeasuredForces
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure
from engine.maths.arrays import Array
from engine.measured_forces.follows import MeasuredForcesFollow
from engine.measured_forces.uses import forces_of, pushes
from engine.model.compile import ROW
from engine.model.inertia import masses_of
from engine.motion.changed import changed_span
from engine.physics.changes import PhysicsChanges
from engine.physics.commands.bake_physics import BakePhysics
from engine.physics.parts import Physics, PhysicsWorld
from engine.physics.scene import compile_scene
from engine.runtime.errors import InvalidDocument, NothingThere
from engine.runtime.progress import finish
from tests.engine.measured_forces.walk import G, steady
from tests.engine.physics.scenes import BALL, SECOND

MASS = float(masses_of(BALL)[0, 0])
WEIGHT = MASS * G
INERTIA = 0.4 * MASS * 0.01


def felt(*forces: MeasuredForce, height: float = 1.0, gravity: float = G) -> Document:
    """A ball of radius 0.1 m that is let go at once and feels some forces."""
    parts = (Physics(), MeasuredForces(forces=forces, felt=True))
    ball = Actor(id="me", name="Me", figure=BALL, placement=Placement(position=(0.0, height, 0.0)), parts=parts)
    return Document(actors=(ball,), parts=(PhysicsWorld(gravity=gravity),))


def on_ball(
    force: Sequence[float], point: Sequence[float] = (0.0, 1.0, 0.0), torque: Sequence[float] = (0.0, 0.0, 0.0), *,
    seconds: float = 1.0, frame: str | None = None,
) -> MeasuredForce:  # fmt: skip
    return steady(force, point, torque, joint="body", seconds=seconds, frame=frame)


def place(document: Document, seconds: float, evaluator: Evaluator | None = None) -> Array:
    row = (evaluator or Evaluator()).rows(document, round(seconds * SECOND))["me"]
    return row[9:ROW] + row[ROW : ROW + 3]


def way(acceleration: float, seconds: float, document: Document) -> float:
    """How far steps lead from rest, each at the speed with which it ends."""
    dt = compile_scene(document).dt
    count = round(seconds / dt)
    return acceleration * dt * dt * count * (count + 1) / 2


def test_a_free_body_goes_and_turns_as_the_force_and_the_torque_on_it_say() -> None:
    straight = felt(on_ball((2.0, 0.0, 0.0)), gravity=0.0)
    assert place(straight, 1.0) == pytest.approx([way(2.0 / MASS, 1.0, straight), 1.0, 0.0], rel=1e-9, abs=1e-12)
    turning = felt(on_ball((0.0, 0.0, 0.0), torque=(0.0, 0.02, 0.0)), gravity=0.0)
    _, *turn = Evaluator().rows(turning, SECOND)["me"][ROW + 3 :]
    angle = way(0.02 / INERTIA, 1.0, turning)
    assert turn == pytest.approx([0.0, np.sin(0.5 * angle), 0.0], abs=1e-9)


def test_a_force_that_grows_gives_the_speed_of_its_integral() -> None:
    rows = [[3.0 * frame, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0] for frame in range(11)]
    force = replace(on_ball((0.0, 0.0, 0.0)), values=Blob(rows))
    document, evaluator = felt(force, gravity=0.0), Evaluator()
    reached = (place(document, 1.5, evaluator)[0] - place(document, 1.25, evaluator)[0]) / 0.25
    assert reached == pytest.approx(0.5 * 30.0 / MASS, rel=1e-9)  # nothing pushes it after 1 s


def test_a_force_beside_the_centre_turns_a_body_about_it() -> None:
    document = felt(on_ball((0.0, 3.0, 0.0), (0.1, 1.0, 0.0)), gravity=0.0)
    dt = compile_scene(document).dt
    row = Evaluator().rows(document, round(dt * SECOND))["me"]
    assert row[ROW + 1] == pytest.approx(3.0 / MASS * dt * dt, rel=1e-6)
    assert 2.0 * row[ROW + 6] == pytest.approx(0.1 * 3.0 / INERTIA * dt * dt, rel=1e-6)


def test_a_body_hovers_on_a_force_equal_to_its_weight_until_that_ends() -> None:
    document, evaluator = felt(on_ball((0.0, WEIGHT, 0.0))), Evaluator()
    for seconds in (0.5, 1.0):
        assert place(document, seconds, evaluator) == pytest.approx([0.0, 1.0, 0.0], abs=1e-9)
    assert place(document, 1.3, evaluator)[1] == pytest.approx(1.0 - 0.5 * G * 0.3**2, abs=0.015)


@pytest.mark.parametrize("left_out", ["not felt", "muted"])
def test_what_is_not_felt_or_muted_pushes_nothing(left_out: str) -> None:
    document = felt(on_ball((0.0, WEIGHT, 0.0)))
    name, changed = ("set_measured_force", {"force": "plate", "mute": True})
    if left_out == "not felt":
        name, changed = "set_measured_forces", {"felt": False}
    fallen = edit(name, actor="me", **changed).apply(document)
    assert place(fallen, 0.3)[1] == pytest.approx(1.0 - way(G, 0.3, fallen), abs=1e-6)
    assert place(fallen, 2.0)[1] == pytest.approx(0.1, abs=2e-3)
    assert changed_span(document, fallen)


@pytest.mark.parametrize("gone", [{"joint": "gone"}, {"frame": "gone"}])
def test_a_force_that_names_a_body_that_is_gone_pushes_nothing_and_the_ground_holds(gone: dict[str, str]) -> None:
    force = replace(on_ball((0.0, WEIGHT, 0.0), seconds=3.0), **gone)  # type: ignore[arg-type]
    document = felt(force, height=0.3)
    assert place(document, 2.0)[1] == pytest.approx(0.1, abs=2e-3)
    owner = document.actors[0]
    mirrored = forces_of(MeasuredForcesFollow().mirrored(owner, 0, 4 * SECOND))
    assert mirrored is not None
    assert (mirrored.forces[0].joint, mirrored.forces[0].frame) == (force.joint, force.frame)


def test_a_body_that_feels_a_force_does_not_feel_the_ground_as_well_and_comes_back_to_it() -> None:
    document, evaluator = felt(on_ball((0.0, 0.5 * WEIGHT, 0.0), seconds=0.3), height=0.1), Evaluator()
    heights = [place(document, seconds, evaluator)[1] for seconds in np.arange(0.0, 2.0, 0.1)]
    assert heights[3] == pytest.approx(0.1 - way(0.5 * G, 0.3, document), abs=0.01)
    assert heights[-1] == pytest.approx(0.1, abs=0.01)
    assert max(heights) <= 0.1 + 1e-9  # it is not thrown out


def test_any_time_alone_is_the_bytes_of_the_sequence_and_of_the_bake() -> None:
    document = felt(on_ball((1.0, 0.5 * WEIGHT, 0.0), (0.02, 1.0, 0.0), seconds=0.3), height=0.3)
    evaluator = Evaluator()
    times = [SECOND * frame // 30 for frame in range(30)]
    rows = {time: evaluator.rows(document, time)["me"].tobytes() for time in times}
    for time in (times[25], times[7], times[12]):
        assert Evaluator().rows(document, time)["me"].tobytes() == rows[time]
    baked = finish(BakePhysics(id="baked", actor="me").work_through(Evaluator(), document)).apply(document)
    alike = Evaluator().rows(baked, times[20])["me"]
    np.testing.assert_allclose(alike, np.frombuffer(rows[times[20]]), atol=1e-6)


def test_another_force_moves_what_follows_and_nothing_before_it_begins() -> None:
    early, late = on_ball((1.0, WEIGHT, 0.0)), replace(on_ball((0.0, 0.0, 2.0)), id="late", start=SECOND // 2)
    document, evaluator = felt(early, late), Evaluator()
    before = place(document, 1.0, evaluator)
    changed = edit("set_measured_force", actor="me", force="late", start=3 * SECOND // 4).apply(document)
    stronger = edit("put_measured_forces", actor="me", forces=(replace(late, values=Blob(_twice(late))),)).apply(
        document
    )
    for other in (changed, stronger):
        found = place(other, 1.0, evaluator)
        assert found.tobytes() == place(other, 1.0).tobytes()
        assert abs(found[2] - before[2]) > 0.01
    assert place(document, 1.0, evaluator).tobytes() == before.tobytes()
    assert place(stronger, 0.4).tobytes() == place(document, 0.4).tobytes()
    assert PhysicsChanges().scene(document, stronger, document.actors[0], stronger.actors[0], regrouped=False) == [
        (SECOND // 2, math.inf)
    ]


def test_toes_feel_no_ground_where_a_foot_feels_a_force_and_what_hangs_on_a_root_does() -> None:
    human = load_figure("human")
    found = dict[str, set[str]]()
    for joint in ("ankle_left", human.joints[0].id):
        forces = (steady((0.0, 1.0, 0.0), (0.0, 0.0, 0.0), joint=joint),)
        actor = Actor(id="me", name="Me", figure=human, parts=(MeasuredForces(forces=forces, felt=True),))
        pushed = pushes(Document(actors=(actor,)))
        assert pushed is not None
        found[joint] = {each.joint for each in pushed.off_ground}
    below = {each.id for each in human.joints if each.parent == "ankle_left"}
    assert below
    assert found["ankle_left"] == {"ankle_left", *below}
    assert found[human.joints[0].id] == {human.joints[0].id}


def test_forces_stay_felt_as_they_change_and_words_refuse_the_rest() -> None:
    document = felt(on_ball((0.0, WEIGHT, 0.0)))
    for change in (
        edit("put_measured_forces", actor="me", forces=(on_ball((0.0, 1.0, 0.0)),)),
        edit("set_measured_force", actor="me", force="plate", name="Handle"),
        edit("insert_everywhere", actors=("me",), time=SECOND // 2, length=SECOND),
    ):
        found = forces_of(change.apply(document).actors[0])
        assert found is not None
        assert found.felt
    assert edit("set_measured_forces", actor="me", felt=True).apply(document) is document
    bare = edit("remove_measured_forces", actor="me").apply(document)
    with pytest.raises(NothingThere, match="Me has no measured forces"):
        edit("set_measured_forces", actor="me", felt=True).apply(bare)
    with pytest.raises(InvalidDocument, match="the felt of measured forces"):
        MeasuredForces(felt=1)  # type: ignore[arg-type]


def _twice(force: MeasuredForce) -> Array:
    return 2.0 * force.values.array

"""Simulated soft bodies: what a simulation promises of its times, and what they are held by and touch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.document import Actor, Attachment, Blob, Box, Capsule, Document, Joint, Key, Layer, Placement, Track, prop
from engine.document.figure import Dof, Figure
from engine.document.ticks import TICKS_LIMIT
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array
from engine.model.snapshot import Arrows, LineSet, SkinSurface
from engine.motion.changed import changed_span
from engine.physics.parts import Physics, PhysicsWorld
from engine.physics.simulation import TooLong
from engine.runtime.errors import Diverged
from engine.soft import running
from engine.soft import step as solver
from engine.soft.making import soft_actor, soft_box
from engine.soft.parts import ActivationSpline, SoftAttachment, SoftBake, SoftBody, SoftWorld
from engine.soft.simulation import BETWEEN, SoftSimulation
from engine.soft.stage import SoftStage

SECOND = 705_600_000
COARSE = SoftWorld(step=1.0 / 30.0)


def jelly(*, at: tuple[float, float, float] = (0.0, 0.6, 0.0), **given: Any) -> Actor:
    """A cube of 0.2 m, of 40 tetrahedra."""
    return soft_actor("jelly", "Jelly", soft_box((0.2, 0.2, 0.2), (2, 2, 2), **given), position=at)


def told(alpha: float, **given: Any) -> ActivationSpline:
    ends = ((0.0, -0.09, 0.0), (0.0, 0.09, 0.0))
    return ActivationSpline(id="up", name="Up", points=ends, samples=4, alpha=alpha, **given)


def scene(*actors: Actor, gravity: float = 9.80665, ground: bool = True, world: SoftWorld = COARSE) -> Document:
    return Document(actors=actors, parts=(PhysicsWorld(gravity=gravity, ground=ground), world))


def simulation(document: Document, evaluator: Evaluator | None = None) -> SoftSimulation:
    stage = (evaluator or Evaluator()).stage("soft")
    assert isinstance(stage, SoftStage)
    found = stage.simulation(document)
    assert found is not None
    return found


def points(document: Document, time: float) -> Array:
    return simulation(document).points(time)


def heights(document: Document, times: Sequence[float]) -> list[float]:
    found = simulation(document)
    return [float(found.points(round(time * SECOND))[:, 1].mean()) for time in times]


def test_a_body_falls_and_comes_to_rest_on_the_ground() -> None:
    document = scene(jelly(young=2e4, stiffness_damping=0.05, mass_damping=0.0))
    start, falling, end = heights(document, (0.0, 0.2, 3.0))
    assert start == pytest.approx(0.6)
    assert falling == pytest.approx(0.6 - 0.5 * 9.80665 * 0.2 * (0.2 + 1.0 / 30.0), abs=1e-4), "by implicit Euler"
    assert 0.08 < end < 0.1
    found = simulation(document)
    weight = 9.80665 * found.scene.members[0].masses.sum()
    assert found.moment(3 * SECOND).touches.forces.sum(axis=0) == pytest.approx([0.0, weight, 0.0], abs=0.02 * weight)


def test_a_time_alone_has_the_bytes_that_it_has_in_sequence() -> None:
    document = scene(jelly(), world=SoftWorld())
    whole, times = simulation(document), [SECOND // 3, SECOND // 2 + 12345, SECOND, SECOND + 77]
    in_sequence = [whole.points(time).tobytes() for time in times]
    assert [points(document, time).tobytes() for time in times] == in_sequence
    assert [whole.points(time).tobytes() for time in reversed(times)] == in_sequence[::-1]


def test_what_was_dropped_is_stepped_again_to_the_same_bytes() -> None:
    found = simulation(scene(jelly(), world=SoftWorld()))
    times = [found.tick(step) for step in (1, BETWEEN - 1, BETWEEN, BETWEEN + 7, 2 * BETWEEN + 3)]
    before = [found.points(time).tobytes() for time in times]
    for step in list(found._kept.kept):
        found._kept.drop(step)
    assert [found.points(time).tobytes() for time in reversed(times)] == before[::-1]


def test_an_edit_of_keys_steps_anew_from_where_it_changes_something_to_the_bytes_of_a_fresh_start() -> None:
    keys = (Key(0, 1.0, interpolation="linear"), Key(SECOND, 1.0, interpolation="linear"), Key(2 * SECOND, 0.7))
    document = scene(jelly(splines=(told(1.0),)))
    keyed = edit("set_activation_keys", actor="jelly", spline="up", keys=keys).apply(document)
    evaluator = Evaluator()
    first = simulation(keyed, evaluator)
    end = first.points(2 * SECOND)
    later = edit("set_activation_keys", actor="jelly", spline="up", keys=(Key(2 * SECOND, 0.6),)).apply(keyed)
    again = simulation(later, evaluator)
    assert again.known == BETWEEN + 1, "from the checkpoint before the key's span"
    assert again.points(2 * SECOND).tobytes() == points(later, 2 * SECOND).tobytes()
    assert again.points(2 * SECOND).tobytes() != end.tobytes()
    assert first.points(2 * SECOND).tobytes() == end.tobytes(), "the one before stays as it was"
    assert changed_span(keyed, later) == (("jelly", SECOND, None),)


def test_a_spline_that_contracts_makes_the_body_shorter() -> None:
    document = scene(jelly(splines=(told(0.6),)), gravity=0.0, ground=False)
    found = simulation(document)
    low, high = (np.ptp(found.points(time)[:, 1]) for time in (2 * SECOND, 0))
    assert low < 0.9 * high
    centre = found.points(2 * SECOND).T @ found.scene.members[0].masses / found.scene.members[0].masses.sum()
    assert centre == pytest.approx([0.0, 0.6, 0.0], abs=1e-5), "it moves itself nowhere"


def test_an_expression_beyond_what_alpha_may_be_is_held_and_said() -> None:
    wild = told(1.0, activation="expression", expression="100 * t")
    document = scene(jelly(splines=(wild,)), gravity=0.0, ground=False)
    evaluator = Evaluator()
    evaluator.snapshot(document, SECOND // 10)
    stage = evaluator.stage("soft")
    assert isinstance(stage, SoftStage)
    assert any("held between 0.1 and 3" in each for each in stage.said(document))


def arm(**given: Any) -> Actor:
    """A bone that turns about z."""
    hinge = Dof(id="turn", name="Turn", kind="hinge", axis=(0.0, 0.0, 1.0))
    shape = Capsule(start=(0.0, 0.0, 0.0), end=(0.3, 0.0, 0.0), radius=0.02)
    figure = Figure(name="Arm", joints=(Joint(id="arm", name="Arm", dofs=(hinge,), shapes=(shape,)),))
    track = Track(coordinate="turn", keys=(Key(0, 0.0, interpolation="linear"), Key(SECOND, 1.0)))
    return Actor(id="arm", name="Arm", figure=figure, layers=(Layer(id="keys", tracks=(track,)),), **given)


def attached(hold: str) -> Document:
    """A cube at the end of an arm, held by the side that is nearest to the joint."""
    held = jelly(at=(0.3, 0.0, 0.0), stiffness_damping=0.05)
    body = held.parts[0]
    assert isinstance(body, SoftBody)
    side = np.flatnonzero(body.points.array[:, 0] < -0.099).astype(np.int32)
    attachment = SoftAttachment(
        id="held",
        points=Blob(side),
        places=Blob(body.points.array[side] + np.array((0.3, 0.0, 0.0))),
        target="arm",
        joint="arm",
        hold=hold,
        tension=20.0,
    )
    return scene(arm(), held.with_part(replace(body, attachments=(attachment,))), ground=False)


@pytest.mark.parametrize(("hold", "near"), [("hard", 1e-6), ("spring", 0.03)])
def test_a_body_follows_the_joint_that_it_is_attached_to(hold: str, near: float) -> None:
    document = attached(hold)
    found = simulation(document)
    body = found.scene.members[0].body
    (held,) = body.attachments
    for time in (0, SECOND // 2, SECOND):
        frame = Evaluator().joint_transforms(document, "arm", time)[0]
        wanted = held.places.array @ frame[:, :3].T + frame[:, 3]
        assert found.points(time)[held.points.array] == pytest.approx(wanted, abs=near)
    assert found.points(SECOND)[:, 1].mean() > 0.15, "all of it"


def test_a_body_begins_in_the_pose_that_its_joints_have_then() -> None:
    document = attached("hard")
    turned = Track(coordinate="turn", keys=(Key(0, 1.2),))
    owner = document.actor("arm")
    document = document.with_actor(replace(owner, layers=(Layer(id="keys", tracks=(turned,)),)))
    start = points(document, 0)
    body = simulation(document).scene.members[0]
    before, now = body.mesh.points[:, None] - body.mesh.points, start[:, None] - start
    assert np.abs(np.linalg.norm(before, axis=2) - np.linalg.norm(now, axis=2)).max() < 1e-6, "turned, not bent"


@pytest.mark.parametrize(
    "shape", [Box(half=(0.4, 0.1, 0.4)), Capsule(start=(-1.0, 0.0, 0.0), end=(1.0, 0.0, 0.0), radius=0.3)]
)
def test_what_falls_on_an_obstacle_stays_above_it(shape: Box | Capsule) -> None:
    top = 0.1 if isinstance(shape, Box) else 0.3
    table = Actor(
        id="table", name="Table", figure=prop("Table", (shape,)), placement=Placement(position=(0.0, 0.5, 0.0))
    )
    document = scene(jelly(at=(0.0, 1.2, 0.0), young=5e4, stiffness_damping=0.05), table, ground=False)
    found = simulation(document).points(SECOND)
    assert found[:, 1].mean() == pytest.approx(0.5 + top + 0.1, abs=0.04)


def test_an_obstacle_that_moves_takes_a_body_along_and_one_that_is_none_does_not() -> None:
    wall = Actor(
        id="wall",
        name="Wall",
        figure=prop("Wall", (Box(half=(0.1, 0.5, 0.5)),)),
        placement=Placement(position=(-0.3, 0.6, 0.0)),
        layers=(Layer(id="keys", tracks=(Track(coordinate="body.move_x", keys=(Key(0, 0.0), Key(SECOND, 0.5))),)),),
    )
    moved = points(scene(jelly(young=5e4), wall, gravity=0.0, ground=False), SECOND)[:, 0].mean()
    assert moved > 0.35
    free = wall.with_part(Physics(role="none"))
    assert points(scene(jelly(young=5e4), free, gravity=0.0, ground=False), SECOND)[:, 0].mean() == pytest.approx(0.0)


def test_a_body_stands_where_its_joint_is_until_it_begins_and_has_its_speed_then() -> None:
    owner = jelly(start=SECOND, mass_damping=0.0)
    track = Track(coordinate="body.move_x", keys=(Key(0, 0.0, interpolation="linear"), Key(2 * SECOND, 2.0)))
    document = scene(replace(owner, layers=(Layer(id="pose", tracks=(track,)),)), gravity=0.0, ground=False)
    found = simulation(document)
    assert found.points(SECOND // 2)[:, 0].mean() == pytest.approx(0.5)
    assert found.points(3 * SECOND)[:, 0].mean() == pytest.approx(3.0, abs=0.01)


def test_a_baked_body_follows_its_bake_and_goes_on_from_its_end() -> None:
    from engine.runtime.progress import finish
    from engine.soft.commands.bake_soft import BakeSoft

    document = scene(jelly(young=2e4))
    change = finish(BakeSoft(actor="jelly", end=SECOND // 2).work_through(Evaluator(), document))
    baked = change.apply(document)
    body = baked.actor("jelly").parts[0]
    assert isinstance(body, SoftBody)
    assert isinstance(body.bake, SoftBake)
    assert body.bake.frame_count == 16
    for time in (SECOND // 3, SECOND // 2):
        assert points(baked, time) == pytest.approx(points(document, time), abs=1e-6)
    assert points(baked, SECOND) == pytest.approx(points(document, SECOND), abs=0.02)


def test_a_step_that_diverges_keeps_the_last_sound_one_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    document = scene(jelly())
    plain = points(document, SECOND // 3)
    found, step = simulation(document), solver.step

    def diverging(model: Any, state: Any, work: Any, dt: float, **given: Any) -> Any:
        if state.time > 0.32:
            raise Diverged(what="soft bodies", value=float("nan"))
        return step(model, state, work, dt, **given)

    monkeypatch.setattr(running, "step", diverging)
    assert list(found.reach(SECOND))[-1] == 1.0
    assert found.stopped is not None
    assert "stopped at frame 10.0" in found.said[0]
    assert found.points(SECOND).tobytes() == found.points(10 * SECOND).tobytes() == plain.tobytes()


def test_reaching_goes_in_slices_and_can_be_left_and_taken_up() -> None:
    found = simulation(scene(jelly()))
    steps = found.reach(SECOND)
    shares = [next(steps) for _ in range(5)]
    steps.close()
    assert shares == sorted(shares)
    assert 0.0 < shares[-1] < 0.5
    assert list(found.reach(SECOND))[-1] == 1.0
    assert list(found.reach(SECOND)) == []


def test_a_picture_has_the_surface_the_splines_and_the_forces_of_contact() -> None:
    document, evaluator = scene(jelly(at=(0.0, 0.11, 0.0), splines=(told(1.0),))), Evaluator()
    picture = evaluator.snapshot(document, SECOND)
    (surface,) = picture.of(SkinSurface)
    assert (surface.owner, surface.skin) == ("jelly", "surface")
    assert np.isfinite(surface.positions).all()
    assert np.linalg.norm(surface.normals, axis=1) == pytest.approx(1.0, abs=1e-5)
    (line,) = picture.of(LineSet)
    assert len(line.ends) == 3
    assert picture.of(Arrows)[0].role == "force"
    hidden = edit("show_actor", actor="jelly", visible=False).apply(document)
    assert not evaluator.snapshot(hidden, SECOND).of(SkinSurface)[0].visible


def test_what_hangs_on_a_figure_beside_is_not_moved() -> None:
    other = Actor(id="other", name="Other", figure=prop("Other", (Box(half=(0.1, 0.1, 0.1)),)))
    hanging = replace(other, attachments=(Attachment(id="a", joint="body", target="arm", target_joint="arm"),))
    document = scene(arm(), hanging, jelly(at=(5.0, 0.6, 0.0)))
    alone = replace(document, actors=document.actors[:2])
    evaluator = Evaluator()
    assert (evaluator.rows(document, SECOND)["other"] == evaluator.rows(alone, SECOND)["other"]).all()
    softer = edit("set_soft_body", actor="jelly", young=5e3).apply(document)
    assert {each for each, _, _ in changed_span(document, softer)} == {"jelly"}


def test_a_start_days_before_what_is_seen_is_refused_by_name_before_a_step_is_made() -> None:
    early = jelly(start=-TICKS_LIMIT)
    evaluator, document = Evaluator(), Document(actors=(early,))
    with pytest.raises(TooLong, match=r"since soft bodies began.*allowed: about .* begin later"):
        evaluator.snapshot(document, 0)

"""Inverse dynamics of what is seen, against closed forms, against momentum and energy, and both of its ways alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from engine.document import (
    Attachment,
    Body,
    Box,
    Document,
    Dof,
    Figure,
    Joint,
    Key,
    Lock,
    Span,
    Track,
)
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import frame_time
from engine.document.secondary import OwnGains, Secondary
from engine.dynamics.inverse import compute_inverse_dynamics
from engine.dynamics.mechanics import compile_mechanics
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import cross
from engine.measure.chart import chart_of
from engine.measure.efforts import Efforts, rate_of
from engine.measure.masses import Masses, bodies_of
from engine.measure.moving import moving
from engine.measure.quantities import GRAVITY, Quantity, caution_of, has_rate
from engine.model.inertia import total_mass
from engine.runtime.errors import InvalidArguments
from tests.engine.measure.motions import ARM, INERTIA, MASS, all_of, document_of, pendulum, thrown, waving_human
from tests.engine.measure.test_moving import waving

AWAY = SECOND // 20_000
FRAMES = tuple(frame_time(each, (30, 1)) for each in range(46))


def one(document: Document, kind: str, times: Sequence[int], component: str = "", part: str = "") -> Array:
    (found,) = all_of(document, [Quantity(kind=kind, actor="a", part=part, component=component)], times)
    return found.values


def vector(document: Document, kind: str, times: Sequence[int]) -> Array:
    return np.stack([one(document, kind, times, axis) for axis in "xyz"], axis=1)


def rated(figure: Figure) -> list[str]:
    """The coordinates that have a torque, in the order of the rates."""
    return [name for name in figure.coordinates if has_rate(figure.coordinate_dof[name], name)]


def efforts(document: Document, time: int, *, carried: bool) -> Efforts:
    """By one way or by the other, of the same motion."""
    evaluator, actor = Evaluator(), document.actors[0]
    found = moving(evaluator, document, actor.id, (time,))
    assert not found.by_differences.any()
    found = replace(found, by_differences=np.array([carried]))
    return Efforts(actor, evaluator.model(actor), found, Masses(bodies_of(actor.figure), found), (time,))


def test_a_pendulum_takes_its_inertia_and_its_weight() -> None:
    document, times = pendulum(), tuple(SECOND * place // 29 for place in range(1, 40))
    q, qd, qdd = (one(document, kind, times, part="rod.z") for kind in ("value", "rate", "acceleration"))
    torque = (MASS * ARM**2 + INERTIA) * qdd + MASS * GRAVITY * ARM * np.sin(q)
    assert np.abs(torque).max() > 5.0
    np.testing.assert_allclose(one(document, "torque", times, part="rod.z"), torque, atol=1e-11)
    np.testing.assert_allclose(one(document, "power", times, part="rod.z"), torque * qd, atol=1e-11)
    radial = MASS * ARM * qd**2 + MASS * GRAVITY * np.cos(q)
    across = MASS * ARM * qdd + MASS * GRAVITY * np.sin(q)
    force = np.stack((across * np.cos(q) - radial * np.sin(q), across * np.sin(q) + radial * np.cos(q)), axis=1)
    np.testing.assert_allclose(vector(document, "residual_force", times)[:, :2], force, atol=1e-11)
    np.testing.assert_allclose(one(document, "residual_torque", times, "z"), torque, atol=1e-11)


def test_the_work_on_a_pendulum_is_what_its_energy_gains() -> None:
    document = pendulum()
    energy, work = one(document, "energy", FRAMES), one(document, "work", FRAMES, part="rod.z")
    assert np.abs(work).max() > 1.0
    assert work[0] == 0.0
    np.testing.assert_allclose(work, energy - energy[0], atol=1e-5 * np.abs(work).max())
    part = one(document, "work", FRAMES[10:], part="rod.z")
    np.testing.assert_allclose(part, work[10:] - work[10], atol=1e-12)


def test_a_thrown_ball_takes_nothing() -> None:
    document, times = thrown(), FRAMES[1:30]
    for part in ("ball.x", "ball.y"):
        for kind in ("torque", "power", "work"):
            np.testing.assert_allclose(one(document, kind, times, part=part), 0.0, atol=1e-10)
    assert np.abs(vector(document, "residual_force", times)).max() < 1e-11
    assert np.abs(vector(document, "residual_torque", times)).max() < 1e-11


def test_a_human_that_stands_weighs_its_weight_above_its_centre_of_mass() -> None:
    document = document_of(load_figure("human"))
    weight = total_mass(document.actors[0].figure) * GRAVITY
    force, torque = vector(document, "residual_force", (0,)), vector(document, "residual_torque", (0,))
    np.testing.assert_allclose(force, [(0.0, weight, 0.0)], atol=1e-9)
    assert weight > 600.0
    worlds = Evaluator().joint_transforms(document, "a", 0)
    arm = vector(document, "centre", (0,)) - worlds[:1, :, 3]
    np.testing.assert_allclose(torque, cross(arm, force), atol=1e-9)


def test_the_residual_is_what_changes_momentum_beside_gravity() -> None:
    document, time = waving_human(), 5 * SECOND // 8
    near = (time - AWAY, time, time + AWAY)
    momentum, spin, centre = (vector(document, kind, near) for kind in ("momentum", "spin", "centre"))
    weight = np.array([0.0, -total_mass(document.actors[0].figure) * GRAVITY, 0.0])
    force, torque = vector(document, "residual_force", (time,))[0], vector(document, "residual_torque", (time,))[0]
    seconds = 2 * AWAY / SECOND
    np.testing.assert_allclose(force, (momentum[2] - momentum[0]) / seconds - weight, rtol=1e-4, atol=0.01)
    root = Evaluator().joint_transforms(document, "a", time)[0, :, 3]
    about = (spin[2] - spin[0]) / seconds + cross(centre[1] - root, force)
    np.testing.assert_allclose(torque, about, rtol=1e-4, atol=0.01)


def test_the_forces_along_a_free_roots_slides_are_its_residual() -> None:
    document, times = waving_human(), FRAMES[3:9]
    slides = [dof for dof in document.actors[0].figure.joints[0].dofs if dof.kind == "slide"]
    force = vector(document, "residual_force", times)
    assert len(slides) == 3
    for slide in slides:
        found = one(document, "torque", times, part=slide.id)
        np.testing.assert_allclose(found, force @ np.array(slide.axis), rtol=1e-9, atol=1e-8)


@pytest.mark.parametrize("document", [waving_human(), waving(3), waving(4, ball_root=True)])
def test_all_work_together_is_what_the_energy_gains(document: Document) -> None:
    figure = document.actors[0].figure
    wanted = [Quantity(kind="work", actor="a", part=name) for name in rated(figure)]
    energy = one(document, "energy", FRAMES)
    gained = energy - energy[0]
    work = np.sum([each.values for each in all_of(document, wanted, FRAMES)], axis=0)
    assert np.abs(gained).max() > 0.1
    np.testing.assert_allclose(work, gained, atol=2e-4 * np.abs(gained).max())


@pytest.mark.parametrize("ball_root", [False, True])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_what_is_carried_takes_the_same_torques_as_what_its_curves_move(seed: int, ball_root: bool) -> None:
    document, time = waving(seed, ball_root=ball_root), 3 * SECOND // 8
    own, carried = (efforts(document, time, carried=each).torques for each in (False, True))
    assert np.abs(own).max() > 0.1
    np.testing.assert_allclose(carried, own, atol=1e-9 * np.abs(own).max())


def test_torques_of_many_times_are_those_of_each_time_alone() -> None:
    document, evaluator = waving_human(), Evaluator()
    actor, carried = document.actors[0], np.arange(len(FRAMES)) % 3 == 0
    found = replace(moving(evaluator, document, actor.id, FRAMES), by_differences=carried)
    model = evaluator.model(actor)
    torques = Efforts(actor, model, found, Masses(bodies_of(actor.figure), found), FRAMES).torques
    for row, time in enumerate(FRAMES):
        assert torques[row].tobytes() == efforts(document, time, carried=bool(carried[row])).torques[0].tobytes()
    mechanics = compile_mechanics(model, gravity=(0.0, -GRAVITY, 0.0), massless=True)
    work, nothing, alone = mechanics.new_work(), np.zeros((model.joint_count, 6)), np.empty(model.rate_count)
    for row in np.flatnonzero(~carried).tolist():
        q, qd, qdd = found.coordinates[row].copy()
        compute_inverse_dynamics(mechanics.ints, mechanics.floats, q, qd, qdd, nothing, work, alone)
        np.testing.assert_allclose(torques[row], alone, rtol=0.0, atol=1e-12 * np.abs(alone).max())


def lift(angle: float, rise: float) -> Document:
    """The pendulum held out at an angle, hung on a cabin that goes up faster by `rise` [m/s2]."""
    dof = Dof(id="cabin.y", name="Y", kind="slide", axis=(0.0, 1.0, 0.0))
    cabin = Figure(name="Cabin", joints=(Joint(id="cabin", name="Cabin", dofs=(dof,)),))
    keys = (Key(time=0, value=0.0, tangent="free"), Key(time=SECOND, value=rise / 2, tangent="free", slope_in=rise))
    hook = Joint(id="hook", name="Hook")
    figure = Figure(name="P", joints=(hook, replace(pendulum().actors[0].figure.joints[0], parent="hook")))
    held = document_of(figure, Track(coordinate="rod.z", keys=(Key(time=0, value=angle),)))
    hung = Attachment(id="hang", joint="hook", target="cabin", target_joint="cabin")
    rod = replace(held.actors[0], attachments=(hung,))
    carrier = document_of(cabin, Track(coordinate="cabin.y", keys=keys)).actors[0]
    return Document(actors=(replace(carrier, id="cabin", name="Cabin"), rod))


def test_a_pendulum_in_a_lift_weighs_as_the_lift_speeds_up() -> None:
    angle, rise, times = 0.8, 3.0, (SECOND // 3, SECOND // 2)
    held = Quantity(kind="torque", actor="a", part="rod.z")
    pulled = Quantity(kind="residual_force", actor="a", component="y")
    torque, force = all_of(lift(angle, rise), (held, pulled), times)
    assert torque.by_differences.all()
    np.testing.assert_allclose(torque.values, MASS * ARM * np.sin(angle) * (GRAVITY + rise), rtol=1e-5)
    np.testing.assert_allclose(force.values, MASS * (GRAVITY + rise), rtol=1e-5)


def test_a_locked_motion_takes_the_torques_of_what_is_seen() -> None:
    document = pendulum()
    span = Span(start=0, end=SECOND)
    lock = Lock(id="l", name="L", joint="rod", point=(0.0, -1.0, 0.0), position=(0.6, 1.2, 0.0), span=span)
    locked = document.with_actor(replace(document.actors[0], locks=(lock,)))
    (torque,) = all_of(locked, [Quantity(kind="torque", actor="a", part="rod.z")], (SECOND // 2,))
    q = one(locked, "value", (SECOND // 2,), part="rod.z")
    assert torque.by_differences.all()
    np.testing.assert_allclose(torque.values, MASS * GRAVITY * ARM * np.sin(q), rtol=1e-4)


def test_secondary_motion_takes_the_torques_and_the_work_of_what_is_seen() -> None:
    keyed = pendulum()
    loose = OwnGains(joint="rod", exact=False, tension=3.0)
    document = keyed.with_actor(replace(keyed.actors[0], secondary=Secondary(own=(loose,))))
    q, qdd = (one(document, kind, FRAMES, part="rod.z") for kind in ("value", "acceleration"))
    assert np.abs(q - one(keyed, "value", FRAMES, part="rod.z")).max() > 0.05
    (torque,) = all_of(document, [Quantity(kind="torque", actor="a", part="rod.z")], FRAMES)
    assert torque.by_differences.all()
    expected = (MASS * ARM**2 + INERTIA) * qdd + MASS * GRAVITY * ARM * np.sin(q)
    np.testing.assert_allclose(torque.values, expected, atol=1e-4 * np.abs(expected).max())
    energy, work = one(document, "energy", FRAMES), one(document, "work", FRAMES, part="rod.z")
    np.testing.assert_allclose(work, energy - energy[0], atol=0.01 * np.abs(work).max())


def test_bodies_without_mass_and_figures_of_one_joint_are_measured() -> None:
    hinge = Dof(id="b.z", name="Z", axis=(0.0, 0.0, 1.0))
    joints = (
        Joint(id="a", name="A", dofs=(Dof(id="a.z", name="Z", axis=(0.0, 0.0, 1.0)),)),
        Joint(id="b", name="B", parent="a", offset=(0.3, 0.0, 0.0), dofs=(hinge,), body=Body(mass=MASS)),
        Joint(id="c", name="C", parent="b", offset=(0.3, 0.0, 0.0), dofs=(replace(hinge, id="c.z"),)),
    )
    document = document_of(Figure(name="Chain", joints=joints))
    found = [one(document, "torque", (0,), part=part)[0] for part in ("a.z", "b.z", "c.z")]
    np.testing.assert_allclose(found, (MASS * GRAVITY * 0.3, 0.0, 0.0), atol=1e-12)
    block = document_of(Figure(name="Block", joints=(Joint(id="j", name="J", shapes=(Box(half=(0.1, 0.2, 0.3)),)),)))
    weight = total_mass(block.actors[0].figure) * GRAVITY
    np.testing.assert_allclose(vector(block, "residual_force", (0, SECOND)), [(0.0, weight, 0.0)] * 2, rtol=1e-12)


def test_the_ground_is_missed_only_where_the_root_moves_freely() -> None:
    kinds = [Quantity(kind="residual_force", actor="a", component="y"), Quantity(kind="energy", actor="a")]
    free, fixed = (chart_of(all_of(each, kinds, (0, SECOND))) for each in (thrown(), pendulum()))
    assert "ground's force on A is not known" in free.lines[0].note
    assert [each.note for each in (*free.lines[1:], *fixed.lines)] == ["", "", ""]
    assert caution_of(Quantity(kind="torque", actor="a", part="ball.x"), thrown().actors[0])


def test_units_and_names_say_whether_it_is_a_torque_or_a_force() -> None:
    document = waving(4, ball_root=True)
    figure = document.actors[0].figure
    names = rated(figure)
    slide, ball = (
        next(name for name in names if figure.coordinate_dof[name].kind == kind) for kind in ("slide", "ball")
    )
    wanted = [Quantity(kind="torque", actor="a", part=part) for part in (slide, ball)]
    found = all_of(document, wanted, (0,))
    assert [each.unit for each in found] == ["N", "N m"]
    assert found[0].label.endswith(", force")
    assert found[1].label.endswith(" x, torque")
    assert [rate_of(figure, name) for name in names] == list(range(len(names)))


def test_what_has_no_torque_is_refused() -> None:
    document = waving(4, ball_root=True)
    turn = next(name for name in document.actors[0].figure.coordinates if name.endswith(".w"))
    for kind in ("torque", "power", "work"):
        with pytest.raises(InvalidArguments, match="x, y or z of a ball"):
            one(document, kind, (0,), part=turn)
    dof = Dof(id="only.z", name="Z", axis=(0.0, 0.0, 1.0))
    bare = document_of(Figure(name="Bare", joints=(Joint(id="only", name="Only", dofs=(dof,)),)))
    for kind, part, component in (("torque", "only.z", ""), ("residual_force", "", "y")):
        with pytest.raises(InvalidArguments, match="a figure with a mass"):
            one(bare, kind, (0,), component, part)

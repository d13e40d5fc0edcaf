"""Quantities against closed forms: a ball thrown by keys, a pendulum, a turning rod; and momentum of a whole human."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from engine.document import Document, Figure, Joint, Key, Limit, Track
from engine.document.limit import BoxRange, Grid
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure
from engine.maths.arrays import Array
from engine.measure.measuring import SLICE, measure
from engine.measure.quantities import GRAVITY, KINDS, Quantity, label_of
from engine.model.inertia import total_mass
from engine.runtime.errors import InvalidArguments, UnknownPart
from tests.engine.measure.motions import ARM, INERTIA, MASS, all_of, document_of, pendulum, thrown, waving_human

AWAY = SECOND // 20_000


def one(document: Document, kind: str, times: Sequence[int], component: str = "", part: str = "") -> Array:
    (found,) = all_of(document, [Quantity(kind=kind, actor="a", part=part, component=component)], times)
    return found.values


def vector(document: Document, kind: str, times: Sequence[int], part: str = "") -> Array:
    return np.stack([one(document, kind, times, axis, part) for axis in "xyz"], axis=1)


def test_a_thrown_ball_keeps_its_energy_and_loses_momentum_at_m_g() -> None:
    document, times = thrown(), tuple(SECOND * place // 41 for place in range(1, 41))
    t = np.array(times) / SECOND
    np.testing.assert_allclose(one(document, "energy", times), MASS * (0.5 * 25.0 + GRAVITY), rtol=1e-12)
    np.testing.assert_allclose(one(document, "momentum", times, "y"), MASS * (4.0 - GRAVITY * t), atol=1e-11)
    np.testing.assert_allclose(one(document, "momentum", times, "x"), MASS * 3.0, rtol=1e-12)
    np.testing.assert_allclose(one(document, "point_acceleration", times, "y", "ball"), -GRAVITY, rtol=1e-11)
    np.testing.assert_allclose(one(document, "centre", times, "y"), 1.0 + 4.0 * t - 0.5 * GRAVITY * t * t, atol=1e-12)


def test_a_pendulum_has_the_energy_and_the_momentum_of_its_angle() -> None:
    document, times = pendulum(), tuple(SECOND * place // 29 for place in range(1, 40))
    q, qd = one(document, "value", times, part="rod.z"), one(document, "rate", times, part="rod.z")
    energy = 0.5 * (MASS * ARM**2 + INERTIA) * qd**2 + MASS * GRAVITY * (2.0 - ARM * np.cos(q))
    np.testing.assert_allclose(one(document, "energy", times), energy, rtol=1e-12)
    np.testing.assert_allclose(one(document, "momentum", times, "length"), MASS * ARM * np.abs(qd), atol=1e-12)
    np.testing.assert_allclose(one(document, "spin", times, "z"), INERTIA * qd, atol=1e-12)
    np.testing.assert_allclose(one(document, "margin", times, part="rod.z"), np.minimum(q + 2.0, 1.0 - q), atol=1e-15)
    np.testing.assert_allclose(one(document, "turning", times, "z", "rod"), qd, atol=1e-14)
    (tip,) = all_of(
        document, [Quantity(kind="velocity", actor="a", part="tip", handle=True, component="length")], times
    )
    np.testing.assert_allclose(tip.values, np.abs(qd), atol=1e-12)
    assert tip.unit == "m/s"


def limited_pendulum() -> Document:
    """The same with a limit that resists."""
    grid = Grid(counts=(301,), lower=(-1.5,), spacing=(0.01,), periodic=(False,))
    ends = BoxRange(lower=(-0.3,), upper=(0.45,))
    limit = Limit(id="rod", name="Rod", dofs=("rod.z",), range=ends, grid=grid, resistance=8.0, onset=0.2)
    return edit("set_limit", actor="a", limit=limit).apply(pendulum())


def test_the_margin_of_a_hinge_with_a_field_is_its_depth_in_that() -> None:
    limited, times = limited_pendulum(), (0, SECOND // 3, SECOND // 2)
    q = one(limited, "value", times, part="rod.z")
    np.testing.assert_allclose(one(limited, "margin", times, part="rod.z"), np.minimum(q + 0.3, 0.45 - q), atol=1e-9)


def test_the_limit_torque_rises_to_the_resistance_at_the_boundary_and_pushes_back() -> None:
    limited, times = limited_pendulum(), (0, SECOND // 3, SECOND // 2, SECOND)
    q = one(limited, "value", times, part="rod.z")
    depth = np.minimum(q + 0.3, 0.45 - q)
    s = np.maximum(1.0 - depth / 0.2, 0.0)
    torque = np.where(q > 0.0, -8.0, 8.0) * np.where(s > 1.0, 2.0 * s - 1.0, s * s)
    assert np.abs(torque).max() > 1.0
    np.testing.assert_allclose(one(limited, "resistance", times, part="rod.z"), torque, atol=1e-6)
    soft = edit("set_limit_resistance", actor="a", limit="rod", resistance=0.0).apply(limited)
    assert not one(soft, "resistance", times, part="rod.z").any()
    with pytest.raises(InvalidArguments, match="limit torque"):
        one(pendulum(), "resistance", times, part="rod.z")


def test_the_torque_of_a_spring_is_its_stiffness_times_how_far_it_is_from_its_rest() -> None:
    sprung, times = (
        edit("set_spring", actor="a", dof="rod.z", spring=7.0, neutral=0.2).apply(pendulum()),
        (0, SECOND // 3),
    )
    q = one(sprung, "value", times, part="rod.z")
    assert np.abs(q).max() > 0.0
    np.testing.assert_allclose(one(sprung, "spring", times, part="rod.z"), 7.0 * (0.2 - q), atol=1e-12)
    with pytest.raises(InvalidArguments, match="spring torque"):
        one(pendulum(), "spring", times, part="rod.z")


def test_momentum_is_mass_times_the_difference_of_the_centre_of_mass() -> None:
    document, time = waving_human(), 5 * SECOND // 8
    centres = vector(document, "centre", (time - AWAY, time + AWAY))
    momentum = vector(document, "momentum", (time,))[0]
    difference = total_mass(document.actors[0].figure) * (centres[1] - centres[0]) / (2 * AWAY / SECOND)
    assert np.abs(momentum).max() > 10.0
    np.testing.assert_allclose(momentum, difference, rtol=1e-6, atol=1e-4)
    np.testing.assert_allclose(vector(document, "centre_velocity", (time,))[0] * 70.0, momentum, rtol=2e-3)


def test_the_centre_of_mass_is_that_of_the_picture() -> None:
    document, times = waving_human(), (0, SECOND // 3, SECOND)
    evaluator = Evaluator()
    for place, centre in enumerate(vector(document, "centre", times)):
        np.testing.assert_allclose(centre, evaluator.centre_of_mass(document, "a", times[place]), atol=1e-13)


def test_energy_of_a_rigid_human_that_turns_is_half_l_omega() -> None:
    """All joints stiff, turned about the vertical: T about the centre of mass is omega . L / 2, plus M v^2 / 2."""
    figure = load_figure("human")
    keys = (Key(time=0, value=0.0, interpolation="linear"), Key(time=SECOND, value=2.0))
    turn = next(dof.id for dof in figure.dofs if dof.kind == "hinge")
    document, times = document_of(figure, Track(coordinate=turn, keys=keys)), (SECOND // 3,)
    omega, spin = (vector(document, kind, times, part)[0] for kind, part in (("turning", "head"), ("spin", "")))
    momentum = vector(document, "momentum", times)[0]
    expected = 0.5 * float(omega @ spin) + 0.5 * float(momentum @ momentum) / total_mass(figure)
    assert expected > 1.0
    np.testing.assert_allclose(one(document, "kinetic", times), [expected], rtol=1e-12)


def test_anatomical_angles_count_from_the_anatomical_position_with_the_signs_of_the_sides() -> None:
    """At rest the human's arms are abducted by 10 degrees and its elbows bent by as much; a knee's rest is straight."""
    document = document_of(load_figure("human"))
    for side in ("left", "right"):
        for part, angle in ((f"shoulder_{side}.abduction", 10.0), (f"elbow_{side}.flexion", 10.0)):
            assert np.rad2deg(one(document, "anatomical", (0,), part=part)) == pytest.approx([angle], abs=0.1), part
            assert one(document, "value", (0,), part=part) == pytest.approx([0.0])
        assert one(document, "anatomical", (0,), part=f"knee_{side}.flexion") == pytest.approx([0.0])


def test_an_anatomical_angle_goes_with_its_joint_beyond_a_right_angle() -> None:
    """An arm abducted by its hinge alone: the angle is the hinge's and what the rest pose has."""
    keys = (Key(time=0, value=-0.5, interpolation="linear"), Key(time=SECOND, value=2.2))
    document = document_of(load_figure("human"), Track(coordinate="shoulder_left.abduction", keys=keys))
    times = tuple(SECOND * place // 50 for place in range(51))
    found = one(document, "anatomical", times, part="shoulder_left.abduction")
    hinge = one(document, "value", times, part="shoulder_left.abduction")
    np.testing.assert_allclose(found - hinge, np.deg2rad(10.0), atol=1e-9)
    flexion = one(document, "anatomical", times, part="shoulder_left.flexion")
    np.testing.assert_allclose(flexion, 0.0, atol=1e-9)


def test_long_motions_come_in_slices_that_say_how_far_they_are() -> None:
    job = measure(Evaluator(), pendulum(), [Quantity(kind="energy", actor="a")], range(0, SECOND, SECOND // 150))
    shares = list(job)
    assert len(shares) == -(-151 // SLICE)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_every_kind_has_finite_numbers_a_unit_and_a_label() -> None:
    document = edit("set_spring", actor="a", dof="rod.z", spring=5.0).apply(limited_pendulum())
    parts = {"coordinate": "rod.z", "point": "rod", "joint": "rod", "figure": ""}
    wanted = [
        Quantity(kind=name, actor="a", part=parts[kind.of], component=component)
        for name, kind in KINDS.items()
        if kind.of != "system"
        for component in kind.components or ("",)
    ]
    found = all_of(document, wanted, (0, SECOND // 2, 5 * SECOND))
    assert all(np.isfinite(each.values).all() and each.unit for each in found)
    assert found[0].unit == "rad"
    labels = [label_of(each, document.actors[0]) for each in wanted]
    assert len(set(labels)) == len(labels)
    assert labels[0] == "Rod, Swing"


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ({"kind": "colour"}, "colour"),
        ({"kind": "centre"}, "component"),
        ({"kind": "energy", "component": "x"}, "one number"),
        ({"kind": "energy", "handle": True}, "figure"),
    ],
)
def test_what_is_no_quantity_is_refused(bad: dict[str, str | bool], told: str) -> None:
    with pytest.raises(InvalidArguments, match=told):
        Quantity(actor="a", **bad)  # type: ignore[arg-type]


def test_parts_that_are_not_there_and_figures_without_mass_are_refused() -> None:
    document = pendulum()
    for kind, part, component in (("value", "knee", ""), ("place", "knee", "x"), ("turning", "knee", "x")):
        with pytest.raises(UnknownPart, match="knee"):
            one(document, kind, (0,), component, part)
    with pytest.raises(UnknownPart, match="toe"):
        all_of(document, [Quantity(kind="place", actor="a", part="toe", handle=True, component="x")], (0,))
    bare = document_of(Figure(name="Bare", joints=(Joint(id="only", name="Only"),)))
    with pytest.raises(InvalidArguments, match="mass"):
        one(bare, "energy", (0,))

"""Quantities against closed forms: a ball thrown by keys, a pendulum, a turning rod; and momentum of a whole human."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from engine.document import Actor, Body, Document, Dof, Figure, Handle, Joint, Key, Layer, Track
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure
from engine.measure.quantities import GRAVITY, KINDS, Quantity, label_of
from engine.measure.series import SLICE, Series, measure
from engine.model.inertia import total_mass
from engine.runtime.errors import InvalidArguments, UnknownPart

MASS, ARM, INERTIA = 2.0, 0.6, 0.05
AWAY = SECOND // 20_000


def document_of(figure: Figure, *tracks: Track) -> Document:
    return Document(actors=(Actor(id="a", name="A", figure=figure, layers=(Layer(id="keys", tracks=tracks),)),))


def all_of(document: Document, wanted: Sequence[Quantity], times: Sequence[int]) -> tuple[Series, ...]:
    job = measure(Evaluator(), document, wanted, times)
    while True:
        try:
            next(job)
        except StopIteration as end:
            found: tuple[Series, ...] = end.value
            return found


def one(document: Document, kind: str, times: Sequence[int], component: str = "", part: str = "") -> np.ndarray:
    (found,) = all_of(document, [Quantity(kind=kind, actor="a", part=part, component=component)], times)
    return found.values


def vector(document: Document, kind: str, times: Sequence[int], part: str = "") -> np.ndarray:
    return np.stack([one(document, kind, times, axis, part) for axis in "xyz"], axis=1)


def pendulum() -> Document:
    """A point that has an inertia on an arm, on a hinge about z; keyed with cubic curves."""
    joint = Joint(
        id="rod",
        name="Rod",
        offset=(0.0, 2.0, 0.0),
        dofs=(Dof(id="rod.z", name="Swing", axis=(0.0, 0.0, 1.0), lower=-2.0, upper=1.0),),
        body=Body(mass=MASS, centre=(0.0, -ARM, 0.0), inertia=(INERTIA, INERTIA, INERTIA, 0.0, 0.0, 0.0)),
    )
    handle = Handle(id="tip", name="Tip", joint="rod", point=(0.0, -1.0, 0.0))
    keys = tuple(Key(time=place * SECOND // 2, value=value) for place, value in enumerate((-0.9, 0.7, -0.5, 0.3)))
    return document_of(Figure(name="P", joints=(joint,), handles=(handle,)), Track(coordinate="rod.z", keys=keys))


def thrown() -> Document:
    """x = 3 t, y = 1 + 4 t - g t^2 / 2, exactly: a cubic with the end slopes of a parabola is that parabola."""
    dofs = tuple(
        Dof(id=f"ball.{name}", name=name, kind="slide", axis=axis)
        for name, axis in (("x", (1.0, 0.0, 0.0)), ("y", (0.0, 1.0, 0.0)))
    )
    figure = Figure(name="Ball", joints=(Joint(id="ball", name="Ball", dofs=dofs, body=Body(mass=MASS)),))
    end = 1.0
    rise = (4.0, 4.0 - GRAVITY * end)
    y = (1.0, 1.0 + 4.0 * end - 0.5 * GRAVITY * end * end)
    return document_of(
        figure,
        Track(
            coordinate="ball.x",
            keys=(Key(time=0, value=0.0, interpolation="linear"), Key(time=SECOND, value=3.0 * end)),
        ),
        Track(
            coordinate="ball.y",
            keys=tuple(
                Key(time=time, value=value, tangent="free", slope_in=slope, slope_out=slope)
                for time, value, slope in zip((0, SECOND), y, rise, strict=True)
            ),
        ),
    )


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


def waving_human() -> Document:
    figure, rng = load_figure("human"), np.random.default_rng(4)
    tracks = []
    for dof in figure.dofs:
        values = [dof.clamp(float(value)) for value in rng.normal(0.0, 0.5, 4)]
        keys = tuple(Key(time=place * SECOND // 2, value=value) for place, value in enumerate(values))
        tracks.append(Track(coordinate=dof.id, keys=keys))
    return document_of(figure, *tracks)


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


def test_long_motions_come_in_slices_that_say_how_far_they_are() -> None:
    job = measure(Evaluator(), pendulum(), [Quantity(kind="energy", actor="a")], range(0, SECOND, SECOND // 150))
    shares = list(job)
    assert len(shares) == -(-151 // SLICE)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_every_kind_has_finite_numbers_a_unit_and_a_label() -> None:
    document = pendulum()
    parts = {"coordinate": "rod.z", "point": "rod", "joint": "rod", "figure": ""}
    wanted = [
        Quantity(kind=name, actor="a", part=parts[kind.of], component=component)
        for name, kind in KINDS.items()
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
    ],
)
def test_what_is_no_quantity_is_refused(bad: dict[str, str], told: str) -> None:
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

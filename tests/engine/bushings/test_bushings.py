"""Bushings: torques that are the slope of their energy, a weight that rests where they hold it, what a motion takes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.bushings.forces import BushingForces
from engine.bushings.measures import measurable, measure
from engine.bushings.parts import Bushing
from engine.bushings.uses import bushings_of
from engine.document import Document, Layer
from engine.document.ticks import TICKS_PER_SECOND as SECOND
from engine.dynamics.coordinates import integrate_coordinates
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.model.compile import compile_model
from engine.muscles.required import RequiredDynamics
from engine.runtime.errors import InvalidDocument, UnknownPart
from tests.engine.bushings.figures import MASS, G, branches, cartilage, hanging

STIFF = 500.0  # [N/m]


def posed(forces: BushingForces, seed: int) -> np.ndarray:
    """A pose that is drawn, with bushings turned by up to a radian or two."""
    chance, model = np.random.default_rng(seed), forces.model
    q = np.array(model.rest, dtype=np.float64)
    integrate_coordinates(model.ints, q, chance.uniform(-1.0, 1.0, model.rate_count), 1.0, q)
    return q


@pytest.mark.parametrize("seed", range(4))
def test_torques_are_the_slope_of_the_energy(seed: int) -> None:
    forces = BushingForces(
        compile_model(branches()), (cartilage(), cartilage(id="other", first="base", second="right"))
    )
    q, step, still = posed(forces, seed), 1e-6, np.zeros(forces.model.rate_count)
    found, slopes = forces.torques(q, still), forces.measured(q)[1]
    for rate in range(len(still)):
        ends = []
        for side in (-step, step):
            near, speed = np.empty_like(q), np.zeros_like(still)
            speed[rate] = side
            integrate_coordinates(forces.model.ints, q, speed, 1.0, near)
            ends.append((float(forces.energies(near).sum()), forces.strains(near)))
        assert found[rate] == pytest.approx(-(ends[1][0] - ends[0][0]) / (2.0 * step), abs=1e-5)
        assert slopes[:, :, rate] == pytest.approx((ends[1][1] - ends[0][1]) / (2.0 * step), abs=1e-5)


def test_damping_takes_power_and_what_falls_bounds_the_matrix() -> None:
    forces = BushingForces(compile_model(branches()), (cartilage(turning=(0.0,) * 3, sliding=(0.0,) * 3),))
    q, qd = posed(forces, 1), np.random.default_rng(2).normal(size=forces.model.rate_count)
    assert float(forces.torques(q, qd) @ qd) < -0.1
    torques, falls = forces.ahead(q, qd, 0.01)
    rows = forces.measured(q)[1][0]
    damped = np.array((0.1, 0.2, 0.3, 1.0, 2.0, 3.0))
    exact = 0.01 * rows.T @ (damped[:, None] * rows)
    assert np.linalg.eigvalsh(np.diag(BushingForces.ahead(forces, q, 0.0 * qd, 0.01)[1]) - exact).min() > -1e-9
    assert torques.shape == falls.shape == qd.shape


def upright(stiffness: float, damping: float = 20.0) -> Bushing:
    return Bushing(
        id="spring", name="Spring", first="base", second="weight", first_position=(0.0, 1.0, 0.0),
        sliding=(0.0, stiffness, 0.0), sliding_damping=(0.0, damping, 0.0),
    )  # fmt: skip


def let_go(document: Document, seconds: float) -> float:
    """How far the weight is below where it was, after a time."""
    simulated = edit("set_physics", actor="me", role="simulated", follow=0.0).apply(document)
    q = Evaluator().coordinates(simulated, "me", [round(seconds * SECOND)])[0]
    return float(-q.sum())


@pytest.mark.parametrize("stiffness", [STIFF, 1e6])
def test_a_weight_rests_where_its_bushing_holds_it(stiffness: float) -> None:
    """The link of no stiffness of its own weighs 0.1 kg and is held by a bushing as well."""
    link = replace(upright(stiffness), id="link", second="link")
    document = edit("put_bushings", actor="me", bushings=(link,)).apply(hanging(upright(stiffness)))
    assert let_go(document, 4.0) == pytest.approx(MASS * G / stiffness, rel=0.02, abs=1e-6)
    assert let_go(edit("set_bushing", actor="me", bushing="spring", mute=True).apply(document), 0.4) > 0.3


def test_what_a_pose_takes_is_less_what_its_bushings_give() -> None:
    bare, taken = (
        RequiredDynamics(Evaluator(), lowered(document), "me").at([0]).torques[0]
        for document in (hanging(), hanging(upright(STIFF)))
    )
    assert bare - taken == pytest.approx([0.01 * STIFF, 0.01 * STIFF])


def lowered(document: Document) -> Document:
    """The weight 1 cm down."""
    pose = Layer(id="pose", values=(("weight_down", -0.01),))
    return edit("add_layer", actor="me", layer=pose).apply(document)


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(InvalidDocument, match="two joints"):
        cartilage(second="left_end")
    with pytest.raises(InvalidDocument, match="three numbers from 0"):
        cartilage(turning=(-1.0, 0.0, 0.0))
    with pytest.raises(UnknownPart):
        edit("put_bushings", actor="me", bushings=(cartilage(),)).apply(hanging())
    with pytest.raises(UnknownPart, match="bushing"):
        edit("set_bushing", actor="me", bushing="none", mute=True).apply(hanging())


def test_a_joint_that_goes_takes_its_bushings_along() -> None:
    document = hanging(upright(STIFF))
    after = edit("remove_joint", actor="me", joint="weight").apply(document)
    assert bushings_of(document.actors[0])
    assert bushings_of(after.actors[0]) == ()


def test_plots_measure_force_and_energy_of_a_bushing() -> None:
    document = lowered(hanging(upright(STIFF)))
    evaluator = Evaluator()
    force, energy = (
        measure(evaluator, document, "me", kind, "spring", [0])[0] for kind in ("bushing_force", "bushing_energy")
    )
    assert force == pytest.approx(0.01 * STIFF)
    assert energy == pytest.approx(0.5 * STIFF * 0.01**2)
    assert measurable(document.actors[0], "bushing_force") == {"spring": "Spring"}

"""Strain, stress and contraction over the surface of a soft body, against states that are known by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.document import Blob, Document
from engine.evaluate.evaluator import Evaluator
from engine.model.snapshot import SurfaceField
from engine.soft.fields import surface_fields
from engine.soft.making import soft_actor, soft_box
from engine.soft.members import SoftMember
from engine.soft.mesh import Shape
from engine.soft.parts import ActivationSpline
from engine.soft.stage import SoftStage

SIZE, COUNTS = (0.4, 0.2, 0.2), (4, 2, 2)


@pytest.fixture(scope="module")
def evaluator() -> Evaluator:
    return Evaluator()


def member_of(evaluator: Evaluator, cells: Shape = "tetrahedra", **given: Any) -> SoftMember:
    splines = given.pop("splines", ())
    factors = given.pop("factors", None)
    body = replace(soft_box(SIZE, COUNTS, cells=cells, **given), splines=splines, factors=factors)
    stage = evaluator.stage("soft")
    assert isinstance(stage, SoftStage)
    simulation = stage.simulation(Document(actors=(soft_actor("jelly", "Jelly", body),)))
    assert simulation is not None
    return simulation.scene.members[0]


def field(member: SoftMember, points: np.ndarray, name: str) -> SurfaceField:
    return next(each for each in surface_fields(member, points) if each.name == name)


@pytest.mark.parametrize("cells", ["tetrahedra", "hexahedra", "squares"])
def test_a_body_at_rest_or_turned_has_none_and_a_stretched_one_the_strain_of_its_stretch(
    evaluator: Evaluator, cells: Shape
) -> None:
    member = member_of(evaluator, cells)
    rest = member.mesh.points
    turn = np.array(((0.6, -0.8, 0.0), (0.8, 0.6, 0.0), (0.0, 0.0, 1.0)))
    for still in (rest, rest @ turn.T + 1.0):
        for each in surface_fields(member, still):
            assert each.values == pytest.approx(np.zeros(len(each.values)), abs=1e-3 * each.high)
            assert len(each.values) == member.body.positions.shape[0]
    by = 1e-3
    ways = np.array((1.0 + by, 1.0 - by if cells == "squares" else 1.0 - 0.5 * by, 1.0 - 0.5 * by))
    wanted = by * (np.sqrt(4.0 / 3.0) if cells == "squares" else 1.0)
    found = field(member, rest * ways, "strain").values
    assert found == pytest.approx(np.full(len(found), wanted), rel=0.02)


def test_the_stress_of_a_small_stretch_that_keeps_the_volume_is_that_of_hooke(evaluator: Evaluator) -> None:
    member = member_of(evaluator, young=1e5, poisson=0.49)
    by = 1e-3
    found = field(member, member.mesh.points * np.array((1.0 + by, 1.0 - 0.5 * by, 1.0 - 0.5 * by)), "stress")
    mu = 1e5 / (2.0 * 1.49)
    assert found.values == pytest.approx(np.full(len(found.values), 3.0 * mu * by), rel=0.02)
    assert found.high == pytest.approx(0.3e5)


def test_stiffer_cells_bear_more_stress_at_one_strain(evaluator: Evaluator) -> None:
    member = member_of(evaluator)
    factors = np.where(member.mesh.points[member.mesh.cells].mean(axis=1)[:, 0] > 0.0, 10.0, 1.0)
    stiff = member_of(evaluator, factors=Blob(factors))
    found = field(stiff, member.mesh.points * np.array((1.01, 1.0, 1.0)), "stress")
    ends = member.body.positions.array[:, 0]
    assert found.values[ends > 0.15] == pytest.approx(10.0 * found.values[ends < -0.15].mean(), rel=0.01)


def test_contraction_is_how_much_shorter_the_spline_is_near_it_and_none_far_away(evaluator: Evaluator) -> None:
    spline = ActivationSpline(
        id="low", name="Low", points=((-0.19, -0.09, 0.0), (-0.01, -0.09, 0.0)), samples=5, region="radius", radius=0.06
    )
    member = member_of(evaluator, splines=(spline,))
    rest, half = member.mesh.points, np.array((0.5, 1.0, 1.0))
    still, short = (field(member, points, "contraction") for points in (rest, rest * half))
    assert still.parts
    assert still.values == pytest.approx(np.zeros(len(still.values)), abs=1e-6)
    places = member.body.positions.array
    near = (places[:, 1] < -0.09) & (np.abs(places[:, 0] + 0.1) < 0.06) & (np.abs(places[:, 2]) < 0.02)
    assert short.values[near] == pytest.approx(np.full(near.sum(), 0.5), abs=0.05)
    assert short.values[places[:, 0] > 0.15] == pytest.approx(np.zeros((places[:, 0] > 0.15).sum()), abs=1e-6)
    assert len(surface_fields(member_of(evaluator), rest)) == 2, "without splines there is no contraction"

"""The printed transfers against dense linear algebra, and what each loses."""

import numpy as np
import pytest

from engine.runtime.errors import InvalidArguments
from engine.soft.meshing import cylinder
from engine.soft.splines import DrawnSpline, bind_splines
from engine.soft.transfers import TRANSFERS, average_rows, explicit_forces, make_transfer, measure_drift, spline_forces

ROD = cylinder(0.1, 1.0, rings=2, layers=8)
MASSES = ROD.masses(1000.0)
SPLINES = [
    DrawnSpline(controls=np.array([(0.0, 0.0, -0.4), (0.03, 0.0, 0.0), (0.0, 0.0, 0.4)]), samples=5),
    DrawnSpline(controls=np.array([(0.05, 0.0, -0.3), (0.0, 0.03, 0.35)]), samples=4, region="radius", radius=0.25),
]
BOUND = bind_splines(ROD, MASSES, SPLINES, young=1e5)
GIVEN = np.random.default_rng(7).normal(size=(9, 3))


def dense() -> np.ndarray:
    """A of (86) and (94), written out."""
    rows = BOUND.regions.dense(len(ROD.points)) * MASSES
    return np.asarray(rows / rows.sum(axis=1, keepdims=True))


def test_rows_average_over_their_regions() -> None:
    rows = average_rows(BOUND.regions, MASSES).toarray()
    assert rows == pytest.approx(dense())
    assert rows.sum(axis=1) == pytest.approx(np.ones(9))


def test_the_pseudo_inverse_and_conjugate_gradients_are_least_squares() -> None:
    wanted = np.linalg.pinv(dense()) @ GIVEN
    exact = make_transfer("pseudo-inverse", BOUND.regions, MASSES)
    assert exact.forces(GIVEN) == pytest.approx(wanted, abs=1e-9)
    gradients = make_transfer("conjugate-gradients", BOUND.regions, MASSES, tolerance=1e-10)
    assert gradients.forces(GIVEN) == pytest.approx(wanted, abs=1e-7)
    assert 0 < gradients.used <= 36
    gradients.forces(GIVEN)
    assert gradients.used == 0  # it begins with its last answer


def test_rows_that_repeat_others_are_borne() -> None:
    twice = bind_splines(ROD, MASSES, [SPLINES[0], SPLINES[0]], young=1e5)
    given = np.vstack((GIVEN[:5], GIVEN[:5]))
    found = make_transfer("pseudo-inverse", twice.regions, MASSES).forces(given)
    rows = average_rows(twice.regions, MASSES)
    assert rows @ found == pytest.approx(given, abs=1e-9)


def test_one_step_is_the_transpose_and_the_iteration_goes_on_from_it() -> None:
    rows = dense()
    assert make_transfer("one-step", BOUND.regions, MASSES).forces(GIVEN) == pytest.approx(rows.T @ GIVEN)
    iterated = make_transfer("iterated", BOUND.regions, MASSES)
    assert iterated.forces(GIVEN) == pytest.approx(rows.T @ GIVEN)  # (92)
    lacks = [measure_drift(iterated.averages, ROD.points, ROD.points[:9], GIVEN, iterated.forces(GIVEN)).mean]
    for _ in range(4):
        lacks.append(measure_drift(iterated.averages, ROD.points, ROD.points[:9], GIVEN, iterated.forces(GIVEN)).mean)
    assert (np.diff(lacks) < 0.0).all()
    left, total = GIVEN.copy(), np.zeros_like(GIVEN)
    for _ in range(200):  # lambda after k steps is the sum of (1 - A A^T)^j b
        total, left = total + left, left - rows @ (rows.T @ left)
    many = make_transfer("iterated", BOUND.regions, MASSES, steps=200)
    assert many.forces(GIVEN) == pytest.approx(rows.T @ total, abs=1e-9)
    assert np.abs(rows @ many.forces(GIVEN) - GIVEN).max() < 0.7 * np.abs(rows @ (rows.T @ GIVEN) - GIVEN).max()


def test_printed_forms_lose_sum_or_torque_and_ours_neither() -> None:
    points = ROD.points * (1.1, 0.9, 1.2) + 0.02 * np.random.default_rng(1).normal(size=ROD.points.shape)
    still, alphas = np.zeros_like(points), np.full(7, 0.6)
    places = BOUND.embedding.carried(points)
    given = spline_forces(BOUND.springs, places, np.zeros_like(places), alphas)
    drifts = {}
    for kind in list(TRANSFERS)[1:]:
        transfer = make_transfer(kind, BOUND.regions, MASSES)
        found = explicit_forces(BOUND, transfer, points, still, alphas)
        drifts[kind] = measure_drift(transfer.averages, points, places, given, found)
    assert drifts["pseudo-inverse"].force > 0.1
    assert drifts["pseudo-inverse"].mean < 1e-9
    assert drifts["conjugate-gradients"].force == pytest.approx(drifts["pseudo-inverse"].force, rel=1e-4)
    assert drifts["one-step"].force < 1e-14
    assert drifts["one-step"].torque > 1e-4
    own = BOUND.springs.places(points)
    pulled = spline_forces(BOUND.springs, own, np.zeros_like(own), alphas)
    ours = measure_drift(transfer.averages, points, own, pulled, BOUND.springs.forces(points, still, alphas))
    assert max(ours.force, ours.torque) < 1e-14


def test_other_transfers_are_refused() -> None:
    for kind in ("conserving", "best"):
        with pytest.raises(InvalidArguments, match="transfer"):
            make_transfer(kind, BOUND.regions, MASSES)  # type: ignore[arg-type]

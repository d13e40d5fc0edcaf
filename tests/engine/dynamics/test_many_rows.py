"""Many rows: steps in which stops are eliminated first, against those in which all are solved for at once."""

from __future__ import annotations

import numpy as np
import pytest

from engine.dynamics.contact_newton import CHANGE, MOST, ROW_BUFFERS, STEP, find_step, measure_misses
from engine.dynamics.contact_points import CONTACT, FRICTION
from engine.dynamics.contact_stops import find_reduced_step, forget_factors, reduced_size
from engine.dynamics.contact_sweeps import Laws, sweep_contacts
from engine.dynamics.impulses import solve_impulses, solving_size
from engine.maths.arrays import Array

CONTACTS, STOPS = 8, 60
ROWS = 3 * CONTACTS + STOPS


def drawn(seed: int) -> tuple[Laws, Array]:
    """Contacts and stops of 90 masses that hang together, and the velocities without impulses."""
    rng = np.random.default_rng(seed)
    jacobian = rng.normal(size=(ROWS, 90)) * np.where(rng.random((ROWS, 90)) < 0.2, 1.0, 0.0)
    matrix = (jacobian / rng.uniform(0.1, 3.0, 90)) @ jacobian.T + 1e-3 * np.eye(ROWS)
    table = np.zeros((CONTACTS, CONTACT))
    table[:, FRICTION] = 0.7
    least, greatest = np.zeros(ROWS), np.full(ROWS, np.inf)
    laws = CONTACTS, ROWS, matrix.ravel(), table.ravel(), least, greatest, 0.0
    return laws, rng.normal(size=ROWS) - 0.5


@pytest.mark.parametrize("seed", range(4))
def test_a_step_with_stops_apart_is_that_of_all_at_once(seed: int) -> None:
    laws, free = drawn(seed)
    x, u = np.zeros(ROWS), free.copy()
    sweep_contacts(laws, u, x)
    workspace = np.zeros(ROW_BUFFERS * ROWS + MOST + MOST * (MOST + 1) + reduced_size())
    measure_misses(laws, x, u, workspace)
    count = find_step(laws, u, 1e-4, workspace)
    whole = workspace[STEP * ROWS : (CHANGE + 1) * ROWS].copy()
    forget_factors(ROWS, workspace)
    for _ in range(2):  # the second time with the factors of the first
        contacts, stops = find_reduced_step(laws, u, 1e-4, workspace)
        assert contacts + stops == count
        assert stops > 10
        assert workspace[STEP * ROWS : (CHANGE + 1) * ROWS] == pytest.approx(whole, rel=1e-9, abs=1e-11)


@pytest.mark.parametrize("seed", range(4))
def test_what_is_solved_on_average_keeps_the_laws_to_that(seed: int) -> None:
    laws, free = drawn(seed)
    contacts, rows, matrix, table, least, greatest, _ = laws
    found = {}
    for on_average in (False, True):
        x = np.zeros(ROWS)
        _, missed = solve_impulses(
            contacts, rows, matrix, free, table, least, greatest, 100, 1e-6, on_average, np.zeros(solving_size(ROWS)), x
        )
        u = matrix.reshape(ROWS, ROWS) @ x + free
        assert missed < 1e-4
        assert x[3 * CONTACTS :].min() >= 0.0
        assert u[3 * CONTACTS :].min() > -1e-4
        assert u[: 3 * CONTACTS : 3].min() > -1e-4
        found[on_average] = x
    assert found[True] == pytest.approx(found[False], abs=1e-3)

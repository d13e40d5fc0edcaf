from __future__ import annotations

import numpy as np

from engine.optimise.rank import find_dependent
from tests.engine.optimise.small_programs import INFINITE, SmallProgram, nearest_point


def rows_of(rows: list[list[float]], asked: list[float], upper: float = INFINITE) -> SmallProgram:
    size = len(rows[0])
    return nearest_point(
        aim=np.zeros(size),
        rows=np.array(rows),
        lower=np.full(size, -INFINITE),
        upper=np.full(size, upper),
        least=np.array(asked),
        most=np.array(asked),
    )


def test_independent_equations_are_not_named() -> None:
    assert find_dependent(rows_of([[1.0, 1.0, 0.0], [0.0, 1.0, 1.0]], [1.0, 2.0]), np.zeros(3)) == ()


def test_a_sum_of_others_is_redundant() -> None:
    (found,) = find_dependent(
        rows_of([[1.0, 1.0, 0.0], [0.0, 1.0, 1.0], [1.0, 2.0, 1.0]], [1.0, 2.0, 3.0]), np.zeros(3)
    )
    assert (found.constraint, set(found.others), found.contradictory) == (2, {0, 1}, False)
    assert "demand 2 follows from demand" in str(found)


def test_a_sum_with_another_value_contradicts() -> None:
    (found,) = find_dependent(rows_of([[1.0, 1.0], [2.0, 2.0]], [1.0, 3.0]), np.zeros(2))
    assert found.contradictory
    assert abs(found.amount - 1.0) < 1e-9
    assert "contradicts (by 1)" in str(found)


def test_a_value_outside_the_bounds_of_its_variable_is_found() -> None:
    (found,) = find_dependent(rows_of([[2.0, 0.0]], [6.0], upper=2.0), np.zeros(2))
    assert found.contradictory
    assert "asks for 3, outside its bounds, -inf to 2" in str(found)

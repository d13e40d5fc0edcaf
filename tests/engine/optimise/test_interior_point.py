from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.maths.arrays import Array
from engine.optimise.interior_point import BarrierSearch, solve, solve_in_parts
from engine.optimise.newton_system import NewtonSystem
from engine.optimise.options import SolverEffort
from engine.optimise.program import ProgramShape
from engine.optimise.report import SolveReport
from engine.runtime.errors import InvalidArguments
from engine.runtime.progress import finish
from tests.engine.optimise.small_programs import INFINITE, SmallProgram, circle, nearest_point

FREE = np.full(3, INFINITE)


def found(program: SmallProgram, start: list[float], effort: SolverEffort | None = None) -> SolveReport:
    return finish(solve(program, np.array(start), effort))


def plane(**changed: Array) -> SmallProgram:
    """Nearest point to (3, 2, 1) with x + y + z = 1."""
    given = {
        "aim": np.array([3.0, 2.0, 1.0]),
        "rows": np.ones((1, 3)),
        "lower": -FREE,
        "upper": FREE,
        "least": np.ones(1),
        "most": np.ones(1),
    }
    return nearest_point(**{**given, **changed})


def test_a_quadratic_program_is_solved_in_a_step() -> None:
    report = found(plane(), [0.0, 0.0, 0.0])
    assert report.solved
    assert report.last.iteration <= 2
    assert np.allclose(report.last.x, [3.0 - 5.0 / 3.0, 2.0 - 5.0 / 3.0, 1.0 - 5.0 / 3.0], atol=1e-8)
    assert report.multipliers == pytest.approx([10.0 / 3.0])


def test_bounds_and_inequalities_hold_and_bind() -> None:
    rows = np.array([[1.0, 1.0, 1.0], [1.0, -1.0, 0.0]])
    program = plane(rows=rows, least=np.array([-INFINITE, -INFINITE]), most=np.array([4.0, 0.0]), lower=np.full(3, 0.0))
    report = found(program, [0.5, 0.5, 0.5])
    assert report.solved
    assert np.allclose(report.last.x, [11.0 / 6.0, 11.0 / 6.0, 1.0 / 3.0], atol=1e-5)
    assert (report.last.x >= -1e-12).all()


def test_a_variable_whose_bounds_meet_stays_there() -> None:
    lower, upper = np.array([-INFINITE, 0.5, -INFINITE]), np.array([INFINITE, 0.5, INFINITE])
    report = found(plane(lower=lower, upper=upper), [0.0, 7.0, 0.0])
    assert report.solved
    assert report.last.x[1] == 0.5
    assert report.last.x.sum() == pytest.approx(1.0)


def test_curved_constraints_are_met_and_steps_lead_downhill() -> None:
    report = found(circle(radius=2.0), [1.0, 1.5])
    assert report.solved
    assert report.last.x == pytest.approx([0.0, -2.0], abs=1e-6)
    assert report.last.violation <= 1e-8


def test_a_maximum_of_the_circle_is_left() -> None:
    assert found(circle(radius=2.0), [1e-3, 2.0]).last.x == pytest.approx([0.0, -2.0], abs=1e-5)


def test_what_cannot_be_met_is_named_with_how_much_is_missing() -> None:
    report = found(circle(radius=2.0, least=3.0), [4.0, 1.0])
    assert report.ending == "no way"
    assert report.unmet[0].demand == "on the circle"
    assert report.unmet[0].amount == pytest.approx(5.0, rel=1e-3)
    assert "on the circle: missed by 5" in str(report)


def test_a_search_does_not_settle_where_meeting_all_demands_takes_much_more() -> None:
    steep = replace(
        circle(radius=2.0),
        objective=lambda x: float(1.0 + 1e3 * (1.99 + x[1]) ** 2),
        gradient=lambda x: np.array([0.0, 2e3 * (1.99 + x[1])]),
        curvature=lambda x: np.diag([0.0, 2e3]),
    )
    for gain, is_worth_it in ((0.5, True), (0.03, False)):
        search = BarrierSearch(steep, np.array([0.0, -1.99]), SolverEffort(gain=gain), NewtonSystem(steep.shape))
        assert finish(search._settle()) == is_worth_it
        assert search.point.x[1] == pytest.approx(-2.0 if is_worth_it else -1.99, abs=1e-8)


def test_a_constraint_that_stands_twice_does_no_harm() -> None:
    report = found(plane(rows=np.ones((2, 3)), least=np.ones(2), most=np.ones(2)), [0.0, 0.0, 0.0])
    assert report.solved
    assert report.last.x.sum() == pytest.approx(1.0)


def test_it_tires_after_as_many_iterations_as_are_allowed() -> None:
    report = found(circle(radius=2.0), [1.0, 1.5], SolverEffort(iterations=2))
    assert report.ending == "tired"
    assert report.last.iteration == 2
    assert "Not solved after 2 iterations" in str(report)


def test_iterates_are_shown_one_by_one_and_a_search_may_be_left() -> None:
    search = solve(circle(radius=2.0), np.array([1.0, 1.5]))
    shown = [next(search) for _ in range(3)]
    search.close()
    assert [each.iteration for each in shown] == [0, 1, 2]
    assert all(np.isfinite(each.x).all() for each in shown)


def test_a_search_pauses_between_the_parts_of_an_iteration_also_while_it_looks_for_what_violates_less() -> None:
    start = np.array([1.0, 1.5])
    parts = list(solve_in_parts(circle(radius=2.0), start))
    shown = [each for each in parts if each is not None]
    assert len(parts) > 3 * len(shown)
    assert [each.x.tobytes() for each in shown] == [each.x.tobytes() for each in solve(circle(radius=2.0), start)]
    apart = plane(rows=np.ones((2, 3)), least=np.array([1.0, 2.0]), most=np.array([1.0, 2.0]))
    parts, shown = list(solve_in_parts(apart, np.zeros(3))), list(solve(apart, np.zeros(3)))
    assert len(parts) > 10 * len(shown), "nothing meets all, which is found out in many steps of one iteration"


def test_the_same_search_gives_the_same_bytes() -> None:
    one, two = (found(circle(radius=2.0), [1.0, 1.5]).last.x.tobytes() for _ in range(2))
    assert one == two


def test_crossed_bounds_are_refused() -> None:
    with pytest.raises(InvalidArguments, match="bounds of a variable"):
        _ = plane(lower=np.array([1.0, 2.0, 3.0]), upper=np.array([1.0, 1.0, 3.0])).shape
    assert isinstance(plane().shape, ProgramShape)

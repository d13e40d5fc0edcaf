"""IPOPT through CasADi, where that is installed, against our own method; and the words where it is not."""

from __future__ import annotations

import sys

import pytest

from engine.edits import edit
from engine.spacetime.examples import falling_ball, lamp_leap, link_chain
from engine.spacetime.ipopt import MissingCasadi
from engine.spacetime.planned import compiled
from engine.spacetime.search import MotionSearch
from tests.spacetime_examples import falling_ball as planned_ball


def test_where_casadi_is_missing_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "casadi", None)
    with pytest.raises(MissingCasadi, match="pip install casadi"):
        MotionSearch(falling_ball(), solver="ipopt").find()
    plan = edit("set_spacetime", actor="ball", solver="ipopt").apply(planned_ball())
    with pytest.raises(MissingCasadi, match="interior point"):
        next(compiled(plan, "ball").steps())


def test_ipopt_finds_the_leap_that_we_find() -> None:
    pytest.importorskip("casadi")
    problem = lamp_leap(0.4, pieces=6)
    theirs, ours = MotionSearch(problem, solver="ipopt").find(), MotionSearch(problem).find()
    assert theirs.report.solved
    assert theirs.report.last.objective == pytest.approx(ours.report.last.objective, rel=1e-4)
    assert theirs.motion.coordinates(0.6) == pytest.approx(ours.motion.coordinates(0.6), abs=1e-3)


def test_ipopt_finds_the_chain_s_minimum_from_near_with_the_same_multipliers() -> None:
    pytest.importorskip("casadi")
    problem = link_chain(pieces=6)
    search, ours = MotionSearch(problem, solver="ipopt"), MotionSearch(problem).find()
    theirs = search.find(search.guess_like(ours.motion))
    assert theirs.report.solved
    assert theirs.report.last.objective == pytest.approx(ours.report.last.objective, rel=1e-6)
    assert theirs.report.multipliers == pytest.approx(ours.report.multipliers, rel=1e-2, abs=1e-2)


def test_a_search_by_ipopt_is_seen_step_by_step_and_may_be_closed() -> None:
    pytest.importorskip("casadi")
    steps = MotionSearch(lamp_leap(0.4, pieces=6), solver="ipopt")
    search = steps.iterate(steps.straight_line())
    first, second = next(search), next(search)
    search.close()
    assert (first.iteration, second.iteration) == (0, 1)
    assert second.x != pytest.approx(first.x)

"""Several creatures in one problem: balls that strike each other, lamps that meet in the air."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.maths.arrays import Array
from engine.optimise.options import SolverEffort
from engine.optimise.report import Iterate
from engine.runtime.errors import InvalidArguments, UnknownPart
from engine.spacetime.examples import constant, lamp_leap
from engine.spacetime.figures import Limb, LimbPoint, PlanarFigure
from engine.spacetime.motions import PlannedMotion, place_points
from engine.spacetime.problem import Blow, MotionProblem, MotionStage, Representation, demand_rate, demand_value
from engine.spacetime.search import MotionSearch
from engine.spacetime.several import FoundSeveral, SeveralProgram, SeveralSearch
from engine.spacetime.several_problem import (
    BlowExchange,
    Creature,
    CreatureMoment,
    DistanceDemand,
    SeveralProblem,
    Simultaneous,
    meeting,
)

SPARK = LimbPoint("head", (0.12, 0.0))


def ball(name: str, mass: float, begins: float, rate: float, way: float, *, most: float | None = None) -> MotionProblem:
    """A ball that flies along x without weight, struck once along a way."""
    figure = PlanarFigure((Limb(name=name, mass=mass, centre=(0.0, 0.0), gyration=0.1),))
    still = {"y": constant(0.0), name: constant(0.0)}
    least, most = (None, None) if most is None else (0.2, most)
    stages = (
        MotionStage(
            name="before", pieces=2, length=1.0, least_length=least, most_length=most, coordinates=still,
            blows={"strike": Representation(kind="single")},
        ),
        MotionStage(name="after", pieces=2, length=1.0, coordinates=still),
    )  # fmt: skip
    demands = (demand_value("before", "x", begins, at=0.0), demand_rate("before", "x", rate, at=0.0))
    strike = Blow(name="strike", point=LimbPoint(name), direction=(way, 0.0))
    return MotionProblem(figure=figure, stages=stages, demands=demands, blows=(strike,), gravity=0.0)


def balls(*, free: bool = False, off: float = 1.0) -> SeveralProblem:
    """A light ball that comes from the left and stops where it strikes a heavy one that rests."""
    most = 3.0 if free else None
    light, heavy = ball("light", 1.0, 0.0, 1.0, -1.0, most=most), ball("heavy", 4.0, off, 0.0, 1.0, most=most)
    light = replace(light, demands=(*light.demands, demand_rate("after", "x", 0.0, at=0.5)))
    touch = meeting(
        "they touch", ("light", "before", LimbPoint("light")), ("heavy", "before", LimbPoint("heavy")), at=1.0
    )
    given = BlowExchange(name="the blow", one=("light", "before", "strike"), other=("heavy", "before", "strike"))
    at_once = (
        Simultaneous(name="the strike", one=CreatureMoment("light", "before"), other=CreatureMoment("heavy", "before")),
    )
    return SeveralProblem(
        creatures=(Creature("light", light), Creature("heavy", heavy)),
        shared=touch[:1],
        exchanges=(given,),
        simultaneous=at_once if free else (),
    )


def spark(motion: PlannedMotion, seconds: float) -> Array:
    """Where the tip of a lamp's head is."""
    figure = motion.problem.figure
    found: Array = place_points(figure, figure.arms(SPARK)[None], motion.coordinates(seconds))[0]
    return found


def test_balls_that_strike_each_other_exchange_momentum() -> None:
    found = SeveralSearch(balls()).find()
    assert found.report.solved
    light, heavy = found.motion["light"], found.motion["heavy"]
    for seconds in (1.3, 1.9):
        assert light.coordinates(seconds, order=1)[0] == pytest.approx(0.0, abs=1e-9)
        assert heavy.coordinates(seconds, order=1)[0] == pytest.approx(0.25, abs=1e-9)
    assert light.stage_functions(0, 1.0)[-1] == pytest.approx(1.0, abs=1e-9)
    assert heavy.stage_functions(0, 1.0)[-1] == pytest.approx(1.0, abs=1e-9)


def test_stages_that_last_equally_long_have_the_length_in_which_creatures_meet() -> None:
    found = SeveralSearch(balls(free=True, off=1.7)).find()
    assert found.report.solved
    assert [float(each.lengths[0]) for each in found.motion.values()] == pytest.approx([1.7, 1.7], abs=1e-9)


@pytest.fixture(scope="module")
def lamps() -> FoundSeveral:
    """Two lamps that leap, one of them 0.3 m ahead, whose heads meet in the middle of the flight."""
    one, other = lamp_leap(0.4, pieces=6), lamp_leap(0.4, pieces=6)
    ahead = [
        replace(stage, coordinates={**stage.coordinates, "x": constant(0.3 + float(stage.coordinates["x"].value))})
        if "x" in stage.coordinates
        else stage
        for stage in other.stages
    ]
    other = replace(other, stages=tuple(ahead))
    heads = meeting("heads meet", ("one", "flight", SPARK), ("other", "flight", SPARK), at=0.5)
    problem = SeveralProblem(creatures=(Creature("one", one), Creature("other", other)), shared=heads)
    return SeveralSearch(problem).find()


def test_two_lamps_meet_in_the_air_and_land_where_they_shall(lamps: FoundSeveral) -> None:
    assert lamps.report.solved
    one, other = lamps.motion["one"], lamps.motion["other"]
    middle = float(one.lengths[0] + 0.5 * one.lengths[1])
    assert spark(one, middle) == pytest.approx(spark(other, middle), abs=1e-7)
    alone = MotionSearch(lamp_leap(0.4, pieces=6)).find()
    apart = 0.15  # that each head goes out of its way, about
    assert abs(spark(one, middle)[0] - spark(alone.motion, middle)[0]) == pytest.approx(apart, abs=0.14)
    assert [each.coordinates(each.duration)[0] for each in (one, other)] == pytest.approx([0.4, 0.7], abs=1e-9)
    assert lamps.report.last.objective > 2.0 * alone.report.last.objective


@pytest.mark.parametrize("apart", [False, True])
def test_derivatives_are_those_of_differences(apart: bool) -> None:
    problem = balls(free=True)
    if apart:
        far = DistanceDemand(name="apart", axes=problem.shared, least=0.2, most=0.5, apart=0.1)
        problem = replace(problem, shared=(), distances=(far,))
    program = SeveralProgram(problem)
    shape, random = program.shape, np.random.default_rng(2)
    x = shape.scale * random.normal(size=len(shape.scale))
    multipliers, step = random.normal(size=len(shape.constraint_lower)), 1e-6
    found = program.differentiate(x, multipliers, 0.7)
    jacobian, there = np.zeros((len(multipliers), len(x))), shape.jacobian_rows >= 0
    there &= shape.jacobian_columns >= 0
    np.add.at(jacobian, (shape.jacobian_rows[there], shape.jacobian_columns[there]), found.jacobian[there])
    for at in range(len(x)):
        aside = np.zeros(len(x))
        aside[at] = step
        slopes = (program.evaluate(x + aside).constraints - program.evaluate(x - aside).constraints) / (2.0 * step)
        assert jacobian[:, at] == pytest.approx(slopes, abs=1e-6)


def test_what_is_not_met_is_said_with_the_creature() -> None:
    problem = balls()
    blocked = replace(
        problem.creatures[0].problem,
        demands=(*problem.creatures[0].problem.demands, demand_value("before", "x", 0.4, at=1.0)),
    )
    several = replace(problem, creatures=(Creature("light", blocked), problem.creatures[1]))
    found = SeveralSearch(several).find(effort=SolverEffort(iterations=15))
    assert not found.report.solved
    assert any("they touch" in each.demand or each.demand.startswith("light: ") for each in found.report.unmet)


def test_creatures_that_are_not_there_and_names_that_are_doubled_are_refused() -> None:
    problem = balls()
    with pytest.raises(UnknownPart, match="creature"):
        replace(
            problem,
            simultaneous=(
                Simultaneous(
                    name="at once", one=CreatureMoment("light", "before"), other=CreatureMoment("third", "before")
                ),
            ),
        )
    with pytest.raises(InvalidArguments, match="each once"):
        replace(problem, creatures=(problem.creatures[0], problem.creatures[0]))


def test_a_search_is_seen_step_by_step() -> None:
    search = SeveralSearch(balls())
    first = next(search.iterate(search.straight_line()))
    assert isinstance(first, Iterate)
    assert set(search.motion(first.x)) == {"light", "heavy"}

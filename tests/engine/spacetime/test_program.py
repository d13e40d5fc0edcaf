from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.optimise.program import violations
from engine.runtime.errors import InvalidArguments, UnknownPart
from engine.spacetime.bases import RuleName
from engine.spacetime.examples import double_pendulum, link_chain
from engine.spacetime.figures import LimbPoint
from engine.spacetime.problem import (
    Blow,
    CalmPoint,
    Demand,
    JointMuscle,
    MotionProblem,
    MotionStage,
    PointForce,
    Representation,
    demand_rate,
    demand_value,
)
from engine.spacetime.program import MotionProgram
from tests.engine.optimise.small_programs import worst_derivative
from tests.engine.spacetime.planar_figures import branched_figure

SINGLE, HAT, HERMITE = (Representation(kind=kind) for kind in ("single", "hat", "hermite"))
HAND = LimbPoint("hand", (0.1, 0.2))


def everything(rule: RuleName = "gauss") -> MotionProblem:
    """A problem with each kind of thing in it."""
    one = MotionStage(
        name="one",
        pieces=2,
        length=0.5,
        least_length=0.2,
        most_length=0.9,
        coordinates={"x": SINGLE, "arm": HAT, "trunk": Representation(least=-2.0, most=2.0)},
        muscles={"arm": HERMITE, "leg": HAT},
        forces={"rope": HERMITE},
        blows={"kick": SINGLE},
    )
    two = MotionStage(
        name="two",
        pieces=3,
        length=0.7,
        least_length=0.2,
        most_length=0.9,
        coordinates={"leg": Representation(least=-2.0, form="samples")},
        muscles={"arm": HAT},
        forces={"rope": SINGLE},
    )
    aslant = (0.6, 0.8)
    return MotionProblem(
        figure=branched_figure(),
        stages=(one, two),
        demands=(
            demand_value("one", "trunk", 0.1, at=0.0),
            demand_rate("two", "arm", 0.1, at=0.3),
            Demand(stage="two", quantity="point", point=HAND, direction=aslant, at=0.2, until=0.7, least=0.1),
            Demand(stage="two", quantity="point rate", point=HAND, direction=aslant, at=0.2, least=0.1),
            Demand(stage="one", quantity="centre", direction=aslant, at=0.6, most=1.0),
            Demand(stage="one", quantity="centre rate", direction=aslant, at=0.2, least=0.1),
            Demand(stage="one", quantity="momentum", of="trunk", at=0.2, least=0.1),
            Demand(stage="one", of="torque of arm", at=0.4, most=5.0),
        ),
        muscles=(
            JointMuscle(limb="arm", power=0.3, work=0.2, smoothness=0.1),
            JointMuscle(limb="leg", power=0.1),
        ),
        forces=(PointForce(name="rope", point=LimbPoint("leg", (0.2, 0.1)), direction=aslant),),
        blows=(Blow(name="kick", point=LimbPoint("arm", (0.2, 0.1)), direction=(0.8, -0.6)),),
        rule=rule,
    )


@pytest.mark.parametrize("rule", ["gauss", "simpson"])
def test_all_derivatives_are_exact(rule: RuleName) -> None:
    program = MotionProgram(everything(rule))
    rng = np.random.default_rng(1)
    x = rng.normal(size=len(program.shape.lower))
    x[program.layout.packed.lengths] = [0.5, 0.7]
    multipliers = rng.normal(size=len(program.shape.constraint_lower))
    assert worst_derivative(program, x, multipliers) < 1e-8


def test_derivatives_are_exact_where_accelerations_count() -> None:
    given = everything()
    stages = tuple(
        replace(stage, forces={}, muscles={name: HERMITE for name in stage.muscles if name == "leg"})
        for stage in given.stages
    )
    muscles = (JointMuscle(limb="leg", torque=0.5, power=0.3),)
    calm = (CalmPoint(point=HAND, weight=0.2),)
    problem = replace(
        given, implicit=True, forces=(), muscles=muscles, stages=stages, demands=given.demands[:-1], calm=calm
    )
    program = MotionProgram(problem)
    rng = np.random.default_rng(1)
    x = rng.normal(size=len(program.shape.lower))
    x[program.layout.packed.lengths] = [0.5, 0.7]
    x = np.where(program.shape.free, x, program.shape.lower)
    assert worst_derivative(program, x, rng.normal(size=len(program.shape.constraint_lower))) < 1e-8


def test_the_pendulum_has_as_many_equations_as_unknowns() -> None:
    shape = MotionProgram(double_pendulum()).shape
    assert int(shape.free.sum()) == 28
    assert len(shape.constraint_lower) == 28
    assert shape.equal.all()


def test_constraints_say_what_they_demand_and_when() -> None:
    program = MotionProgram(link_chain(pieces=2))
    words = [program.describe(at) for at in range(len(program.shape.constraint_lower))]
    assert words[0] == "equation of motion of rod 1, stretch at 0 s"
    assert "value of rod 1, stretch at 0.5 s" in words
    assert "bounds of rod 3, stretch at 0.167 s" in words


def test_violations_are_in_the_constraints_own_units() -> None:
    program = MotionProgram(link_chain(pieces=2))
    constraints = program.evaluate(np.zeros(len(program.shape.lower)) + program.layout.lower.clip(0.0, 0.5)).constraints
    at = [program.describe(each) for each in range(len(constraints))].index("value of rod 1, stretch at 0 s")
    assert violations(program.shape, constraints)[at] == pytest.approx(np.pi / 2.0)


def test_what_cannot_be_is_refused() -> None:
    chain = link_chain(pieces=2)
    with pytest.raises(InvalidArguments, match="pieces"):
        replace(chain.stages[0], pieces=0)
    with pytest.raises(InvalidArguments, match="length"):
        replace(chain.stages[0], length=0.0)
    with pytest.raises(InvalidArguments, match="bounds"):
        Representation(least=1.0, most=0.0)
    with pytest.raises(InvalidArguments, match="time of a demand"):
        demand_value("stretch", "rod 1", 0.0, at=1.5)
    with pytest.raises(UnknownPart, match="rod 9"):
        MotionProgram(replace(chain, demands=(demand_value("stretch", "rod 9", 0.0, at=0.0),)))
    with pytest.raises(UnknownPart, match="no stage"):
        MotionProgram(replace(chain, demands=(demand_value("jump", "rod 1", 0.0, at=0.0),)))
    with pytest.raises(UnknownPart, match="no muscle"):
        replace(chain, muscles=())
    with pytest.raises(InvalidArguments, match="costs of the muscle of rod 1"):
        replace(chain, implicit=True, muscles=(JointMuscle(limb="rod 1", work=1.0), *chain.muscles[1:]))


def test_a_constant_that_leaps_between_stages_is_refused() -> None:
    chain = link_chain(pieces=2)
    later = replace(chain.stages[0], name="later", coordinates={"x": Representation(kind="constant", value=1.0)})
    with pytest.raises(InvalidArguments, match="0 on stretch, 1 on later"):
        MotionProgram(replace(chain, stages=(*chain.stages, later)))

"""Several figures stepped as one."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.document import Capsule, Ellipsoid
from engine.document.actor import Placement
from engine.document.props import prop
from engine.dynamics.articulation import Articulation, compile_articulation
from engine.dynamics.momenta import ANGULAR, KINETIC, LINEAR, MOMENTA, compute_momenta
from engine.dynamics.resistance import Resistance
from engine.dynamics.stepping import STEPPERS, Stepper
from engine.dynamics.together import put_together
from engine.formats.figure_toml import load_figure
from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments
from tests.engine.dynamics.contacts import pendulum, run, thing

BALL = thing(Ellipsoid(radii=(0.1, 0.1, 0.1)))
WEIGHTLESS = (0.0, 0.0, 0.0)


def momenta(made: Articulation, q: Array, qd: Array) -> Array:
    """What `compute_momenta` tells."""
    found = np.empty(MOMENTA)
    compute_momenta(made.mechanics.ints, made.mechanics.floats, q, qd, made.mechanics.new_work(), found)
    return found


@pytest.mark.parametrize("stepper", STEPPERS)
def test_balls_that_meet_keep_their_momentum_and_part_no_more(stepper: type[Stepper]) -> None:
    figure = put_together({"one": (BALL, Placement()), "two": (BALL, Placement(position=(0.5, 0.05, 0.0)))})
    made = compile_articulation(figure, gravity=WEIGHTLESS, ground=None)
    assert made.shapes.pair_count == 1
    state = made.new_state()
    state.qd[0] = 2.0
    before = momenta(made, state.q, state.qd)
    gaps: list[float] = []
    run(made, state, 0.5, 0.005, stepper=stepper(), seen=lambda work: gaps.append(apart(work.state.q)))
    after = momenta(made, state.q, state.qd)
    assert after[LINEAR : LINEAR + 3] == pytest.approx(before[LINEAR : LINEAR + 3], abs=1e-9)
    assert after[ANGULAR : ANGULAR + 3] == pytest.approx(before[ANGULAR : ANGULAR + 3], abs=2e-3 * before[LINEAR])
    assert 0.5 * before[KINETIC] <= after[KINETIC] < 0.7 * before[KINETIC]
    assert min(gaps) > -2e-3
    assert state.qd[6] > 0.9


def apart(q: Array) -> float:
    """The gap between the balls [m]."""
    return math.dist(q[:3], (q[7] + 0.5, q[8] + 0.05, q[9])) - 0.2


def test_a_ball_comes_to_rest_on_a_bar_that_another_figure_holds() -> None:
    bar = prop("Bar", (Capsule(start=(-1.0, 0.0, 0.0), end=(1.0, 0.0, 0.0), radius=0.05),), fixed=True)
    above = Placement(position=(0.0, 1.4, 0.0))
    figure = put_together({"bar": (bar, Placement(position=(0.0, 1.0, 0.0))), "ball": (BALL, above)})
    made = compile_articulation(figure, ground=None)
    state = made.new_state()
    run(made, state, 1.0, 0.005)
    assert state.q[1] == pytest.approx(1.15 - 1.4, abs=1e-3)
    assert np.abs(state.qd).max() < 1e-3


def test_figures_together_move_as_they_do_alone_where_they_do_not_touch() -> None:
    lamp, place = load_figure("lamp"), Placement(position=(3.0, 1.0, 0.0), rotation=(0.8, 0.0, 0.6, 0.0))
    alone = compile_articulation(lamp, position=place.position, rotation=place.rotation, ground=None)
    both = compile_articulation(put_together({"a": (pendulum(), Placement()), "b": (lamp, place)}), ground=None)
    one, two = alone.new_state(), both.new_state()
    run(alone, one, 0.5, 0.005)
    run(both, two, 0.5, 0.005)
    assert np.abs(one.q).max() > 0.1
    assert two.q[1:] == pytest.approx(one.q, abs=1e-9)


def test_ids_tell_the_figure_and_limits_go_along() -> None:
    figure = put_together({"a": (load_figure("lamp"), Placement()), "b": (load_figure("lamp"), Placement())})
    assert figure.joints[0].id == "a/base"
    assert figure.joint("b/head").parent == "b/upper_arm"
    assert len(set(figure.coordinates)) == len(figure.coordinates) == 10
    made = compile_articulation(figure, ground=None, resistance=Resistance(friction={figure.dofs[7].id: 1.0}))
    assert made.mechanics.rate_count == 10
    with pytest.raises(InvalidArguments, match="figures to put together"):
        put_together({})

"""Slowing down a step that has more energy than it was given."""

from __future__ import annotations

import numpy as np
import pytest

from engine.dynamics.articulation import compile_articulation
from engine.dynamics.energies import slow_down
from engine.dynamics.step_layout import Q_NEXT, QD_NEXT
from engine.dynamics.stepping import SemiImplicitEuler
from tests.engine.dynamics.contacts import BRICK, energy, thing


@pytest.mark.parametrize(("given", "speed"), [(-0.3, 0.5), (-3.0, 0.1), (0.0, 0.8)])
def test_what_torques_take_away_becomes_less_as_the_step_is_slowed_down(given: float, speed: float) -> None:
    """K s^2 - given s is what the slowed step has beside what it stands at: it equals the spare energy. A step in which
    muscles hold on to bones once came to a halt, since what they took at full speed was asked of it slowed, too."""
    made = compile_articulation(thing(BRICK))
    state = made.new_state()
    work = SemiImplicitEuler().start(made, state)
    still = energy(made, work)
    fast = np.zeros(made.mechanics.rate_count)
    fast[0] = 1.0
    state.qd[:] = fast
    kinetic = energy(made, work) - still
    spare = kinetic * speed**2 - given * kinetic * speed
    q_next, qd_next = work.floats[work.offsets[Q_NEXT] :], work.floats[work.offsets[QD_NEXT] :]
    q_next[: len(state.q)], qd_next[: len(fast)] = state.q, fast
    packed = (*made.packed, work.options), (state.buffer, work.offsets, work.floats, work.dynamics)
    slow_down(packed[0], still + spare, given * kinetic, state.q.copy(), packed[1], 0.005)
    assert qd_next[0] == pytest.approx(speed, rel=1e-9)

"""Two fixes that inverse kinodynamics is there to avoid, for comparison.

`Stiffen` raises the tension near a target until, at its time, the figure follows its keyed motion exactly: the style
of the motion changes with it (Rahgoshay 2011, section 3, before equation 3.2). With phi the largest of the targets'
bells, a frame is simulated at 1 / (1 - phi) times the tension. Where the keyed motion is not what is wanted, the bells
first lead it there, as an animator would key it. `Layered` leaves the secondary motion alone and adds what is missing
upon it, eased in and out by the bells (section 4.1): it hits, but nothing of the body feels that it was moved. Both
give poses at times; neither can become a correction of the keyed motion.

Times [ticks]; q: coordinates [rad, m].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Protocol

import numpy as np

from engine.dynamics.coordinates import integrate_coordinates
from engine.kinodynamics.gains import servo_rows
from engine.kinodynamics.tracking import KinoModel
from engine.maths.arrays import Array
from engine.motion.bells import bell_motion
from engine.runtime.errors import Diverged
from engine.targets.corrections import Corrections
from engine.targets.equations import State, check_goals
from engine.targets.inverse import Problem, corrected
from engine.targets.nodes import Group, gather_nodes, state_of
from engine.targets.steering import Steering, mobility_of

_EXACT = 1e-9  # of 1 - phi


class Fix(Protocol):
    """One way to meet targets that changes more than the keyed motion."""

    label: ClassVar[str]
    source: ClassVar[str]

    def poses(self, problem: Problem, times: Array) -> Array:
        """q at times, shape [n, coordinate_count]."""
        ...


@dataclass(frozen=True, kw_only=True)
class Stiffen:
    """More tension near targets."""

    label: ClassVar[str] = "Stiffen near the targets"
    source: ClassVar[str] = "Rahgoshay 2011, section 3"

    def poses(self, problem: Problem, times: Array) -> Array:
        """q at times, shape [n, coordinate_count]."""
        if not problem.goals:
            return problem.kino.simulate(times, problem.keyed)[0]
        group, steering = _group_of(problem)
        states = []
        for node in group.nodes:
            keyed = problem.keyed(node.ends)[:, 0]
            states.append(state_of(np.ascontiguousarray(keyed)))
        keyed_there = corrected(problem.kino, problem.keyed, (_what_is_missing(group, steering, states),))
        shares = np.max([bell_motion(node.bump.bell, times)[:, 0] for node in group.nodes], axis=0, initial=0.0)
        found = np.empty((len(times), problem.kino.mechanics.coordinate_count))
        for each, (time, share) in enumerate(zip(times, shares, strict=True)):
            found[each] = _stiffened(problem.kino, share).simulate(np.array([time]), keyed_there)[0][0]
        return found


@dataclass(frozen=True, kw_only=True)
class Layered:
    """The displacement to the targets, layered on the secondary motion."""

    label: ClassVar[str] = "Layer it on the secondary motion"
    source: ClassVar[str] = "Rahgoshay 2011, section 4.1"

    def poses(self, problem: Problem, times: Array) -> Array:
        """q at times, shape [n, coordinate_count]; what would be led beyond its limits stops there."""
        found, _ = problem.kino.simulate(times, problem.keyed)
        if not problem.goals:
            return found
        group, steering = _group_of(problem)
        nothing = np.zeros((1, len(group.basis.rows), group.model.rate_count))
        states = [group.states(node, nothing)[0] for node in range(len(group.nodes))]
        known = [state for state in states if state is not None]
        if len(known) < len(states):
            raise Diverged(what="the secondary motion at a target", value="not finite")
        f = _what_is_missing(group, steering, known).at(times)[0]
        for q, moved in zip(found, f, strict=True):
            integrate_coordinates(group.model.ints, q, moved, 1.0, q)
        return np.asarray(np.clip(found, group.model.lower, group.model.upper))


FIXES: Mapping[str, type[Stiffen] | type[Layered]] = {"stiffen": Stiffen, "layered": Layered}


def _group_of(problem: Problem) -> tuple[Group, Steering]:
    check_goals(problem.kino.mechanics.model, problem.goals)
    group = Group(problem.kino, problem.keyed, gather_nodes(problem.goals), problem.kino.new_state())
    mobility = mobility_of(problem.kino.gains) if problem.mobility is None else problem.mobility
    return group, Steering(group, mobility)


def _what_is_missing(group: Group, steering: Steering, states: list[State]) -> Corrections:
    """The displacements from given states to the targets, as corrections upon the bells."""
    e = [steering.displacement(node, state) for node, state in enumerate(states)]
    return Corrections(group.basis, np.array([e[index][order] for index, order in group.basis.rows]))


def _stiffened(kino: KinoModel, share: float) -> KinoModel:
    """Divide the tension by 1 - share: stiffness over its square, damping as the same ratio to critical."""
    left = 1.0 - share
    if left >= 1.0:
        return kino
    whole = np.full_like(kino.gains.kp, np.inf)
    kp, kd = (whole, whole) if left < _EXACT else (kino.gains.kp / left**2, kino.gains.kd / left)
    gains = replace(kino.gains, kp=kp, kd=kd)
    return replace(kino, gains=gains, servo=servo_rows(kino.mechanics, gains, kino.dt))

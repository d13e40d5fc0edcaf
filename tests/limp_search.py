"""Finds how the skeleton walks with weak muscles: `find_limp`, some minutes of work.

Its feet go as in the example *A walk by its muscles*. Pelvis, trunk and arms may change by a few harmonics each, the
legs follow by inverse kinematics, and least is, by damped least squares over all poses of the cycle,

    sum a^2 + sum (r / 1 N m)^2 + sum (R / rho)^2 + sum (c / usual)^2

with activations a and reserves r of static optimisation, that is what muscles lack, R what is left at the root beside
the estimated force of the ground, and the changes c themselves, which hold the walk to what it was. Nothing says what a
limp looks like.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from engine.document import Actor, Document
from engine.document.motion import TICKS_PER_SECOND
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array
from engine.muscles.compiled import MuscledFigure
from engine.muscles.parts import Muscles
from engine.muscles.required import RequiredDynamics, held_rates
from engine.muscles.static import FrameSharing
from engine.queries.examples import example
from tests.walk_legs import DEGREE, SIDES, WalkerLegs
from tests.walk_moving import COUNT, PERIOD, Change, PeriodicMotion, harmonics, least_squares
from tests.walk_search import LEG_PARTS

WAYS, TURNS = 30.0, 8.0  # rho at the root [N], [N m]
NEAR = 1.5  # what a usual change costs
ITERATIONS = 12
Usual = tuple[str, tuple[int, ...], float, float]
ROOT: tuple[Usual, ...] = (
    ("sacrum.move_x", (1, 2), 0.03, 0.03),
    ("sacrum.move_y", (1, 2), 0.012, 0.012),
    ("sacrum.move_z", (1, 2), 0.015, 0.0),
    ("sacrum.roll", (1, 2), 5.0 * DEGREE, 4.0 * DEGREE),
    ("sacrum.turn", (1,), 4.0 * DEGREE, 0.0),
    ("sacrum.tilt", (1,), 2.0 * DEGREE, 3.0 * DEGREE),
)
TRUNK: tuple[Usual, ...] = (
    ("side_bend", (1, 2), 6.0 * DEGREE, 6.0 * DEGREE),
    ("rotation", (1,), 4.0 * DEGREE, 0.0),
    ("flexion", (1,), 2.0 * DEGREE, 3.0 * DEGREE),
)
"""Coordinates, harmonics of theirs, and what is usual of these and of their mean [m, rad]."""


class LimpSearch(PeriodicMotion):
    """The walk of a person with such muscles, as a function of a few numbers."""

    def __init__(self, muscles: Muscles) -> None:
        super().__init__()
        walk = example("muscled_walk").build()
        (walker,) = walk.actors
        times = [round(row * PERIOD * TICKS_PER_SECOND / COUNT) for row in range(COUNT)]
        self.base: Array = np.array(Evaluator().coordinates(walk, walker.id, times))
        self.legs = WalkerLegs(self.model)
        self.feet = self.legs.feet(self.base)
        self.guess = {side: self.base[:, self.legs.columns[side]].copy() for side in SIDES}
        self.changes: tuple[Change, ...] = tuple(self._list_changes())
        actor = Actor(id="walker", name="Walker", figure=self.figure, parts=(muscles,))
        self._dynamics = RequiredDynamics(Evaluator(), Document(actors=(actor,)), actor.id)
        self.held = held_rates(actor, muscles)
        self._sharing = FrameSharing(MuscledFigure(self.model, muscles), self.held.tolist(), "squares")
        slides = np.array([dof.kind == "slide" for dof in self.figure.joints[0].dofs])
        self._rho = np.where(slides, WAYS, TURNS)

    def poses(self, x: Array) -> tuple[Array, Array]:
        """All poses of the cycle, and what heel bones miss."""
        q = self.changed(self.base, x, self.changes)
        for side in SIDES:
            q[:, self.legs.columns[side]] = self.guess[side]
        missed = self.legs.bring(q, self.feet)
        return self.slow(q, LEG_PARTS), missed

    def keep(self, x: Array) -> None:
        """Legs begin from there next time."""
        q, _ = self.poses(x)
        self.guess = {side: q[:, self.legs.columns[side]].copy() for side in SIDES}

    def shared(self, q: Array) -> tuple[Array, Array]:
        """Activations, and what they leave of each rate, in each pose."""
        motion, active, left = self.motion(q), [], []
        now, rate, change = (np.ascontiguousarray(motion[:, each]) for each in range(3))
        taken = self._dynamics.taken([0] * COUNT, now, rate, change)
        for row in range(COUNT):
            some, rest, _ = self._sharing.share(now[row], rate[row], taken.torques[row])
            active.append(some)
            left.append(rest)
        return np.array(active), np.array(left)

    def residuals(self, x: Array) -> Array:
        """What is to be small."""
        q, missed = self.poses(x)
        active, left = self.shared(q)
        away = np.array([value / each.usual for value, each in zip(x.tolist(), self.changes, strict=True)])
        rest = np.delete(left, self.held, axis=1)
        root = left[:, self.held] / self._rho
        return np.concatenate((root.ravel(), active.ravel(), rest.ravel(), NEAR * away, 1000.0 * missed))

    def _list_changes(self) -> list[Change]:
        found = [each for name, most, *usual in ROOT for each in harmonics(self.one(name), most, *usual)]
        for way, most, *usual in TRUNK:
            for group in ("lumbar", "thoracic"):
                found += harmonics(self.spine(group, way), most, *usual)
        for side in SIDES:
            found += harmonics(self.one(f"humerus_{side}.abduction"), (1,), 6.0 * DEGREE, 6.0 * DEGREE)
        return found


def find_limp(muscles: Muscles) -> Array:
    """Poses of a cycle, evenly spaced, shape [COUNT, coordinate_count]."""
    search = LimpSearch(muscles)
    return search.poses(least_squares(search, ITERATIONS))[0]


def weakened(muscles: Muscles, shares: Mapping[str, float]) -> Muscles:
    """The muscles, some with a share of their greatest force."""
    new = (replace(each, force=each.force * shares.get(each.id, 1.0)) for each in muscles.muscles)
    return replace(muscles, muscles=tuple(new))

"""SoftRun: the state of all soft bodies while they are stepped, with the model for what is held just now.

Which points are held may be others from step to step (a body that begins to move, a span that ends): each set has a
model of its own, made of the one that was compiled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.maths.arrays import Array, IntArray
from engine.runtime.bounded import Bounded
from engine.runtime.quick_dataclass import dataclass
from engine.soft.apparent import Apparent, find_apparent
from engine.soft.contact import Collider
from engine.soft.holding import Anchors, Holder, Leads
from engine.soft.poking import Poke
from engine.soft.printed import PrintedSplines
from engine.soft.step import SoftModel, SoftState, SoftWork, load, save, start, step

Saved = Mapping[str, Any]  # what steps go on from
_KEPT = 4  # models for what is held


class Touches(NamedTuple):
    """Where bodies are touched."""

    points: NDArray[np.float32]  # [m] in the world, shape [count, 3]
    forces: NDArray[np.float32]  # [N] on them, shape [count, 3]
    of: NDArray[np.int32]  # numbers of the points


NO_TOUCHES = Touches(
    np.zeros((0, 3), dtype=np.float32), np.zeros((0, 3), dtype=np.float32), np.zeros(0, dtype=np.int32)
)


class Contacts(NamedTuple):
    """Pairs of a point and a collider that met in a step."""

    points: IntArray
    colliders: IntArray  # numbers in the step's list
    forces: Array  # [N] on the points, shape [count, 3]


@dataclass(eq=False)
class SoftTerms:
    """The terms of all steps: the compiled model, and those for other points that are held."""

    model: SoftModel
    dt: float  # [s]
    printed: tuple[PrintedSplines, ...] = ()  # splines that pull before a step

    def __post_init__(self) -> None:
        self._models: Bounded[bytes, SoftModel] = Bounded(_KEPT)
        self._apparent: Bounded[tuple[int, tuple[tuple[str, int], ...]], tuple[SoftModel, Apparent]] = Bounded(_KEPT)

    def model_for(self, held: Leads) -> SoftModel:
        """The model for what is held."""
        pulls = np.stack((held.anchors.stiffness, held.anchors.damping), axis=1)
        key = held.hard.tobytes() + held.anchors.points.tobytes() + pulls.tobytes()

        def made() -> SoftModel:
            hard = np.flatnonzero(held.hard).astype(np.int32)
            return replace(self.model, held=hard, pulled=held.anchors.points.astype(np.int32), pulls=pulls)

        return self._models.find(key, made)

    def apparent(self, model: SoftModel, holders: Sequence[Holder]) -> Apparent:
        """The inertia that joints feel by points that they hold, for a model for what is held."""
        key = id(model), tuple(each.link for each in holders)
        known = self._apparent.get(key)
        if known is None or known[0] is not model:
            known = self._apparent.keep(key, (model, find_apparent(model, holders, self.dt)))
        return known[1]


class SoftRun:
    """Steps one state; used by one thread."""

    def __init__(self, terms: SoftTerms, state: SoftState) -> None:
        self._terms, self._state = terms, state
        self._model: SoftModel | None = None
        self._work: SoftWork | None = None
        self.touches = NO_TOUCHES
        self.contacts = Contacts(np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int32), np.zeros((0, 3)))
        self.holding = np.zeros((0, 3))  # [N] on points that are led, shape [point_count, 3]
        self.drawing = np.zeros((0, 3))  # [N] on points that anchors draw, shape [anchor_count, 3]
        self.worked = np.zeros(4)  # of the last step: elastic energy [J], that of splines, iterations, residual

    @property
    def points(self) -> Array:
        """Where all points are [m], shape [point_count, 3]."""
        return self._state.x

    @property
    def speeds(self) -> Array:
        """How fast they are [m/s]."""
        return self._state.v

    @classmethod
    def begin(cls, terms: SoftTerms, points: Array, speeds: Array) -> SoftRun:
        """Begin where points are [m], at their speeds [m/s]."""
        state = terms.model.new_state()
        state.x[:], state.v[:] = points, speeds
        return cls(terms, state)

    def step(
        self,
        alphas: Array,
        colliders: Sequence[Collider],
        held: Leads,
        pokes: Sequence[Poke] = (),
        pushes: Array | None = None,
    ) -> None:
        """Move on by a step; `Diverged` leaves all as it was."""
        model, before = self._terms.model_for(held), self._state.x.copy()
        if self._work is None or model is not self._model:
            self._model, self._work = model, start(model, self._state)
        if self._terms.printed or pushes is not None:
            self._pull(self._work, alphas, pushes)
        report = step(
            model,
            self._state,
            self._work,
            self._terms.dt,
            alphas=alphas,
            colliders=colliders,
            held_at=held.places[held.hard],
            targets=held.anchors.places,
            target_velocities=held.anchors.speeds,
            pokes=pokes,
        )
        self.contacts = Contacts(report.contact_points, report.contact_colliders, report.contacts)
        self.holding = np.zeros_like(before)
        self.holding[model.held] = report.reactions
        self.drawing = self._drawn(held.anchors, before)
        self.worked = np.array((report.elastic, report.strings, report.iterations, report.residual))
        felt = np.flatnonzero(np.abs(report.touched.forces).max(axis=1, initial=0.0) > 0.0)
        places, forces = report.touched.places[felt], report.touched.forces[felt]
        at = report.touched.points[felt]
        self.touches = Touches(places.astype(np.float32), forces.astype(np.float32), at.astype(np.int32))

    def _drawn(self, anchors: Anchors, before: Array) -> Array:
        """Find the forces of anchors at the end of a step."""
        now, then = self._state.x[anchors.points], before[anchors.points]
        slip = (now - then) / self._terms.dt - anchors.speeds
        found: Array = anchors.stiffness[:, None] * (anchors.places - now) - anchors.damping[:, None] * slip
        return found

    def _pull(self, work: SoftWork, alphas: Array, pushes: Array | None) -> None:
        """Let splines of printed forms, and what pushes from outside, accelerate the points, as gravity does."""
        model, pull = self._terms.model, work.vectors.pull.reshape(-1, 3)
        pull[:] = model.options.gravity
        for each in self._terms.printed:
            forces = each.forces(self._state.x, self._state.v, alphas)
            pull[each.points] += forces / model.masses[each.points, None]
        if pushes is not None:
            pull += pushes / model.masses[:, None]

    def apparent(self, holders: Sequence[Holder]) -> Apparent:
        """The inertia that joints felt in the last step by the points that they hold."""
        assert self._model is not None
        return self._terms.apparent(self._model, holders)

    def save(self) -> Saved:
        """Make a checkpoint."""
        return {"state": save(self._state), "touches": self.touches, "worked": self.worked}

    def restore(self, saved: Saved) -> None:
        """Go back to a checkpoint of this state."""
        state, found = self._state, saved["state"]
        state.x[:], state.v[:], state.a[:], state.grips[:] = (found[name] for name in ("x", "v", "a", "grips"))
        state.time = float(found["time"][0])

    @classmethod
    def load(cls, terms: SoftTerms, saved: Saved) -> SoftRun:
        """Take up a checkpoint."""
        found = cls(terms, load(terms.model, saved["state"])[0])
        found.touches, found.worked = saved["touches"], saved["worked"]
        return found

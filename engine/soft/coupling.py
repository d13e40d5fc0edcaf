"""Coupling: soft bodies and the rigid bodies that physics simulates push each other.

A step of soft bodies needs to know where rigid bodies are at its end, which is where its own forces have led them. With
w the wrenches on the bodies, X(w) where physics leads them under w (tried out, contacts and all), and g(X) what a step
of the soft bodies answers, wanted is w = g(X(w)). Newton's method with Broyden's (1965) updates of

    dg/dw = -M J A^-1 J^T (s + 1) / (2 s)

finds it, s steps of physics to one of the soft bodies, M the inertia that joints feel of soft bodies: of points that
they hold that of a step at rest (`apparent.py`), which knows what joints do to each other by the flesh between them;
where they touch, of the whole soft body as if it were frozen to the rigid one, which bounds from above what it can be
where nothing else holds it. It begins with the wrenches of the
step before. What acts on physics is always the last g: equal and opposite to what acted on the soft bodies in their
last trial, which is the step that counts. Where it is not settled the rigid bodies go on otherwise than foreseen, and
the next step begins from where they are.

Updates are taken in the norm of kinetic energy, so that forces and torques may stand side by side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from engine.evaluation import MovingBodies, Wrenches
from engine.maths.arrays import Array, BoolArray
from engine.soft.contact import Collider
from engine.soft.holding import Holder, Leads
from engine.soft.running import SoftRun
from engine.soft.surroundings import Obstacle

MOST = 8  # trials of a step
SETTLED = 1e-3, 1e-2  # [m/s], [rad/s] by which rigid bodies may go on otherwise than foreseen

Frames = Mapping[str, Array]
Link = tuple[str, int]  # an actor, and the number of a joint of it


class StepInputs(NamedTuple):
    """All that a step of soft bodies takes from outside, but for the state."""

    alphas: Array
    colliders: Sequence[Collider]
    held: Leads
    pokes: Sequence[tuple[int, Array, float, float]]
    pushes: Array | None = None  # forces of others on points [N], shape [point_count, 3]


class Coupled(NamedTuple):
    """A step that pushed rigid bodies: what it takes to make it again, and what it answered."""

    before: Frames  # of the joints of free actors, as the step begins
    after: Frames  # where they were foreseen at its end
    wrenches: Wrenches  # on them, torques about the origins of joints as the step begins

    def on(self, moving: MovingBodies) -> Wrenches:
        """The wrenches about where joints are at a step of physics: forces keep their lines in the world."""
        found = {}
        for actor, given in self.wrenches.items():
            moved = self.before[actor][:, :, 3] - moving.frames[actor][:, :, 3]
            found[actor] = given + np.concatenate((np.zeros_like(moved), np.cross(moved, given[:, :3])), axis=1)
        return found


class Feet(NamedTuple):
    """Points that soft bodies push with, and solids that they may touch."""

    solids: Sequence[Obstacle]  # in the order of colliders, from `first` on
    first: int
    pushing: BoolArray  # whether the body of each point pushes
    bodies: Sequence[slice]  # points of each body
    masses: Array  # [kg] of all points


def couple(
    run: SoftRun,
    moving: MovingBodies,
    feet: Feet,
    guess: Wrenches,
    inputs: Callable[[Frames], StepInputs],
    held: Sequence[Holder],
    dt: float,
) -> Coupled:
    """Make a step of dt [s] of soft bodies, and find what they do to rigid ones meanwhile. `inputs`: those of a step at
    whose end free actors stand as said; `held`: the points that joints of these hold."""
    steps = max(1, round(dt / moving.dt))
    saved = run.save()
    wrenches: Wrenches = {actor: each.copy() for actor, each in guess.items() if actor in moving.frames}
    solving: _Solving | None = None
    for trial in range(MOST):
        after, _ = moving.ahead(wrenches, steps)
        if trial:
            run.restore(saved)
        run.step(*inputs(after))
        given = answers(run, moving.frames, feet, held)
        if trial == MOST - 1:
            break
        if solving is None:
            if not any(each.any() for each in (*wrenches.values(), *given.values())):
                break
            solving = _Solving(moving, feet, held, run, steps)
        found = solving.next(wrenches, given)
        if found is None:
            break
        wrenches = found
    return Coupled(moving.frames, after, given)


def answers(run: SoftRun, frames: Frames, feet: Feet, held: Sequence[Holder]) -> dict[str, Array]:
    """Give what soft bodies did to joints that stand there in their last step: minus what these did to them, at the
    same points, with torques about the origins of joints."""
    out: dict[str, Array] = {}
    contacts = run.contacts
    numbers = contacts.colliders - feet.first
    for number in np.unique(numbers[numbers >= 0]).tolist():
        solid = feet.solids[number]
        if solid.actor in frames:
            which = (numbers == number) & feet.pushing[contacts.points]
            _add(out, frames, (solid.actor, solid.joint), run.points[contacts.points[which]], contacts.forces[which])
    for link, points, anchors in held:
        if link[0] in frames:
            own = feet.pushing[points]
            forces = run.holding[points] if anchors is None else run.drawing[anchors]
            _add(out, frames, link, run.points[points[own]], forces[own])
    return out


def _add(out: dict[str, Array], frames: Frames, link: Link, places: Array, forces: Array) -> None:
    """Add what points that feel forces do to what these come of."""
    actor, joint = link
    if forces.any():
        rows = out.setdefault(actor, np.zeros((len(frames[actor]), 6)))
        rows[joint, :3] -= forces.sum(axis=0)
        rows[joint, 3:] -= np.cross(places - frames[actor][joint, :, 3], forces).sum(axis=0)


class _Solving:
    """The search for the wrenches of one step."""

    def __init__(self, moving: MovingBodies, feet: Feet, held: Sequence[Holder], run: SoftRun, steps: int) -> None:
        self._moving, self._run, self._feet, self._held, self._steps = moving, run, feet, held, steps
        self._links: list[Link] = []
        self._response = np.zeros((0, 0))
        self._slope = np.zeros((0, 0))
        self._last: tuple[Array, Array] | None = None

    def next(self, tried: Wrenches, given: Wrenches) -> Wrenches | None:
        """Give what to try after these wrenches were answered by those; None where both agree."""
        self._take_in(tried, given)
        w = self._packed(tried)
        miss = self._packed(given) - w
        if self._last is not None:
            self._learn(w - self._last[0], miss - self._last[1])
        self._last = w, miss
        astray = abs(self._steps * self._response @ miss).reshape(-1, 2, 3).max(axis=(0, 2), initial=0.0)
        if (astray <= SETTLED).all():
            return None
        return self._unpacked(w - np.linalg.solve(self._slope, miss))

    def _learn(self, step: Array, change: Array) -> None:
        """Mend the slope of the miss, so that it tells how that changed (Broyden)."""
        seen = self._response @ step
        size = float(step @ seen)
        if size > 0.0:
            self._slope += np.outer(change - self._slope @ step, seen) / size

    def _take_in(self, *wrenches: Wrenches) -> None:
        """Take in the joints that are pushed for the first time."""
        pushed = {
            (actor, joint)
            for each in wrenches
            for actor, rows in each.items()
            for joint in np.flatnonzero(np.abs(rows).max(axis=1)).tolist()
        }
        new = sorted(pushed - set(self._links))
        if not new:
            return
        known = 6 * len(self._links)
        self._links += new
        size = 6 * len(self._links)
        last, slope = self._last, np.zeros((size, size))
        slope[:known, :known] = self._slope
        self._response = self._find_response()
        inertia = np.zeros((size, size))
        holding = self._find_held(inertia)
        for place, link in enumerate(self._links):
            if link not in holding:
                own = slice(6 * place, 6 * place + 6)
                inertia[own, own] = self._find_inertia(link)
        share = (self._steps + 1) / (2.0 * self._steps * self._moving.dt)
        fresh = -np.eye(size) - share * inertia @ self._response
        slope[known:], slope[:, known:] = fresh[known:], fresh[:, known:]
        self._slope = slope
        if last is not None:
            self._last = np.pad(last[0], (0, size - known)), np.pad(last[1], (0, size - known))

    def _find_response(self) -> Array:
        """Find the changes of speeds in a step of physics by unit wrenches."""
        found = np.zeros((6 * len(self._links), 6 * len(self._links)))
        for column, unit in enumerate(np.eye(len(found))):
            found[:, column] = self._packed(self._moving.respond(self._unpacked(unit)))
        return 0.5 * (found + found.T)

    def _find_held(self, inertia: Array) -> Collection[Link]:
        """Find the inertia of soft bodies that joints feel by the points that they hold; these joints."""
        holders = [each for each in self._held if each.link[0] in self._moving.frames and len(each.points)]
        holders = [each for each in holders if self._feet.pushing[each.points].all()]
        if not holders:
            return ()
        found = self._run.apparent(holders)
        origins = np.array([self._moving.frames[actor][joint, :, 3] for actor, joint in found.links])
        seen = found.seen(self._run.points, origins).reshape(len(found.links), 6, len(found.links), 6)
        own = [place for place, link in enumerate(found.links) if link in self._links]
        at = [self._links.index(found.links[place]) for place in own]
        blocks = inertia.reshape(len(self._links), 6, len(self._links), 6)
        for one, row in zip(own, at, strict=True):
            for two, column in zip(own, at, strict=True):
                blocks[row, :, column] = seen[one, :, two]
        return found.links

    def _find_inertia(self, link: Link) -> Array:
        """Find the inertia of all soft bodies that push a joint, as if they were frozen to it, about its origin."""
        feet, run = self._feet, self._run
        touched = np.zeros(len(feet.masses), dtype=np.bool_)
        for held in self._held:
            if held.link == link:
                touched[held.points] = True
        numbers = run.contacts.colliders - feet.first
        for number, solid in enumerate(feet.solids):
            if (solid.actor, solid.joint) == link:
                touched[run.contacts.points[numbers == number]] = True
        found = np.zeros((6, 6))
        origin = self._moving.frames[link[0]][link[1], :, 3]
        for own in feet.bodies:
            if touched[own].any():
                found += _inertia(feet.masses[own], run.points[own] - origin)
        return found

    def _packed(self, wrenches: Wrenches) -> Array:
        rows = [wrenches[actor][joint] if actor in wrenches else np.zeros(6) for actor, joint in self._links]
        return np.concatenate(rows) if rows else np.zeros(0)

    def _unpacked(self, packed: Array) -> dict[str, Array]:
        found: dict[str, Array] = {}
        for (actor, joint), row in zip(self._links, packed.reshape(-1, 6), strict=True):
            found.setdefault(actor, np.zeros((len(self._moving.frames[actor]), 6)))[joint] = row
        return found


def _inertia(masses: Array, away: Array) -> Array:
    """The matrix that gives momentum and its moment about an origin from velocity there and spin."""
    total, first = float(masses.sum()), masses @ away
    x, y, z = first
    cross = np.array(((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0)))
    second = np.einsum("i,ij,ik->jk", masses, away, away)
    turning = np.trace(second) * np.eye(3) - second
    return np.block([[total * np.eye(3), -cross], [cross, turning]])


def advanced(frames: Frames, speeds: Frames, seconds: float) -> dict[str, Array]:
    """Move joints on at an even rate."""
    found = {}
    for actor, given in frames.items():
        out = given.copy()
        for row, (*speed, x, y, z) in zip(out, speeds[actor].tolist(), strict=True):
            angle = seconds * math.sqrt(x * x + y * y + z * z)
            if angle > 0.0:
                scale = seconds / angle
                a, b, c = scale * x, scale * y, scale * z
                cross = np.array(((0.0, -c, b), (c, 0.0, -a), (-b, a, 0.0)))
                turn = np.eye(3) + math.sin(angle) * cross + (1.0 - math.cos(angle)) * cross @ cross
                row[:, :3] = turn @ row[:, :3]
            row[:, 3] += seconds * np.array(speed)
        found[actor] = out
    return found

"""TankRun: the part of stepping one tank that is about bodies: which are in it, and what it does to them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.maths.arrays import Array
from engine.water.flattened import IN_PLANE, flatten, flatten_pushed
from engine.water.immersed import Immersed
from engine.water.joined import RigidFrames
from engine.water.moments import NUMBERS, WaterMoment
from engine.water.pushing import ROW
from engine.water.solids import MovingMesh
from engine.water.surroundings import BodyPlaces, PushedBodies, TankBody, moving

if TYPE_CHECKING:
    from engine.water.compile import TankScene

Saved = Mapping[str, NDArray[Any]]
_OWN = ("own_forces", "own_seconds", "own_report", "own_pushes")
_STILL = RigidFrames(origins=np.zeros((1, 3)), velocities=np.zeros((1, 6)))  # a frame that moves nothing


class InTank(NamedTuple):
    """Surfaces in the water of a step: led ones, with their numbers among bodies, and those that give way."""

    numbers: Sequence[int]
    led: Sequence[MovingMesh]
    led_scales: Sequence[float]  # of forces on them
    pushed: PushedBodies | None
    scales: Array  # of forces on frames, shape [frame_count, 1]

    def immersed(self, solids: Sequence[MovingMesh]) -> Immersed:
        """All of it, for a step of the water."""
        pushed = self.pushed
        return Immersed(
            solids=tuple(solids),
            frames=_STILL if pushed is None else pushed.frames,
            free=_STILL.velocities if pushed is None else pushed.free,
            response=np.zeros((6, 6)) if pushed is None else pushed.response,
        )


class TankRun(ABC):
    """Steps one state; used by one thread."""

    def __init__(self, scene: TankScene) -> None:
        self._scene = scene
        self.pushes = list[Array]()  # on joints that physics moves, in the steps since the last frame
        self.forces = np.zeros((len(scene.bodies), 6))
        self.soft = dict[str, Array]()  # on the vertices of soft bodies, in the last step
        self.seconds = 0.0  # since the start
        self._numbers = np.zeros(NUMBERS)

    @abstractmethod
    def step(
        self, before: BodyPlaces, now: BodyPlaces, dt: float, pushed: PushedBodies | None = None
    ) -> Generator[float, None, None]:
        """Move on by a step of dt [s], with bodies that go from one place to another, and those that the water pushes
        where they are; yields the share that is done."""

    @abstractmethod
    def save(self) -> Saved:
        """Make a checkpoint."""

    @abstractmethod
    def moment(self) -> WaterMoment:
        """Give what is seen and measured now."""

    def begin_frame(self) -> None:
        """Forget what was pushed on the way to the frame that it stands at."""
        self.pushes.clear()

    def _in_tank(self, before: BodyPlaces, now: BodyPlaces, dt: float, pushed: PushedBodies | None) -> InTank:
        """Find what is in the tank in a step, and begin to note what the water does to it."""
        scene = self._scene
        self.forces[:] = 0.0
        self.soft = {}
        pushed = pushed if pushed is not None and pushed.frames.count else None
        numbers = [
            number
            for number, each in enumerate(scene.bodies)
            if (pushed is None or each.actor not in pushed.actors) and self._meets(each, before, now)
        ]
        led: Sequence[MovingMesh] = [moving(scene.bodies[number], before, now, 0.0, dt) for number in numbers]
        led_scales: Sequence[float] = [1.0] * len(led)
        scales = np.ones((1 if pushed is None else pushed.frames.count, 1))
        if scene.grid.planar:
            flat = flatten(led, [scene.bodies[number].actor for number in numbers], scene.grid)
            numbers, led, led_scales = [numbers[row] for row in flat.rows], flat.solids, flat.scales
            if pushed is not None:
                owners = [scene.bodies[number].actor for number in pushed.numbers]
                pushed, scales = flatten_pushed(pushed, owners, scene.grid)
        return InTank(numbers, led, led_scales, pushed, scales)

    def _note(self, found: InTank, before: BodyPlaces, vertex_forces: Sequence[Array], wrenches: Array) -> None:
        """Note the forces on all vertices in the water, led bodies first, and those on frames."""
        scene, pushed, planar = self._scene, found.pushed, self._scene.grid.planar
        for number, solid, scale, forces in zip(
            found.numbers, found.led, found.led_scales, vertex_forces, strict=False
        ):
            body = scene.bodies[number]
            middle = solid.points.mean(axis=0) if body.joint < 0 else before.frames[body.actor][body.joint, :, 3]
            self._note_force(number, solid, middle, scale * forces)
        if pushed is not None and pushed.solids:
            last = vertex_forces[-len(pushed.solids) :]
            for number, solid, forces in zip(pushed.numbers, pushed.solids, last, strict=True):
                frame = solid.mesh.frames[0, 0]
                scaled = found.scales[frame, 0] * forces
                self._note_force(number, solid, pushed.frames.origins[frame], scaled)
                if scene.bodies[number].joint < 0:
                    self._note_soft(scene.bodies[number], scaled)
        given = found.scales * wrenches * IN_PLANE if planar else wrenches
        self.pushes.append(self._no_push() if pushed is None else scene.links.rows(pushed, given))

    def _note_force(self, number: int, solid: MovingMesh, origin: Array, forces: Array) -> None:
        self.forces[number] = *forces.sum(axis=0), *np.cross(solid.points - origin, forces).sum(axis=0)
        if self._scene.grid.planar:
            self.forces[number] *= IN_PLANE

    def _note_soft(self, body: TankBody, forces: Array) -> None:
        """Note the forces on all vertices of a soft body's surface, of which those at one place are one."""
        found = np.zeros((body.vertex_count, 3))
        found[body.welds] = forces
        if self._scene.grid.planar:
            found[:, 2] = 0.0
        self.soft[body.actor] = found

    def _no_push(self) -> Array:
        return np.zeros((len(self._scene.links.links), ROW))

    def _joined(self) -> Array:
        return np.array(self.pushes).reshape(len(self.pushes), len(self._scene.links.links), ROW)

    def _own(self) -> Saved:
        """Give what a checkpoint holds of it."""
        own = self.forces.copy(), np.array([self.seconds]), self._numbers.copy(), self._joined()
        return dict(zip(_OWN, own, strict=True))

    def _load_own(self, saved: Saved) -> None:
        self.forces = saved["own_forces"].copy()
        self.seconds, self._numbers = float(saved["own_seconds"][0]), saved["own_report"].copy()
        self.pushes = list(saved["own_pushes"].copy())

    def _standing(self, bodies: BodyPlaces) -> Sequence[MovingMesh]:
        """Give the surfaces that are in the tank from the beginning; soft ones that are not known yet are not."""
        known = [each for each in self._scene.bodies if each.joint >= 0 or each.actor in bodies.soft]
        there = [each for each in known if self._meets(each, bodies, bodies)]
        solids: Sequence[MovingMesh] = [moving(each, bodies, bodies, 0.0, 1.0) for each in there]
        if self._scene.grid.planar:
            solids = flatten(solids, [each.actor for each in there], self._scene.grid).solids
        return solids

    def _meets(self, body: TankBody, before: BodyPlaces, now: BodyPlaces) -> bool:
        """Tell whether the box about a surface meets the tank."""
        points = np.concatenate((body.at(before), body.at(now)))
        low, size = np.array(self._scene.grid.origin), np.array(self._scene.grid.size)
        return bool((points.max(axis=0) > low).all() and (points.min(axis=0) < low + size).all())

"""Compile: the tank of an actor as a scene that can be stepped."""

from __future__ import annotations

from dataclasses import replace
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from engine.document import Actor, Document
from engine.document.ticks import Rate
from engine.dynamics.stepping import divide_frame
from engine.maths.arrays import Array
from engine.physics.parts import PhysicsWorld
from engine.runtime.quick_dataclass import dataclass
from engine.soft.parts import SoftWorld
from engine.water.beginning import beginning, first_heights
from engine.water.ends import EndZones
from engine.water.grid import LEAST_CELLS, WaterGrid
from engine.water.height_running import HeightRun
from engine.water.moments import unpack
from engine.water.paddle import Paddle
from engine.water.parts import WaterTank
from engine.water.pushing import Links
from engine.water.running import WaterRun
from engine.water.step import WaterModel, WaterOptions
from engine.water.surfaces import PARTICLE_LEVEL_SET
from engine.water.surroundings import BodyPlaces, TankBody, find_bodies
from engine.water.tank_run import Saved, TankRun
from engine.water.uses import pressed_bodies, water_tank

NUMBERS = 5  # counts the changes of code after which the same document has other water; older bakes are then left alone
_SEEN = {"slice": "none", "slice_place": 0.5, "arrows": False, "shown": "pseudo"}  # what of a tank moves no water


@dataclass(frozen=True, eq=False)
class TankScene:
    """One tank, and all that may be in it."""

    actor: Actor
    tank: WaterTank
    model: WaterModel
    bodies: tuple[TankBody, ...]
    links: Links
    paddle: Paddle | None
    rate: Rate
    dt: float  # [s] of a step
    steps: int  # in a frame

    @property
    def start(self) -> int:
        """From when on it moves [ticks]."""
        return self.tank.start

    @property
    def grid(self) -> WaterGrid:
        """Its grid."""
        return self.model.grid

    @property
    def lower(self) -> tuple[float, float, float]:
        """The least corner of what is seen as the tank [m]."""
        x, y, z = self.grid.origin
        return x, y, z + 0.5 * (self.grid.size[2] - self.tank.box[2])

    @property
    def slabs(self) -> float:
        """How many times as deep as its grid it counts: a planar one stands for a slab."""
        return self.tank.box[2] / self.grid.spacing if self.tank.planar else 1.0

    def deepened(self, places: NDArray[np.float32]) -> NDArray[np.float32]:
        """Give places in a planar grid where they are seen in its slab."""
        if not self.tank.planar:
            return places
        found, middle = places.copy(), self.grid.origin[2] + 0.5 * self.grid.spacing
        found[:, 2] = middle + self.slabs * (found[:, 2] - middle)
        return found

    def first_distance(self) -> Array:
        """Give the distance to the water's first surface [m]."""
        return beginning(self.tank, self.grid)

    def first_heights(self) -> Array:
        """Give the heights of the water's first surface above the floor [m], by columns."""
        return first_heights(self.tank, self.grid)

    def begin(self, bodies: BodyPlaces) -> TankRun:
        """Make the state that steps begin with."""
        return (HeightRun if self.tank.is_height_field else WaterRun).begin(self, bodies)

    def load(self, saved: Saved) -> TankRun:
        """Make the state that was saved."""
        return (HeightRun if self.tank.is_height_field else WaterRun).load(self, saved)

    def showing(self, tank: WaterTank) -> TankScene:
        """The scene with other things seen of it."""
        return replace(self, tank=tank)

    def unpack(self, content: bytes) -> Saved:
        """Read a state."""
        return unpack(content)


def compile_tank(document: Document, actor: Actor, floor: Array) -> TankScene:
    """Compile the tank of an actor, whose floor's middle is at a place [m]."""
    tank = water_tank(actor)
    assert tank is not None, "the caller has looked"
    world = document.part(PhysicsWorld) or PhysicsWorld()
    dt, steps = divide_frame(document.rate[0] / document.rate[1], tank.step)
    grid = _grid(tank, floor)
    model = WaterModel(
        grid=grid,
        gravity=(0.0, -world.gravity, 0.0),
        density=tank.density,
        viscosity=tank.viscosity / tank.density,
        options=WaterOptions(
            advection=tank.advection,
            surface=PARTICLE_LEVEL_SET if tank.is_height_field else tank.surface,
            spray=tank.spray,
            correct_volume=tank.keep_volume,
        ),
        ends=EndZones(grid, tank.current, tank.level, world.gravity) if tank.ends == "open" else None,
    )
    bodies = find_bodies(document) if tank.touches else ()
    return TankScene(
        actor=actor,
        tank=tank,
        model=model,
        bodies=bodies,
        links=Links(bodies, pressed_bodies(document)),
        paddle=Paddle(grid, tank.stroke, tank.period) if tank.stroke > 0.0 else None,
        rate=document.rate,
        dt=dt,
        steps=steps,
    )


def with_resolution(scene: TankScene, resolution: float) -> TankScene:
    """Give the same tank on other cells [1/m]."""
    tank, (x, y, z), (wide, _, deep) = replace(scene.tank, resolution=resolution), scene.grid.origin, scene.grid.size
    grid = _grid(tank, np.array((x + 0.5 * wide, y, z + 0.5 * deep)))
    ends, paddle = scene.model.ends, scene.paddle
    model = replace(scene.model, grid=grid, ends=None if ends is None else replace(ends, grid=grid))
    return replace(scene, tank=tank, model=model, paddle=None if paddle is None else replace(paddle, grid=grid))


def _grid(tank: WaterTank, floor: Array) -> WaterGrid:
    """Lay the grid about the middle of the tank's floor [m]; that of a height field has layers for what is seen."""
    h, (wide, high, deep) = 1.0 / tank.resolution, tank.cells
    if tank.is_height_field:
        high = max(round(tank.size[1] * tank.resolution), LEAST_CELLS)
    x, y, z = (float(each) for each in floor)
    return WaterGrid(cells=(wide, high, deep), spacing=h, origin=(x - 0.5 * wide * h, y, z - 0.5 * deep * h))


def unseen(tank: WaterTank) -> WaterTank:
    """Give a tank without what is seen of the flow in it."""
    return replace(tank, **_SEEN)  # type: ignore[arg-type]


def bake_digest(document: Document, actor: str) -> str:
    """Give the digest of all that the water of a tank follows from: 64 hexadecimal digits."""
    found = blake2b(f"water {NUMBERS} {document.rate}".encode(), digest_size=32)
    for each in document.actors:
        tank = water_tank(each)
        if tank is not None and each.id != actor:
            continue
        plain = replace(each, name="", visible=True, frozen=False)
        found.update((plain if tank is None else plain.with_part(unseen(tank))).digest.encode())
    for kind in (PhysicsWorld, SoftWorld):
        part = document.part(kind)
        found.update(b"-" if part is None else part.digest.encode())
    return found.hexdigest()

"""Compiles the kernels of water by taking steps of a small tank with a box in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from engine.document import Actor, Box, Document, Layer, Placement, prop
from engine.water.compile import TankScene, compile_tank
from engine.water.drops import drawn_drops
from engine.water.foam import COLUMNS, Foam
from engine.water.making import tank_actor
from engine.water.parts import WaterTank
from engine.water.pseudo_surface import fill_harmonic
from engine.water.running import WaterRun
from engine.water.surroundings import BodyPlaces


def warm() -> Iterator[str]:
    """Call every kernel that is called from Python; yields the name of each step when it is ready."""
    tank = WaterTank(size=(0.6, 0.6, 0.6), resolution=10.0, level=0.3, viscosity=0.1)
    box = Actor(
        id="box",
        name="Box",
        figure=prop("Box", (Box(half=(0.1, 0.1, 0.1)),)),
        placement=Placement(),
        layers=(Layer(id="pose"),),
    )
    document = Document(actors=(tank_actor("tank", "Tank", tank), box))
    scene = compile_tank(document, document.actors[0], np.zeros(3))
    frame = np.concatenate((np.eye(3), np.array(((0.0,), (0.3,), (0.0,)))), axis=1)
    before, now = (BodyPlaces({"box": frame[None]}, {}) for _ in range(2))
    run = WaterRun.begin(scene, before)
    yield "begin"
    for _ in run.step(before, now, 1e-3):
        pass
    dam = tank_actor("tank", "Tank", replace(tank, begins="dam", block_length=0.3, block_height=0.5))
    breaking = compile_tank(Document(actors=(dam, box)), dam, np.zeros(3))
    run_of_dam = WaterRun.begin(breaking, before)
    for _ in range(3):  # far enough for the surface to be mended
        for _ in run_of_dam.step(before, now, 0.1):
            pass
    yield "step"
    by_velocities = replace(scene, tank=replace(tank, coupling="interleaved_velocities"))
    for _ in WaterRun.begin(by_velocities, before).step(before, now, 1e-3):
        pass
    yield "push_triangles"
    for name, other in (("flip", replace(tank, surface="flip")), ("full", replace(tank, level=0.599))):
        alone = Document(actors=(tank_actor("tank", "Tank", other), box))
        other_run = WaterRun.begin(compile_tank(alone, alone.actors[0], np.zeros(3)), before)
        for _ in other_run.step(before, now, 1e-3):
            pass
        other_run.moment()
        yield name
    alone = Document(actors=(tank_actor("tank", "Tank", replace(tank, surface="height_field")), box))
    scene_of_heights = compile_tank(alone, alone.actors[0], np.zeros(3))
    for _ in scene_of_heights.begin(before).step(before, now, 1e-3):
        pass
    yield "cover_columns"
    fill_harmonic(np.zeros((1, 3), dtype=np.int32), 1e-4, 1, np.zeros((2, 2, 2)))
    yield "fill_harmonic"
    run.moment()
    yield "mesh_water"
    _warm_foam(scene)
    yield "foam"
    drawn_drops(np.ones((1, 9), dtype=np.float32), scene.grid)
    yield "drops"
    WaterRun.load(scene, run.save())


def _warm_foam(scene: TankScene) -> None:
    """Shed, carry and look at a fleck."""
    state, h = scene.model.new_state(scene.first_distance()), scene.grid.spacing
    foam = Foam(np.ones((1, COLUMNS)))
    foam.shed(np.ones((1, 7)), state.phi, h, 1e-3)
    foam.carry(state.phi, h, 1e-3, state.velocities)
    Foam(np.ones((1, COLUMNS))).at(np.ones((1, 3), dtype=np.float32), scene.grid.cells)

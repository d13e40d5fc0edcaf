"""The examples of water, made by code: tanks, what stands in them, and what is let go.

`python -m tests.example_documents made` writes them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from engine.document import Actor, Box, Document, Ellipsoid, Layer, Placement, Shape, Span, prop
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.values import IDENTITY, Quaternion, Vector3
from engine.formats.figure_toml import load_skinned_figure
from engine.maths.arrays import Array, IntArray
from engine.physics.parts import Physics
from engine.soft.lattice import fill_surface
from engine.soft.making import FRESH, body_of, soft_actor
from engine.soft.mesh import VolumeMesh
from engine.soft.meshing import split_cubes
from engine.soft.parts import SoftWorld
from engine.water.making import tank_actor
from engine.water.marching_cubes import mesh_water
from engine.water.parts import WaterTank
from engine.water.welding import welded

POSE = (Layer(id="pose"),)
FIVE, TEN = Span(start=0, end=5 * SECOND), Span(start=0, end=10 * SECOND)
FACE_DOWN: Quaternion = (0.7071067811865476, 0.7071067811865476, 0.0, 0.0)  # +Z looks down


def dam() -> Document:
    """A dam that breaks on a block."""
    tank = WaterTank(
        size=(1.6, 1.6, 0.8), resolution=25.0, begins="dam", level=0.04, block_length=0.48, block_height=0.68
    )
    block = thing("block", "Block", Box(half=(0.08, 0.14, 0.16)), (0.25, 0.14, 0.0))
    return Document(actors=(tank_actor("tank", "Tank", tank), block), play=FIVE)


def splash() -> Document:
    """A ball that drops into a basin and comes up again."""
    tank = WaterTank(size=(1.2, 1.2, 1.2), resolution=20.0, level=0.5)
    ball = thing("ball", "Ball", Ellipsoid(radii=(0.15, 0.15, 0.15)), (0.0, 1.4, 0.0), density=350.0)
    return Document(actors=(tank_actor("tank", "Basin", tank), ball), play=FIVE)


def floats() -> Document:
    """Boxes of several densities, from cork to stone."""
    tank = WaterTank(size=(1.8, 0.9, 0.8), resolution=20.0, level=0.45, step=1.0 / 48.0)
    kinds = (("Cork", 150.0), ("Pine", 450.0), ("Oak", 750.0), ("Ice", 920.0), ("Stone", 2400.0))
    boxes = [
        thing(
            name.lower(), name, Box(half=(0.11, 0.07, 0.11)), (-0.68 + 0.34 * place, 0.6, 0.08 * (-1.0) ** place),
            density=density,
        )
        for place, (name, density) in enumerate(kinds)
    ]  # fmt: skip
    return Document(actors=(tank_actor("tank", "Tank", tank), *boxes), play=TEN)


def duck() -> Document:
    """A rubber duck that drops into a bath and floats."""
    tank = WaterTank(size=(1.2, 0.8, 0.9), resolution=20.0, level=0.4, step=1.0 / 48.0)
    mesh, places, triangles = duck_mesh()
    body = body_of(mesh, surface=(places, triangles), young=1e6, poisson=0.3, density=220.0, **FRESH)
    made = soft_actor("duck", "Rubber duck", body, position=(0.0, 0.55, 0.0))
    return Document(actors=(tank_actor("tank", "Bath", tank), made), play=FIVE, parts=(SoftWorld(),))


def duck_mesh() -> tuple[VolumeMesh, Array, IntArray]:
    """Make a duck about its middle, [m]: tetrahedra in cubes, and the surface that they carry. It is wide and its head
    low, or it would float on its side: its mass is spread evenly."""
    side = 0.018
    x, y, z = np.meshgrid(*(np.arange(-0.26, 0.26, side) for _ in range(3)), indexing="ij")

    def blob(centre: Vector3, radii: Vector3) -> Array:
        away = [(each - at) / radius for each, at, radius in zip((x, y, z), centre, radii, strict=True)]
        found: Array = (np.sqrt(sum(each * each for each in away)) - 1.0) * min(radii)
        return found

    parts = [
        blob((0.0, -0.04, 0.0), (0.19, 0.1, 0.165)),
        blob((0.055, 0.085, 0.0), (0.078, 0.075, 0.078)),
        blob((0.14, 0.073, 0.0), (0.045, 0.016, 0.04)),
        blob((-0.175, 0.01, 0.0), (0.06, 0.032, 0.055)),
    ]
    soft = 0.02  # [m] over which parts melt into each other
    phi = -soft * np.log(sum(np.exp(-each / soft) for each in parts))
    found = mesh_water(phi, side, (-0.26 - 0.5 * side,) * 3)
    places, triangles, _ = welded(found.positions.astype(np.float64), found.triangles)
    mesh = split_cubes(fill_surface(places, triangles, along=9, name="the duck"))
    return mesh, places, triangles


def face_down() -> Document:
    """A figure that is let go above a pool, face down."""
    tank = WaterTank(size=(1.6, 1.2, 2.4), resolution=12.5, level=0.7)
    human = load_skinned_figure("human")
    actor = Actor(
        id="human",
        name="Swimmer",
        figure=human,
        placement=Placement(position=(0.0, 1.0, -0.9), rotation=FACE_DOWN),
        layers=POSE,
        parts=(Physics(follow=1.0),),
    )
    return Document(actors=(tank_actor("pool", "Pool", tank), actor), play=FIVE)


def waves() -> Document:
    """A wave maker, whose waves run against a post and carry a plank."""
    tank = WaterTank(size=(3.2, 0.8, 0.6), resolution=17.5, level=0.4, stroke=0.16, period=1.1, step=1.0 / 48.0)
    post = thing("post", "Post", Box(half=(0.08, 0.34, 0.08)), (0.9, 0.34, 0.0))
    plank = thing("plank", "Plank", Box(half=(0.18, 0.04, 0.14)), (0.0, 0.44, 0.0), density=400.0)
    return Document(actors=(tank_actor("tank", "Flume", tank), post, plank), play=TEN)


def stream() -> Document:
    """A current that comes in at one end and goes out at the other, past a post."""
    tank = WaterTank(size=(2.4, 0.5, 0.9), resolution=20.0, level=0.35, current=0.6, ends="open", step=1.0 / 48.0)
    post = thing("post", "Post", Box(half=(0.09, 0.25, 0.09)), (-0.45, 0.25, 0.0))
    return Document(actors=(tank_actor("tank", "Stream", tank), post), play=TEN)


def pond() -> Document:
    """A pond, on which a raft and buoys float, and into which a stone falls."""
    tank = WaterTank(size=(9.0, 1.4, 7.0), resolution=8.0, level=0.8, surface="height_field")
    raft = thing("raft", "Raft", Box(half=(0.8, 0.12, 0.5)), (-1.6, 0.86, 0.6), density=350.0)
    buoys = [
        thing(f"buoy_{number}", f"Buoy {number}", Ellipsoid(radii=(0.28, 0.28, 0.28)), place, density=250.0)
        for number, place in enumerate(((2.2, 0.95, -1.8), (0.3, 0.95, -2.2), (2.6, 0.95, 1.6)), start=1)
    ]
    stone = thing("stone", "Stone", Ellipsoid(radii=(0.38, 0.34, 0.38)), (0.7, 2.6, 0.4), density=2400.0)
    return Document(actors=(tank_actor("tank", "Pond", tank), raft, *buoys, stone), play=TEN)


def thing(id: str, name: str, shape: Shape, position: Vector3, *, density: float | None = None) -> Actor:
    """Make a prop that stands, or one of a density that physics lets go."""
    figure = prop(name, (shape,), fixed=density is None)
    if density is not None:
        figure = replace(figure, joints=(replace(figure.joints[0], density=density),))
    return Actor(
        id=id,
        name=name,
        figure=figure,
        placement=Placement(position=position, rotation=IDENTITY),
        layers=POSE,
        parts=() if density is None else (Physics(),),
    )


WET: dict[str, Callable[[], Document]] = {
    "dam": dam,
    "splash": splash,
    "floats": floats,
    "duck": duck,
    "face_down": face_down,
    "waves": waves,
    "stream": stream,
    "pond": pond,
}

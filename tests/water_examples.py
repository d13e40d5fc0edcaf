"""The examples of water, made by code: tanks, what stands in them, and what is let go.

`python -m tests.example_documents made` writes them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine.document import Actor, Box, Document, Ellipsoid, Layer, Placement, Shape, Span, prop
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.values import IDENTITY, Quaternion, Vector3
from engine.formats.figure_toml import load_skinned_figure
from engine.physics.parts import Physics
from engine.water.making import tank_actor
from engine.water.parts import WaterTank

POSE = (Layer(id="pose"),)
FIVE, TEN = Span(start=0, end=5 * SECOND), Span(start=0, end=10 * SECOND)
FACE_DOWN: Quaternion = (0.7071067811865476, 0.7071067811865476, 0.0, 0.0)  # +Z looks down


def dam() -> Document:
    """A dam that breaks on a block."""
    tank = WaterTank(
        size=(1.6, 1.0, 0.8), resolution=25.0, begins="dam", level=0.04, block_length=0.48, block_height=0.68
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
    "face_down": face_down,
    "waves": waves,
}

"""Small scenes in which something falls."""

from collections.abc import Sequence
from dataclasses import replace

from engine.document import Actor, Box, Capsule, Document, Ellipsoid, Figure, Key, Layer, Placement, Track
from engine.document.props import prop
from engine.document.ticks import TICKS_PER_SECOND
from engine.document.values import Vector3
from engine.evaluate.evaluator import Evaluator
from engine.physics.changes import without_physics
from engine.physics.parts import Physics, PhysicsWorld
from engine.physics.scene import compile_scene
from engine.physics.simulation import SceneSimulation

SECOND = TICKS_PER_SECOND
EARTH, FREE = PhysicsWorld(), Physics()
BALL = prop("Ball", (Ellipsoid(radii=(0.1, 0.1, 0.1)),))
CRATE = prop("Crate", (Box(half=(0.2, 0.15, 0.25)),))
POLE = prop("Pole", (Capsule(start=(-1.0, 0.0, 0.0), end=(1.0, 0.0, 0.0), radius=0.05),))


def actor(
    id: str,
    figure: Figure = BALL,
    at: Vector3 = (0.0, 0.0, 0.0),
    *,
    physics: Physics | None = FREE,
    keys: Sequence[tuple[float, float]] = (),
) -> Actor:
    """An actor at a place; `keys`: its height above that [m], by seconds."""
    tracks = (Track(coordinate="body.move_y", keys=tuple(_key(*each) for each in keys)),) if keys else ()
    return Actor(
        id=id, name=id.capitalize(), figure=figure, placement=Placement(position=at),
        layers=(Layer(id="keys", name="Keys", tracks=tracks),), parts=() if physics is None else (physics,),
    )  # fmt: skip


def _key(seconds: float, value: float) -> Key:
    return Key(time=round(seconds * SECOND), value=value, interpolation="linear")


def simulation(document: Document, world: PhysicsWorld = EARTH) -> SceneSimulation:
    """The simulation of a document, without an evaluator that has one."""
    evaluator, bare = Evaluator(), without_physics(document)
    scene = compile_scene(replace(document, parts=(world,)))
    return SceneSimulation(scene, lambda times: evaluator.rows_at(bare, times))


def heights(document: Document, times: Sequence[float], *, of: int = 0, world: PhysicsWorld = EARTH) -> list[float]:
    """How high a member of a scene is above where it was placed, at some times [s]."""
    found = simulation(document, world)
    return [float(found.pose(found.scene.members[of], round(time * SECOND))[1]) for time in times]

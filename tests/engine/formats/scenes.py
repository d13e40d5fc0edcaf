"""Scenes for the writers of whole scenes, and what the evaluator makes of them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from engine.document import Actor, Attachment, Document, Key, Layer, Lock, Placement, Span, Track, prop
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.shapes import Box, Ellipsoid
from engine.document.shipped import load_skin
from engine.evaluate.evaluator import Evaluator
from engine.formats.format import Contents
from engine.formats.motion_toml import load_motion
from engine.formats.skins import skin_of
from engine.long.scenes import scene_contents
from engine.maths.arrays import Array
from engine.model.snapshot import Snapshot

TURN = (math.cos(0.4), 0.0, math.sin(0.4), 0.0)
RATE = (24, 1)
FRAMES = (0, 7, 12, 24)  # of a second


def staged(contents: Contents) -> Contents:
    """A figure with its motion and skins as a scene of one actor, `it`."""
    assert contents.figure is not None
    skins = tuple(replace(skin_of(each), id=f"skin{place}") for place, each in enumerate(contents.surfaces))
    figure = replace(contents.figure, skins=(*contents.figure.skins, *skins))
    actor = Actor(id="it", name="Figure", figure=figure, layers=contents.layers or (Layer(id="pose"),))
    return scene_contents(Document(actors=(actor,)), ["it"])


def crowd() -> Document:
    """A second of: a skinned walker with a second layer and a locked hand, one without a skin, a ball in the locked
    hand, a box that turns, and a hidden one without a shape."""
    walk = load_motion("walk")
    assert walk.figure is not None
    figure = walk.figure
    hand = "wrist_left"
    bend = Layer(
        id="bend",
        mode="add",
        tracks=(_track(figure.coordinates[8], 0.0, 0.4), _track(figure.coordinates[20], 0.1, -0.3)),
    )
    lock = Lock(id="hold", name="Hold", joint=hand, position=(0.3, 1.2, 0.4))
    dressed = replace(figure, skins=(load_skin("human"),))
    one = Actor(
        id="one", name="Anna Bölling", figure=dressed, placement=Placement(position=(0.4, 0.1, -0.3), rotation=TURN),
        layers=(*walk.layers, bend), locks=(lock,),
    )  # fmt: skip
    two = Actor(
        id="two", name="2 ../Otto", figure=figure, placement=Placement(position=(-1.0, 0.0, 0.5)), layers=walk.layers
    )
    free = prop("ball", (Ellipsoid(radii=(0.1, 0.12, 0.1)),))
    held = Attachment(id="in hand", joint="body", target="one", target_joint=hand, position=(0.0, -0.1, 0.02))
    ball = Actor(id="ball", name='The "ball"', figure=free, attachments=(held,), layers=(Layer(id="pose"),))
    box = prop("box", (Box(half=(0.1, 0.15, 0.2)), Ellipsoid(radii=(0.1, 0.1, 0.2), centre=(0.3, 0.0, 0.0))))
    turning = Layer(
        id="turn",
        tracks=tuple(_track(name, *ends) for name, ends in zip(box.coordinates, ENDS, strict=True)),
    )
    boxed = Actor(id="box", name="Box", figure=box, layers=(turning,), placement=Placement(rotation=TURN))
    empty = Actor(id="empty", name="Box", figure=prop("none", ()), visible=False, layers=(Layer(id="pose"),))
    return Document(actors=(one, two, ball, boxed, empty), rate=RATE, play=Span(start=0, end=SECOND))


ENDS = ((0.0, 1.0), (0.0, 0.5), (0.2, 0.2), (1.0, 0.6), (0.0, 0.8), (0.0, 0.0), (0.0, 0.0))


def _track(coordinate: str, first: float, last: float) -> Track:
    return Track(coordinate=coordinate, keys=(Key(0, first), Key(SECOND, last)))


def seen(document: Document, frame: int) -> Snapshot:
    """The picture of a frame."""
    return Evaluator().snapshot(document, frame * SECOND // RATE[0])


def vertices(picture: Snapshot, actor: str) -> Array:
    """The vertices of an actor as they are seen, its skins one behind the other, else its bodies."""
    skins = [each.positions for each in picture.skins if each.owner == actor]
    if skins:
        return np.concatenate(skins).astype(float)
    (bodies,) = (each for each in picture.bodies if each.owner == actor)
    frames = bodies.transforms.astype(float)[bodies.mesh.body]
    return np.asarray(np.einsum("vij,vj->vi", frames[:, :, :3], bodies.mesh.positions) + frames[:, :, 3])

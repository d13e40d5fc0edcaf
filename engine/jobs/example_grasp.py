"""A grasp: a hand comes to a cup, stands still as it touches it, and carries it from then on.

Source: Rahgoshay 2011, section 4.4: a hand that grasps has to be at the thing with the velocity of the thing. One
target asks for both: the middle of the grip at the middle of the cup, at rest (4.9 to 4.11). A second one keeps the
hand as it is turned by its keys then, so that the fingers close about the cup and not through it. From that moment on
the cup hangs on the hand, where it stood.
"""

from __future__ import annotations

from dataclasses import replace

from engine.document import Actor, Capsule, Document, Layer, Loft, Placement, Section, Span, Target, prop
from engine.document.motion import TICKS_PER_SECOND
from engine.document.secondary import Gains, OwnGains, Secondary
from engine.document.values import Vector3
from engine.jobs.example_beats import (
    Beats,
    Values,
    arm,
    corrected,
    found,
    hand,
    look,
    own_gains,
    standing,
    tick,
    tracks_of,
    trunk,
    weight,
)

PERSON, CUP, HAND = "person", "cup", "wrist_right"
GRIP: Vector3 = (0.052, -0.086, 0.004)  # [m] the middle of what is held, in the frame of the right hand
TOUCH = 1.8  # [s] when the hand is at the cup
LONG = 5.0  # [s]
CUP_AT: Vector3 = (-0.1132, 1.0290, 0.5557)  # [m] the middle of the cup
_HALF, _FOOT, _RIM = 0.055, 0.031, 0.037  # [m] half the cup's height, its radii
_WIDTH = 2 * TICKS_PER_SECOND // 5  # of the corrections
_STEP = TICKS_PER_SECOND // 120
_WINDOW = 60 * _STEP
_TRUNK = OwnGains(joint="", tension=4.0, damping=0.8)
_FIRMER = {
    "collar": OwnGains(joint="", tension=5.0, damping=0.9),
    "shoulder": OwnGains(joint="", tension=3.0, damping=0.8),
    "elbow": OwnGains(joint="", tension=2.5, damping=0.8),
    "lower": _TRUNK,
    "middle": _TRUNK,
    "upper": _TRUNK,
}
"""Somebody who reaches with care swings past the cup less than a dancer would."""


def _fingers(curl: float, thumb: float) -> Values:
    """The right hand: fingers bent, the thumb set against them and bent."""
    tips = {f"{name}_tip_right.flexion": 0.9 * curl for name in ("index", "little")}
    thumbs = {"thumb_right.flexion": thumb, "thumb_right.abduction": 43.0, "thumb_tip_right.flexion": 0.5 * thumb}
    return {**hand("right", curl), **tips, **thumbs}


_LEFT: Values = {**arm("left", out=3.0, bend=14.0, turn=8.0), **hand("left", 20.0, 6.0)}
_REACHED: Values = {
    **arm("right", out=8.0, forward=32.0, bend=44.0, turn=0.0, collar=2.0),
    "wrist_right.deviation": 0.0,
}
_RISING: Values = {"shoulder_right.flexion": 34.5}  # so that the cup does not dip into the table
_OPEN, _CLOSED = _fingers(2.0, -22.0), _fingers(32.0, 34.0)

BEATS: Beats = (
    (
        0.0,
        weight(0.025, 0.014, roll=2.0, turn=3.0)
        | trunk(3.0, 3.0)
        | look(4.0, 2.0, -2.0)
        | _LEFT
        | arm("right", out=3.0, bend=14.0, turn=8.0)
        | _fingers(18.0, 8.0),
    ),
    (0.5, weight(0.028, 0.018, roll=2.2, turn=2.0) | trunk(2.0, 3.0) | look(-16.0, 20.0, 3.0)),
    (
        0.95,
        weight(0.02, 0.022, -0.012, roll=1.0, turn=-4.0)
        | trunk(0.0, 2.0, -6.0)
        | look(-18.0, 24.0, 3.0)
        | arm("left", out=4.0, bend=18.0, turn=8.0)
        | arm("right", out=10.0, forward=-14.0, bend=46.0, turn=6.0)
        | _fingers(12.0, 4.0),
    ),
    (
        1.4,
        weight(-0.005, 0.024, 0.02, turn=3.0)
        | trunk(7.0, 0.0, 4.0)
        | look(-14.0, 26.0, 2.0)
        | arm("right", out=20.0, forward=24.0, bend=66.0, turn=2.0, collar=4.0)
        | _OPEN,
    ),
    (
        1.72,
        weight(-0.015, 0.026, 0.04, turn=7.0)
        | trunk(11.0, -1.0, 8.0)
        | look(-14.0, 24.0, 2.0)
        | arm("left", out=5.0, bend=22.0, turn=8.0)
        | _REACHED
        | _fingers(8.0, -10.0),
    ),
    (TOUCH, weight(-0.015, 0.026, 0.04, turn=7.0) | trunk(11.0, -1.0, 8.0) | look(-14.0, 24.0, 2.0) | _REACHED),
    (1.9, _RISING),
    (1.95, _CLOSED),
    (
        2.55,
        weight(0.0, 0.016, 0.0, turn=2.0)
        | trunk(1.0, 1.0, 2.0)
        | look(-6.0, -2.0, 2.0)
        | arm("left", out=3.0, bend=16.0, turn=8.0)
        | arm("right", out=12.0, forward=68.0, bend=16.0, turn=0.0, collar=8.0)
        | {"wrist_right.deviation": -12.0},
    ),
    (
        3.2,
        weight(0.005, 0.014, -0.005, turn=1.0)
        | trunk(-1.0, 2.0, 1.0)
        | look(-4.0, -5.0, 3.0)
        | arm("right", out=12.0, forward=71.0, bend=14.0, turn=0.0, collar=9.0)
        | {"wrist_right.deviation": -15.0},
    ),
    (
        4.0,
        weight(0.025, 0.018, roll=2.0, turn=2.0)
        | trunk(3.0, 3.0)
        | look(-2.0, 8.0)
        | _LEFT
        | arm("right", out=6.0, forward=0.0, bend=66.0, turn=4.0, collar=2.0)
        | {"wrist_right.deviation": -4.0},
    ),
    (LONG, weight(0.027, 0.016, roll=2.0, turn=3.0) | trunk(2.0, 3.0) | look(2.0, 4.0, -2.0)),
)


def grasp() -> Document:
    """The scene: the target is met, and the cup taken."""
    correction, attachment = found("grasp")
    document = corrected(keyed_grasp(), PERSON, correction)
    assert attachment is not None, "the cup hangs on the hand"
    return document.with_actor(replace(document.actor(CUP), attachments=(attachment,)))


def keyed_grasp(*, velocity: bool = True) -> Document:
    """The scene before the target is met and the cup is taken; `velocity`: whether the hand is to stand still."""
    person = standing(PERSON, "Person")
    figure = person.figure
    touch = Target(
        id="touch",
        kind="point",
        joint=HAND,
        point=GRIP,
        position=CUP_AT,
        velocity=velocity,
        speed=(0.0, 0.0, 0.0) if velocity else None,
        time=tick(TOUCH),
        width=_WIDTH,
    )
    palm = Target(id="palm", kind="turn", joint=HAND, time=tick(TOUCH), width=_WIDTH)
    secondary = Secondary(
        gains=Gains(tension=2.0, damping=0.5, gravity=0.0),
        own=own_gains(figure, **_FIRMER),
        window=_WINDOW,
        step=_STEP,
        targets=(touch, palm),
    )
    layer = replace(person.layers[0], id="reach", name="Reach", tracks=tracks_of(figure, BEATS))
    person = replace(person, layers=(layer,), secondary=secondary)
    return Document(actors=(person, _table(), _cup()), play=Span(start=0, end=tick(LONG)))


def _cup() -> Actor:
    """A tumbler; what is dark in it is a disc on its rim."""
    dark = _RIM - 0.004
    walls = (Section(along=-_HALF, width=_FOOT, depth=_FOOT), Section(along=_HALF, width=_RIM, depth=_RIM))
    inside = tuple(Section(along=_HALF + up, width=dark, depth=dark) for up in (0.0, 0.0015))
    shapes = (Loft(sections=walls, caps=(0.0, 0.0)), Loft(sections=inside, caps=(0.0, 0.0), tone=0.35))
    return Actor(
        id=CUP,
        name="Cup",
        figure=prop("Cup", shapes),
        placement=Placement(position=CUP_AT),
        layers=(Layer(id="pose"),),
    )


def _table() -> Actor:
    """A round top on a foot, its height what the cup stands on."""
    x, y, z = CUP_AT
    high = y - _HALF  # [m] of the table's top
    top = (Section(along=-0.025, width=0.30, depth=0.30), Section(along=0.0, width=0.31, depth=0.31))
    foot = (Section(along=0.0, width=0.20, depth=0.20), Section(along=0.02, width=0.19, depth=0.19))
    shapes = (
        Loft(sections=top, origin=(0.0, high, 0.0), caps=(0.0, 0.0), tone=0.6),
        Capsule(start=(0.0, 0.02, 0.0), end=(0.0, high - 0.03, 0.0), radius=0.028, tone=0.45),
        Loft(sections=foot, caps=(0.0, 0.0), tone=0.5),
    )
    return Actor(
        id="table",
        name="Table",
        figure=prop("Table", shapes, fixed=True),
        placement=Placement(position=(x + 0.12, 0.0, z + 0.16)),
        layers=(Layer(id="pose"),),
    )

"""The punches: a boxer hits a ball on a pole, with a body slack enough to lag behind, swing past and come back.

Source: Rahgoshay 2011, sections 4.1, 4.4 and 7.2, figures 4-1, 6-3 and 7-2. The punch is keyed so that the knuckles are
on the ball at the strike; with secondary motion alone they would miss it. "A punch" has them there by a target of their
place, "A fast punch" by one of place and velocity at once, faster and somewhat upwards, which no full step meets: the
search has to halve them.

The left foot is held where it stands, and the ball of the right one, flat but free to turn, so that its heel comes up
as the hips do. The root and the legs follow their keys exactly, since whoever stands on them leaves them no choice.
The ball's swing is a decaying one from the strike on, somewhat faster than the fist, so that it leaves it behind.

Corrections take kernels to find, and none is needed to open a document: `packaging/make_punches.py` writes them into
`resources/examples/punches.json`. Angles in degrees, lengths in metres.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from math import cos, exp, pi, radians, sin, sqrt

from engine.document import Actor, Document, Ellipsoid, Figure, Key, Layer, Lock, Placement, Span, Track
from engine.document.correction import Correction
from engine.document.figure import Dof, Joint
from engine.document.motion import TICKS_PER_SECOND
from engine.document.part_reader import decode
from engine.document.secondary import Gains, OwnGains, Secondary
from engine.document.shapes import Capsule, Loft, Section
from engine.document.target import Target
from engine.document.values import Vector3
from engine.runtime.errors import InvalidDocument

BOXER, BALL, FIST, CORRECTION = "boxer", "ball", "wrist_right", "correction"  # ids
KNUCKLES: Vector3 = (0.0, -0.1, 0.012)  # [m] in the frame of the wrist
STRIKE = 1.0  # [s]
PLACE: Vector3 = (-0.06, 1.32, 0.87)  # [m] where the knuckles meet the ball
WAY: Vector3 = (0.03, 0.155, 0.9875)  # of the fast punch, unit within 1e-4
SPEED = 7.7  # [m/s] of the fast punch
LONG = 2.4  # [s]

_RATE = 60  # frames a second
# Guard, sink, wind up, drive, launch, strike, through, recoil, back, settle, guard, in frames.
_FRAMES = (0, 23, 43, 52, 56, 60, 63, 71, 89, 109, 144)
_KEYS: Mapping[str, tuple[float, ...]] = {
    "pelvis.move_x": (-0.01, -0.012, -0.05, -0.005, 0.008, 0.02, 0.028, 0.016, -0.005, -0.015, -0.01),
    "pelvis.move_y": (-0.095, -0.112, -0.125, -0.12, -0.12, -0.115, -0.115, -0.112, -0.105, -0.1, -0.095),
    "pelvis.move_z": (0, 0.005, -0.045, 0.045, 0.075, 0.1, 0.118, 0.09, 0.02, -0.005, 0),
    "pelvis.turn": (-35, -36, -48, -12, -2, 7, 10, -3, -26, -37, -35),
    "pelvis.tilt": (6, 7, 5, 8, 9, 10, 11, 10, 7, 6, 6),
    "pelvis.roll": (0, 0, -3, 1, 2, 3, 3, 2, 0, 0, 0),
    "lower_spine.rotation": (-0.8, -0.9, -2.4, -1, 0.4, 1.5, 1.9, 1.4, -0.4, -0.9, -0.8),
    "lower_spine.flexion": (8.1, 9, 8.1, 8.1, 8.1, 8.1, 8.6, 8.1, 8.6, 8.1, 8.1),
    "lower_spine.side_bend": (0, 0, -1.8, 0, 1.4, 2.2, 2.7, 1.4, 0, 0, 0),
    "middle_spine.rotation": (-2.9, -3.2, -8.6, -3.6, 1.4, 5.4, 6.8, 5, -1.4, -3.2, -2.9),
    "middle_spine.flexion": (5.4, 6, 5.4, 5.4, 5.4, 5.4, 5.7, 5.4, 5.7, 5.4, 5.4),
    "middle_spine.side_bend": (0, 0, -1.2, 0, 0.9, 1.5, 1.8, 0.9, 0, 0, 0),
    "upper_spine.rotation": (-4.3, -4.9, -13, -5.4, 2.2, 8.1, 10.3, 7.6, -2.2, -4.9, -4.3),
    "upper_spine.flexion": (4.5, 5, 4.5, 4.5, 4.5, 4.5, 4.8, 4.5, 4.8, 4.5, 4.5),
    "upper_spine.side_bend": (0, 0, -1, 0, 0.8, 1.2, 1.5, 0.8, 0, 0, 0),
    "neck.rotation": (20.5, 21.5, 34, 10, -1, -10, -13, -5, 14, 22, 20.5),
    "neck.flexion": (-1, -1, -0.5, -1, -1.5, -2, -2, -2.5, -1, -1, -1),
    "head.rotation": (20.5, 21.5, 34, 10, -1, -10, -13, -5, 14, 22, 20.5),
    "head.flexion": (-1, -1, -0.5, -1, -1.5, -2, -2, -2.5, -1, -1, -1),
    "collar_left.elevation": (2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2),
    "collar_left.protraction": (10, 10, 16, 10, 4, 0, -2, 2, 8, 10, 10),
    "shoulder_left.flexion": (62, 61, 70, 58, 52, 48, 47, 47, 56, 62, 62),
    "shoulder_left.abduction": (2, 2, -2, 4, 6, 6, 6, 6, 4, 2, 2),
    "shoulder_left.rotation": (24, 24, 22, 28, 30, 32, 32, 31, 26, 24, 24),
    "elbow_left.flexion": (98, 100, 88, 112, 122, 130, 132, 130, 112, 98, 98),
    "forearm_left.pronation": (10, 10, 10, 10, 8, 5, 5, 6, 10, 10, 10),
    "collar_right.elevation": (2, 2, 4, 4, 6, 6, 6, 4, 2, 2, 2),
    "collar_right.protraction": (8, 8, -8, 2, 12, 20, 24, 16, 8, 7, 8),
    "shoulder_right.flexion": (46, 46, 22, 38, 37.3, 59.8, 108.3, 54.7, 48, 45, 46),
    "shoulder_right.abduction": (4, 4, 12, 14, 15.2, 45.5, 63.9, 35.7, 8, 4, 4),
    "shoulder_right.rotation": (28, 28, 22, 12, -17.4, -31.9, -13.9, -15.6, 24, 28, 28),
    "elbow_right.flexion": (118, 119, 116, 116, 114.8, 60.4, 6.3, 79.7, 114, 119, 118),
    "forearm_right.pronation": (10, 10, 5, 10, 12.8, 24.2, 53.9, 25, 20, 10, 10),
    "hip_left.flexion": (39, 42.4, 35.3, 48.1, 48.2, 46.6, 46.2, 47.5, 43.6, 39.2, 39),
    "hip_left.abduction": (14.5, 15.6, 23.2, 0.2, -6.5, -11.9, -14, -6.2, 8.8, 16.1, 14.5),
    "hip_left.rotation": (-8.4, -8.5, -18.5, 10.6, 18.2, 25.6, 27.7, 16.9, -1.1, -9.6, -8.4),
    "knee_left.flexion": (45.9, 51.4, 49.9, 54.7, 56, 55.7, 56.3, 54.7, 49.7, 47.2, 45.9),
    "ankle_left.dorsiflexion": (10, 12.9, 10.7, 14.3, 15.7, 16.1, 17.2, 16.1, 12, 10.5, 10),
    "ankle_left.inversion": (8.4, 8.9, 13.2, 7.5, 6.3, 5.3, 4.6, 5.3, 7.7, 9.1, 8.4),
    "hip_right.flexion": (29.3, 32.2, 39.3, 23.9, 18.5, 12.9, 11, 16.5, 27.5, 30.9, 29.3),
    "hip_right.abduction": (10.3, 10.1, 2.7, 10.9, 8, 4.9, 3, 6.5, 11.4, 9.4, 10.3),
    "hip_right.rotation": (2.4, 3.8, 13, -0.2, 1.2, 0.6, 3.6, 6.8, 2.7, 3.2, 2.4),
    "knee_right.flexion": (57, 61.1, 71.2, 62, 58.9, 53.8, 51.7, 54.7, 58.9, 58.8, 57),
    "ankle_right.dorsiflexion": (16.2, 18.6, 14.4, 15.5, 13.3, 11.1, 9.6, 13.2, 16.6, 16.7, 16.2),
    "ankle_right.inversion": (14.2, 14.8, 11, 17.8, 17.7, 16, 14.2, 16.5, 16.3, 13.8, 14.2),
    "toes_right.flexion": (-16, -16, -22, -28, -34, -38, -41, -34, -20, -16, -16),
}  # fmt: skip
_FIST = {
    "index_{}.flexion": 74, "index_tip_{}.flexion": 72, "middle_{}.flexion": 84, "ring_{}.flexion": 82,
    "little_{}.flexion": 68, "little_tip_{}.flexion": 68, "thumb_{}.flexion": 34, "thumb_{}.abduction": -12,
    "thumb_tip_{}.flexion": 62,
}  # fmt: skip
_GAINS: Mapping[str, tuple[float, float]] = {  # tension [Hz], damping; all other joints follow exactly
    "lower_spine": (11, 1.0), "middle_spine": (10.5, 0.9), "upper_spine": (9.5, 0.9), "neck": (6.5, 0.8),
    "head": (5.5, 0.6), "collar_right": (8, 0.8), "shoulder_right": (4.2, 0.42), "elbow_right": (6.5, 0.42),
    "forearm_right": (6.5, 0.8), "wrist_right": (5, 0.7), "collar_left": (8, 0.8), "shoulder_left": (3.5, 0.42),
    "elbow_left": (5.5, 0.42), "forearm_left": (5.5, 0.6), "wrist_left": (4.5, 0.5),
}  # fmt: skip
_STEP = TICKS_PER_SECOND // 120  # of the simulation: two a frame, so that keys and frames lie on steps
_GRAVITY = 0.2  # of it: the keys hold most of the weight already
_LEFT_FOOT: Vector3 = (0.115, 0.0678, 0.225)  # its ankle
_TOES_IN = -14.0  # the left foot, about the vertical
_RIGHT_BALL: Vector3 = (-0.225, 0.0158, -0.13)  # of the right foot: the joint of its toes
_RADIUS, _HINGE, _SWINGS, _RATIO = 0.115, 0.05, 2.0, 0.3  # ball [m], height of its hinge [m], swing [Hz], damping
_BOUNCE = 1.25  # the ball's speed over the fist's
_SWUNG, _APART = 44, 4  # frames for which the swing is keyed, and from one key to the next


def punch() -> Document:
    """The punch that meets its target."""
    return _corrected(keyed_punch(), "punch")


def fast_punch() -> Document:
    """The one that meets its target at a speed."""
    return _corrected(keyed_fast_punch(), "fast_punch")


def keyed_punch(place: Vector3 = PLACE) -> Document:
    """The punch and its target, not met yet."""
    return _scene(replace(_target(), position=place), speed=6.0)


def keyed_fast_punch() -> Document:
    """The same with a target of place and velocity, not met yet."""
    x, y, z = WAY
    wanted: Vector3 = (SPEED * x, SPEED * y, SPEED * z)
    return _scene(replace(_target(), velocity=True, speed=wanted), speed=SPEED)


def _corrected(document: Document, name: str) -> Document:
    from importlib.resources import files

    text = files("resources").joinpath("examples", "punches.json").read_text(encoding="utf-8")
    correction = decode(json.loads(text)[name])
    if not isinstance(correction, Correction):
        raise InvalidDocument(what=f"the correction of {name}", value=type(correction).__name__, allowed="a Correction")
    boxer = document.actor(BOXER)
    layer = Layer(id=CORRECTION, name="Correction", mode="add", correction=correction)
    return document.with_actor(replace(boxer, layers=(*boxer.layers, layer)))


def _target() -> Target:
    return Target(id="hit", kind="point", joint=FIST, point=KNUCKLES, time=_ticks(STRIKE), position=PLACE)


def _scene(target: Target, speed: float) -> Document:
    """`speed` [m/s]: of the fist at the strike, about."""
    actors = (_boxer(target), _ball(_BOUNCE * speed))
    return Document(actors=actors, rate=(_RATE, 1), play=Span(start=0, end=_ticks(LONG)))


def _boxer(target: Target) -> Actor:
    from engine.document.shipped import load_skin
    from engine.formats.figure_toml import load_figure

    figure = replace(load_figure("human"), skins=(load_skin("human"),))
    fists = {name.format(side): bend for side in ("left", "right") for name, bend in _FIST.items()}
    still = tuple((name, _value(figure, name, bend)) for name, bend in fists.items())
    tracks = tuple(Track(coordinate=name, keys=_keys(figure, name, values)) for name, values in _KEYS.items())
    return Actor(
        id=BOXER,
        name="Boxer",
        figure=figure,
        layers=(Layer(id="punch", name="Punch", values=still, tracks=tracks),),
        locks=_planted(),
        secondary=Secondary(
            gains=Gains(gravity=_GRAVITY), own=tuple(_own_gains(figure)), step=_STEP, targets=(target,)
        ),
    )


def _keys(figure: Figure, name: str, values: tuple[float, ...]) -> tuple[Key, ...]:
    made = map(partial(_value, figure, name), values)
    return tuple(Key(_ticks(frame / _RATE), value) for frame, value in zip(_FRAMES, made, strict=True))


def _value(figure: Figure, name: str, told: float) -> float:
    dof = figure.coordinate_dof[name]
    return dof.clamp(told if dof.kind == "slide" else radians(told))


def _own_gains(figure: Figure) -> Iterator[OwnGains]:
    for joint in figure.joints:
        if joint.id in _GAINS:
            tension, damping = _GAINS[joint.id]
            yield OwnGains(joint=joint.id, tension=tension, damping=damping)
        elif joint.dofs and joint.parent is not None:
            yield OwnGains(joint=joint.id, exact=True)


def _planted() -> tuple[Lock, ...]:
    half = radians(0.5 * _TOES_IN)
    left = Lock(
        id="left_foot",
        name="Left foot",
        joint="ankle_left",
        axes=("i", "j", "k"),
        position=_LEFT_FOOT,
        rotation=(cos(half), 0.0, sin(half), 0.0),
    )
    ball = Lock(id="right_ball", name="Ball of the right foot", joint="toes_right", axes=("j",), position=_RIGHT_BALL)
    return left, ball


def _ball(speed: float) -> Actor:
    """What is hit, on a pole that swings about its foot."""
    x, y, z = PLACE
    slabs = ((0.0, 0.19), (0.035, 0.16), (0.06, 0.05))
    sections = tuple(Section(along=along, width=half, depth=half) for along, half in slabs)
    foot = Joint(id="foot", name="Foot", shapes=(Loft(sections=sections, caps=(0.0, 0.3)),))
    top: Vector3 = (0.0, y - _HINGE, 0.0)
    pole = Joint(
        id="pole",
        name="Pole",
        parent="foot",
        offset=(0.0, _HINGE, 0.0),
        dofs=(Dof(id="pole.swing", name="Swing", lower=-1.2, upper=1.2),),
        shapes=(
            Capsule(start=(0.0, 0.0, 0.0), end=top, radius=0.016, tone=0.6),
            Ellipsoid(radii=(_RADIUS, _RADIUS, _RADIUS), centre=top),
        ),
    )
    track = Track(coordinate="pole.swing", keys=tuple(_swing(speed / top[1])))
    return Actor(
        id=BALL,
        name="Ball",
        figure=Figure(name="Ball on a pole", joints=(foot, pole)),
        placement=Placement(position=(x, 0.0, z + _RADIUS)),
        layers=(Layer(id="struck", name="Struck", tracks=(track,)),),
    )


def _swing(speed: float) -> Iterator[Key]:
    """Keys of speed exp(-d t) sin(w t) / w from the strike on, with its slopes [rad, rad/s]."""
    whole = 2.0 * pi * _SWINGS
    d, w = _RATIO * whole, whole * sqrt(1.0 - _RATIO * _RATIO)
    for frame in range(0, _SWUNG + 1, _APART):
        t = frame / _RATE
        left = speed / w * exp(-d * t)
        slope = left * (w * cos(w * t) - d * sin(w * t))
        before = slope if frame else 0.0
        yield Key(_ticks(STRIKE + t), left * sin(w * t), tangent="free", slope_in=before, slope_out=slope)
    yield Key(_ticks(LONG), 0.0, tangent="flat")


def _ticks(seconds: float) -> int:
    return round(seconds * TICKS_PER_SECOND)

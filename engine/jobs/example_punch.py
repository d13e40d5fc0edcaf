"""The punches: a human that hits a ball on a pole, its body slack enough to lag, swing past and come back.

Both are made for Rahgoshay 2011 (figures 4-1, 6-3 and 7-2): a keyed punch that hits, secondary motion with which it
would miss, and a target that the correction meets. "A punch" asks for the place of the fist at the strike (4.1), "A
fast punch" for its place and its velocity (4.4 and 7.2). `keyed` gives a document without its correction; the ones that
ship have it (`packaging/make_examples.py`, which runs kernels; nothing here does).

The figure stands with its left foot ahead. Its left foot is locked, the ball of its right one, too, flat on the floor
but free to turn, so that the heel comes up as the hips do. Root and legs follow their keys exactly: locks have the last
word over them anyway. Keys in degrees and metres.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, exp, pi, radians, sin, sqrt

from engine.document import Actor, Document, Ellipsoid, Figure, Key, Layer, Lock, Placement, Span, Track
from engine.document.figure import Dof, Joint
from engine.document.motion import TICKS_PER_SECOND
from engine.document.secondary import Gains, OwnGains, Secondary
from engine.document.shapes import Capsule, Loft, Section
from engine.document.target import Target
from engine.document.values import Quaternion, Vector3

BOXER, BALL, FIST, STRIKE = "boxer", "ball", "wrist_right", 1.0
KNUCKLES: Vector3 = (0.0, -0.1, 0.012)  # [m] in the frame of the wrist
PLACE: Vector3 = (-0.06, 1.32, 0.885)  # [m] where they are keyed to be at the strike: on the ball
LONG = 2.4  # [s]

_TIMES = (0, 0.38, 0.72, 0.87, 0.94, 1, 1.045, 1.19, 1.48, 1.82, 2.4)  # [s]
_KEYS: Mapping[str, tuple[float, ...]] = {
    "pelvis.move_x": (-0.01, -0.012, -0.05, -0.005, 0.008, 0.02, 0.028, 0.016, -0.005, -0.015, -0.01),
    "pelvis.move_y": (-0.095, -0.112, -0.125, -0.12, -0.12, -0.115, -0.115, -0.112, -0.105, -0.1, -0.095),
    "pelvis.move_z": (0, 0.005, -0.045, 0.045, 0.075, 0.1, 0.118, 0.09, 0.02, -0.005, 0),
    "pelvis.turn": (-35, -36, -48, -12, -2, 7, 10, -3, -26, -37, -35),
    "pelvis.tilt": (6, 7, 5, 8, 9, 10, 11, 10, 7, 6, 6),
    "pelvis.roll": (0, 0, -3, 1, 2, 3, 3, 2, 0, 0, 0),
    "lower_spine.rotation": (-1.4, -1.6, -4.3, -1.8, 0.7, 2.7, 3.4, 2.5, -0.7, -1.6, -1.4),
    "lower_spine.flexion": (8.1, 9, 8.1, 8.1, 8.1, 8.1, 8.6, 8.1, 8.6, 8.1, 8.1),
    "lower_spine.side_bend": (0, 0, -1.8, 0, 1.4, 2.2, 2.7, 1.4, 0, 0, 0),
    "middle_spine.rotation": (-2.7, -3.1, -8.2, -3.4, 1.4, 5.1, 6.5, 4.8, -1.4, -3.1, -2.7),
    "middle_spine.flexion": (5.4, 6, 5.4, 5.4, 5.4, 5.4, 5.7, 5.4, 5.7, 5.4, 5.4),
    "middle_spine.side_bend": (0, 0, -1.2, 0, 0.9, 1.5, 1.8, 0.9, 0, 0, 0),
    "upper_spine.rotation": (-3.8, -4.3, -11.5, -4.8, 1.9, 7.2, 9.1, 6.7, -1.9, -4.3, -3.8),
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
    "shoulder_right.flexion": (42, 42, 22, 36, 37.2, 63.2, 96.9, 54.5, 46, 41, 42),
    "shoulder_right.abduction": (4, 4, 12, 14, 15.1, 46.2, 64.2, 35.6, 8, 4, 4),
    "shoulder_right.rotation": (28, 28, 22, 12, -17.5, -30.6, -18.3, -16, 24, 28, 28),
    "elbow_right.flexion": (128, 129, 133, 128, 114.8, 55.6, 15.2, 79.7, 120, 129, 128),
    "forearm_right.pronation": (10, 10, 5, 10, 12.8, 25.7, 66.9, 25, 20, 10, 10),
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
_CURL = {"index": 74, "index_tip": 72, "middle": 84, "ring": 82, "little": 68, "little_tip": 68}
_THUMB = {"thumb_{}.flexion": 34.0, "thumb_{}.abduction": -12.0, "thumb_tip_{}.flexion": 62.0}
_GAINS: Mapping[str, tuple[float, float]] = {  # tension [Hz], damping
    "lower_spine": (14, 1.0), "middle_spine": (13, 0.9), "upper_spine": (12, 0.9), "neck": (8, 0.8), "head": (7, 0.6),
    "collar_right": (10, 0.8), "shoulder_right": (8, 0.7), "elbow_right": (8, 0.7), "forearm_right": (8, 0.7),
    "wrist_right": (9, 0.7), "collar_left": (10, 0.8), "shoulder_left": (6.5, 0.6), "elbow_left": (6, 0.5),
    "forearm_left": (7, 0.6), "wrist_left": (7, 0.5),
}  # fmt: skip
_ROUND, _TALL, _SWINGS, _RATIO = 0.115, 1.3, 2.0, 0.3  # the ball [m], its pole [m], how it swings [Hz], damped


def keyed_punch() -> Document:
    """The punch and its target, without what meets it."""
    target = Target(id="hit", kind="point", joint=FIST, point=KNUCKLES, time=_ticks(STRIKE), position=PLACE)
    return _scene((target,))


def _scene(targets: tuple[Target, ...]) -> Document:
    boxer, ball = _boxer(targets), _ball()
    return Document(actors=(boxer, ball), play=Span(start=0, end=_ticks(LONG)), rate=(60, 1))


def _boxer(targets: tuple[Target, ...]) -> Actor:
    from engine.document.shipped import load_skin
    from engine.formats.figure_toml import load_figure
    from dataclasses import replace

    figure = replace(load_figure("human"), skins=(load_skin("human"),))
    kinds = figure.coordinate_dof
    def made(name: str, value: float) -> float:
        return kinds[name].clamp(value if kinds[name].kind == "slide" else radians(value))
    tracks = tuple(
        Track(coordinate=name, keys=tuple(Key(_ticks(t), made(name, v)) for t, v in zip(_TIMES, values, strict=True)))
        for name, values in _KEYS.items()
    )
    still = {f"{finger}_{side}.flexion": v for finger, v in _CURL.items() for side in ("left", "right")}
    still |= {name.format(side): v for name, v in _THUMB.items() for side in ("left", "right")}
    layer = Layer(id="keys", name="Punch", values=tuple((n, made(n, v)) for n, v in still.items()), tracks=tracks)
    exact = [j.id for j in figure.joints if j.dofs and j.parent is not None and j.id not in _GAINS]
    own = [OwnGains(joint=j.id, tension=_GAINS[j.id][0], damping=_GAINS[j.id][1]) if j.id in _GAINS else OwnGains(joint=j.id, exact=True) for j in figure.joints if j.id in _GAINS or j.id in exact]
    return Actor(id=BOXER, name="Boxer", figure=figure, layers=(layer,), locks=_planted(),
        secondary=Secondary(gains=Gains(gravity=0.2), own=tuple(own), targets=targets))


def _planted() -> tuple[Lock, ...]:
    return (
        Lock(id="left_foot", name="Left foot", joint="ankle_left", axes=("i", "j", "k"), position=(0.115, 0.0678, 0.225), rotation=_about_y(-14.0)),
        Lock(id="right_ball", name="Ball of the right foot", joint="toes_right", axes=("j",), position=(-0.225, 0.0158, -0.13)),
    )


def _about_y(degrees: float) -> Quaternion:
    return (cos(radians(0.5 * degrees)), 0.0, sin(radians(0.5 * degrees)), 0.0)


def _ball() -> Actor:
    x, y, z = PLACE
    foot = Joint(id="foot", name="Foot", shapes=(Loft(sections=(Section(along=0.0, width=0.19, depth=0.19), Section(along=0.035, width=0.16, depth=0.16), Section(along=0.06, width=0.05, depth=0.05)), caps=(0.0, 0.3)),))
    swing = Dof(id="pole.swing", name="Swing", axis=(1.0, 0.0, 0.0), lower=-1.2, upper=1.2)
    pole = Joint(id="pole", name="Pole", parent="foot", offset=(0.0, 0.05, 0.0), dofs=(swing,), shapes=(
        Capsule(start=(0.0, 0.0, 0.0), end=(0.0, y - 0.05, 0.0), radius=0.016, tone=0.6),
        Ellipsoid(radii=(_ROUND, _ROUND, _ROUND), centre=(0.0, y - 0.05, 0.0))))
    figure = Figure(name="Ball on a pole", joints=(foot, pole))
    track = Track(coordinate="pole.swing", keys=_swinging())
    return Actor(id=BALL, name="Ball", figure=figure, placement=Placement(position=(x, 0.0, z + _ROUND)), layers=(Layer(id="keys", name="Struck", tracks=(track,)),))


def _swinging() -> tuple[Key, ...]:
    """a e^(-d t) sin(w t) from the strike on."""
    w = 2.0 * pi * _SWINGS
    d = _RATIO * w
    wd = w * sqrt(1 - _RATIO**2)
    a = 8.0 / _TALL / wd
    keys = []
    for n in range(0, 12):
        t = n * 0.125 / _SWINGS
        v = a * exp(-d * t) * sin(wd * t)
        s = a * exp(-d * t) * (wd * cos(wd * t) - d * sin(wd * t))
        keys.append(Key(_ticks(STRIKE + t), v, tangent="free", slope_in=0.0 if n == 0 else s, slope_out=s))
    keys.append(Key(_ticks(STRIKE + 1.1), 0.0, tangent="flat"))
    return tuple(keys)


def _ticks(seconds: float) -> int:
    return round(seconds * TICKS_PER_SECOND)

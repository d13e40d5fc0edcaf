"""The examples "A curl": an arm of bones and five muscles that lifts a weight, at first by the flexors alone, then with
the triceps pulling against them; and "A lift", where nothing but these muscles moves it.

Its numbers are its own, of the size that an arm's are: origins and insertions measured off the bones drawn here.
Positive x is to the left; the arm is seen from the side.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from engine.document import (
    Actor,
    Body,
    Capsule,
    Document,
    Dof,
    Ellipsoid,
    Figure,
    Joint,
    Key,
    Layer,
    Placement,
    Span,
    Track,
)
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.shapes import Shape
from engine.document.values import Vector3
from engine.muscles.parts import (
    ACTIVATION,
    Muscle,
    MuscleActivation,
    MuscleActivations,
    Muscles,
    MuscleSet,
    MuscleWrap,
    PathPoint,
    PathWrap,
)
from engine.physics.parts import Physics

Keyed = tuple[tuple[float, float], ...]
RATE = (30, 1)
BONE, PALE = 1.0, 0.92  # brightness beside the actor's colour
ELBOW: Vector3 = (0.0, -0.29, 0.0)

# Activations by time [s]: a curl, then one with co-contraction.
KEYS: dict[str, Keyed] = {
    "biceps_long": (
        (0.0, 0.03),
        (0.8, 0.55),
        (1.6, 0.4),
        (2.6, 0.05),
        (3.3, 0.35),
        (4.2, 0.9),
        (5.0, 0.75),
        (6.0, 0.03),
    ),
    "biceps_short": (
        (0.0, 0.03),
        (0.8, 0.5),
        (1.6, 0.35),
        (2.6, 0.05),
        (3.3, 0.3),
        (4.2, 0.85),
        (5.0, 0.7),
        (6.0, 0.03),
    ),
    "brachialis": ((0.0, 0.05), (0.7, 0.7), (1.6, 0.5), (2.6, 0.08), (3.3, 0.45), (4.2, 1.0), (5.0, 0.85), (6.0, 0.05)),
    "triceps_long": ((0.0, 0.02), (2.4, 0.1), (3.2, 0.4), (4.2, 0.8), (5.0, 0.7), (6.0, 0.02)),
    "triceps_lateral": ((0.0, 0.02), (2.4, 0.12), (3.2, 0.45), (4.2, 0.9), (5.0, 0.8), (6.0, 0.02)),
}
FLEXED = (
    (0.0, 0.02), (0.3, 0.02), (1.0, 0.3), (2.1, 0.28), (2.9, 0.03), (3.6, 0.03), (3.85, 0.75), (4.3, 0.6), (5.6, 0.55),
    (6.2, 0.02),
)  # fmt: skip
EXTENDED = ((0.0, 0.01), (3.85, 0.01), (4.3, 0.3), (5.6, 0.3), (6.2, 0.01))
BEND = (
    (0.0, 8.0),
    (0.4, 8.0),
    (1.6, 128.0),
    (2.8, 12.0),
    (3.2, 12.0),
    (4.6, 100.0),
    (5.0, 100.0),
    (6.0, 8.0),
)  # [s, deg]


def curl() -> Document:
    """An arm that bends twice."""
    figure = _figure()
    keys = tuple(Key(round(at * SECOND), math.radians(angle)) for at, angle in BEND)
    tracks = (Track(coordinate="elbow.flexion", keys=keys),)
    arm = Actor(
        id="arm",
        name="Arm",
        figure=figure,
        placement=Placement(position=(0.0, 1.35, 0.0)),
        layers=(Layer(id="pose", tracks=tracks),),
        parts=(muscles(), activations()),
    )
    return Document(actors=(arm,), rate=RATE)


def lift() -> Document:
    """The same arm, which nothing moves but its muscles: it lifts the weight and lets it down; then throws it up, and
    holds it stiffly."""
    document = curl()
    (arm,) = document.actors
    flexors, extensors = ("biceps_long", "biceps_short", "brachialis"), ("triceps_long", "triceps_lateral")
    keys: dict[str, Keyed] = {**dict.fromkeys(flexors, FLEXED), **dict.fromkeys(extensors, EXTENDED)}
    layer = Layer(id="pose", values=(("elbow.flexion", math.radians(BEND[0][1])),))
    arm = replace(arm, layers=(layer,), parts=(muscles(), activations(keys), Physics()))
    return replace(document, actors=(arm,), play=Span(start=0, end=7 * SECOND))


def activations(told: Mapping[str, Keyed] = KEYS) -> MuscleActivations:
    """How the muscles are activated."""
    found = []
    for id, keys in told.items():
        track = Track(coordinate=ACTIVATION, keys=tuple(Key(round(at * SECOND), value) for at, value in keys))
        found.append(MuscleActivation(muscle=id, track=track))
    return MuscleActivations(activations=tuple(found))


def muscles() -> Muscles:
    """Five muscles across the elbow, two of them across the shoulder, too."""
    elbow = MuscleWrap(
        id="elbow", name="Elbow", joint="shoulder", shape="cylinder", radii=(0.018,), length=0.08,
        centre=(0.0, -0.287, 0.0), rotation=(math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0),
    )  # fmt: skip
    made = (
        _muscle("biceps_long", "Biceps, long head", 525.0, 0.125, 0.215, 0.0,
                (("girdle", (0.022, 0.03, 0.004)), ("shoulder", (0.016, 0.002, 0.022)),
                 ("shoulder", (0.013, -0.15, 0.034)), ("elbow", (0.006, -0.045, 0.011)))),
        _muscle("biceps_short", "Biceps, short head", 460.0, 0.135, 0.17, 0.0,
                (("girdle", (-0.03, 0.005, 0.03)), ("shoulder", (-0.013, -0.12, 0.033)),
                 ("elbow", (0.004, -0.047, 0.011)))),
        _muscle("brachialis", "Brachialis", 990.0, 0.085, 0.045, 0.0,
                (("shoulder", (0.002, -0.165, 0.016)), ("elbow", (-0.004, -0.032, 0.014)))),
        _muscle("triceps_long", "Triceps, long head", 800.0, 0.135, 0.14, 12.0,
                (("girdle", (-0.012, -0.028, -0.016)), ("shoulder", (-0.012, -0.15, -0.03)),
                 ("shoulder", (0.0, -0.25, -0.021)), ("elbow", (0.0, 0.016, -0.024)))),
        _muscle("triceps_lateral", "Triceps, lateral head", 625.0, 0.115, 0.09, 9.0,
                (("shoulder", (0.016, -0.075, -0.012)), ("shoulder", (0.014, -0.17, -0.026)),
                 ("shoulder", (0.002, -0.25, -0.022)), ("elbow", (0.002, 0.016, -0.023)))),
    )  # fmt: skip
    made = tuple(replace(each, wraps=(PathWrap(wrap="elbow", first=len(each.points) - 2),)) for each in made)
    flexors, extensors = made[:3], made[3:]
    sets = (
        MuscleSet(id="flexors", name="Flexors of the elbow", muscles=tuple(each.id for each in flexors)),
        MuscleSet(id="extensors", name="Extensors of the elbow", muscles=tuple(each.id for each in extensors)),
    )
    return Muscles(muscles=made, wraps=(elbow,), sets=sets)


def _muscle(
    id: str, name: str, force: float, fibre: float, tendon: float, pennation: float,
    points: tuple[tuple[str, Vector3], ...],
) -> Muscle:  # fmt: skip
    path = tuple(PathPoint(joint=joint, point=point) for joint, point in points)
    return Muscle(
        id=id, name=name, points=path, force=force, fibre=fibre, tendon=tendon, pennation=math.radians(pennation),
        region="Upper arm",
    )  # fmt: skip


def _figure() -> Figure:
    girdle: tuple[Shape, ...] = (
        Capsule(start=(-0.13, 0.045, 0.02), end=(0.005, 0.05, 0.01), radius=0.009, tone=BONE),
        Ellipsoid(radii=(0.03, 0.055, 0.012), centre=(-0.045, -0.02, -0.04), tone=BONE),
        Capsule(start=(-0.04, 0.02, -0.04), end=(0.022, 0.04, -0.002), radius=0.009, tone=BONE),
        Capsule(start=(-0.02, 0.012, -0.02), end=(-0.03, 0.01, 0.024), radius=0.007, tone=BONE),
        Ellipsoid(radii=(0.012, 0.02, 0.016), centre=(-0.024, 0.0, 0.0), tone=BONE),
    )
    humerus: tuple[Shape, ...] = (
        Ellipsoid(radii=(0.023, 0.023, 0.023), tone=BONE),
        Capsule(start=(0.0, -0.01, 0.0), end=(0.0, -0.275, 0.0), radius=0.0115, tone=BONE),
        Capsule(start=(-0.022, -0.287, 0.0), end=(0.022, -0.287, 0.0), radius=0.0145, tone=BONE),
    )
    forearm: tuple[Shape, ...] = (
        Capsule(start=(-0.008, 0.006, -0.012), end=(-0.017, -0.235, -0.004), radius=0.0085, tone=BONE),
        Ellipsoid(radii=(0.013, 0.02, 0.012), centre=(0.0, 0.006, -0.017), tone=BONE),
        Capsule(start=(0.014, -0.022, 0.003), end=(0.02, -0.235, 0.004), radius=0.0085, tone=BONE),
    )
    hand: tuple[Shape, ...] = (
        Ellipsoid(radii=(0.034, 0.045, 0.017), centre=(0.0, -0.05, 0.0), tone=PALE),
        Capsule(start=(-0.095, -0.085, 0.022), end=(0.095, -0.085, 0.022), radius=0.013, tone=0.45),
        Ellipsoid(radii=(0.022, 0.052, 0.052), centre=(-0.1, -0.085, 0.022), tone=0.4),
        Ellipsoid(radii=(0.022, 0.052, 0.052), centre=(0.1, -0.085, 0.022), tone=0.4),
        Capsule(start=(-0.024, -0.085, 0.004), end=(-0.024, -0.088, 0.038), radius=0.01, tone=PALE),
        Capsule(start=(0.0, -0.09, 0.004), end=(0.0, -0.092, 0.04), radius=0.01, tone=PALE),
        Capsule(start=(0.024, -0.085, 0.004), end=(0.024, -0.088, 0.038), radius=0.01, tone=PALE),
    )
    flexion = Dof(id="elbow.flexion", name="Flexion", axis=(-1.0, 0.0, 0.0), lower=0.0, upper=math.radians(145.0))
    lift = Dof(
        id="shoulder.flexion",
        name="Flexion",
        axis=(-1.0, 0.0, 0.0),
        lower=math.radians(-50.0),
        upper=math.radians(170.0),
    )
    return Figure(
        name="Arm",
        joints=(
            Joint(id="girdle", name="Shoulder blade", shapes=girdle),
            Joint(
                id="shoulder", name="Shoulder", parent="girdle", dofs=(lift,), shapes=humerus,
                body=Body(mass=2.0, centre=(0.0, -0.13, 0.0)),
            ),
            Joint(
                id="elbow", name="Elbow", parent="shoulder", offset=ELBOW, dofs=(flexion,), shapes=forearm,
                body=Body(mass=1.2, centre=(0.0, -0.11, 0.0)),
            ),
            Joint(
                id="hand", name="Hand", parent="elbow", offset=(0.0, -0.25, 0.0), shapes=hand,
                body=Body(mass=5.0, centre=(0.0, -0.08, 0.02)),
            ),
        ),
    )  # fmt: skip

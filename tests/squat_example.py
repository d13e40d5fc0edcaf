"""The example "A squat": the skeleton with its 823 muscles goes down until its thighs are level, and rises again.

Both heels are pinned, flat on the ground; each key is a pose whose legs the pins have found, with the centre of mass
over the middle of the feet. Between keys the pins go on holding. Activations are what static optimisation finds for
the motion, the ground's force estimated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from engine.document import Actor, Document, Key, Layer, Lock, Span, Track
from engine.document.lock import AXES
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array
from engine.model.compile import ROW
from engine.muscles.commands.activate import ActivationsFromMotion
from engine.muscles.parts import Muscles
from engine.muscles.uses import activations_of
from engine.queries.examples import example, shipped_part
from engine.runtime.progress import finish

SIDES = {"left": 1.0, "right": -1.0}
LEGS = ("femur", "tibia", "talus", "calcaneus")
HEEL, APART, TURNED = (
    (0.01112, -0.06),
    0.155,
    math.radians(14.0),
)  # [m] height and place ahead, half the stance; toes out
AHEAD = 0.02  # [m] of the centre of mass before the ankles
DEEP = 0.39  # [m] that the pelvis goes down by
DOWN, HELD, UP, ENDS = (0.4, 1.7), (1.7, 2.1), (2.1, 3.3), 3.8  # [s]
EARLY = 0.6  # power of the share by which the trunk leans and arms rise: sooner than the knees bend
STEPS = 5  # keys of a way down or up
TOLERANCE = 0.02  # of the keys of activations
FINE = 5  # digits of keys [rad]

# What is turned by so many degrees in the squat, from what it is in standing, shared by the joints that are listed.
STANDING = {
    "humerus_{}.flexion": 4.0, "humerus_{}.abduction": 5.0, "ulna_{}.flexion": 12.0, "index_{}.flexion": 10.0,
    "middle_{}.flexion": 12.0, "ring_{}.flexion": 15.0, "little_{}.flexion": 18.0,
}  # fmt: skip
SQUATTING = {
    "sacrum.tilt": 34.0,
    "lumbar5.flexion": 3.0, "lumbar4.flexion": 3.0, "lumbar3.flexion": 2.5, "lumbar2.flexion": 2.0,
    "lumbar1.flexion": 1.5, "thoracic12.flexion": -0.5, "thoracic11.flexion": -0.5, "thoracic10.flexion": -1.0,
    "thoracic9.flexion": -1.0, "thoracic8.flexion": -1.0, "thoracic7.flexion": -1.0,
    "cervical7.flexion": -2.0, "cervical6.flexion": -3.0, "cervical5.flexion": -3.0, "cervical4.flexion": -3.0,
    "cervical3.flexion": -3.0, "cervical1.flexion": -3.0, "skull.flexion": -5.0,
    "clavicle_{}.protraction": 8.0, "clavicle_{}.elevation": 4.0, "scapula_{}.upward_rotation": 20.0,
    "humerus_{}.flexion": 84.0, "humerus_{}.abduction": 8.0, "humerus_{}.rotation": 10.0, "ulna_{}.flexion": 8.0,
    "radius_{}.pronation": 20.0,
}  # fmt: skip
LEG_GUESS = {"femur_{}.flexion": 95.0, "tibia_{}.flexion": 105.0, "talus_{}.dorsiflexion": 25.0}


def squat() -> Document:
    """The motion with the activations that it takes."""
    document = squatting()
    command = ActivationsFromMotion(actor="body", start=0, end=round(ENDS * SECOND), tolerance=TOLERANCE)
    found = finish(command.work_through(Evaluator(), document))
    print("\n".join(found.lacking))
    document = found.edit.apply(document)
    (body,) = document.actors
    active = activations_of(body)
    shorter = (
        each if each.track is None else replace(each, track=_rounded(each.track, 3)) for each in active.activations
    )
    return document.with_actor(body.with_part(replace(active, activations=tuple(shorter))))


def squatting() -> Document:
    """The motion alone."""
    (skeleton,) = example("skeleton").build().actors
    muscles = shipped_part("parts/anatomy/1")
    assert isinstance(muscles, Muscles)
    body = Actor(
        id="body", name="Body", figure=skeleton.figure, layers=(Layer(id="pose"),), locks=_pins(), parts=(muscles,),
        natural=1.0, floor=True,
    )  # fmt: skip
    document, evaluator = Document(actors=(body,), rate=(30, 1)), Evaluator()
    keys: dict[str, list[Key]] = {}
    guess: dict[str, float] = {}
    for time in _times():
        guess = _balanced(evaluator, document, _share(time), guess)
        for coordinate, value in guess.items():
            keys.setdefault(coordinate, []).append(Key(round(time * SECOND), round(value, FINE)))
    still = tuple((name, each[0].value) for name, each in keys.items() if len({key.value for key in each}) == 1)
    moving = {name: each for name, each in keys.items() if name not in dict(still)}
    tracks = tuple(Track(coordinate=name, keys=tuple(each)) for name, each in moving.items())
    layer = Layer(id="pose", values=tuple(each for each in still if each[1]), tracks=tracks)
    return replace(document, actors=(replace(body, layers=(layer,)),), play=Span(start=0, end=round(ENDS * SECOND)))


def _times() -> list[float]:
    """When poses are keyed [s]."""
    found = [0.0]
    for start, end in (DOWN, UP):
        found += [float(each) for each in np.linspace(start, end, STEPS + 1)]
    return [*found, ENDS]


def _share(time: float) -> float:
    """How much of the squat there is at a time: of least jerk from end to end."""

    def eased(start: float, end: float) -> float:
        s = min(max((time - start) / (end - start), 0.0), 1.0)
        return s * s * s * (10.0 + s * (6.0 * s - 15.0))

    return eased(*DOWN) - eased(*UP)


def _pins() -> tuple[Lock, ...]:
    """Both heels, flat on the ground, toes out; legs alone move for them."""
    return tuple(
        Lock(
            id=f"heel_{side}", name=f"{side.capitalize()} heel", joint=f"calcaneus_{side}", axes=AXES,
            position=(sign * APART, *HEEL), rotation=(math.cos(0.5 * TURNED), 0.0, sign * math.sin(0.5 * TURNED), 0.0),
            joints=tuple(f"{bone}_{side}" for bone in LEGS),
        )
        for side, sign in SIDES.items()
    )  # fmt: skip


def _asked(share: float) -> dict[str, float]:
    """The pose but for its legs [rad]."""
    found: dict[str, float] = {}
    for told, much in ((STANDING, 1.0), (SQUATTING, share**EARLY)):
        for name, degrees in told.items():
            for each in {name.format(side) for side in SIDES}:
                found[each] = found.get(each, 0.0) + much * math.radians(degrees)
    return found


def _balanced(
    evaluator: Evaluator, document: Document, share: float, before: Mapping[str, float]
) -> dict[str, float]:  # fmt: skip
    """Find the pose with its heels on their pins and its centre of mass over the feet, near the pose before."""
    (body,) = document.actors
    legs = {dof.id for joint in body.figure.joints for dof in joint.dofs if joint.id.rpartition("_")[0] in LEGS}
    drop = 0.012 + DEEP * share

    def posed(back: float) -> tuple[dict[str, float], float]:
        values = {name: before[name] for name in before if name in legs}
        if not values:
            values = {
                name.format(side): math.radians(0.08 * each) for name, each in LEG_GUESS.items() for side in SIDES
            }
        values |= _asked(share) | {"sacrum.move_y": -drop, "sacrum.move_z": back}
        for _ in range(8):
            layer = Layer(id="pose", values=tuple(values.items()))
            tried = document.with_actor(replace(body, layers=(layer,)))
            row: Array = evaluator.rows_at(tried, [0])[0]["body"][ROW:]
            found = {name: float(row[body.figure.coordinate_index[name]]) for name in legs}
            off = max(abs(found[name] - values.get(name, 0.0)) for name in legs)
            values |= found
            if off < 1e-9:
                break
        return values, float(evaluator.centre_of_mass(tried, "body", 0)[2])

    start = before.get("sacrum.move_z", 0.0)
    return posed(_root(lambda back: posed(back)[1] - (HEEL[1] + 0.04877 + AHEAD), start))[0]


def _root(function: Callable[[float], float], near: float) -> float:
    """Find where a function is 0, by secants."""
    one, two = near, near - 0.02
    first, second = function(one), function(two)
    for _ in range(20):
        if abs(second) < 1e-5 or second == first:
            break
        one, two = two, two - second * (two - one) / (second - first)
        first, second = second, function(two)
    return two


def _rounded(track: Track, digits: int) -> Track:
    keys = tuple(
        replace(
            key, value=round(key.value, digits), slope_in=round(key.slope_in, digits), slope_out=round(key.slope_out, digits)
        )
        for key in track.keys
    )  # fmt: skip
    return replace(track, keys=keys)


SQUATS: dict[str, Callable[[], Document]] = {"squat": squat}
"""Those that ship, by name."""

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
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from engine.document import Actor, Document, Key, Layer, Lock, Span, Track
from engine.document.lock import AXES
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array
from engine.model.compile import ROW
from engine.motion.curves import evaluate_track
from engine.muscles.commands.activate import ActivationsFromMotion
from engine.muscles.parts import ACTIVATION, MuscleActivation, MuscleActivations, Muscles
from engine.queries.examples import example, shipped_part
from engine.runtime.progress import finish

SIDES = {"left": 1.0, "right": -1.0}
LEGS = ("femur", "tibia", "talus", "calcaneus")
HEEL, APART = (0.01112, -0.06), 0.1  # [m] of a heel: height and place ahead; half the stance
ANKLE = 0.04877  # [m] from the heel bone ahead to the ankle
TURNED = math.radians(8.0)  # toes out
AHEAD = 0.005, -0.01  # [m] of the centre of mass before the ankles, standing and squatting
DEEP = 0.29  # [m] that the pelvis goes down by
DOWN, UP, ENDS = (0.3, 1.4), (1.55, 2.35), 2.8  # [s]
EARLY = 0.6  # power of the share by which the trunk leans and arms rise: sooner than the knees bend
STEPS = 5  # keys of a way down or up
TOLERANCE = 0.06  # of the keys of activations
LITTLE = 0.1  # of an activation that nobody misses
FINE = 5  # digits of keys [rad]

# What is turned by so many degrees in the squat, from what it is in standing, shared by the joints that are listed.
STANDING = {
    "humerus_{}.flexion": 4.0, "humerus_{}.abduction": 5.0, "ulna_{}.flexion": 12.0, "index_{}.flexion": 10.0,
    "middle_{}.flexion": 12.0, "ring_{}.flexion": 15.0, "little_{}.flexion": 18.0,
}  # fmt: skip
SQUATTING = {
    "sacrum.tilt": 24.0,
    "lumbar5.flexion": 5.0, "lumbar4.flexion": 4.5, "lumbar3.flexion": 3.5, "lumbar2.flexion": 3.0,
    "lumbar1.flexion": 2.0, "thoracic12.flexion": 0.5, "thoracic11.flexion": 0.5,
    "cervical7.flexion": -2.0, "cervical6.flexion": -3.0, "cervical5.flexion": -3.0, "cervical4.flexion": -3.0,
    "cervical3.flexion": -3.0, "cervical1.flexion": -3.0, "skull.flexion": -5.0,
    "clavicle_{}.protraction": 4.0, "clavicle_{}.elevation": 2.0, "scapula_{}.upward_rotation": 6.0,
    "humerus_{}.flexion": 70.0, "humerus_{}.abduction": 8.0, "humerus_{}.rotation": 10.0, "ulna_{}.flexion": 8.0,
    "radius_{}.pronation": 20.0,
}  # fmt: skip
LEG_GUESS = {"femur_{}.flexion": 95.0, "tibia_{}.flexion": 105.0, "talus_{}.dorsiflexion": 25.0}


def squat() -> Document:
    """The motion with the activations that it takes."""
    document = squatting()
    found = finish(ActivationsFromMotion(actor="body").work_through(Evaluator(), document))
    print("\n".join(found.lacking))
    times, (body,) = np.array(found.shares.times), document.actors
    made = []
    for id, values in zip(found.shares.muscles, found.shares.activations.T, strict=True):
        if values.max() > LITTLE:
            made.append(MuscleActivation(muscle=id, track=_thinned(times, np.ascontiguousarray(values))))
    return document.with_actor(body.with_part(MuscleActivations(activations=tuple(made))))


def _thinned(times: NDArray[np.int64], values: Array) -> Track:
    """Few keys with automatic tangents, put where the curve is off by most."""
    chosen = {0, len(times) - 1}
    while True:
        keys = tuple(Key(int(times[each]), round(float(values[each]), 2)) for each in sorted(chosen))
        track = Track(coordinate=ACTIVATION, keys=keys)
        off = np.abs(evaluate_track(track, times.astype(np.float64))[:, 0] - values)
        off[list(chosen)] = 0.0
        if off.max() <= TOLERANCE:
            return track
        chosen.add(int(off.argmax()))


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
    found: dict[str, list[float]] = {}
    pose: dict[str, float] = {}
    for time in _times():
        pose = _balanced(evaluator, document, _share(time), pose)
        for name, value in pose.items():
            found.setdefault(name, []).append(round(value, FINE))
    still = {name: each[0] for name, each in found.items() if np.ptp(each) < 2e-4}
    tracks = tuple(_smooth(name, each) for name, each in found.items() if name not in still)
    layer = Layer(id="pose", values=tuple((name, value) for name, value in still.items() if value), tracks=tracks)
    return replace(document, actors=(replace(body, layers=(layer,)),), play=Span(start=0, end=round(ENDS * SECOND)))


def _smooth(coordinate: str, values: list[float]) -> Track:
    """Keys through which accelerations go on: on each way slopes of the cubic spline that begins and ends at rest."""
    times = np.array(_times())
    slopes = np.zeros(len(times))
    for way in (slice(1, STEPS + 2), slice(STEPS + 2, 2 * STEPS + 3)):
        slopes[way] = CubicSpline(times[way], values[way], bc_type="clamped")(times[way], 1)
    rows = zip(times.tolist(), values, slopes.round(FINE).tolist(), strict=True)
    keys = (
        Key(round(time * SECOND), value, tangent="free", slope_in=slope, slope_out=slope) if slope else
        Key(round(time * SECOND), value, tangent="flat")
        for time, value, slope in rows
    )  # fmt: skip
    return Track(coordinate=coordinate, keys=tuple(keys))


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


def _balanced(evaluator: Evaluator, document: Document, share: float, before: Mapping[str, float]) -> dict[str, float]:
    """Find the pose with its heels on their pins and its centre of mass over the feet, near the pose before."""
    (body,) = document.actors
    legs = {dof.id for joint in body.figure.joints for dof in joint.dofs if joint.id.rpartition("_")[0] in LEGS}
    drop = 0.006 + DEEP * share

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

    ahead = HEEL[1] + ANKLE + (1.0 - share) * AHEAD[0] + share * AHEAD[1]
    return posed(_root(lambda back: posed(back)[1] - ahead, before.get("sacrum.move_z", 0.0)))[0]


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


SQUATS: dict[str, Callable[[], Document]] = {"squat": squat}
"""Those that ship, by name."""

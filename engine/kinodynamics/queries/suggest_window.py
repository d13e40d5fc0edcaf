"""suggest_window: the live job behind "Suggest window" and the curve of a jolt that dies away (Rahgoshay 2011, 5).

The keys come to the pose of a time at 4 rad/s in the joints that are meant, and stop dead: the curve is how far these
joints then are from where they would be (5.1, by simulation), and `settled` when that cannot be seen any more. `bound`
is what the modes about that pose promise (5.12, as corrected in `engine.kinodynamics.windows`) for the accelerations
that the keyed motion has within a second of that time: it is never too short, and mostly too long. What slides counts
as if it were the end of an arm of half a metre that turns. Where a query gives scales,
what a radian and a metre of each joint are (pixels of a picture, metres of the farthest point that the joint carries),
x_min and the curve are in that.

Runs on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from engine.document import Document
from engine.document.motion import TICKS_PER_SECOND, frame_time, ticks_per_frame
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.evaluation import Evaluation
    from engine.kinodynamics.keyed import Keyed
    from engine.kinodynamics.tracking import KinoModel

    Array = NDArray[np.float64]

JOLT = 4.0  # [rad/s]
ARM = 0.5  # [m]
LONGEST = 3.0  # [s] for which a jolt is followed
SURE = 0.8 * LONGEST  # after which a swing that is out of sight may come back
_NOTHING = 1e-9  # of a unit, for a joint that counts nothing
AROUND = TICKS_PER_SECOND  # on each side of the time


Unit = Literal["angle", "pixels", "length"]


@dataclass(frozen=True)
class Scale:
    """The weight of a motion of one joint."""

    joint: str
    turn: float  # a radian of it
    slide: float  # a metre


@dataclass(frozen=True, kw_only=True)
class WindowWanted:
    """Whose window, about which pose."""

    actor: str
    time: int = 0
    joints: tuple[str, ...] = ()  # that are jolted; none: all that swing
    least: float = math.radians(1.0)  # what can just be seen, in the unit
    unit: Unit = "angle"  # radians, pixels or metres
    scales: tuple[Scale, ...] = ()  # of a unit that is no angle; a joint that is not named counts nothing
    bound: bool = False  # whether the bound is wanted, too


@dataclass(frozen=True, eq=False)
class WindowFound:
    """The response to a jolt, and the length of window that it needs."""

    wanted: WindowWanted
    times: Array  # since the keys stopped [s]
    sizes: Array  # how far the joints are off at most, in the unit that is wanted; zeros where nothing of them swings
    settled: float  # [s]; inf: not within SURE
    slowest: str = ""  # id of the joint that is seen to swing longest, if one is
    bound: float | None = None  # [s]; inf: something never comes to rest


def find_window(
    evaluator: Evaluation, document: Document, wanted: WindowWanted
) -> Generator[WindowFound | None, None, None]:
    """Work out the curve first, then the bound, if that is wanted."""
    import numpy as np

    from engine.kinodynamics.keyed import VALUE
    from engine.kinodynamics.response import impulse_response
    from engine.kinodynamics.secondary import secondaries_of

    actor = document.actor(wanted.actor)
    group = next(group for group in document.groups if any(each.id == actor.id for each in group))
    secondaries = secondaries_of(evaluator)
    model = secondaries.model(actor)
    keyed = secondaries.keyed(document, group, actor, model)
    joints, arms, meant = _rates(model, wanted.joints)
    counts = _counts(joints, arms, wanted)
    q = np.ascontiguousarray(keyed(np.array([float(wanted.time)]))[0, VALUE])
    yield None
    response = impulse_response(model, q, JOLT * arms * meant, np.full(len(arms), math.inf), LONGEST)
    each = response.sizes * counts * meant
    sizes = each.max(axis=1)
    seen = np.flatnonzero(sizes > wanted.least)
    last = int(seen[-1]) + 1 if len(seen) else 0
    settled = float(response.times[last]) if last < len(sizes) and response.times[last] <= SURE else math.inf
    slowest = joints[int(each[last - 1].argmax())] if last else ""
    found = WindowFound(wanted, response.times, sizes, settled, slowest)
    yield found
    if wanted.bound:
        yield replace(found, bound=(yield from _bound(document, model, keyed, wanted, counts)))


def _rates(model: KinoModel, joints: tuple[str, ...]) -> tuple[list[str], Array, NDArray[np.bool_]]:
    """Whose each rate is, what a radian is for it [1 or m], and which are jolted."""
    import numpy as np

    owners = [
        (joint.id, dof.kind)
        for joint in model.mechanics.model.figure.joints
        for dof in joint.dofs
        for _ in range(3 if dof.kind == "ball" else 1)
    ]
    arms = np.array([ARM if kind == "slide" else 1.0 for _, kind in owners])
    meant = np.array([not joints or joint in joints for joint, _ in owners], dtype=bool)
    return [joint for joint, _ in owners], arms, np.logical_and(meant, np.logical_not(model.gains.exact))


def _counts(joints: list[str], arms: Array, wanted: WindowWanted) -> Array:
    """Weigh each rate in the unit that is wanted."""
    import numpy as np

    if wanted.unit == "angle":
        return np.asarray(1.0 / arms)
    scales = {each.joint: each for each in wanted.scales}
    none = Scale("", 0.0, 0.0)
    pairs = zip((scales.get(joint, none) for joint in joints), arms == 1.0, strict=True)
    return np.array([scale.turn if turns else scale.slide for scale, turns in pairs])


def _bound(
    document: Document, model: KinoModel, keyed: Keyed, wanted: WindowWanted, counts: Array
) -> Generator[None, None, float]:
    import numpy as np

    from engine.kinodynamics.response import suggest_window

    free = np.logical_not(model.gains.exact)
    if not free.any():
        return 0.0
    frame, rate = ticks_per_frame(document.rate), document.rate
    count = max(1, round(AROUND / frame))
    times = np.array([wanted.time + frame_time(each, rate) for each in range(-count, count + 1)], dtype=float)
    for time in times:  # a locked motion is kept as it is read: it is worked out in slices
        keyed(np.array([time - 0.5 * model.step_ticks, time + 0.5 * model.step_ticks]))
        yield None
    return suggest_window(model, times, keyed, wanted.least / np.maximum(counts[free], _NOTHING))

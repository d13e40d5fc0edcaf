"""Which stages lead from one pose to another: what stands on the ground at both, and what lifts or lands in between.

What stands at both keys, in one place, stands all the time. What stands at the first alone is held at first and lifts;
what stands at the second alone lands, with a blow. When, is found: the stages share the time freely. Heel and ball of a
foot count each for itself, so one may rise onto its toes. A root that stands on the ground is nailed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.document import Document, Figure
from engine.document.feet import feet_of
from engine.document.ticks import TICKS_PER_SECOND
from engine.document.values import vector3
from engine.runtime.quick_dataclass import dataclass
from engine.spacetime.parts import SpacetimeContact, SpacetimeStage

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.maths.arrays import Array
    from engine.spacetime.planned import Push

SOLE = 0.1  # [m] above the ground, up to which heel and ball of a foot are that stands
STANDS = 0.03  # [m] above the ground, up to which what stands on it stands
STAYS = 0.05  # [m] from key to key, up to which it is taken to stand in one place
SLOW = 0.2  # [m/s] up to which what is on the ground stands there
_SAME = 1e-6  # by how much what is nailed may differ from key to key
_SHORTEST = 0.1  # of the time, that a stage lasts at least
_FEWEST = 3  # pieces of one of several stages
_MOMENT = 1e-9  # [s]


@dataclass(frozen=True)
class _Footing:
    """Holds a figure to the ground: its root, or points of its feet."""

    nailed: bool
    contacts: tuple[SpacetimeContact, ...] = ()


def planned_stages(
    evaluator: Evaluation,
    document: Document,
    actor: str,
    times: tuple[int, ...],
    *,
    id: str,
    pieces: int,
    length: float,
    apart: int = 0,
) -> tuple[SpacetimeStage, ...]:
    """Stages of some length from the pose at a time, or from one to another, with so many pieces in all. What moves
    from so many ticks before to the first time, or on from the second, does not stand then."""
    footings = _footings(evaluator, document, actor, times, apart)
    count = len(footings)
    if count == 1:
        (only,) = footings
        stage = SpacetimeStage(
            id=id, name="Stage 1", pieces=pieces, length=length, nailed=only.nailed, contacts=only.contacts
        )
        return (stage,)
    return tuple(
        SpacetimeStage(
            id=id if at == 0 else f"{id}_{at + 1}",
            name=f"Stage {at + 1}",
            pieces=max(_FEWEST, round(pieces / count) + 1),  # for those of free lengths may be longer
            length=length / count,
            least_length=_SHORTEST * length,
            most_length=(1.0 - _SHORTEST * (count - 1)) * length,
            nailed=each.nailed,
            contacts=each.contacts,
            impact=at + 1 < count and _lands(each, footings[at + 1]),
        )
        for at, each in enumerate(footings)
    )


def _lands(before: _Footing, after: _Footing) -> bool:
    """Tell whether anything stands that did not before."""
    return (after.nailed and not before.nailed) or not set(after.contacts) <= set(before.contacts)


def _footings(
    evaluator: Evaluation, document: Document, actor: str, times: tuple[int, ...], apart: int
) -> list[_Footing]:
    """List what holds the figure at first, in between, and in the end, where it differs from the one before."""
    import numpy as np

    figure = document.actor(actor).figure
    frames = np.array([evaluator.joint_transforms(document, actor, each) for each in times])
    beside = frames
    if apart:
        outside = times[0] - apart, times[-1] + apart
        beside = np.array([evaluator.joint_transforms(document, actor, each) for each in outside])
    slow = SLOW * apart / TICKS_PER_SECOND
    roots, may_move = frames[:, 0], bool(figure.joints[0].dofs)
    stands = [may_move and abs(float(each[1, 3])) <= STANDS for each in roots]
    if len(times) == 1:
        return [_Footing(True) if any(stands) else _Footing(False, _standing(document, actor, frames, beside, slow)[0])]
    stays = all(stands) and float(np.ptp(roots, axis=0).max()) <= _SAME
    moves = any(dof.kind == "hinge" for joint in figure.joints[1:] for dof in joint.dofs)
    if stays:
        return [_Footing(True)]
    first, both, last = _standing(document, actor, frames, beside, slow)
    held = [_Footing(moves and bool(each), points) for each, points in zip(stands, (first, last), strict=True)]
    begin, end = (_Footing(True) if each.nailed else each for each in held)
    found = [begin]
    for each in (_Footing(False, both), end):
        if each != found[-1]:
            found.append(each)
    return found


def _standing(
    document: Document, actor: str, frames: Array, beside: Array, slow: float
) -> tuple[tuple[SpacetimeContact, ...], tuple[SpacetimeContact, ...], tuple[SpacetimeContact, ...]]:
    """Heels and balls of the feet that stand on the ground at the first time, at all of them in one place, and at the
    last."""
    import numpy as np

    figure = document.actor(actor).figure
    first, both, last = list[SpacetimeContact](), list[SpacetimeContact](), list[SpacetimeContact]()
    for foot in feet_of(figure):
        mine = frames[:, figure.joint_index[foot.handle.joint]]
        for point in (foot.heel, foot.ball):
            places = mine[:, :, :3] @ np.array(point) + mine[:, :, 3]
            heights = places[:, 1]
            low = (abs(heights) < SOLE) & (heights <= heights.min() + STANDS)
            other = beside[:, figure.joint_index[foot.handle.joint]]
            moved = np.linalg.norm(other[:, :, :3] @ np.array(point) + other[:, :, 3] - places, axis=1)
            low &= moved <= slow
            made = [_contact(foot.handle.joint, frame, place) for frame, place in zip(mine, places, strict=True)]
            if low.all() and np.ptp(places, axis=0).max() < STAYS:
                made[-1] = made[0]
                both.append(made[0])
            if low[0]:
                first.append(made[0])
            if low[-1]:
                last.append(made[-1])
    return tuple(first), tuple(both), tuple(last)


def _contact(joint: str, frame: Array, place: Array) -> SpacetimeContact:
    """The point of the sole on the ground below a place of a foot."""
    under = place * (1.0, 0.0, 1.0)
    local = (under - frame[:, 3]) @ frame[:, :3]
    return SpacetimeContact(joint=joint, point=vector3("a contact", (local.round(4) + 0.0).tolist()))


def footing_words(
    figure: Figure, stages: Sequence[SpacetimeStage], ends: Sequence[float], blows: Sequence[Push]
) -> str:
    """Say what lifts and what lands in between, when [s] stages end, and how hard it lands."""
    words = list[str]()
    for before, after, seconds in zip(stages, stages[1:], ends, strict=False):
        lifted = [each for each in before.contacts if each not in after.contacts]
        landed = [each for each in after.contacts if each not in before.contacts]
        at = f"at {seconds:.2f} s"
        if before.nailed and not after.nailed:
            words.append(f"takes off {at}")
        words += [f"{name} lifts {at}" for name in _names(figure, lifted, before.contacts)]
        hard = math.hypot(
            *(sum(each.vector[k] for each in blows if abs(each.seconds - seconds) < _MOMENT) for k in range(3))
        )
        landing = [f"{name} lands" for name in _names(figure, landed, after.contacts)]
        if after.nailed and not before.nailed:
            landing.append("lands")
        if landing:
            words.append(f"{' and '.join(landing)} {at}, with a blow of {hard:.3g} N s")
    return "; ".join(words)


def _names(figure: Figure, some: Sequence[SpacetimeContact], all_of: Sequence[SpacetimeContact]) -> list[str]:
    """Name the feet whose contacts these are; their heel or toes where the others of it are not among them."""
    found, feet = list[str](), {foot.handle.joint: foot for foot in feet_of(figure)}
    for joint in dict.fromkeys(each.joint for each in some):
        mine = [each for each in some if each.joint == joint]
        whole = sum(each.joint == joint for each in all_of) == len(mine)
        if joint not in feet:
            found.append(figure.joint(joint).name if whole else f"part of {figure.joint(joint).name}")
        elif whole:
            found.append(feet[joint].handle.name)
        else:
            heel, toes = feet[joint].rolls
            found += [min(heel, toes, key=lambda roll: math.dist(roll.point, each.point)).name for each in mine]
    return found

"""Actors that hang on joints of others.

An attachment says: joint j of the actor stands at H = X A, with X the world transform of the target's joint and A the
attachment's place in it. Where it counts by a share s between 0 and 1, j stands between its own place O and H: the
position linearly, the rotation by slerp (Shoemake 1985). The actor moves rigidly: its base B becomes B' = W O^-1 B
with W the place that j gets. Several attachments follow one after the other, each from what those before it gave.

Transforms are arrays of shape [3, 4], rotation and position [m]. Plain numpy: the first picture needs it before any
kernel is there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from engine.document import Actor, Attachment, Placement
from engine.document.motion import weight
from engine.evaluation import Frames
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import rotation_matrix
from engine.maths.transforms import between, joined, undone


def held_base(actor: Actor, base: Array, own: Callable[[str], Array], frames: Frames, time: float) -> Array:
    """Place the actor's base by its attachments: `base` itself where there are none; `own` gives its joints from
    `base`."""
    now = base
    for each in actor.attachments:
        share = weight(each.span, time)
        if share == 0.0:
            continue
        to_joint = joined(undone(base), own(each.joint))
        wanted = joined(frames[each.target, each.target_joint], place_of(each))
        if share < 1.0:
            wanted = between(joined(now, to_joint), wanted, share)
        now = joined(wanted, undone(to_joint))
    return now


def joints_held_on(actors: Iterable[Actor]) -> dict[str, set[str]]:
    """The joints that actors hang on, by actor."""
    found: dict[str, set[str]] = {}
    for each in (each for actor in actors for each in actor.attachments):
        found.setdefault(each.target, set()).add(each.target_joint)
    return found


def place_of(attachment: Attachment) -> Array:
    """The held joint in the frame of the target's joint."""
    return _transform(attachment)


def _transform(placed: Attachment | Placement) -> Array:
    return np.hstack((rotation_matrix(placed.rotation), np.array(placed.position)[:, None]))


def placement_transform(actor: Actor) -> Array:
    """World from actor."""
    return _transform(actor.placement)

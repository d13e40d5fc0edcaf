"""Ghosts: the keyed figure behind the one that swings: layers and locks, without secondary motion (Rahgoshay 2011, 6).

They are added to a picture that is there, so that none that is kept, baked or filmed has them unless they are wanted. A
ghost can be taken by hand where the actor itself can.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.document import Actor, Document
from engine.evaluation import Evaluation
from engine.kinodynamics.secondary import secondaries_of
from engine.maths.arrays import Array
from engine.model.compile import ROW, Model, place
from engine.model.kinematics import compute_forward_kinematics, write_transforms
from engine.model.snapshot import Bodies, Snapshot
from engine.runtime.errors import Diverged


def with_ghosts(evaluator: Evaluation, snapshot: Snapshot, rest: str | None = None) -> Snapshot:
    """The picture with the keyed figure of each actor that swings; `rest` names one that is shown at rest.

    At a time with a draft nothing swings, so that there is no ghost either.
    """
    document, time = snapshot.document, snapshot.time
    if snapshot.state == "rest" or not any(actor.swings for actor in document.actors):
        return snapshot
    counts = secondaries_of(evaluator).counts
    swinging = [
        (actor, item)
        for actor, item in zip(document.actors, snapshot.bodies, strict=False)
        if actor.id != rest and actor.visible and item.pose is not None and counts(actor, time)
    ]
    ghosts = (_ghost(evaluator, document, time, actor, item) for actor, item in swinging)
    return replace(snapshot, items=(*snapshot.items, *ghosts)) if swinging else snapshot


def _ghost(evaluator: Evaluation, document: Document, time: int, actor: Actor, item: Bodies) -> Bodies:
    model = evaluator.model(actor)
    state = model.new_state()
    if actor.attachments:
        row = evaluator.rows(keyed_alone(document, actor), time)[actor.id]
        state[:ROW] = row[:ROW]
    else:
        place(state, actor.placement.position, actor.placement.rotation)
    assert item.pose is not None, "chosen for it"
    q = np.ascontiguousarray(item.pose)
    return replace(item, role="keyed", transforms=_transforms(actor, model, state, q), pose=None)


def keyed_alone(document: Document, actor: Actor) -> Document:
    """Reduce a document to what moves an actor, without the secondary motion of all that locks may move with it."""
    needed = document.with_all_that_hold(actor.id)
    for each in next(group for group in needed.groups if any(each.id == actor.id for each in group)):
        needed = needed.with_actor(replace(each, secondary=None))
    return needed


def _transforms(
    actor: Actor, model: Model, state: Array, q: Array
) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    compute_forward_kinematics(model.ints, model.floats, q, state)
    transforms = np.empty((model.joint_count, 3, 4), dtype=np.float32)
    if not write_transforms(state, transforms):
        raise Diverged(what=f"the keyed pose of {actor.name}", value="a number that is not finite")
    return transforms

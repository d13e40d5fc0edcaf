"""Standing: the poses and locks of actors that locks may move together, as a drag finds them."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from engine.document import Document
from engine.edits.poses import as_keyed
from engine.evaluation import Evaluation

if TYPE_CHECKING:
    from engine.locks.keep import CoupledPoses
    from engine.locks.keeping import LockStage


def standing_of(evaluation: Evaluation, document: Document, actor: str, time: float) -> CoupledPoses:
    """An actor and those that locks may move with it, as their layers and their locks have them at a time: what a
    person sets, without secondary motion."""
    from engine.locks.keep import CoupledPoses  # brings kernels, which the window's thread does not load

    needed = document.with_all_that_hold(actor)
    for each in next(group for group in needed.groups if any(each.id == actor for each in group)):
        needed = needed.with_actor(as_keyed(each)) if each.swings else needed
    scene = evaluation.scene_at(needed, time)
    group = next(group for group in needed.groups if any(each.id == actor for each in group))
    members = {
        each.id: evaluation.member(each, time, scene.frames, evaluation.layered(each, (time,))[0]) for each in group
    }
    holdings = tuple(cast("LockStage", evaluation.stage("locks")).holdings(group, time))
    return CoupledPoses(members, {id: scene.member(id).q for id in members}, holdings, scene.frames)

"""satisfy: the pins of an actor led to convergence at a time, and the pose in which they are kept as the actor's own.

What pins are missed by where they cannot all be met stands at their marks in the picture (`LockMark.text`).
Runs on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.command import AtOnce
from engine.document import Document
from engine.edits import Edit
from engine.edits.poses import poses_edit
from engine.locks.drag import moved
from engine.locks.standing import standing_of
from engine.runtime.errors import NothingThere
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation

_ITERATIONS, _ROUNDS = 1000, 20
_STILL = 1e-10  # [rad] or [m] by which a pose has to change for another iteration


@dataclass(frozen=True, kw_only=True)
class Satisfy(AtOnce):
    """The command to meet the pins that count in full at a time, or to miss them by as little as can be."""

    uses = ("locks",)

    actor: str
    time: int
    auto_key: bool = True  # else a pose of a layer that has keys is kept as a draft

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return f"Satisfy pins of {document.actor(self.actor).name}"

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """The edit that does it: of one actor, or of all that pins move together."""
        posed = standing_of(evaluator, document, self.actor, self.time)
        whole = {(each.actor, each.lock.id) for each in posed.holdings if each.whole}
        if not whole:
            name, remedy = document.actor(self.actor).name, "Go to a time within one, past its ease in, or unmute one"
            raise NothingThere(f"No pin of {name} counts in full at this time", remedy=remedy)
        reduced = replace(_holding_only(document, whole), lock_iterations=_ITERATIONS)
        poses = standing_of(evaluator, reduced, self.actor, self.time).poses
        for _ in range(_ROUNDS):
            values = tuple(
                (id, moved(each.actor.figure, each.q, poses[id]))
                for id, each in sorted(posed.members.items(), key=lambda item: item[0] != self.actor)
            )
            change = poses_edit(document, self.time, values, auto_key=self.auto_key)
            before, poses = poses, standing_of(evaluator, change.apply(reduced), self.actor, self.time).poses
            if max(abs(poses[id] - before[id]).max(initial=0.0) for id in poses) <= _STILL:
                break
        return change


def _holding_only(document: Document, whole: set[tuple[str, str]]) -> Document:
    """The document with all other pins muted: one that is eased would be followed further each time."""
    for actor in document.actors:
        locks = tuple(each if (actor.id, each.id) in whole else replace(each, mute=True) for each in actor.locks)
        document = document.with_actor(replace(actor, locks=locks)) if locks != actor.locks else document
    return document

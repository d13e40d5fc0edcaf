"""Accompanying: soft bodies and physics that push each other, stepped in turn.

Whoever is asked first steps the other: physics asks at each of its steps what pushes it (`SoftStage.push`), and a soft
body that is to come to a time lets physics come there (`Accompanied.reach`). So while it is stepped a soft body reads
nothing that physics moves, but what it is given: where free actors are, and from these where those are that hang on
them.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import field

import numpy as np

from engine.document import Actor, Document
from engine.evaluation import Evaluation
from engine.maths.arrays import Array
from engine.model.compile import ROW
from engine.runtime.quick_dataclass import dataclass
from engine.soft.surroundings import Keyed, Surroundings, joint_frames

Frames = Mapping[str, Array]


@dataclass(eq=False)
class Accompanied:
    """Physics of a document, as the simulation of its soft bodies sees it. `keyed`: rows below physics."""

    evaluation: Evaluation
    document: Document
    keyed: Keyed
    reach: Callable[[int], Generator[float, None, None]]  # steps physics to a tick
    surroundings: Surroundings
    _carried: dict[frozenset[str], tuple[Actor, ...]] = field(default_factory=dict)

    def frames(self, time: int, free: Frames) -> dict[str, Array]:
        """World transforms of the joints of actors that are read at a time [ticks], free ones being where they are."""
        (rows,) = self.keyed((time,))
        known = dict(free)
        for actor in self._hanging(frozenset(free)):
            places = {
                (each.target, each.joint): self._frame(each.target, each.joint, rows, known)
                for each in actor.attachments
            }
            member = self.evaluation.member(actor, time, places, rows[actor.id][ROW:])
            row = np.concatenate((member.base[:, :3].ravel(), member.base[:, 3], member.q))
            known[actor.id] = joint_frames(self.evaluation.model(actor), row)
        return {
            each.id: known[each.id] if each.id in known else joint_frames(self.evaluation.model(each), rows[each.id])
            for each in self.surroundings.actors
        }

    def _frame(self, actor: str, joint: str, rows: Mapping[str, Array], known: Frames) -> Array:
        owner = self.document.actor(actor)
        frames = known[actor] if actor in known else joint_frames(self.evaluation.model(owner), rows[actor])
        return np.asarray(frames[owner.figure.joint_index[joint]])

    def _hanging(self, free: frozenset[str]) -> tuple[Actor, ...]:
        """List the actors that hang on free ones, directly or through others, carriers first."""
        if free not in self._carried:
            going, found = set(free), list[Actor]()
            for actor in self.document.in_order:
                if actor.id not in going and any(each.target in going for each in actor.attachments):
                    going.add(actor.id)
                    found.append(actor)
            self._carried[free] = tuple(found)
        return self._carried[free]

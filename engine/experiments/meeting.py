"""Documents for experiments: an actor as it is keyed, as it swings, and as it meets its targets."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from engine.document import Document, Target
from engine.document.motion import TICKS_PER_SECOND
from engine.document.values import Vector3
from engine.evaluate.evaluator import Evaluator
from engine.kinodynamics.tracking import APART
from engine.maths.arrays import Array
from engine.queries.examples import example
from engine.runtime.progress import finish
from engine.runtime.quick_dataclass import dataclass
from engine.targets.commands.meet_targets import MeetTargets, TargetsMet

FRAME = TICKS_PER_SECOND // 30


@dataclass(frozen=True, eq=False)
class EvaluatedActor:
    """One actor of a document, and what is on screen of it."""

    document: Document
    actor: str
    evaluator: Evaluator

    def coordinates(self, times: Iterable[int]) -> Array:
        """All of them [rad or m], shape [times, coordinates]."""
        return np.asarray(self.evaluator.coordinates(self.document, self.actor, list(times)))

    def joints(self, time: int) -> dict[str, Array]:
        """Compute the positions of the joints [m]."""
        frames = self.evaluator.joint_transforms(self.document, self.actor, time)
        figure = self.document.actor(self.actor).figure
        return {joint.id: np.asarray(frames[place][:, 3]) for place, joint in enumerate(figure.joints)}

    def point(self, joint: str, point: Vector3, time: int) -> Array:
        """Compute the position of a point of a joint's body [m]."""
        place = self.document.actor(self.actor).figure.joint_index[joint]
        frame = self.evaluator.joint_transforms(self.document, self.actor, time)[place]
        return np.asarray(frame[:, :3] @ np.array(point) + frame[:, 3])

    def speed(self, joint: str, point: Vector3, time: int) -> float:
        """Compute the speed of that point [m/s], over the times by which targets measure it."""
        apart = self.point(joint, point, time + APART) - self.point(joint, point, time - APART)
        return float(np.linalg.norm(apart)) * TICKS_PER_SECOND / (2.0 * APART)


def keyed_example(id: str) -> Document:
    """Read an example as it was keyed: its targets not met yet, nothing taken in a hand."""
    document = example(id).build()
    for actor in document.actors:
        layers = tuple(layer for layer in actor.layers if layer.correction is None)
        document = document.with_actor(replace(actor, layers=layers, attachments=()))
    return document


def change_targets(document: Document, actor: str, change: Callable[[Target], Target]) -> Document:
    """Change each target of an actor."""
    owner = document.actor(actor)
    assert owner.secondary is not None, "it has targets"
    targets = tuple(map(change, owner.secondary.targets))
    return document.with_actor(replace(owner, secondary=replace(owner.secondary, targets=targets)))


def drawn(document: Document, actor: str, seed: int) -> Document:
    """The document with the tension of all that swings of an actor 0.9 to 1.1 times as high; the seed draws it."""
    owner = document.actor(actor)
    assert owner.secondary is not None, "it swings"
    factor = float(np.random.default_rng(seed).uniform(0.9, 1.1))
    own = (
        each if each.tension is None else replace(each, tension=factor * each.tension) for each in owner.secondary.own
    )
    return document.with_actor(replace(owner, secondary=replace(owner.secondary, own=tuple(own))))


def as_keyed(document: Document, actor: str, evaluator: Evaluator) -> EvaluatedActor:
    """Evaluate the actor without secondary motion."""
    return EvaluatedActor(document.with_actor(replace(document.actor(actor), secondary=None)), actor, evaluator)


def with_targets(document: Document, actor: str, evaluator: Evaluator) -> tuple[EvaluatedActor, TargetsMet]:
    """Evaluate the actor with the correction that meets its targets, and report how they came out."""
    found = finish(MeetTargets(actor=actor, id="correction").work_through(evaluator, document))
    return EvaluatedActor(found.edit.apply(document), actor, evaluator), found


def frames(first: float, last: float, *, quick: bool) -> list[int]:
    """The ticks of frames between two times [s], fewer of them for a `quick` look."""
    start, end = round(first * TICKS_PER_SECOND), round(last * TICKS_PER_SECOND)
    return list(range(start, end + 1, FRAME * (6 if quick else 1)))

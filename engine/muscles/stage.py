"""The stage of muscles: above all that moves joints. It measures muscles and draws them as spindles, and drives the
joints of those whom physics simulates.

The rate of a muscle is by differences of its length over `STEP` to both sides, so that whatever moves the figure
counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from engine.document import Actor, Document
from engine.document.drafts import without_drafts
from engine.document.ticks import TICKS_PER_SECOND
from engine.evaluation import Drive, Evaluation, SceneState, Stage
from engine.maths.arrays import Array
from engine.model.compile import ROW
from engine.model.snapshot import SnapshotItem, Spindles
from engine.muscles.compiled import MuscledFigure
from engine.muscles.driving import MuscleDrive
from engine.muscles.keyed import activations_at
from engine.muscles.parts import Muscles
from engine.muscles.required import RequiredDynamics
from engine.muscles.uses import activations_of, muscled_actors, muscles_of
from engine.runtime.bounded import Bounded
from engine.runtime.quick_dataclass import dataclass

NAME = "muscles"
STEP = TICKS_PER_SECOND // 1000
_KEPT = 16


@dataclass(frozen=True, eq=False)
class MeasuredMuscles:
    """The muscles of an actor at some times; arrays of shape [len(times), muscle_count]."""

    figure: MuscledFigure
    lengths: Array  # [m]
    rates: Array  # [m/s]
    activations: Array
    forces: Array  # [N]


class MusclesStage(Stage):
    """Keeps compiled muscles between calls; used by one thread."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation
        self._compiled: Bounded[tuple[int, str], MuscledFigure] = Bounded(_KEPT)
        self._measured: Bounded[tuple[str, tuple[int, ...]], tuple[Document, MeasuredMuscles]] = Bounded(2)
        self._required: Bounded[str, tuple[Document, RequiredDynamics]] = Bounded(2)

    def moves(self, document: Document, actor: str, times: Sequence[float]) -> bool:
        """Tell that no actor's coordinates are others because of muscles."""
        return False

    def compiled(self, actor: Actor, muscles: Muscles) -> MuscledFigure:
        """The muscles of an actor, compiled for its figure."""
        model = self._evaluation.model(actor)
        key = (id(model), muscles.digest)
        found = self._compiled.get(key)
        if found is None or found.model is not model:
            found = self._compiled.keep(key, MuscledFigure(model, muscles))
        return found

    def drive(self, document: Document, actor: str) -> Drive | None:
        """Give the muscles of an actor, as they are activated."""
        owner = document.actor(actor)
        muscles = muscles_of(owner)
        return None if muscles is None else MuscleDrive(self.compiled(owner, muscles), activations_of(owner))

    def items(self, document: Document, time: int, scene: SceneState) -> Iterator[SnapshotItem]:
        """Give the spindles."""
        for actor, muscles in muscled_actors(document):
            if not muscles.muscles:
                continue
            figure, member = self.compiled(actor, muscles), scene.member(actor.id)
            positions, normals, spine = figure.spindles(np.ascontiguousarray(member.q), flat(member.base))
            yield Spindles(
                owner=actor.id,
                muscles=tuple(each.id for each in muscles.muscles),
                topology=figure.topology,
                triangles=figure.triangles,
                few=figure.few_rings,
                muscle=figure.muscle,
                sinew=figure.sinew,
                positions=positions,
                normals=normals,
                spine=spine,
                activation=self.activations(actor, figure, [time])[0].astype(np.float32),
                visible=actor.visible,
                frozen=actor.frozen,
            )

    def activations(self, actor: Actor, figure: MuscledFigure, times: Sequence[float]) -> Array:
        """How activated muscles are, shape [len(times), muscle_count]."""
        return activations_at(activations_of(actor), figure.numbers, np.array(times, dtype=np.float64))

    def measured(self, document: Document, actor: str, times: Sequence[int]) -> MeasuredMuscles:
        """Measure the muscles of an actor along its motion as it is seen, at some times [ticks]; kept, since several
        quantities of them are asked for one after the other."""
        key = (actor, tuple(times))
        known = self._measured.get(key)
        if known is None or known[0] is not document:
            known = self._measured.keep(key, (document, self._measure(document, actor, times)))
        return known[1]

    def poses(self, document: Document, actor: str, times: Sequence[int]) -> Array:
        """The coordinates of an actor as it is seen at some times [ticks], drafts left out."""
        return self._evaluation.coordinates(without_drafts(document).with_all_that_hold(actor), actor, times)

    def required(self, document: Document, actor: str) -> RequiredDynamics:
        """The torques that the motion of an actor takes."""
        known = self._required.get(actor)
        if known is None or known[0] is not document:
            known = self._required.keep(actor, (document, RequiredDynamics(self._evaluation, document, actor)))
        return known[1]

    def _measure(self, document: Document, actor: str, times: Sequence[int]) -> MeasuredMuscles:
        bare = without_drafts(document)
        owner = bare.actor(actor)
        muscles = muscles_of(owner)
        assert muscles is not None, "an actor with muscles"
        figure = self.compiled(owner, muscles)
        near = [time + side * STEP for time in times for side in (-1, 0, 1)]
        rows = self._evaluation.rows_at(bare.with_all_that_hold(actor), near, of=(actor,))
        found = np.array([figure.lengths(np.ascontiguousarray(row[actor][ROW:])) for row in rows])
        found = found.reshape(len(times), 3, figure.paths.count)
        rates = (found[:, 2] - found[:, 0]) * (0.5 * TICKS_PER_SECOND / STEP)
        activations = self.activations(owner, figure, times)
        forces = np.array([figure.forces(*each) for each in zip(found[:, 1], rates, activations, strict=True)])
        return MeasuredMuscles(figure, found[:, 1].copy(), rates, activations, forces.reshape(rates.shape))


def flat(base: Array) -> Array:
    """A placement as a state has it: rotation row by row, then position."""
    return np.concatenate((base[:, :3].ravel(), base[:, 3]))

"""The stage of soft bodies: above physics, whose bodies they touch. It poses nobody; it draws.

The simulation follows the motion below it: of what bodies are attached to, of obstacles, and of their own joints until
they begin to move. Drafts are left out.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence

import numpy as np

from engine.document import Actor, Document
from engine.document.drafts import without_drafts
from engine.evaluation import Evaluation, SceneState, Stage
from engine.maths.arrays import Array
from engine.model.compile import Model
from engine.model.snapshot import Arrows, LineSet, SkinSurface, SnapshotItem
from engine.runtime.bounded import Bounded
from engine.soft.changes import first_change
from engine.soft.compile import compile_scene
from engine.soft.fields import surface_fields
from engine.soft.simulation import SoftSimulation
from engine.soft.uses import soft_actors, uses_soft

NAME = "soft"
SURFACE = "surface"  # the id of the one skin that a soft body has
LENGTH = np.float32(2e-3)  # [m/N] of an arrow
_KEPT = 4


class SoftStage(Stage):
    """Keeps the simulations of the documents that it was asked for last."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation
        self._kept: Bounded[int, tuple[Document, SoftSimulation | None]] = Bounded(_KEPT)  # by identity

    def moves(self, document: Document, actor: str, times: Sequence[float]) -> bool:
        """Tell that no actor's coordinates are others because of soft bodies."""
        return False

    def joints(self, actor: Actor) -> Iterable[tuple[str, str]]:
        """Name no joints: the simulation finds where they are itself."""
        return ()

    def has_clock(self, document: Document) -> bool:
        """Tell whether there is a soft body."""
        return uses_soft(document, document.actors)

    def prepare(self, document: Document, time: int) -> Generator[float, None, None]:
        """Step to a time in slices."""
        simulation = self.simulation(document)
        if simulation is not None:
            yield from simulation.reach(time)

    def items(self, document: Document, time: int, scene: SceneState) -> Iterator[SnapshotItem]:
        """Give the surfaces of soft bodies, their splines, and the forces of contact as arrows."""
        simulation = self.simulation(document)
        if simulation is None:
            return
        points = simulation.points(time)
        shown = {actor.id: actor.visible for actor, _ in soft_actors(document)}
        for member in simulation.scene.members:
            own, id = points[member.points], member.actor.id
            if id not in shown:
                continue
            surface = member.surface(own)
            if surface is not None:
                yield SkinSurface(
                    owner=id,
                    role="result",
                    skin=SURFACE,
                    topology=member.topology,
                    triangles=member.triangles,
                    body=member.body_of_vertex,
                    positions=surface[0],
                    normals=surface[1],
                    visible=shown[id],
                    hollow=True,
                    fields=surface_fields(member, own),
                )
            if len(member.spline_ends):
                yield LineSet(
                    owner=id,
                    role="constraint",
                    ends=member.spline_ends,
                    positions=member.spline_points(own),
                    topology=member.spline_topology,
                    visible=shown[id],
                )
        moment = simulation.known_moment(time)
        if moment is not None and len(moment.touches.points):
            forces = moment.touches.forces
            yield Arrows(owner=NAME, role="force", starts=moment.touches.points, vectors=LENGTH * forces)

    def simulation(self, document: Document) -> SoftSimulation | None:
        """The simulation of a document: with the states of the one of which most is the same. None without bodies."""
        known = self._kept.get(id(document))
        if known is None or known[0] is not document:
            known = (document, self._made(document) if self.has_clock(document) else None)
            self._kept.keep(id(document), known)
        return known[1]

    def said(self, document: Document) -> tuple[str, ...]:
        """What a person should know of the soft bodies of a document: why they stopped, what was held."""
        simulation = self.simulation(document)
        return () if simulation is None else simulation.said

    def _made(self, document: Document) -> SoftSimulation:
        undrafted = without_drafts(document)

        def keyed(times: Sequence[float]) -> Sequence[Mapping[str, Array]]:
            return self._evaluation.rows_at(undrafted, times, below=NAME)

        def model_of(actor: Actor) -> Model:
            return self._evaluation.model(actor)

        latest, nearest = -math.inf, None
        for old, simulation in tuple(self._kept.kept.values()):
            change = None if simulation is None else first_change(old, document)
            if change is not None and change >= latest:
                latest, nearest = change, simulation
        if nearest is None:
            return SoftSimulation(compile_scene(document), keyed, model_of)
        return nearest.changed(latest, nearest.scene.told(document), keyed)

"""The stage of physics: the last of the stack, which replaces the poses of simulated actors.

The simulation follows the motion below: of obstacles, of actors before they are let go, and of those that servos lead
along their keys. At a time with a draft the draft is shown.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Mapping, Sequence

import numpy as np

from engine.document import Actor, Document
from engine.document.drafts import without_drafts
from engine.document.order import Group
from engine.evaluation import Below, Evaluation, Instants, Members, SceneState, Stage
from engine.maths.arrays import Array
from engine.model.compile import ROW
from engine.model.snapshot import Arrows, SnapshotItem
from engine.physics.changes import first_change
from engine.physics.driving import compile_drivers
from engine.physics.pushing import StagePusher, pushing_systems
from engine.physics.scene import SceneMember, compile_scene
from engine.physics.simulation import NO_FORCES, SceneSimulation
from engine.physics.torques import compile_torques
from engine.physics.uses import uses_physics
from engine.runtime.bounded import Bounded

NAME = "physics"
_KEPT = 4
_KEPT_BYTES = 512 << 20  # of all simulations but the one that was asked for last
LENGTH = np.float32(2e-3)  # [m/N] of an arrow


class PhysicsStage(Stage):
    """Keeps the simulations of the documents that it was asked for last: a picture and a command that tries changes
    out ask in turn."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation
        self._kept: Bounded[int, tuple[Document, SceneSimulation | None]] = Bounded(_KEPT)  # by identity
        self._simulation: SceneSimulation | None = None

    def replaced(self, instants: Instants, below: Below) -> list[Members]:
        """Give the poses of those that are simulated at each time."""
        out: list[Members] = [{} for _ in instants.times]
        simulation = self._simulation_of(instants.document)
        if simulation is None:
            return out
        by_id = {each.actor.id: each for each in simulation.scene.members}  # whose actors may be of an earlier document
        members = [(actor, by_id[actor.id]) for actor in instants.group if actor.id in by_id]
        for found, time, frames in zip(out, instants.times, instants.frames, strict=True):
            for actor, member in members:
                if simulation.shows(member, time) and not _has_draft(actor, time):
                    q = simulation.pose(member, time)
                    found[actor.id] = self._evaluation.member(actor, time, frames, q)
        return out

    def moves(self, document: Document, actor: str, times: Sequence[float]) -> bool:
        """Tell whether the actor is simulated at one of the times."""
        simulation = self._simulation_of(document)
        member = None if simulation is None else _member(simulation, actor)
        return member is not None and any(simulation is not None and simulation.shows(member, each) for each in times)

    def keyed_pose(self, document: Document, group: Group, actor: Actor, time: float) -> Array | None:
        """Give the coordinates that an actor has without its simulation, where that is shown."""
        simulation = self._simulation_of(document)
        member = None if simulation is None else _member(simulation, actor.id)
        if simulation is None or member is None or not simulation.shows(member, time) or _has_draft(actor, time):
            return None
        return self._evaluation.rows_at(document, [time], below=NAME)[0][actor.id][ROW:]

    def has_clock(self, document: Document) -> bool:
        """Tell whether something is simulated."""
        return uses_physics(document, document.actors)

    def prepare(self, document: Document, time: int) -> Generator[float, None, None]:
        """Step to a time in slices."""
        simulation = self._simulation_of(document)
        if simulation is not None:
            yield from simulation.reach(time)

    def items(self, document: Document, time: int, scene: SceneState) -> Iterator[SnapshotItem]:
        """Give the forces of contact as arrows."""
        simulation = self._simulation_of(document)
        found = NO_FORCES if simulation is None else simulation.contacts(time)
        if len(found.points):
            yield Arrows(owner=NAME, role="force", starts=found.points, vectors=LENGTH * found.forces)

    @property
    def simulation(self) -> SceneSimulation | None:
        """The simulation of the document that was asked for last; None where nothing is simulated."""
        return self._simulation

    def _simulation_of(self, document: Document) -> SceneSimulation | None:
        """The simulation of a document: with the states of the one of which most is the same."""
        known = self._kept.get(id(document))
        if known is None or known[0] is not document:
            known = (document, self._made(document) if self.has_clock(document) else None)
            self._kept.keep(id(document), known)
            self._drop_large()
        self._simulation = known[1]
        return known[1]

    def _drop_large(self) -> None:
        """Keep no more of earlier simulations than may be kept: they have grown since each was made."""
        *others, _ = self._kept.kept.items()
        size = 0
        for key, (_, simulation) in reversed(others):
            size += 0 if simulation is None else simulation.bytes
            if size > _KEPT_BYTES:
                self._kept.drop(key)

    def _made(self, document: Document) -> SceneSimulation:
        undrafted = without_drafts(document)

        def keyed(times: Sequence[float]) -> Sequence[Mapping[str, Array]]:
            return self._evaluation.rows_at(undrafted, times, below=NAME)

        latest, nearest = -math.inf, None
        for old, simulation in tuple(self._kept.kept.values()):
            change = None if simulation is None else first_change(old, document)
            if change is not None and change >= latest:
                latest, nearest = change, simulation
        pushers = [StagePusher(self._evaluation.stage(each.name), document) for each, _ in pushing_systems(document)]
        if nearest is None:
            scene = compile_scene(document)
            drivers = compile_drivers(document, scene, self._evaluation)
            return SceneSimulation(scene, keyed, pushers, compile_torques(document, scene), drivers)
        drivers = compile_drivers(document, nearest.scene, self._evaluation)
        return nearest.changed(latest, keyed, pushers, compile_torques(document, nearest.scene), drivers)


def _member(simulation: SceneSimulation, actor: str) -> SceneMember | None:
    return next((each for each in simulation.scene.members if each.actor.id == actor), None)


def _has_draft(actor: Actor, time: float) -> bool:
    return any(layer.draft_at(time) for layer in actor.layers)

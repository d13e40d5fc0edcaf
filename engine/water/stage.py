"""The stage of water: above physics and soft bodies, which are in it. It poses nobody; it draws."""

from __future__ import annotations

import math
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property

import numpy as np

from engine.document import Actor, Document
from engine.document.drafts import without_drafts
from engine.document.ticks import TICKS_PER_SECOND
from engine.evaluation import BakeProgress, Evaluation, MovingBodies, SceneState, Stage, Wrenches
from engine.maths.arrays import Array
from engine.model.snapshot import SnapshotItem
from engine.runtime.bounded import Bounded
from engine.runtime.child import Json
from engine.runtime.errors import EngineError, InvalidArguments, UnknownPart
from engine.runtime.quick_dataclass import dataclass
from engine.soft.accompanying import Accompanied
from engine.soft.coupling import advanced
from engine.soft.stage import SoftStage
from engine.soft.surroundings import Surroundings
from engine.soft.uses import is_soft
from engine.water.bakes import bake_frames, find_bake
from engine.water.changes import first_change
from engine.water.compile import TankScene, compile_tank
from engine.water.drawn import drawn
from engine.water.pushing import Alongside, SoftMotion, joined_wrenches, soft_state
from engine.water.seen_surface import SeenSurfaces
from engine.water.simulation import WaterSimulation
from engine.water.surroundings import BodyPlaces, TankBody, joint_frames, read_actors
from engine.water.uses import uses_water, water_actors, water_tank

NAME = "water"
_KEPT = 3
_AHEAD = 64  # times whose bodies are kept


class WaterStage(Stage):
    """Keeps the simulations of the documents that it was asked for last."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation
        self._kept: Bounded[int, _Tanks] = Bounded(_KEPT)  # by identity of the document
        self._seen = SeenSurfaces()

    def moves(self, document: Document, actor: str, times: Sequence[float]) -> bool:
        """Tell that no actor's coordinates are others because of what water draws."""
        return False

    def push(self, document: Document, moving: MovingBodies) -> Wrenches:
        """Push what physics simulates over its next step."""
        return joined_wrenches([each.push(moving) for each in self._of(document).simulations.values()])

    def push_soft(self, document: Document, time: int, moving: MovingBodies | None) -> Mapping[str, Array]:
        """Push soft bodies over their step that begins at a tick."""
        return joined_wrenches([each.push_soft(time, moving) for each in self._of(document).simulations.values()])

    def has_pushed(self, document: Document, time: int) -> bool:
        """Tell whether all tanks were stepped to a time."""
        return all(each.has_pushed(time) for each in self._of(document).simulations.values())

    def has_clock(self, document: Document) -> bool:
        """Tell whether there is a tank."""
        return uses_water(document, document.actors)

    def prepare(self, document: Document, time: int) -> Generator[float, None, None]:
        """Step to a time in slices."""
        for each in self._of(document).simulations.values():
            yield from each.reach(time)

    def bake(self, document: Document, actor: str, end: int) -> Generator[BakeProgress, None, Mapping[str, Json]]:
        """Keep the water of a tank up to a tick on the disk, going on where an earlier bake was left."""
        simulation = self.simulation(document, actor)
        if end < simulation.scene.start:
            raise InvalidArguments(what="the end of a bake of water", value=end, allowed="its start or later")
        made = yield from bake_frames(simulation, end)
        return {"path": str(made.path), "frames": made.frames, "made": made.made}

    def items(self, document: Document, time: int, scene: SceneState) -> Iterator[SnapshotItem]:
        """Give the water of each tank, and what is to be seen of its flow."""
        kept = self._of(document)
        for actor, tank in water_actors(document):
            simulation = kept.simulations.get(actor.id)
            if simulation is not None:
                moment = simulation.moment(max(time, tank.start))
                seconds = (simulation.tick(simulation.frame_of(time)) - tank.start) / TICKS_PER_SECOND
                showing = simulation.scene.showing(tank)
                yield from drawn(showing, moment, self._seen.of(showing, moment), seconds, visible=actor.visible)

    def simulation(self, document: Document, actor: str) -> WaterSimulation:
        """The simulation of a tank. Raises what keeps it from being one."""
        kept = self._of(document)
        if actor in kept.problems:
            raise kept.problems[actor]
        if actor not in kept.simulations:
            raise UnknownPart(
                kind="tank of water", id=actor, known=tuple(each.id for each, _ in water_actors(document))
            )
        return kept.simulations[actor]

    def found(self, document: Document, actor: str) -> WaterSimulation | None:
        """The simulation of a tank; None where something keeps it from being one."""
        return self._of(document).simulations.get(actor)

    def said(self, document: Document, actor: str) -> tuple[str, ...]:
        """Notes on a tank for a person: why it stopped, or cannot begin."""
        kept = self._of(document)
        if actor in kept.problems:
            return (str(kept.problems[actor]),)
        return kept.simulations[actor].said if actor in kept.simulations else ()

    def _of(self, document: Document) -> _Tanks:
        known = self._kept.get(id(document))
        if known is None or known.document is not document:
            known = self._kept.keep(id(document), self._made(document))
        return known

    def _made(self, document: Document) -> _Tanks:
        made = _Tanks(document)
        undrafted = without_drafts(document)
        for actor, _ in water_actors(document):
            try:
                made.simulations[actor.id] = self._simulated(document, undrafted, actor)
            except EngineError as problem:
                made.problems[actor.id] = problem
        return made

    def _simulated(self, document: Document, undrafted: Document, actor: Actor) -> WaterSimulation:
        latest, nearest, old = -math.inf, None, None
        for kept in tuple(self._kept.kept.values()):
            simulation = kept.simulations.get(actor.id)
            change = None if simulation is None else first_change(kept.document, document, actor.id)
            if change is not None and change >= latest:
                latest, nearest, old = change, simulation, kept.document
        bake = find_bake(undrafted, actor.id)
        tank = water_tank(actor)
        assert tank is not None, "the caller has looked"
        if nearest is None or old is None:
            (rows,) = self._evaluation.rows_at(undrafted, (tank.start,), below="physics")
            floor = joint_frames(self._evaluation.model(actor), rows[actor.id])[0][:, 3]
            scene = compile_tank(undrafted, actor, floor)
            alongside = self._alongside(document, undrafted, scene)
            return WaterSimulation(scene, self._bodies(document, scene.bodies), bake, alongside)
        scene = nearest.scene.showing(tank)
        alongside = self._alongside(document, undrafted, scene)
        return nearest.changed(latest, scene, self._bodies(document, scene.bodies), bake, alongside)

    def _alongside(self, document: Document, undrafted: Document, scene: TankScene) -> Alongside | None:
        """Give physics of a document to the water of a tank; None where it pushes nobody."""
        if not (scene.links.links or scene.links.soft):
            return None
        bodies = self._bodies(document, scene.bodies)
        first = self._evaluation.stage("physics" if scene.links.links else "soft")

        def reach(time: int) -> Generator[float, None, None]:
            return first.prepare(document, time)

        def soft(time: int, moving: MovingBodies | None) -> dict[str, SoftMotion]:
            return bodies.soft_states(time, moving, scene.links.pressed) if scene.links.soft else {}

        return Alongside(reach, bodies.below_physics, soft)

    def _bodies(self, document: Document, bodies: Sequence[TankBody]) -> _BodiesAt:
        return _BodiesAt(self._evaluation, document, bodies)


class _BodiesAt:
    """Where all that may be in water is at a time, kept for a while."""

    def __init__(self, evaluation: Evaluation, document: Document, bodies: Sequence[TankBody]) -> None:
        self._evaluation, self._whole, self._document = evaluation, document, without_drafts(document)
        self._actors = read_actors(document, bodies)
        self._soft = [actor.id for actor in document.actors if is_soft(actor)] if bodies else []
        self._known: Bounded[float, BodyPlaces] = Bounded(_AHEAD)

    def __call__(self, time: float) -> BodyPlaces:
        return self._known.find(time, lambda: self._find(time))

    def below_physics(self, one: int, two: int, moving: MovingBodies | None) -> tuple[BodyPlaces, BodyPlaces]:
        """Find where all is at two ticks without asking physics: free actors, and what hangs on them, go on by their
        speeds. Soft bodies are left out: those with a clock give way, others may have to ask physics."""
        seconds = (two - one) / TICKS_PER_SECOND
        free = {} if moving is None else moving.frames
        then = {} if moving is None else advanced(moving.frames, moving.speeds, seconds)
        found = self._accompanied.frames(one, free), self._accompanied.frames(two, then)
        return BodyPlaces(found[0], {}), BodyPlaces(found[1], {})

    def soft_states(self, time: int, moving: MovingBodies | None, pressed: Collection[str]) -> dict[str, SoftMotion]:
        """Find soft bodies with a clock at a tick up to which they were stepped."""
        stage = self._evaluation.stage("soft")
        stepped = stage.simulation(self._whole) if isinstance(stage, SoftStage) else None
        if stepped is None:
            return {}
        stepped.begin(moving)
        moment = stepped.known_moment(max(time, stepped.tick(0)))
        found = dict[str, SoftMotion]()
        for member in stepped.scene.members if moment is not None else ():
            if member.actor.id in pressed and len(member.triangles) and moment is not None:
                points = np.ascontiguousarray(moment.points[member.points].astype(np.float64))
                speeds = np.ascontiguousarray(moment.speeds[member.points].astype(np.float64))
                surface, surface_speeds = member.carried(points), member.carrying.carried(speeds)
                found[member.actor.id] = soft_state(points, speeds, member.masses, surface, surface_speeds)
        return found

    @cached_property
    def _accompanied(self) -> Accompanied:
        def keyed(times: Sequence[float]) -> Sequence[Mapping[str, Array]]:
            return self._evaluation.rows_at(self._document, times, below="physics")

        def reach(time: int) -> Generator[float, None, None]:
            yield from ()

        return Accompanied(self._evaluation, self._document, keyed, reach, Surroundings(self._actors, ()))

    def _find(self, time: float) -> BodyPlaces:
        frames: dict[str, Array] = {}
        if self._actors:
            (rows,) = self._evaluation.rows_at(self._document, (time,), below=NAME)
            frames = {each.id: joint_frames(self._evaluation.model(each), rows[each.id]) for each in self._actors}
        soft: dict[str, Array] = {}
        stage = self._evaluation.stage("soft")
        for actor in self._soft:
            if not isinstance(stage, SoftStage):
                break
            stepped = stage.stepped(self._document, actor)
            member = stepped.scene.member(actor)
            if len(member.triangles):
                soft[actor] = np.asarray(member.carried(np.ascontiguousarray(stepped.of(member, time))))
        return BodyPlaces(frames, soft)


@dataclass(eq=False)
class _Tanks:
    """The tanks of a document."""

    document: Document
    simulations: dict[str, WaterSimulation] = field(default_factory=dict)
    problems: dict[str, EngineError] = field(default_factory=dict)

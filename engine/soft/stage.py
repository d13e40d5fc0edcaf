"""The stage of soft bodies: above physics, whose bodies they touch. It poses nobody; it draws.

The simulation follows the motion below it: of what bodies are attached to, of obstacles, and of their own joints until
they begin to move. Drafts are left out. Bodies that are stepped over a window have none of that history.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import field

import numpy as np

from engine.document import Actor, Document
from engine.document.drafts import without_drafts
from engine.evaluation import Carrier, Evaluation, MovingBodies, SceneState, Stage, Wrenches
from engine.maths.arrays import Array
from engine.model.snapshot import Arrows, LineSet, SkinSurface, SnapshotItem
from engine.physics.uses import is_simulated
from engine.runtime.bounded import Bounded
from engine.runtime.child import Json
from engine.runtime.errors import UnknownPart
from engine.runtime.quick_dataclass import dataclass
from engine.soft.accompanying import Accompanied
from engine.soft.changes import first_change, read_changes, windowed_changes
from engine.soft.compile import SoftScene, compile_scene
from engine.soft.driving import DrivenFrames
from engine.soft.fields import surface_fields
from engine.soft.holding import Holds
from engine.soft.members import SoftMember
from engine.soft.simulation import Pressing, SoftSimulation
from engine.soft.surroundings import Keyed
from engine.soft.uses import alone, clocked, pressed, pushes, soft_actors, soft_body, uses_soft, windowed_actors
from engine.soft.windowed import SteppedBody, WindowedBody, compile_alone
from engine.soft.worn import WornPushes
from engine.systems import systems

NAME = "soft"
SURFACE = "surface"  # the id of the one skin that a soft body has
LENGTH = np.float32(2e-3)  # [m/N] of an arrow
_KEPT = 4


class SoftStage(Stage):
    """Keeps the simulations of the documents that it was asked for last."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation
        self._kept: Bounded[int, _Stepping] = Bounded(_KEPT)  # by identity of the document

    def moves(self, document: Document, actor: str, times: Sequence[float]) -> bool:
        """Tell that no actor's coordinates are others because of soft bodies."""
        return False

    def joints(self, actor: Actor) -> Iterable[tuple[str, str]]:
        """Name no joints: the simulation finds where they are itself."""
        return ()

    def push(self, document: Document, moving: MovingBodies) -> Wrenches:
        """Push what physics simulates over its next step."""
        simulation = self.simulation(document)
        return {} if simulation is None else simulation.push(moving)

    def push_over(self, document: Document, actor: str, times: Array) -> tuple[Array, Array]:
        """Give what the bodies that an actor wears do to it along its motion below secondary motion."""
        worn = self._of(document).worn
        found = [each.over(times) for (_, wearer), each in worn.items() if wearer == actor]
        joints = len(document.actor(actor).figure.joints)
        still = np.zeros((len(times), joints, 6))
        return sum((one for one, _ in found), still), sum((two for _, two in found), still)

    def has_pushed(self, document: Document, time: int) -> bool:
        """Tell whether bodies were stepped to a time."""
        simulation = self.simulation(document)
        return simulation is None or simulation.has_pushed(time)

    def has_clock(self, document: Document) -> bool:
        """Tell whether there is a soft body, with a clock or a window to be stepped through."""
        return uses_soft(document, document.actors)

    def prepare(self, document: Document, time: int) -> Generator[float, None, None]:
        """Step to a time in slices."""
        for each in self._bodies(document):
            yield from each.reach(time)

    def items(self, document: Document, time: int, scene: SceneState) -> Iterator[SnapshotItem]:
        """Give the surfaces of soft bodies, their splines, nodal forces and those of contact as arrows."""
        shown = {actor.id: actor.visible for actor, _ in soft_actors(document)}
        for each in self._bodies(document):
            points = each.points(time)
            for member in each.scene.members:
                if member.actor.id in shown:
                    own, visible = points[member.points], shown[member.actor.id]
                    yield from _drawn(member, own, visible)
                    yield from _pushing(member, own, time, visible)
            moment = each.known_moment(time)
            if moment is not None and len(moment.touches.points):
                forces = moment.touches.forces
                yield Arrows(owner=NAME, role="force", starts=moment.touches.points, vectors=LENGTH * forces)

    def places(self, document: Document, actor: str, spot: int, times: Sequence[int]) -> Array | None:
        """Find where a vertex of what is drawn of a soft body is at some times."""
        if soft_body(document.actor(actor)) is None:
            return None
        stepped = self.stepped(document, actor)
        member = stepped.scene.member(actor)
        found = np.empty((len(times), 3))
        for row, time in zip(found, times, strict=True):
            row[:] = member.place(stepped.of(member, time), spot)
        return found

    def carrier(self, document: Document, actor: str, spot: int, time: int) -> Carrier | None:
        """Find the joint whose attachment is nearest to such a vertex, and where it stands there in the rest shape."""
        body = soft_body(document.actor(actor))
        if body is None or not body.attachments:
            return None
        member, shape = self._carried(document, actor, time)
        place = member.place(shape, spot)
        away = [np.linalg.norm(shape[each.points.array] - place, axis=1).min() for each in body.attachments]
        nearest = body.attachments[int(np.argmin(away))]
        frame = self._evaluation.joint_transforms(document, nearest.target, time)[member.joint_of[nearest.id]]
        x, y, z = ((place - frame[:, 3]) @ frame[:, :3]).tolist()
        return Carrier(nearest.target, nearest.joint, (x, y, z))

    def _carried(self, document: Document, actor: str, time: int) -> tuple[SoftMember, Array]:
        """Carry a body rigidly to a time."""
        scene = self.stepped(document, actor).scene
        member = scene.member(actor)
        (rows,) = self._evaluation.rows_at(without_drafts(document), (time,), below=NAME)
        frames = scene.surroundings.frames(rows, self._evaluation.model)
        return member, Holds(member, -math.inf, time).standing(frames, time)

    def simulation(self, document: Document) -> SoftSimulation | None:
        """The simulation of the bodies with a clock: with the states of the one of which most is the same. None without
        any."""
        return self._of(document).simulation

    def windowed(self, document: Document) -> Sequence[WindowedBody]:
        """The bodies that are stepped over a window."""
        return tuple(self._of(document).windowed.values())

    def stepped(self, document: Document, actor: str) -> SteppedBody:
        """Find the steps of the body of an actor, which has one."""
        kept = self._of(document)
        found = kept.windowed.get(actor, kept.simulation)
        if found is None:
            raise UnknownPart(kind="soft body", id=actor, known=tuple(each.id for each, _ in soft_actors(document)))
        return found

    def said(self, document: Document) -> tuple[str, ...]:
        """Notes on the soft bodies of a document for a person: why they stopped, what was held."""
        return tuple(text for each in self._bodies(document) for text in each.said)

    def search(self, document: Document) -> Generator[Mapping[str, Json], None, Json]:
        """Search for what splines and nodal forces must do for bodies to be where their keyframes want them."""
        from engine.soft.control.telling import tell_search  # which plans with this stage

        return (yield from tell_search(self._evaluation, document))

    def _bodies(self, document: Document) -> list[SteppedBody]:
        kept = self._of(document)
        return [*(() if kept.simulation is None else (kept.simulation,)), *kept.windowed.values()]

    def _of(self, document: Document) -> _Stepping:
        known = self._kept.get(id(document))
        if known is None or known.document is not document:
            known = self._kept.keep(id(document), self._made(document))
        return known

    def _made(self, document: Document) -> _Stepping:
        undrafted = without_drafts(document)

        def keyed(times: Sequence[float]) -> Sequence[Mapping[str, Array]]:
            return self._evaluation.rows_at(undrafted, times, below=NAME)

        made = _Stepping(document, None, {})
        if any(soft_actors(clocked(document))):
            made.simulation = self._simulated(document, keyed)
        ids = [actor.id for actor, _ in windowed_actors(document)]
        if ids:
            made.windowed = self._windowed(document, ids, keyed)
        made.worn = self._worn(document, undrafted, made.windowed)
        return made

    def _worn(
        self, document: Document, undrafted: Document, windowed: Mapping[str, WindowedBody]
    ) -> dict[tuple[str, str], WornPushes]:
        """The bodies that push the secondary motion of those who wear them, by both."""

        def below(times: Sequence[float]) -> Sequence[Mapping[str, Array]]:
            return self._evaluation.rows_at(undrafted, times, below="secondary")

        earlier = next((each for each in reversed(self._kept.kept.values()) if each.worn), None)
        found = dict[tuple[str, str], WornPushes]()
        for id, body in windowed.items():
            if not body.member.body.swings_wearer:
                continue
            followed = DrivenFrames(body.scene.surroundings.actors, below, self._evaluation.model)
            for wearer in body.member.body.moves(document):
                made = found[id, wearer] = WornPushes(body, wearer, followed)
                old = None if earlier is None else earlier.worn.get((id, wearer))
                changes = None if earlier is None else windowed_changes(earlier.document, document, id)
                if old is not None and changes is not None:
                    made.keep_from(old, changes)
        return found

    def _simulated(self, whole: Document, keyed: Keyed) -> SoftSimulation:
        document = clocked(whole)
        latest, nearest = -math.inf, None
        for kept in tuple(self._kept.kept.values()):
            change = None if kept.simulation is None else first_change(kept.document, whole)
            if change is not None and change >= latest:
                latest, nearest = change, kept.simulation
        scene = compile_scene(document) if nearest is None else nearest.scene.told(document)
        physics = self._accompanied(whole, scene) if pushes(whole) is not None else None
        pressing = self._pressing(whole) if pressed(whole) else None
        if nearest is None:
            return SoftSimulation(scene, keyed, self._evaluation.model, physics, pressing)
        return nearest.changed(latest, scene, keyed, physics, pressing)

    def _pressing(self, document: Document) -> Pressing:
        """Give what other systems do to the bodies."""
        names = [each.name for each in systems() if each.pushes_soft is not None]

        def pressing(time: int, moving: MovingBodies | None) -> Mapping[str, Array]:
            found: dict[str, Array] = {}
            for name in names:
                for actor, forces in self._evaluation.stage(name).push_soft(document, time, moving).items():
                    found[actor] = found[actor] + forces if actor in found else forces
            return found

        return pressing

    def _accompanied(self, document: Document, scene: SoftScene) -> Accompanied | None:
        """Give physics of a document to bodies that push; None where it pushes nobody."""
        if not any(is_simulated(each) for each in document.actors):
            return None
        undrafted, physics = without_drafts(document), self._evaluation.stage("physics")

        def keyed(times: Sequence[float]) -> Sequence[Mapping[str, Array]]:
            return self._evaluation.rows_at(undrafted, times, below="physics")

        def reach(time: int) -> Generator[float, None, None]:
            return physics.prepare(document, time)

        return Accompanied(self._evaluation, undrafted, keyed, reach, scene.surroundings)

    def _windowed(self, document: Document, ids: Sequence[str], keyed: Keyed) -> dict[str, WindowedBody]:
        """The bodies with windows, with all that is known of an earlier document's and the same in this one."""
        earlier = next((each for each in reversed(self._kept.kept.values()) if each.windowed), None)
        old = {} if earlier is None else earlier.windowed
        scenes, changes = {}, {}
        for id in ids:
            if earlier is not None and id in old:
                changes[id] = windowed_changes(earlier.document, document, id)
            same = changes.get(id) is not None
            scenes[id] = old[id].scene.told(alone(document, id)) if same else compile_alone(document, id)
        actors = list({each.id: each for scene in scenes.values() for each in scene.surroundings.actors}.values())
        followed = DrivenFrames(actors, keyed, self._evaluation.model)
        if earlier is not None and old:
            read = {each.id for each in actors}
            spans = read_changes(earlier.document, document, read)
            followed = next(iter(old.values())).followed.untouched(actors, keyed, spans)
        made = {}
        for id in ids:
            made[id], spans_of = WindowedBody(scenes[id], followed), changes.get(id)
            if spans_of is not None:
                made[id].keep_from(old[id], spans_of)
        return made


@dataclass(eq=False)
class _Stepping:
    """The soft bodies of a document."""

    document: Document
    simulation: SoftSimulation | None
    windowed: dict[str, WindowedBody]
    worn: dict[tuple[str, str], WornPushes] = field(default_factory=dict)


def _drawn(member: SoftMember, own: Array, visible: bool) -> Iterator[SnapshotItem]:
    """Draw one body whose points are there."""
    surface = member.surface(own)
    if surface is not None:
        yield SkinSurface(
            owner=member.actor.id,
            role="result",
            skin=SURFACE,
            topology=member.topology,
            triangles=member.triangles,
            body=member.body_of_vertex,
            positions=surface[0],
            normals=surface[1],
            visible=visible,
            hollow=True,
            fields=surface_fields(member, own),
        )
    if member.body.shape == "edges":
        cells = member.body.cells
        yield LineSet(
            owner=member.actor.id,
            role="result",
            ends=cells.array,
            positions=own.astype(np.float32),
            topology=cells.digest,
            visible=visible,
        )
    if len(member.spline_ends):
        yield LineSet(
            owner=member.actor.id,
            role="constraint",
            ends=member.spline_ends,
            positions=member.spline_points(own),
            topology=member.spline_topology,
            visible=visible,
        )


def _pushing(member: SoftMember, own: Array, time: float, visible: bool) -> Iterator[Arrows]:
    """Draw the nodal forces on a body, the strongest that there may be half as long as the body."""
    for each in member.body.forces:
        forces = None if each.mute else each.acting(time)
        if forces is not None:
            length = 0.5 * float(np.ptp(member.mesh.points, axis=0).max()) / each.strongest
            yield Arrows(
                owner=member.actor.id,
                role="constraint",
                starts=own[each.points.array].astype(np.float32),
                vectors=(length * forces).astype(np.float32),
                visible=visible,
            )

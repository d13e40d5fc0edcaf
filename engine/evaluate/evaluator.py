"""Evaluator: documents to snapshots through the kernels. One per thread; it keeps models and states between calls."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Sequence
from dataclasses import field

import numpy as np

from engine.document import Actor, Document, Figure, Layer
from engine.document.drafts import without_drafts
from engine.document.motion import TICKS_PER_SECOND
from engine.document.order import Group
from engine.evaluate.compiled import Compiled, CompiledFigures
from engine.evaluate.holds import joints_held_on
from engine.evaluate.posing import Posing
from engine.evaluate.rest import bodies_of
from engine.evaluation import Carrier, Frames, Member, Members, Rows, Stage
from engine.maths.arrays import Array
from engine.model.compile import ROW, Model
from engine.model.kinematics import write_transforms
from engine.model.snapshot import Bodies, SkinSurface, Snapshot, SnapshotItem
from engine.motion.drafts import at_draft
from engine.motion.motion import Motion, compile_gradually, compile_motion
from engine.runtime.bounded import Bounded
from engine.runtime.errors import Diverged, InvalidArguments, UnknownPart
from engine.runtime.quick_dataclass import dataclass

_MOTIONS_KEPT = 256
_TOGETHER = 64  # times that are worked out side by side
STEP = TICKS_PER_SECOND // 1000  # over which rates of locked motions are measured


@dataclass(eq=False)
class PosedScene:
    """The pose of all actors at a time: a `SceneState`, while it is worked out and after."""

    compile: CompiledFigures
    members: Members = field(default_factory=dict)
    frames: dict[tuple[str, str], Array] = field(default_factory=dict)
    keyed: dict[str, Array] = field(default_factory=dict)  # poses as a person sets them, where stages show others

    def member(self, actor: str) -> Member:
        """An actor."""
        return self.members[actor]

    def centre_of_mass(self, actor: str) -> Array:
        """Compute the centre of mass of an actor in the world [m], shape [3]."""
        member = self.members[actor]
        compiled = self.compile(member.actor)
        compiled.stand(member.base, member.q)
        return compiled.centre_of_mass()


class Evaluator:
    """The evaluator of documents: poses and pictures at a time."""

    def __init__(self) -> None:
        self._compile = CompiledFigures()
        self._motions: Bounded[tuple[str, bool], tuple[tuple[Layer, ...], float, Motion]] = Bounded(_MOTIONS_KEPT)
        self._last: tuple[Document, float, dict[int, Members]] | None = None
        self._wanted: dict[bool, tuple[Document, dict[str, set[str]]]] = {}
        self._posing = Posing(self, self._compile, lambda actor, time: self.motion(actor, time))

    def snapshot(self, document: Document, time: int = 0, *, skins: bool = True, bare: bool = True) -> Snapshot:
        """The picture of the document at a time [ticks]; `Diverged` rather than a number that is not finite.

        Without `skins` the surfaces that bend are left out, for a window that shows none, but for those of figures
        that have no other form; without `bare` even these.
        """
        return self._snapshot(document, time, skins, bare, None)

    def snapshot_of(self, document: Document, time: int, rows: Rows, *, skins: bool = True) -> Snapshot:
        """Draw the picture of a document at a time from `rows` that were evaluated before: no lock is solved."""
        return self._snapshot(document, time, skins, True, rows)

    def rows(self, document: Document, time: int) -> dict[str, Array]:
        """Evaluate the base and the pose of each actor, locks kept: rotation and position of its base, then its
        coordinates, shape [12 + coordinate_count]. Fresh arrays."""
        return self.rows_at(document, (time,))[0]

    def rows_at(
        self,
        document: Document,
        times: Sequence[float],
        *,
        below: str | None = None,
        of: Collection[str] | None = None,
    ) -> list[dict[str, Array]]:
        """Evaluate the rows of actors at many times, side by side. `below` names a system: without its stage and those
        above it; `of`: of these actors, and of others in full."""
        out: list[dict[str, Array]] = []
        wanted = self._joints(document)
        for first in range(0, len(times), _TOGETHER):
            some = times[first : first + _TOGETHER]
            found: list[dict[str, Array]] = [{} for _ in some]
            frames: list[dict[tuple[str, str], Array]] = [{} for _ in some]
            for group in document.groups:
                bare = below if of is None or any(actor.id in of for actor in group) else None
                posed = self._posing.stands(document, group, some, frames, bare)
                for actor in group:
                    for rows, now, known in zip(found, posed, frames, strict=True):
                        member = now[actor.id]
                        rows[actor.id] = np.concatenate((member.base[:, :3].ravel(), member.base[:, 3], member.q))
                        if actor.id in wanted:
                            compiled = self._compile(actor)
                            compiled.stand(member.base, member.q)
                            known.update(((actor.id, joint), compiled.frame(joint)) for joint in wanted[actor.id])
            out += found
        return out

    def scene_at(self, document: Document, time: float) -> PosedScene:
        """Pose all actors at a time, and find the joints that the stages ask for."""
        scene = PosedScene(self._compile)
        for _ in self._solved(document, time, scene, items=True):
            pass
        return scene

    def _snapshot(self, document: Document, time: int, skins: bool, bare: bool, rows: Rows | None) -> Snapshot:
        bodies: dict[str, Bodies] = {}
        surfaces: dict[str, tuple[SkinSurface, ...]] = {}
        scene, stages = PosedScene(self._compile), self._posing.used(document)
        for actor, compiled in self._solved(document, time, scene, rows, items=True):
            bodies[actor.id] = self._bodies(actor, compiled, scene.keyed.get(actor.id))
            wanted = skins or (bare and len(bodies[actor.id].mesh.triangles) == 0)
            surfaces[actor.id] = tuple(self._skins(actor, compiled)) if wanted else ()
        ids = [actor.id for actor in document.actors]
        items: list[SnapshotItem] = [bodies[id] for id in ids]
        items += (surface for id in ids for surface in surfaces[id])
        for stage in stages:
            items += stage.items(document, time, scene)
        return Snapshot(document=document, time=time, items=tuple(items))

    def motion(self, actor: Actor, time: float | None = None) -> Motion:
        """An actor's compiled motion; what has not changed since the last call is kept.

        Where a draft stands at the time [ticks], the motion holds at this time alone; without one, drafts are left out.
        """
        figure, layers, at = actor.figure, actor.layers, 0.0
        if time is not None:
            layers = at_draft(figure, actor.layers, time)
        drafted = layers is not actor.layers
        if drafted and time is not None:
            at = time
        source, old_time, old = self._motions.get((actor.id, drafted)) or ((), 0.0, None)
        if old is not None and source is actor.layers and old_time == at and old.figure is figure:
            return old
        motion = compile_motion(figure, layers, old)
        self._keep(actor, drafted, at, motion)
        return motion

    def prepare(self, document: Document, time: int | None = None) -> Generator[float, None, None]:
        """Compile the motions of a document in slices, for its next evaluation; with a time, step what has a clock
        there, too."""
        for actor in document.actors:
            source, _, old = self._motions.get((actor.id, False)) or ((), 0.0, None)
            if source is not actor.layers or old is None or old.figure is not actor.figure:
                self._keep(actor, False, 0.0, (yield from compile_gradually(actor.figure, actor.layers, old)))
        if time is not None:
            yield from self.step(document, time)

    def step(self, document: Document, time: int) -> Generator[float, None, None]:
        """Step what of a document has a clock to a time, in slices; none where nothing has."""
        for stage in self._posing.used(document):
            if stage.has_clock(document):
                yield from stage.prepare(document, time)

    def _keep(self, actor: Actor, drafted: bool, at: float, motion: Motion) -> None:
        self._motions.keep((actor.id, drafted), (actor.layers, at, motion))

    def model(self, actor: Actor) -> Model:
        """The actor's figure, compiled; kept from call to call."""
        return self._compile(actor).model

    def layered(self, actor: Actor, times: Sequence[float]) -> Array:
        """An actor's coordinates as its layers have them, drafts and all; a fresh array."""
        return self._posing.layered(actor, times)

    def member(self, actor: Actor, time: float, frames: Frames, q: Array) -> Member:
        """An actor in a pose, where it stands or hangs."""
        return self._posing.member(actor, time, frames, q)

    def stage(self, system: str) -> Stage:
        """The stage of a system."""
        return self._posing.stage(system)

    def coordinates(self, document: Document, actor: str, times: Sequence[float]) -> Array:
        """An actor's coordinates as they are seen, locks kept, at some times [ticks], shape [len(times), coordinates].

        A fresh array.
        """
        needed = document.with_all_that_hold(actor)
        if not self._is_moved(needed, actor, times):
            return self._posing.layered(document.actor(actor), times)
        found = [rows[actor][ROW:] for rows in self.rows_at(needed, times)]
        return np.array(found).reshape(len(found), -1)

    def motion_at(self, document: Document, actor: str, time: float) -> Array:
        """Coordinates with their rates and accelerations, shape [3, coordinate_count]; a fresh array.

        Where a stage moves them they are by differences over 1 ms: a lock's pose depends on the way to it, of which its
        constraints alone do not tell the rates, and the rates of a simulation are not those of the motion that it
        gives. Drafts are poses without motion: left out.
        """
        document = without_drafts(document)
        needed = document.with_all_that_hold(actor)
        near = (time - STEP, time, time + STEP)
        if not self._is_moved(needed, actor, near):
            return self.motion(document.actor(actor)).at(time)
        before, now, after = self.coordinates(needed, actor, near)
        return differences(document.actor(actor).figure, before, now, after)

    def _is_moved(self, needed: Document, actor: str, times: Sequence[float]) -> bool:
        """Tell whether the pose of an actor may differ from that of its layers."""
        return any(stage.moves(needed, actor, times) for stage in self._posing.used(needed))

    def places(self, document: Document, actor: str, spot: int, times: Sequence[int]) -> Array:
        """Find where a numbered point of what a stage draws of an actor is at some times [m], shape [len(times), 3]."""
        given = (stage.places(document, actor, spot, times) for stage in self._posing.used(document))
        found = next((each for each in given if each is not None), None)
        if found is None:
            raise UnknownPart(kind=f"point of {document.actor(actor).name}", id=str(spot), known=())
        return found

    def carrier(self, document: Document, actor: str, spot: int, time: int) -> Carrier:
        """Find what carries such a point, by how they stand at a time [ticks]."""
        given = (stage.carrier(document, actor, spot, time) for stage in self._posing.used(document))
        found = next((each for each in given if each is not None), None)
        if found is None:
            name, allowed = document.actor(actor).name, "something that a joint of another actor carries"
            raise InvalidArguments(what=f"what {name} hangs on", value="nothing", allowed=allowed)
        return found

    def joint_transforms(self, document: Document, actor: str, time: int = 0) -> Array:
        """World transform of every joint at a time [ticks], rotation then position, shape [joint_count, 3, 4].

        A fresh array.
        """
        return self.seen(document, actor, time)[1]

    def centre_of_mass(self, document: Document, actor: str, time: int = 0) -> Array:
        """Compute the centre of mass of an actor at a time [ticks], in the world [m], shape [3]."""
        needed = document.with_all_that_hold(actor)
        return next(compiled.centre_of_mass() for each, compiled in self._solved(needed, time) if each.id == actor)

    def seen(self, document: Document, actor: str, time: int) -> tuple[dict[str, Array], Array]:
        """The poses of an actor and all that it depends on, locks kept, and the world transform of each of its joints,
        shape [joint_count, 3, 4]."""
        needed, poses, worlds = document.with_all_that_hold(actor), dict[str, Array](), np.zeros(0)
        for each, compiled in self._solved(needed, time):
            poses[each.id] = compiled.q.copy()
            if each.id == actor:
                rows = compiled.model.transforms(compiled.state)
                worlds = np.concatenate((rows[:, :9].reshape(-1, 3, 3), rows[:, 9:, None]), axis=2)
        return poses, worlds

    def _solved(
        self,
        document: Document,
        time: float,
        scene: PosedScene | None = None,
        rows: Rows | None = None,
        *,
        items: bool = False,
    ) -> Iterator[tuple[Actor, Compiled]]:
        """Yield every actor and its state, valid until the next one is taken, since actors of one figure share it.

        `scene` is given how they stand; what `items` depend on, too, where these are wanted. With `rows` nothing is
        solved: they say where each actor is.
        """
        scene = PosedScene(self._compile) if scene is None else scene
        wanted, stages = (
            self._joints(document, own=items),
            self._posing.used(document) if items else [],
        )
        for group in document.groups:
            posed = _members_of(group, rows) if rows is not None else None
            if posed is None:
                posed = self._posed(document, group, time, scene.frames)
            for actor in group if stages else ():
                given = (stage.keyed_pose(document, group, actor, time) for stage in reversed(stages))
                pose = next((each for each in given if each is not None), None)
                if pose is not None:
                    scene.keyed[actor.id] = pose
            for actor in group:
                compiled, member = self._compile(actor), posed[actor.id]
                scene.members[actor.id] = member
                compiled.stand(member.base, member.q)
                for joint in wanted.get(actor.id, ()):
                    scene.frames[actor.id, joint] = compiled.frame(joint)
                yield actor, compiled

    def _posed(self, document: Document, group: Group, time: float, frames: Frames) -> Members:
        """Pose a group; kept where nothing has a clock, since a drag asks for one document twice: for its report and
        for its picture."""
        known = self._last
        if known is None or known[0] is not document or known[1] != time:
            known = self._last = (document, time, {})
        found = known[2].get(id(group))
        if found is None:
            (found,) = self._posing.stands(document, group, (time,), (frames,))
            if not any(stage.has_clock(document) for stage in self._posing.used(document)):
                known[2][id(group)] = found
        return found

    def _joints(self, document: Document, *, own: bool = False) -> dict[str, set[str]]:
        """Find the joints that others hang on or depend on, by actor; with `own` also those that its own items do.
        Kept, since one document is evaluated again and again."""
        known = self._wanted.get(own)
        if known is None or known[0] is not document:
            known = self._wanted[own] = (document, self._find_joints(document, own=own))
        return known[1]

    def _find_joints(self, document: Document, *, own: bool) -> dict[str, set[str]]:
        found = joints_held_on(document.actors)
        for stage in self._posing.used(document):
            for each in document.actors:
                for actor, joint in stage.joints(each):
                    if own or actor != each.id:
                        found.setdefault(actor, set()).add(joint)
        return found

    def _bodies(self, actor: Actor, compiled: Compiled, keyed: Array | None) -> Bodies:
        transforms = np.empty((compiled.model.joint_count, 3, 4), dtype=np.float32)
        if not write_transforms(compiled.state, transforms):
            raise Diverged(what=f"the pose of {actor.name}", value="a number that is not finite")
        mesh, skeleton = bodies_of(actor.figure)
        return Bodies(
            owner=actor.id,
            role="result",
            mesh=mesh,
            skeleton=skeleton,
            parts=tuple(actor.figure.joint_index),
            transforms=transforms,
            visible=actor.visible,
            frozen=actor.frozen,
            pose=compiled.q.copy() if keyed is None else keyed,
        )

    def _skins(self, actor: Actor, compiled: Compiled) -> Iterator[SkinSurface]:
        for each in compiled.skins_of(actor):
            positions, normals = each.surface(compiled.state)
            yield SkinSurface(
                owner=actor.id,
                role="result",
                skin=each.skin.id,
                topology=each.topology,
                triangles=each.skin.triangles.array,
                body=each.heaviest,
                positions=positions,
                normals=normals,
                visible=actor.visible,
                colouring=each.skin.colouring,
            )


def differences(figure: Figure, before: Array, now: Array, after: Array) -> Array:
    """Coordinates `now`, their rates and accelerations, from those one `STEP` earlier and later; shape [3, count].

    A ball's q and -q are one rotation: the neighbours are written, with the sign that is nearer.
    """
    for dof in figure.dofs:
        if dof.kind == "ball":
            ball = [figure.coordinate_index[name] for name in dof.coordinates]
            for row in (before, after):
                row[ball] *= -1.0 if row[ball] @ now[ball] < 0.0 else 1.0
    step = STEP / TICKS_PER_SECOND
    return np.stack((now, (after - before) / (2.0 * step), (after - 2.0 * now + before) / (step * step)))


def _members_of(group: Group, rows: Rows) -> Members:
    """Build the members of a group from given rows: base transform and coordinates of each actor."""
    bases = {each.id: rows[each.id][:ROW] for each in group}
    return {
        each.id: Member(each, rows[each.id][ROW:], np.hstack((base[:9].reshape(3, 3), base[9:, None])))
        for each, base in zip(group, bases.values(), strict=True)
    }

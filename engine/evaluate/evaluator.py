"""Evaluator: documents to snapshots through the kernels. One per thread; it keeps models and states between calls."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence

import numpy as np

from engine.document import Actor, Document, Figure, Layer
from engine.document.drafts import without_drafts
from engine.document.motion import TICKS_PER_SECOND, weight
from engine.document.order import Group
from engine.edits.poses import as_keyed
from engine.evaluate.compiled import Compiled, CompiledFigures
from engine.evaluate.holds import awaited, targets
from engine.evaluate.posing import Posing, Stand
from engine.evaluate.rest import bodies_of
from engine.evaluate.secondary import Secondaries, uncorrected
from engine.locks.keep import Poses, Standing
from engine.locks.marks import marks_of, muted_marks
from engine.maths.arrays import Array
from engine.model.compile import ROW, Model
from engine.model.kinematics import write_transforms
from engine.model.snapshot import Bodies, LockMark, SkinSurface, Snapshot
from engine.motion.drafts import at_draft
from engine.motion.motion import Motion, compile_gradually, compile_motion
from engine.runtime.bounded import Bounded
from engine.runtime.errors import Diverged

_MOTIONS_KEPT = 256
Rows = Mapping[str, Array]  # of each actor: its base, then its coordinates
_TOGETHER = 64  # times that are worked out side by side
STEP = TICKS_PER_SECOND // 1000  # over which rates of locked motions are measured


class Evaluator:
    """What is on screen at time t."""

    def __init__(self) -> None:
        self._compile = CompiledFigures()
        self._motions: Bounded[tuple[str, bool], tuple[tuple[Layer, ...], float, Motion]] = Bounded(_MOTIONS_KEPT)
        self.secondaries = Secondaries(self.rows_at, lambda actor: self.motion(actor))
        self._posing = Posing(self._compile, lambda actor, time: self.motion(actor, time), self.secondaries)

    def snapshot(self, document: Document, time: int = 0, *, skins: bool = True, bare: bool = True) -> Snapshot:
        """The picture of the document at a time [ticks]; `Diverged` rather than a number that is not finite.

        Without `skins` the surfaces that bend are left out, for a window that shows none, but for those of figures
        that have no other form; without `bare` even these.
        """
        return self._snapshot(document, time, skins, bare, None)

    def snapshot_of(self, document: Document, time: int, rows: Rows, *, skins: bool = True) -> Snapshot:
        """The same picture from what `rows` has given for that document and time: no lock is solved."""
        return self._snapshot(document, time, skins, True, rows)

    def rows(self, document: Document, time: int) -> dict[str, Array]:
        """Where each actor stands and how it is posed, locks kept: rotation and position of its base, then its
        coordinates, shape [12 + coordinate_count]. Fresh arrays."""
        return self.rows_at(document, (time,))[0]

    def rows_at(self, document: Document, times: Sequence[float]) -> list[dict[str, Array]]:
        """The same at many times, side by side."""
        out: list[dict[str, Array]] = []
        wanted = awaited(document)
        for first in range(0, len(times), _TOGETHER):
            some = times[first : first + _TOGETHER]
            found: list[dict[str, Array]] = [{} for _ in some]
            frames: list[dict[tuple[str, str], Array]] = [{} for _ in some]
            for group in document.groups:
                posed = self._posing.stands(document, group, some, frames)
                for actor in group:
                    for rows, now, known in zip(found, posed, frames, strict=True):
                        base, q = now[actor.id]
                        rows[actor.id] = np.concatenate((base[:, :3].ravel(), base[:, 3], q))
                        if actor.id in wanted:
                            compiled = self._compile(actor)
                            compiled.stand(base, q)
                            known.update(((actor.id, joint), compiled.frame(joint)) for joint in wanted[actor.id])
            out += found
        return out

    def _snapshot(self, document: Document, time: int, skins: bool, bare: bool, rows: Rows | None) -> Snapshot:
        items: dict[str, Bodies] = {}
        surfaces: dict[str, tuple[SkinSurface, ...]] = {}
        marks: list[LockMark] = []
        frames: dict[tuple[str, str], Array] = {}
        for actor, compiled in self._solved(document, time, marks, frames, rows):
            items[actor.id] = self._bodies(actor, compiled)
            wanted = skins or (bare and len(items[actor.id].mesh.triangles) == 0)
            surfaces[actor.id] = tuple(self._skins(actor, compiled)) if wanted else ()
        ids = [actor.id for actor in document.actors]
        bent = tuple(surface for id in ids for surface in surfaces[id])
        return Snapshot(
            document=document,
            time=time,
            items=tuple(items[id] for id in ids),
            skins=bent,
            locks=tuple(marks),
            muted_locks=muted_marks(document.actors, time, frames),
        )

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

    def prepare(self, document: Document) -> Generator[float, None, None]:
        """Compile the motions of a document in slices, for what is asked of it next."""
        for actor in document.actors:
            source, _, old = self._motions.get((actor.id, False)) or ((), 0.0, None)
            if source is not actor.layers or old is None or old.figure is not actor.figure:
                self._keep(actor, False, 0.0, (yield from compile_gradually(actor.figure, actor.layers, old)))

    def _keep(self, actor: Actor, drafted: bool, at: float, motion: Motion) -> None:
        self._motions.keep((actor.id, drafted), (actor.layers, at, motion))

    def model(self, actor: Actor) -> Model:
        """The actor's figure, compiled; kept from call to call."""
        return self._compile(actor).model

    def coordinates(self, document: Document, actor: str, times: Sequence[float]) -> Array:
        """An actor's coordinates as they are seen, locks kept, at some times [ticks], shape [len(times), coordinates].

        A fresh array.
        """
        needed = document.with_all_that_hold(actor)
        owner = document.actor(actor)
        if not (any(each.locks for each in needed.actors) or owner.swings):
            return self._posing.layered(owner, times)
        found = [rows[actor][ROW:] for rows in self.rows_at(needed, times)]
        return np.array(found).reshape(len(found), -1)

    def motion_at(self, document: Document, actor: str, time: float) -> Array:
        """Coordinates with their rates and accelerations, shape [3, coordinate_count]; a fresh array.

        Where locks count or secondary motion does they are by differences over 1 ms: a lock's pose depends on the way
        to it, of which its constraints alone do not tell the rates, and the rates of a simulation are not those of the
        motion that it gives. Drafts are poses without motion: left out.
        """
        document = without_drafts(document)
        needed = document.with_all_that_hold(actor)
        near = (time - STEP, time, time + STEP)
        locks = [lock for each in needed.actors for lock in each.locks if not lock.mute]
        held = any(weight(lock.span, each) > 0.0 for lock in locks for each in near)
        if not (held or document.actor(actor).swings):
            return self.motion(document.actor(actor)).at(time)
        before, now, after = self.coordinates(needed, actor, near)
        return differences(document.actor(actor).figure, before, now, after)

    def joint_transforms(self, document: Document, actor: str, time: int = 0) -> Array:
        """World transform of every joint at a time [ticks], rotation then position, shape [joint_count, 3, 4].

        A fresh array.
        """
        return self.seen(document, actor, time)[1]

    def centre_of_mass(self, document: Document, actor: str, time: int = 0) -> Array:
        """Of an actor at a time [ticks], in the world [m], shape [3]."""
        needed = document.with_all_that_hold(actor)
        return next(compiled.centre_of_mass() for each, compiled in self._solved(needed, time) if each.id == actor)

    def standing(self, document: Document, actor: str, time: float) -> Standing:
        """An actor and those that locks may move with it, as their layers and their locks have them at a time: what a
        person sets, without secondary motion."""
        needed, frames = document.with_all_that_hold(actor), dict[tuple[str, str], Array]()
        for each in next(group for group in needed.groups if any(each.id == actor for each in group)):
            needed = needed.with_actor(as_keyed(each)) if each.swings else needed
        seen = {each.id: found.q.copy() for each, found in self._solved(needed, time, frames=frames)}
        group = next(group for group in needed.groups if any(each.id == actor for each in group))
        members = {
            each.id: self._posing.member(each, time, frames, self._posing.layered(each, (time,))[0]) for each in group
        }
        holdings = tuple(self._posing.holdings(group, time))
        return Standing(members, {id: seen[id] for id in members}, holdings, frames)

    def seen(self, document: Document, actor: str, time: int) -> tuple[Poses, Array]:
        """The poses of an actor and all that it depends on, locks kept, and the world transform of each of its joints,
        shape [joint_count, 3, 4]."""
        needed, poses, worlds = document.with_all_that_hold(actor), Poses(), np.zeros(0)
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
        marks: list[LockMark] | None = None,
        frames: dict[tuple[str, str], Array] | None = None,
        rows: Rows | None = None,
    ) -> Iterator[tuple[Actor, Compiled]]:
        """Every actor, and its state until the next one is asked for, since actors of one figure share it.

        `marks` is given what is held, `frames` the joints that others hang on or hold on to. With `rows` nothing is
        solved: they say where each actor is.
        """
        wanted = awaited(document) if marks is None and frames is None else targets(document)
        frames = {} if frames is None else frames
        for group in document.groups:
            holdings = [] if marks is None else self._posing.holdings(group, time)
            centres: dict[str, Array] = {}
            posed = self._posing.stands(document, group, (time,), (frames,))[0] if rows is None else _told(group, rows)
            swinging = [] if marks is None else [each for each in group if self.secondaries.counts(each, time)]
            keyed = {each.id: self.secondaries.keyed_pose(document, group, each, time) for each in swinging}
            for actor in group:
                compiled = self._compile(actor)
                compiled.stand(*posed[actor.id])
                for joint in wanted.get(actor.id, ()):
                    frames[actor.id, joint] = compiled.frame(joint)
                if marks is not None and any(each.lock.of_mass for each in holdings if each.actor == actor.id):
                    centres[actor.id] = compiled.centre_of_mass()
                own = keyed.get(actor.id)
                compiled.keyed = None if own is None else uncorrected(actor, compiled.model, time, own)
                yield actor, compiled
            if marks is not None:
                marks += marks_of(holdings, frames, centres)

    def _bodies(self, actor: Actor, compiled: Compiled) -> Bodies:
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
            pose=compiled.q.copy() if compiled.keyed is None else compiled.keyed,
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


def _told(group: Group, rows: Rows) -> dict[str, Stand]:
    """Where each actor of a group is by what was told of it."""
    bases = {each.id: rows[each.id][:ROW] for each in group}
    return {id: (np.hstack((base[:9].reshape(3, 3), base[9:, None])), rows[id][ROW:]) for id, base in bases.items()}

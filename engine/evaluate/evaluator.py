"""Evaluator: documents to snapshots through the kernels. One per thread; it keeps models and states between calls."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engine.document import Actor, Document, Figure, Layer
from engine.document.drafts import without_drafts
from engine.document.motion import TICKS_PER_SECOND
from engine.document.order import Group
from engine.edits.poses import as_keyed
from engine.evaluate.balance import centre_of_mass
from engine.evaluate.holds import Frames, held_base, placement_transform, targets, weight
from engine.evaluate.lock_marks import marks_of, muted_marks
from engine.evaluate.lock_places import Holding, Places
from engine.evaluate.locks import Locks, Member, Poses, Standing
from engine.evaluate.rest import bodies_of
from engine.evaluate.secondary import Secondaries, uncorrected
from engine.model.compile import ROW, Array, Model, compile_model, place
from engine.model.inertia import masses_of
from engine.model.kinematics import compute_forward_kinematics, write_transforms
from engine.model.skins import SkinModel, compile_skin
from engine.model.snapshot import Bodies, LockMark, SkinSurface, Snapshot
from engine.motion.drafts import at_draft
from engine.motion.motion import Motion, compile_gradually, compile_motion
from engine.runtime.errors import Diverged

_MODELS_KEPT = 64
_MOTIONS_KEPT = 256
Rows = Mapping[str, Array]  # of each actor: its base, then its coordinates
STEP = TICKS_PER_SECOND // 1000  # over which rates of locked motions are measured


@dataclass
class _Compiled:
    model: Model
    state: Array
    motion: Array  # q, rates and accelerations, shape [1, 3, coordinate_count]
    keyed: Array | None = None  # the pose without secondary motion, where that counts in a picture
    skins: tuple[SkinModel, ...] | None = None  # compiled when they are first shown
    masses: Array | None = None  # likewise, when a centre of mass is first held


class Evaluator:
    """What is on screen at time t."""

    def __init__(self) -> None:
        self._compiled: dict[str, _Compiled] = {}
        self._motions: dict[tuple[str, bool], tuple[tuple[Layer, ...], float, Motion]] = {}
        self._times = np.zeros(1)
        self._places, self._locks = Places(), Locks()
        self.secondaries = Secondaries(self.rows, lambda actor: self.motion(actor))

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
        return {
            actor.id: np.concatenate((compiled.state[:ROW], compiled.motion[0, 0]))
            for actor, compiled in self._solved(document, time)
        }

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
        source, old_time, old = self._motions.get((actor.id, drafted), ((), 0.0, None))
        if old is not None and source is actor.layers and old_time == at and old.figure is figure:
            return old
        motion = compile_motion(figure, layers, old)
        self._keep(actor, drafted, at, motion)
        return motion

    def prepare(self, document: Document) -> Generator[float, None, None]:
        """Compile the motions of a document in slices, for what is asked of it next."""
        for actor in document.actors:
            source, _, old = self._motions.get((actor.id, False), ((), 0.0, None))
            if source is not actor.layers or old is None or old.figure is not actor.figure:
                self._keep(actor, False, 0.0, (yield from compile_gradually(actor.figure, actor.layers, old)))

    def _keep(self, actor: Actor, drafted: bool, at: float, motion: Motion) -> None:
        while len(self._motions) >= _MOTIONS_KEPT:
            self._motions.pop(next(iter(self._motions)))
        self._motions[actor.id, drafted] = (actor.layers, at, motion)

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
            rows = self.motion(owner).at(np.array(times, dtype=float))[:, 0]
            for row, time in zip(rows, times, strict=True):
                if any(layer.draft_at(time) for layer in owner.layers):
                    row[:] = self.motion(owner, time).at(time)[0]
            return rows
        found = [self._coordinates_of(needed, actor, time) for time in times]
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
        return next(_centre_of_mass(compiled) for each, compiled in self._solved(needed, time) if each.id == actor)

    def standing(self, document: Document, actor: str, time: float) -> Standing:
        """An actor and those that locks may move with it, as their layers and their locks have them at a time: what a
        person sets, without secondary motion."""
        needed, frames = document.with_all_that_hold(actor), dict[tuple[str, str], Array]()
        for each in next(group for group in needed.groups if any(each.id == actor for each in group)):
            needed = needed.with_actor(as_keyed(each)) if each.swings else needed
        seen = {each.id: found.motion[0, 0].copy() for each, found in self._solved(needed, time, frames=frames)}
        group = next(group for group in needed.groups if any(each.id == actor for each in group))
        members = {each.id: self._member(each, time, frames) for each in group}
        return Standing(members, {id: seen[id] for id in members}, tuple(self._holdings(group, time)), frames)

    def seen(self, document: Document, actor: str, time: int) -> tuple[Poses, Array]:
        """The poses of an actor and all that it depends on, locks kept, and the world transform of each of its joints,
        shape [joint_count, 3, 4]."""
        needed, poses, worlds = document.with_all_that_hold(actor), Poses(), np.zeros(0)
        for each, compiled in self._solved(needed, time):
            poses[each.id] = compiled.motion[0, 0].copy()
            if each.id == actor:
                rows = compiled.model.transforms(compiled.state)
                worlds = np.concatenate((rows[:, :9].reshape(-1, 3, 3), rows[:, 9:, None]), axis=2)
        return poses, worlds

    def _coordinates_of(self, document: Document, actor: str, time: float) -> Array:
        return next(each.motion[0, 0].copy() for owner, each in self._solved(document, time) if owner.id == actor)

    def _solved(
        self,
        document: Document,
        time: float,
        marks: list[LockMark] | None = None,
        frames: dict[tuple[str, str], Array] | None = None,
        rows: Rows | None = None,
    ) -> Iterator[tuple[Actor, _Compiled]]:
        """Every actor, and its state until the next one is asked for, since actors of one figure share it.

        `marks` is given what is held, `frames` the joints that others hang on or hold on to. With `rows` nothing is
        solved: they say where each actor is.
        """
        wanted, frames = targets(document), {} if frames is None else frames
        for group in document.groups:
            holdings = self._holdings(group, time)
            centres: dict[str, Array] = {}
            swinging = [] if marks is None else [each for each in group if self.secondaries.counts(each, time)]
            keyed = {each.id: self.secondaries.keyed_pose(document, group, each, time) for each in swinging}
            if rows is None:
                posed = self._posed(document, group, holdings, time, frames)
            else:
                posed = self._as_told(group, rows)
            for actor, compiled in posed:
                for joint in wanted.get(actor.id, ()):
                    frames[actor.id, joint] = _joint_frame(compiled, joint)
                if marks is not None and any(each.lock.of_mass for each in holdings if each.actor == actor.id):
                    centres[actor.id] = _centre_of_mass(compiled)
                own = keyed.get(actor.id)
                compiled.keyed = None if own is None else uncorrected(actor, compiled.model, time, own)
                yield actor, compiled
            if marks is not None:
                marks += marks_of(holdings, frames, centres)

    def _holdings(self, group: Group, time: float) -> list[Holding]:
        held = (self._places.holding(actor.id, lock, time) for actor in group for lock in actor.locks)
        return [each for each in held if each is not None]

    def _posed(
        self, document: Document, group: Group, holdings: list[Holding], time: float, frames: Frames
    ) -> Iterator[tuple[Actor, _Compiled]]:
        """The actors of a group; those of which something is held get their poses together."""
        swung = {
            actor.id: self.secondaries.pose(document, group, actor, time)
            for actor in group
            if self.secondaries.counts(actor, time)
        }
        if not holdings:
            for actor in group:
                yield actor, self._solve(actor, time, frames, swung.get(actor.id))
            return
        members = {actor.id: self._member(actor, time, frames) for actor in group}
        poses = self._locks.poses(members, holdings, frames, document.lock_solver, document.lock_iterations)
        if swung:
            members = {
                id: self._member(each.actor, time, frames, {**poses, **swung}[id]) for id, each in members.items()
            }
            poses = self._locks.poses(members, holdings, frames, document.lock_solver, document.lock_iterations)
        for actor in group:
            compiled, base = self._compile(actor), members[actor.id].base
            compiled.motion[0, 0] = poses[actor.id]
            compiled.state[:9], compiled.state[9:ROW] = base[:, :3].ravel(), base[:, 3]
            _pose(compiled)
            yield actor, compiled

    def _as_told(self, group: Group, rows: Rows) -> Iterator[tuple[Actor, _Compiled]]:
        for actor in group:
            compiled, row = self._compile(actor), rows[actor.id]
            compiled.state[:ROW], compiled.motion[0, 0] = row[:ROW], row[ROW:]
            _pose(compiled)
            yield actor, compiled

    def _member(self, actor: Actor, time: float, frames: Frames, q: Array | None = None) -> Member:
        compiled = self._solve(actor, time, frames, q)
        base = np.hstack((compiled.state[:9].reshape(3, 3), compiled.state[9:ROW, None]))
        hanging = [each.joint for each in actor.attachments if weight(each.span, time) > 0.0]
        fixed = frozenset(id for joint in hanging for id in actor.figure.above(joint))
        return Member(actor, compiled.motion[0, 0].copy(), base, fixed)

    def _bodies(self, actor: Actor, compiled: _Compiled) -> Bodies:
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
            pose=compiled.motion[0, 0].copy() if compiled.keyed is None else compiled.keyed,
        )

    def _skins(self, actor: Actor, compiled: _Compiled) -> Iterator[SkinSurface]:
        if compiled.skins is None:
            compiled.skins = tuple(compile_skin(skin, actor.figure) for skin in actor.figure.skins)
        for each in compiled.skins:
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

    def _compile(self, actor: Actor) -> _Compiled:
        figure = actor.figure
        compiled = self._compiled.get(figure.digest)
        if compiled is None:
            model = compile_model(figure)
            compiled = _Compiled(model, model.new_state(), np.zeros((1, 3, len(model.rest))))
            while len(self._compiled) >= _MODELS_KEPT:
                self._compiled.pop(next(iter(self._compiled)))
            self._compiled[figure.digest] = compiled
        return compiled

    def _solve(self, actor: Actor, time: float, frames: Frames, q: Array | None = None) -> _Compiled:
        """The layered pose, or another, where the actor stands or hangs."""
        compiled = self._compile(actor)
        if q is None:
            self._times[0] = time
            self.motion(actor, time).evaluate(self._times, compiled.motion)
        else:
            compiled.motion[0, 0] = q
        place(compiled.state, actor.placement.position, actor.placement.rotation)
        _pose(compiled)
        if actor.attachments:
            own, base = compiled, placement_transform(actor)
            held = held_base(actor, base, lambda joint: _joint_frame(own, joint), frames, time)
            if held is not base:
                compiled.state[:9], compiled.state[9:ROW] = held[:, :3].ravel(), held[:, 3]
                _pose(compiled)
        return compiled


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


def _pose(compiled: _Compiled) -> None:
    model = compiled.model
    compute_forward_kinematics(model.ints, model.floats, compiled.motion[0, 0], compiled.state)


def _centre_of_mass(compiled: _Compiled) -> Array:
    """[m] in the world, shape [3]."""
    model = compiled.model
    if compiled.masses is None:
        compiled.masses = masses_of(model.figure)[:, :4]
    rows = model.transforms(compiled.state)
    found = centre_of_mass(compiled.masses, rows[:, :9].reshape(-1, 3, 3), rows[:, 9:])
    return np.zeros(3) if found is None else found


def _joint_frame(compiled: _Compiled, joint: str) -> Array:
    """World transform of one joint, shape [3, 4]; a fresh array."""
    row = compiled.model.transforms(compiled.state)[compiled.model.figure.joint_index[joint]]
    return np.hstack((row[:9].reshape(3, 3), row[9:, None]))

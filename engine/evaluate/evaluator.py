"""Evaluator: documents to snapshots through the kernels. One per thread; it keeps models and states between calls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.document import Actor, Document
from engine.evaluate.holds import Frames, held_base, placement_transform, targets
from engine.evaluate.rest import bodies_of
from engine.model.compile import ROW, Array, Model, compile_model, place
from engine.model.kinematics import compute_forward_kinematics, write_transforms
from engine.model.skins import SkinModel, compile_skin
from engine.model.snapshot import Bodies, SkinSurface, Snapshot
from engine.motion.motion import Motion, compile_motion
from engine.runtime.errors import Diverged

_MODELS_KEPT = 64
_MOTIONS_KEPT = 256


@dataclass
class _Compiled:
    model: Model
    state: Array
    motion: Array  # q, rates and accelerations, shape [1, 3, coordinate_count]
    skins: tuple[SkinModel, ...] | None = None  # compiled when they are first shown


class Evaluator:
    """What is on screen at time t."""

    def __init__(self) -> None:
        self._compiled: dict[str, _Compiled] = {}
        self._motions: dict[str, Motion] = {}
        self._times = np.zeros(1)

    def snapshot(self, document: Document, time: int = 0, *, skins: bool = True) -> Snapshot:
        """The picture of the document at a time [ticks]; `Diverged` rather than a number that is not finite.

        Without `skins` the surfaces that bend are left out, for a window that shows none, but for those of figures
        that have no other form.
        """
        items: dict[str, Bodies] = {}
        surfaces: dict[str, tuple[SkinSurface, ...]] = {}
        for actor, compiled in self._solved(document, time):
            items[actor.id] = self._bodies(actor, compiled)
            bare = len(items[actor.id].mesh.triangles) == 0
            surfaces[actor.id] = tuple(self._skins(actor, compiled)) if skins or bare else ()
        ids = [actor.id for actor in document.actors]
        bent = tuple(surface for id in ids for surface in surfaces[id])
        return Snapshot(document=document, time=time, items=tuple(items[id] for id in ids), skins=bent)

    def motion(self, actor: Actor) -> Motion:
        """An actor's compiled motion; what has not changed since the last call is kept."""
        old, figure = self._motions.get(actor.id), actor.figure
        if old is not None and old.source is actor.layers and old.figure is figure:
            return old
        motion = compile_motion(figure, actor.layers, old)
        while len(self._motions) >= _MOTIONS_KEPT:
            self._motions.pop(next(iter(self._motions)))
        self._motions[actor.id] = motion
        return motion

    def joint_transforms(self, document: Document, actor: str, time: int = 0) -> Array:
        """World transform of every joint at a time [ticks], rotation then position, shape [joint_count, 3, 4].

        A fresh array.
        """
        needed = document.with_all_that_hold(actor)
        compiled = next(compiled for each, compiled in self._solved(needed, time) if each.id == actor)
        rows = compiled.model.transforms(compiled.state)
        return np.concatenate((rows[:, :9].reshape(-1, 3, 3), rows[:, 9:, None]), axis=2)

    def _solved(self, document: Document, time: int) -> Iterator[tuple[Actor, _Compiled]]:
        """Every actor, and its state until the next one is asked for, since actors of one figure share it."""
        wanted = targets(document)
        frames: dict[tuple[str, str], Array] = {}
        for actor in document.in_order:
            compiled = self._solve(actor, time, frames)
            for joint in wanted.get(actor.id, ()):
                frames[actor.id, joint] = _joint_frame(compiled, joint)
            yield actor, compiled

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

    def _solve(self, actor: Actor, time: int, frames: Frames) -> _Compiled:
        figure = actor.figure
        compiled = self._compiled.get(figure.digest)
        if compiled is None:
            model = compile_model(figure)
            compiled = _Compiled(model, model.new_state(), np.zeros((1, 3, len(model.rest))))
            while len(self._compiled) >= _MODELS_KEPT:
                self._compiled.pop(next(iter(self._compiled)))
            self._compiled[figure.digest] = compiled
        self._times[0] = time
        self.motion(actor).evaluate(self._times, compiled.motion)
        place(compiled.state, actor.placement.position, actor.placement.rotation)
        _pose(compiled)
        if actor.attachments:
            own, base = compiled, placement_transform(actor)
            held = held_base(actor, base, lambda joint: _joint_frame(own, joint), frames, time)
            if held is not base:
                compiled.state[:9], compiled.state[9:ROW] = held[:, :3].ravel(), held[:, 3]
                _pose(compiled)
        return compiled


def _pose(compiled: _Compiled) -> None:
    model = compiled.model
    compute_forward_kinematics(model.ints, model.floats, compiled.motion[0, 0], compiled.state)


def _joint_frame(compiled: _Compiled, joint: str) -> Array:
    """World transform of one joint, shape [3, 4]; a fresh array."""
    row = compiled.model.transforms(compiled.state)[compiled.model.figure.joint_index[joint]]
    return np.hstack((row[:9].reshape(3, 3), row[9:, None]))

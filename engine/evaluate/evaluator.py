"""Evaluator: documents to snapshots through the kernels. One per thread; it keeps models and states between calls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.document import Actor, Document, Figure
from engine.evaluate.rest import body_parts, mesh_of, placement_transform
from engine.model.compile import Array, Model, compile_model, place
from engine.model.kinematics import compute_forward_kinematics, write_transforms
from engine.model.skins import SkinModel, compile_skin
from engine.model.snapshot import Bodies, SkinSurface, Snapshot
from engine.motion.motion import Motion, compile_motion
from engine.runtime.errors import Diverged, InvalidDocument

_MODELS_KEPT = 64
_MOTIONS_KEPT = 256


@dataclass
class _Compiled:
    model: Model
    state: Array
    skins: tuple[SkinModel, ...]
    motion: Array  # q, rates and accelerations, shape [1, 3, coordinate_count]


class Evaluator:
    """What is on screen at time t."""

    def __init__(self) -> None:
        self._compiled: dict[str, _Compiled] = {}
        self._motions: dict[str, Motion] = {}
        self._times = np.zeros(1)

    def snapshot(self, document: Document, time: int = 0) -> Snapshot:
        """The picture of the document at a time [ticks]; `Diverged` rather than a number that is not finite."""
        items: list[Bodies] = []
        skins: list[SkinSurface] = []
        for actor in document.actors:
            items.append(self._bodies(actor, time))
            skins += self._skins(actor)
        return Snapshot(document=document, time=time, items=tuple(items), skins=tuple(skins))

    def motion(self, actor: Actor) -> Motion:
        """The compiled motion of a figure; what has not changed since the last call is kept."""
        old, figure = self._motions.get(actor.id), actor.figure
        if figure is None:
            raise InvalidDocument(what=f"the actor {actor.name}", value="a prop", allowed="a figure")
        if old is not None and old.source is actor.layers and old.figure is figure:
            return old
        motion = compile_motion(figure, actor.layers, old)
        while len(self._motions) >= _MOTIONS_KEPT:
            self._motions.pop(next(iter(self._motions)))
        self._motions[actor.id] = motion
        return motion

    def joint_transforms(self, actor: Actor, time: int = 0) -> Array:
        """World transform of every joint at a time [ticks], rotation then position, shape [joint_count, 3, 4].

        A fresh array.
        """
        figure = actor.figure
        if figure is None:
            return placement_transform(actor)[None]
        compiled = self._solve(actor, figure, time)
        rows = compiled.model.transforms(compiled.state)
        return np.concatenate((rows[:, :9].reshape(-1, 3, 3), rows[:, 9:, None]), axis=2)

    def _bodies(self, actor: Actor, time: int) -> Bodies:
        return Bodies(
            owner=actor.id,
            role="result",
            mesh=mesh_of(actor.content),
            parts=body_parts(actor),
            transforms=self._transforms(actor, time),
            visible=actor.visible,
        )

    def _skins(self, actor: Actor) -> Iterator[SkinSurface]:
        """The skins of the actor whose bodies were solved last, since actors of one figure share its state."""
        figure = actor.figure
        if figure is None or not figure.skins:
            return
        compiled = self._compiled[figure.digest]
        for each in compiled.skins:
            positions, normals = each.surface(compiled.state)
            yield SkinSurface(
                owner=actor.id,
                role="result",
                skin=each.skin.id,
                topology=each.skin.triangles.digest,
                triangles=each.skin.triangles.array,
                positions=positions,
                normals=normals,
                visible=actor.visible,
            )

    def _transforms(self, actor: Actor, time: int) -> NDArray[np.float32]:
        figure = actor.figure
        if figure is None:
            return placement_transform(actor)[None].astype(np.float32)
        compiled = self._solve(actor, figure, time)
        transforms = np.empty((compiled.model.joint_count, 3, 4), dtype=np.float32)
        if not write_transforms(compiled.state, transforms):
            raise Diverged(what=f"the pose of {actor.name}", value="a number that is not finite")
        return transforms

    def _solve(self, actor: Actor, figure: Figure, time: int) -> _Compiled:
        compiled = self._compiled.get(figure.digest)
        if compiled is None:
            model = compile_model(figure)
            skins = tuple(compile_skin(skin, figure) for skin in figure.skins)
            compiled = _Compiled(model, model.new_state(), skins, np.zeros((1, 3, len(model.rest))))
            while len(self._compiled) >= _MODELS_KEPT:
                self._compiled.pop(next(iter(self._compiled)))
            self._compiled[figure.digest] = compiled
        self._times[0] = time
        self.motion(actor).evaluate(self._times, compiled.motion)
        place(compiled.state, actor.placement.position, actor.placement.rotation)
        compute_forward_kinematics(compiled.model.ints, compiled.model.floats, compiled.motion[0, 0], compiled.state)
        return compiled

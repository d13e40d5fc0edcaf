"""Evaluator: documents to snapshots through the kernels. One per thread; it keeps models and states between calls."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.document import Actor, Document, Figure
from engine.evaluate.rest import body_parts, mesh_of, placement_transform
from engine.model.compile import Array, Model, compile_model, place
from engine.model.kinematics import compute_forward_kinematics, write_transforms
from engine.model.snapshot import Bodies, Snapshot
from engine.runtime.errors import Diverged

_MODELS_KEPT = 64


@dataclass
class _Compiled:
    model: Model
    state: Array
    q: Array


class Evaluator:
    """What is on screen at time t."""

    def __init__(self) -> None:
        self._compiled: dict[str, _Compiled] = {}

    def snapshot(self, document: Document, time: int = 0) -> Snapshot:
        """The picture of the document at a time [ticks]; `Diverged` rather than a number that is not finite."""
        items = tuple(self._bodies(actor) for actor in document.actors)
        return Snapshot(document=document, time=time, items=items)

    def joint_transforms(self, actor: Actor) -> Array:
        """World transform of every joint, rotation then position, shape [joint_count, 3, 4]. A fresh array."""
        figure = actor.figure
        if figure is None:
            return placement_transform(actor)[None]
        compiled = self._solve(actor, figure)
        rows = compiled.model.transforms(compiled.state)
        return np.concatenate((rows[:, :9].reshape(-1, 3, 3), rows[:, 9:, None]), axis=2)

    def _bodies(self, actor: Actor) -> Bodies:
        return Bodies(
            owner=actor.id,
            role="result",
            mesh=mesh_of(actor.content),
            parts=body_parts(actor),
            transforms=self._transforms(actor),
            visible=actor.visible,
        )

    def _transforms(self, actor: Actor) -> NDArray[np.float32]:
        figure = actor.figure
        if figure is None:
            return placement_transform(actor)[None].astype(np.float32)
        compiled = self._solve(actor, figure)
        transforms = np.empty((compiled.model.joint_count, 3, 4), dtype=np.float32)
        if not write_transforms(compiled.state, transforms):
            raise Diverged(what=f"the pose of {actor.name}", value="a number that is not finite")
        return transforms

    def _solve(self, actor: Actor, figure: Figure) -> _Compiled:
        compiled = self._compiled.get(figure.digest)
        if compiled is None:
            model = compile_model(figure)
            compiled = _Compiled(model, model.new_state(), model.rest.copy())
            while len(self._compiled) >= _MODELS_KEPT:
                self._compiled.pop(next(iter(self._compiled)))
            self._compiled[figure.digest] = compiled
        fill_pose(actor, compiled.model, compiled.q)
        place(compiled.state, actor.placement.position, actor.placement.rotation)
        compute_forward_kinematics(compiled.model.ints, compiled.model.floats, compiled.q, compiled.state)
        return compiled


def fill_pose(actor: Actor, model: Model, out_q: Array) -> None:
    """The layered pose: rest, then each layer's values in listed order."""
    out_q[:] = model.rest
    place_of = model.figure.coordinate_index
    for layer in actor.layers:
        for name, value in layer.values:
            out_q[place_of[name]] = value

"""Figures compiled for an evaluator, each with room for one pose of it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.document import Actor
from engine.evaluate.balance import centre_of_mass
from engine.maths.arrays import Array
from engine.model.compile import ROW, Model, compile_model
from engine.model.inertia import masses_of
from engine.model.kinematics import compute_forward_kinematics
from engine.model.skins import SkinModel, compile_skin
from engine.runtime.bounded import Bounded
from engine.runtime.quick_dataclass import dataclass

_MODELS_KEPT = 64


@dataclass(eq=False)
class Compiled:
    """A figure, and how an actor of it stands that was posed last: actors of one figure share it."""

    model: Model
    state: Array
    q: Array
    skins: tuple[SkinModel, ...] | None = None  # compiled when they are first shown
    masses: Array | None = None  # likewise, when a centre of mass is first held

    def stand(self, base: Array, q: Array) -> None:
        """Stand at a base, shape [3, 4], in a pose."""
        self.q[:] = q
        self.state[:9].reshape(3, 3)[:], self.state[9:ROW] = base[:, :3], base[:, 3]
        compute_forward_kinematics(self.model.ints, self.model.floats, self.q, self.state)

    def frame(self, joint: str) -> Array:
        """World transform of one joint, shape [3, 4]; a fresh array."""
        return self.frame_at(self.model.figure.joint_index[joint])

    def frame_at(self, joint: int) -> Array:
        """Return the world transform of a joint, given by its index, shape [3, 4]."""
        row = self.model.transforms(self.state)[joint]
        found = np.empty((3, 4))
        found[:, :3], found[:, 3] = row[:9].reshape(3, 3), row[9:]
        return found

    def centre_of_mass(self) -> Array:
        """[m] in the world, shape [3]."""
        if self.masses is None:
            self.masses = masses_of(self.model.figure)
        rows = self.model.transforms(self.state)
        found = centre_of_mass(self.masses, rows[:, :9].reshape(-1, 3, 3), rows[:, 9:])
        return np.zeros(3) if found is None else found

    def skins_of(self, actor: Actor) -> tuple[SkinModel, ...]:
        """The skins of its figure."""
        if self.skins is None:
            self.skins = tuple(compile_skin(skin, actor.figure) for skin in actor.figure.skins)
        return self.skins


class CompiledFigures:
    """Kept from call to call, by digest."""

    def __init__(self) -> None:
        self._kept: Bounded[str, Compiled] = Bounded(_MODELS_KEPT)

    def __call__(self, actor: Actor) -> Compiled:
        """The actor's figure."""
        figure = actor.figure
        found = self._kept.get(figure.digest)
        if found is None:
            model = compile_model(figure)
            found = Compiled(model, model.new_state(), np.zeros(len(model.rest)))
            self._kept.keep(figure.digest, found)
        return found


Compile = Callable[[Actor], Compiled]

"""bend_trail: tangents of a trail. The slopes of curves at a key are changed so that a point passes with a velocity.

    v = J qd + w,    qd_i = r_i + g_i s_i

v: velocity of the point just before or just after the key [m/s]; J: its Jacobian there; w: what its actor hangs on;
s_i: slope on that side of the i-th curve that has a key there; g_i: how much of a slope comes through the layers (0
where a curve is no cubic, or the coordinate is a ball's), found by raising all slopes by 1. Slopes change by
ds = A^+ (v' - v) with A = [J_i g_i]: the least change of least squares. Directions in which slopes move the point less
than a hundredth as much as where they move it most are left alone, so that a straight limb gets no steep curve.

Locks are left out: they have the last word over where the point goes, and slopes serve what is below them.

Runs on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from engine.command import AtOnce
from engine.document import Actor, Document, Key, Layer, Track
from engine.document.values import Vector3, vector3
from engine.edits import Edit, edit
from engine.edits.poses import pose_layer
from engine.ik.goals import Spot
from engine.locks.standing import standing_of
from engine.queries.tangents import unlocked, velocities
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.maths.arrays import Array

Side = Literal["both", "in", "out"]
_LEAST = 0.01  # of the largest singular value


@dataclass(frozen=True, kw_only=True)
class BendTrail(AtOnce):
    """The command to let a point arrive at a key, leave it, or both, with a velocity."""

    uses = ("motion",)

    actor: str
    joint: str
    point: Vector3  # [m] in the joint's frame
    time: int  # of the key [ticks]
    velocity: Vector3  # [m/s] in the world
    side: Side = "both"

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return f"Bend trail of {document.actor(self.actor).figure.joint(self.joint).name}"

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """The edit that does it."""
        import numpy as np

        wanted = np.array(vector3("the velocity of a trail", self.velocity))
        spot = Spot(actor=self.actor, joint=self.joint, point=self.point)
        free = unlocked(document)
        actor = free.actor(self.actor)
        layer = pose_layer(actor, self.time)
        keys = _free_keys(layer, self.time)
        if not keys:
            times = sorted({key.time for track in layer.heard.values() for key in track.keys})
            allowed = ", ".join(map(str, times)) or "none: the layer has no keys"
            raise InvalidArguments(what=f"the tick of a key of {actor.name}", value=self.time, allowed=allowed)
        names = list(keys)
        columns = [actor.figure.coordinate_index[name] for name in names]
        jacobian = _jacobian(evaluator, free, spot, self.time)[:, columns]
        missing = wanted - velocities(evaluator, free, spot, self.time)
        gains = _gains(actor, layer, keys, self.time)[:, columns]
        added, sides = np.zeros((2, len(names))), {"both": (0, 1), "in": (0,), "out": (1,)}[self.side]
        if not any((jacobian * gains[side]).any() for side in sides):
            allowed = "a cubic curve of a joint that moves it, with a key there"
            raise InvalidArguments(what=f"what bends the trail of {self.joint}", value=None, allowed=allowed)
        for side in sides:
            added[side] = np.linalg.lstsq(jacobian * gains[side], missing[side], rcond=_LEAST)[0]
        changed = tuple((name, _steeper(keys[name], *slopes)) for name, slopes in zip(names, added.T, strict=True))
        return edit(
            "set_keys",
            actor=self.actor,
            layer=layer.id,
            keys=tuple(each for each, slopes in zip(changed, added.T, strict=True) if slopes.any()),
        )


def _free_keys(layer: Layer, time: int) -> dict[str, Key]:
    """The keys at a time by coordinate, free, with the slopes that they have."""
    from engine.motion.tangents import slopes

    found: dict[str, Key] = {}
    for track in layer.heard.values():
        for place, key in enumerate(track.keys):
            if key.time == time:
                arriving, leaving = slopes(track)
                found[track.coordinate] = replace(
                    key, tangent="free", slope_in=float(arriving[place]), slope_out=float(leaving[place])
                )
    return found


def _steeper(key: Key, before: float, after: float) -> Key:
    return replace(key, slope_in=key.slope_in + float(before), slope_out=key.slope_out + float(after))


def _gains(actor: Actor, layer: Layer, keys: dict[str, Key], time: int) -> Array:
    """Differentiate the rate of each coordinate by the slopes at the key, all raised by the same, just before the key
    and just after it, shape [2, coordinate_count]."""
    import numpy as np

    from engine.motion.motion import compile_motion

    def rates(change: float) -> Array:
        changed = {name: _steeper(key, change, change) for name, key in keys.items()}
        layers = tuple(_with_keys(each, changed) if each is layer else each for each in actor.layers)
        at_sides: Array = compile_motion(actor.figure, layers).at(np.array([time - 1.0, time + 1.0]))[:, 1]
        return at_sides

    gains = rates(1.0) - rates(0.0)
    for dof in actor.figure.dofs:
        if dof.kind == "ball":
            gains[:, [actor.figure.coordinate_index[name] for name in dof.coordinates]] = 0.0
    gains[abs(gains) < 1e-6] = 0.0
    return gains


def _with_keys(layer: Layer, changed: dict[str, Key]) -> Layer:
    def with_key(track: Track) -> Track:
        new = changed.get(track.coordinate)
        if new is None:
            return track
        return replace(track, keys=tuple(new if key.time == new.time else key for key in track.keys))

    return replace(layer, tracks=tuple(map(with_key, layer.tracks)))


def _jacobian(evaluator: Evaluation, document: Document, spot: Spot, time: int) -> Array:
    """Compute the Jacobian of the point's place by coordinate [m or m/rad], shape [3, coordinate_count]; 0 for those of
    balls."""
    import numpy as np

    from engine.model.compile import ROW, compile_model
    from engine.model.driven_kernels import fold_rates, slopes_of
    from engine.model.jacobian import compute_jacobian, locate_handle
    from engine.model.kinematics import compute_forward_kinematics

    posed, figure = standing_of(evaluator, document, spot.actor, time), document.actor(spot.actor).figure
    model, base = compile_model(figure), posed.members[spot.actor].base
    state, place, by_rate = model.new_state(), np.zeros(3), np.zeros((6, model.rate_count))
    state[:9], state[9:ROW] = base[:, :3].ravel(), base[:, 3]
    compute_forward_kinematics(model.ints, model.floats, posed.poses[spot.actor], state)
    joint = figure.joint_index[spot.joint]
    locate_handle(state, joint, np.array(spot.point), 0, place)
    compute_jacobian(model.ints, state, joint, place, by_rate)
    if model.driven is not None:
        fold_rates(model.driven.ints, slopes_of(model.driven, posed.poses[spot.actor]), by_rate)
    found, rate = np.zeros((3, len(figure.coordinates))), 0
    for dof in figure.dofs:
        if dof.kind != "ball":
            found[:, figure.coordinate_index[dof.coordinates[0]]] = by_rate[:3, rate]
        rate += 3 if dof.kind == "ball" else 1
    return found

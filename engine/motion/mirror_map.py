"""The mirror of a figure: how the coordinates of each joint follow from its partner's across the plane x = 0.

Let A_j be the world rotation of joint j with every coordinate at zero, o its offset turned into the world, p its
partner (itself where `Joint.mirror` is None), and W_j the reflection of the world that takes the one's frame to the
other's: S = diag(-1, 1, 1) where the pose at zero is symmetric (`engine.motion.mirror_frames`). In the frames
themselves it is M = A_p' W_j A_j, with ' the transpose. The mirrored pose gives p the rotation and translation (by its
own degrees of freedom, in its rest frame; W_above is the parent's W, S for a root)

    Q_p = C M Q_j M',    d_p = C M d_j + A_p' (W_above o_j - o_p),    C = A_p' W_above W_j' A_p.

A turn by a about n becomes one by -a about M n. So where C = 1 and p's axes are those or their opposites, in the same
order, each coordinate is the partner's times a sign (plus a constant for slides whose offsets are not mirror images),
which is exact, and right for curves too. Otherwise Q_p is solved for p's angles (`engine.maths.hinge_angles`).
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from engine.document import Dof, Figure, Joint
from engine.maths.arrays import Array
from engine.maths.hinge_angles import polish, solve_hinges
from engine.maths.rotation_arrays import rotation_matrix, turn, upright_quaternions
from engine.model.compile import rest_value
from engine.motion.mirror_frames import FLIP, find_reflections, zero_rotations
from engine.runtime.quick_dataclass import dataclass

_ALIKE = 1e-9  # between unit axes
_NOTHING = 1e-12  # [m]


@dataclass(frozen=True)
class Copied:
    """A coordinate that is its partner's times a sign, plus a constant."""

    source: str
    sign: float
    shift: float = 0.0


@dataclass(frozen=True, eq=False)
class Solved:
    """A joint whose coordinates are solved from all of its partner's."""

    source: Joint
    target: Joint
    reflection: Array  # M, shape [3, 3]
    constant: Array  # C, shape [3, 3]
    residue: Array  # A_p' (W_above o_j - o_p) [m], shape [3]

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """The partner's coordinates."""
        return tuple(name for dof in self.source.dofs for name in dof.coordinates)

    @cached_property
    def outputs(self) -> tuple[str, ...]:
        """The joint's coordinates."""
        return tuple(name for dof in self.target.dofs for name in dof.coordinates)

    @cached_property
    def rest(self) -> tuple[float, ...]:
        """The partner's coordinates at rest."""
        return tuple(rest_value(name, dof) for dof in self.source.dofs for name in dof.coordinates)

    @property
    def exact(self) -> bool:
        """True if every rotation of the partner can be met: by a ball, or three hinges with a square middle axis."""
        if any(dof.kind == "ball" for dof in self.target.dofs):
            return True
        axes = [np.array(dof.axis) for dof in self.target.dofs if dof.kind == "hinge"]
        return len(axes) == 3 and max(abs(axes[0] @ axes[1]), abs(axes[1] @ axes[2])) < _ALIKE

    def apply(self, values: Array, near: Array | None = None) -> Array:
        """Coordinates [frame_count, outputs] of the mirrored poses; `near`: the solution to stay beside."""
        rotations, moves = joint_motion(self.source, values)
        wanted = self.constant @ self.reflection @ rotations @ self.reflection.T
        offset = moves @ (self.constant @ self.reflection).T + self.residue
        return joint_coordinates(self.target, wanted, offset, near)


@dataclass(frozen=True, eq=False)
class Mirror:
    """The map of a figure: for each coordinate of the mirrored pose where it comes from."""

    figure: Figure
    copied: dict[str, Copied]
    solved: tuple[Solved, ...]
    reflections: dict[str, Array]  # M of each joint, shape [3, 3]

    @cached_property
    def solved_of(self) -> dict[str, Solved]:
        """The solved joint that reads a coordinate."""
        return {name: each for each in self.solved for name in each.inputs}

    @cached_property
    def target_of(self) -> dict[str, str]:
        """The target of each copied coordinate."""
        return {each.source: name for name, each in self.copied.items()}

    def names(self, coordinates: tuple[str, ...]) -> tuple[str, ...]:
        """The coordinates that mirrored ones speak of; as given where they are the same ones, else in figure order."""
        found: set[str] = set()
        for name in coordinates:
            found.update(self.solved_of[name].outputs if name in self.solved_of else (self.target_of[name],))
        if found == set(coordinates):
            return coordinates
        return tuple(name for name in self.figure.coordinates if name in found)

    @property
    def inexact(self) -> tuple[str, ...]:
        """Joints that may not be able to take their partner's rotation and then come as near to it as they can."""
        return tuple(each.target.id for each in self.solved if not each.exact)


def compile_mirror(figure: Figure) -> Mirror:
    """The mirror of a valid figure."""
    rotations = zero_rotations(figure)
    reflections = find_reflections(figure, rotations)
    copied: dict[str, Copied] = {}
    solved, seen = [], dict[str, Array]()
    for joint in figure.joints:
        target = figure.joint(joint.mirror) if joint.mirror is not None else joint
        own, turned = reflections[joint.id], rotations[target.id]
        above = FLIP if joint.parent is None else reflections[joint.parent]
        here, there = (_above(rotations, each) @ each.offset for each in (joint, target))
        reflection, constant = turned.T @ own @ rotations[joint.id], turned.T @ above @ own.T @ turned
        seen[joint.id] = reflection
        residue = turned.T @ (above @ here - there)
        residue[np.abs(residue) < _NOTHING] = 0.0
        pairs = _signs(joint, target, reflection) if np.array_equal(above, own) else None
        if pairs is None:
            solved.append(Solved(joint, target, reflection, constant, residue))
        else:
            shifts = _shifts(target, residue)
            for source, name, sign in pairs:
                copied[name] = Copied(source, sign, shifts.get(name, 0.0))
    return Mirror(figure, copied, tuple(solved), seen)


def _above(rotations: dict[str, Array], joint: Joint) -> Array:
    return np.eye(3) if joint.parent is None else rotations[joint.parent]


def _signs(source: Joint, target: Joint, reflection: Array) -> list[tuple[str, str, float]] | None:
    """Coordinates of the two joints with their signs; None where they do not answer one to one."""
    if [dof.kind for dof in source.dofs] != [dof.kind for dof in target.dofs]:
        return None
    pairs = []
    for old, new in zip(source.dofs, target.dofs, strict=True):
        if old.kind == "ball":
            if np.abs(reflection - FLIP).max() > _ALIKE:
                return None
            pairs += list(zip(old.coordinates, new.coordinates, (1.0, 1.0, -1.0, -1.0), strict=True))
            continue
        image, axis = reflection @ old.axis, np.array(new.axis)
        if min(np.abs(axis - image).max(), np.abs(axis + image).max()) > _ALIKE:
            return None
        sign = 1.0 if axis @ image > 0.0 else -1.0
        pairs.append((old.id, new.id, -sign if old.kind == "hinge" else sign))
    return pairs


def _shifts(target: Joint, residue: Array) -> dict[str, float]:
    """Compute how far the slides before any turn move the joint to the mirror image of its partner's place."""
    slides: list[Dof] = []
    for dof in target.dofs:
        if dof.kind != "slide":
            break
        slides.append(dof)
    if not slides or not residue.any():
        return {}
    amounts = np.linalg.lstsq(np.array([dof.axis for dof in slides]).T, residue, rcond=None)[0]
    return {dof.id: float(amount) for dof, amount in zip(slides, amounts, strict=True)}


def joint_motion(joint: Joint, values: Array) -> tuple[Array, Array]:
    """Rotation and translation of a joint's degrees of freedom in its rest frame."""
    rotation: Array = np.broadcast_to(np.eye(3), (len(values), 3, 3))
    moves, column = np.zeros((len(values), 3)), 0
    for dof in joint.dofs:
        if dof.kind == "slide":
            moves = moves + values[:, column, None] * (rotation @ dof.axis)
        elif dof.kind == "hinge":
            rotation = rotation @ turn(np.array(dof.axis), values[:, column])
        else:
            w, x, y, z = values[:, column : column + 4].T / np.linalg.norm(values[:, column : column + 4], axis=1)
            rotation = rotation @ np.moveaxis(rotation_matrix((w, x, y, z)), 2, 0)
        column += len(dof.coordinates)
    return rotation, moves


def joint_coordinates(joint: Joint, rotations: Array, moves: Array, near: Array | None) -> Array:
    """Coordinates that give a joint these rotations and translations, or come nearest to them."""
    place = {name: column for column, name in enumerate(name for dof in joint.dofs for name in dof.coordinates)}
    values = np.zeros((len(rotations), len(place)))
    hinges = [dof for dof in joint.dofs if dof.kind == "hinge"]
    columns = [place[dof.id] for dof in hinges]
    left = rotations
    ball = next((dof for dof in joint.dofs if dof.kind == "ball"), None)
    if ball is not None:
        # Hinges beside a ball stay at zero: the ball alone takes any rotation.
        values[:, [place[name] for name in ball.coordinates]] = upright_quaternions(left)
    elif hinges:
        axes = np.array([dof.axis for dof in hinges])
        values[:, columns] = solve_hinges(axes, left) if near is None else polish(axes, left, near[:, columns])
    slides = [dof for dof in joint.dofs if dof.kind == "slide"]
    if slides:
        directions, rotation = [], np.broadcast_to(np.eye(3), rotations.shape)
        for dof in joint.dofs:
            if dof.kind == "slide":
                directions.append(rotation @ dof.axis)
            else:
                turned = turn(np.array(dof.axis), values[:, place[dof.id]]) if dof.kind == "hinge" else rotations
                rotation = rotation @ turned
        amounts = np.einsum("fij,fj->fi", np.linalg.pinv(np.stack(directions, axis=2)), moves)
        values[:, [place[dof.id] for dof in slides]] = amounts
    return values

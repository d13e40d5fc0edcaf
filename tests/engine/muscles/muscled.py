"""Figures with muscles for tests: random trees, paths and wraps."""

from __future__ import annotations

import numpy as np

from engine.document import Dof, Figure, Joint
from engine.model.compile import Model, compile_model
from engine.model.kinematics import compute_forward_kinematics
from engine.muscles.compile import MusclePaths, compile_paths
from engine.muscles.parts import Muscle, Muscles, MuscleWrap, PathPoint, PathWrap
from engine.muscles.paths import measure_paths

Random = np.random.Generator


def tree(random: Random, joint_count: int = 7) -> Figure:
    """A figure that branches, with hinges and slides about and along any axes."""
    joints = []
    for each in range(joint_count):
        dofs = tuple(
            Dof(
                id=f"{each}.{number}",
                name="Turn",
                kind="slide" if number == 2 else "hinge",
                axis=tuple(random.normal(size=3)),
            )
            for number in range(3)
        )
        parent = None if each == 0 else str(max(0, each - 1 - each % 2))
        joints.append(Joint(id=str(each), name="Joint", parent=parent, offset=vector(random, 0.1), dofs=dofs))
    return Figure(name="Tree", joints=tuple(joints))


def vector(random: Random, size: float) -> tuple[float, float, float]:
    """Three normal numbers."""
    x, y, z = random.normal(size=3) * size
    return float(x), float(y), float(z)


def turn(random: Random) -> tuple[float, float, float, float]:
    """A unit quaternion."""
    w, x, y, z = (numbers := random.normal(size=4)) / np.linalg.norm(numbers)
    return float(w), float(x), float(y), float(z)


def muscle(id: str, points: tuple[PathPoint, ...], wraps: tuple[str, ...] = ()) -> Muscle:
    """A muscle whose strength does not matter."""
    used = tuple(PathWrap(wrap=each) for each in wraps)
    return Muscle(id=id, name=id, points=points, wraps=used, force=100.0, fibre=0.1, tendon=0.1)


class Measured:
    """Lengths and their gradient for coordinates."""

    def __init__(self, figure: Figure, muscles: tuple[Muscle, ...], wraps: tuple[MuscleWrap, ...] = ()) -> None:
        self.model: Model = compile_model(figure)
        self.paths: MusclePaths = compile_paths(self.model, Muscles(muscles=muscles, wraps=wraps))
        self._state, self._work = self.model.new_state(), self.paths.new_work()

    def __call__(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Lengths [m], and the gradient as a matrix."""
        lengths, gradient = np.zeros(self.paths.count), np.zeros(self.paths.entry_count)
        compute_forward_kinematics(self.model.ints, self.model.floats, q, self._state)
        measure_paths(self.paths.ints, self.paths.floats, self._state, q, self._work, lengths, gradient)
        return lengths, self.paths.dense(gradient, self.model.rate_count)

    def differences(self, q: np.ndarray, step: float = 1e-6) -> np.ndarray:
        """The gradient by finite differences."""
        columns = []
        for each in range(q.size):
            moved = np.zeros_like(q)
            moved[each] = step
            columns.append((self(q + moved)[0] - self(q - moved)[0]) / (2.0 * step))
        return np.stack(columns, axis=1)

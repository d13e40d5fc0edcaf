"""Drivable: which degrees of freedom of a figure a muscle may drive, of a motion in a plane or in space.

Importing this module loads no kernel.
"""

from __future__ import annotations

from engine.document import Figure
from engine.document.values import Vector3
from engine.runtime.bounded import Bounded

_known: Bounded[tuple[str, Vector3 | None], tuple[str, ...]] = Bounded(32)


def drivable(figure: Figure, plane: Vector3 | None) -> tuple[str, ...]:
    """List the hinges of all joints but the root; in a plane those that turn in it. Kept by figure and plane."""
    return _known.find((figure.digest, plane), lambda: _found(figure, plane))


def _found(figure: Figure, plane: Vector3 | None) -> tuple[str, ...]:
    hinges = [
        dof.id for joint in figure.joints if joint.parent is not None for dof in joint.dofs if dof.kind == "hinge"
    ]
    if plane is None:
        return tuple(hinges)
    from engine.spacetime.planes import figure_plane  # brings numpy

    moved = {each.dof.id for each in figure_plane(figure, plane).freedoms}
    return tuple(each for each in hinges if each in moved)

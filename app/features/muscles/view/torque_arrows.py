"""Torque arrows: what the chosen muscle does about each joint that it crosses, as arcs with heads about the axes of its
hinges, and arrows along its slides. All are guides, which a view draws together.

An arc about a hinge has a radius of a share of the muscle's length and goes the way that the muscle turns the joint,
the farther the greater the torque τ, by 300° τ / (τ + 30 N m); an arrow along a slide is as long for its force.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject

from app.features.muscles.current_muscles import CurrentMuscles
from app.features.muscles.shown_torques import ShownTorques
from app.scene.camera import Array, vector
from app.scene.guides import Guide, GuideColour
from engine.muscles.queries.torques import MuscleTorque

if TYPE_CHECKING:
    from app.scene import Viewport
    from app.session import Session

OF = "torques of a muscle"  # whose guides they are
RADIUS = 0.25  # of the muscle's length
FARTHEST, HALF = math.radians(300.0), 30.0  # [rad]; [N m] that an arc goes half as far for
HALF_FORCE = 300.0  # [N] along a slide
LEAST = 0.05  # [N m] or [N] that is shown
COLOURS: tuple[GuideColour, ...] = ("x", "y", "z")  # of the axes of a joint, in their order
WIDTH = 2.5


class TorqueArrows(QObject):
    """The arrows of one session in one viewport."""

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._viewport = viewport
        self._current, self._torques = session.of(CurrentMuscles), session.of(ShownTorques)
        self._torques.changed.connect(self._show)
        self._current.changed.connect(self._show)

    def _show(self) -> None:
        self._viewport.set_guides(tuple(self._guides()), of=OF)

    def _guides(self) -> Iterator[Guide]:
        found, owner = self._torques.found, self._current.owner
        if found is None or owner is None or not self._torques.in_views or not owner.visible:
            return
        for each in found.torques:
            if abs(each.torque) >= LEAST:
                dofs = owner.figure.dof_joint[each.dof].dofs
                place = [dof.id for dof in dofs].index(each.dof)
                colour = COLOURS[place % 3] if len(dofs) > 1 else "accent"
                points = tuple(vector(row) for row in arrow_points(each, RADIUS * found.length))
                yield Guide(points=points, colour=colour, head=True, width=WIDTH)


def arrow_points(torque: MuscleTorque, radius: float) -> Array:
    """Return points of the arc or the arrow of a torque [m], shape [point_count, 3]."""
    axis, place = np.array(torque.axis), np.array(torque.place)
    if not torque.turns:
        way = 2.0 * radius * torque.torque / (abs(torque.torque) + HALF_FORCE)
        return np.stack((place, place + way * axis))
    sweep = FARTHEST * torque.torque / (abs(torque.torque) + HALF)
    first = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
    first /= np.linalg.norm(first)
    angles = np.linspace(0.0, sweep, max(int(abs(sweep) / math.radians(8.0)), 6))[:, None]
    points: Array = place + radius * (np.cos(angles) * first + np.sin(angles) * np.cross(axis, first))
    return points

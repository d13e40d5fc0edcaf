"""Inverse dynamics as symbolic expressions of CasADi's (SX), for any figure of hinges and slides.

Recursive Newton and Euler (Featherstone 2008, chapter 5) in the frames of the links. What is always zero is left out of
vectors and matrices (`sparsify`), so that no operation is spent on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from engine.document.values import Quaternion, Vector3
from engine.dynamics import layout as places
from engine.maths.arrays import Array
from engine.maths.quaternions import AXES, turned
from engine.spacetime.spatial.tree import BodyPoint, SpatialFigure


@dataclass(frozen=True)
class LinkFrame:
    """A degree of freedom, or a joint without one, and the body that it carries: a frame within another."""

    before: int  # the link that it hangs on, or -1
    offset: Array
    turn: Array  # of its frame within that before it, at rest
    kind: str  # hinge, slide or none
    axis: Array
    coordinate: int
    mass: float
    centre: Array
    inertia: Array


def _matrix(quaternion: Quaternion) -> Array:
    return np.round(np.array([turned(quaternion, axis) for axis in AXES]).T, 15)


def link_frames(figure: SpatialFigure) -> tuple[list[LinkFrame], list[int]]:
    """Frames in order, and the last one of each joint."""
    found: list[LinkFrame] = []
    last: dict[str, int] = {}
    for joint, body in zip(figure.hinged.joints, figure.mechanics.bodies(), strict=True):
        xx, yy, zz, xy, xz, yz = body[places.INERTIA : places.INERTIA + 6]
        inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        before = last[joint.parent] if joint.parent is not None else -1
        offset, turn = np.array(joint.offset), _matrix(joint.rest)
        count = max(1, len(joint.dofs))
        for at in range(count):
            dof = joint.dofs[at] if joint.dofs else None
            carries = at == count - 1
            found.append(
                LinkFrame(
                    before=before,
                    offset=offset if at == 0 else np.zeros(3),
                    turn=turn if at == 0 else np.eye(3),
                    kind="none" if dof is None else dof.kind,
                    axis=np.zeros(3) if dof is None else np.array(dof.axis),
                    coordinate=-1 if dof is None else figure.coordinate(dof.id),
                    mass=float(body[places.MASS]) if carries else 0.0,
                    centre=body[places.CENTRE : places.CENTRE + 3].copy(),
                    inertia=inertia,
                )
            )
            before = len(found) - 1
        last[joint.id] = before
    return found, [last[joint.id] for joint in figure.hinged.joints]


def _frame(link: LinkFrame, q: Any) -> tuple[Any, Any]:
    """Rotation and origin of a link's frame within that before it; constant zeros stay empty."""
    turn, offset = ca.SX(ca.sparsify(ca.DM(link.turn))), ca.SX(ca.sparsify(ca.DM(link.offset)))
    if link.kind == "slide":
        return turn, offset + ca.mtimes(turn, ca.sparsify(ca.DM(link.axis))) * q[link.coordinate]
    if link.kind == "none":
        return turn, offset
    x, y, z = link.axis
    skew = ca.sparsify(ca.DM([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]]))
    outer = ca.sparsify(ca.DM(np.outer(link.axis, link.axis)))
    c, s = ca.cos(q[link.coordinate]), ca.sin(q[link.coordinate])
    rest = ca.sparsify(ca.DM(np.eye(3) - np.outer(link.axis, link.axis)))
    return ca.mtimes(turn, outer + c * rest + s * skew), offset


def express_torques(
    figure: SpatialFigure,
    links: tuple[list[LinkFrame], list[int]],
    motion: tuple[Any, Any, Any],
    acting: list[tuple[BodyPoint, Any, Vector3]],
) -> list[Any]:
    """Recursive Newton and Euler: what each coordinate has to give."""
    q, v, a = motion
    frames = [_frame(link, q) for link in links[0]]
    spin, turning, moving, loads, moments = (list[Any]() for _ in range(5))
    still = ca.SX(3, 1)
    for link, (turn, offset) in zip(links[0], frames, strict=True):
        back, at = turn.T, link.before
        w, dw = (spin[at], turning[at]) if at >= 0 else (still, still)
        b = moving[at] if at >= 0 else ca.SX(ca.sparsify(ca.DM(-np.array(figure.gravity))))
        b = ca.mtimes(back, b + ca.cross(dw, offset) + ca.cross(w, ca.cross(w, offset)))
        w, dw, axis = ca.mtimes(back, w), ca.mtimes(back, dw), ca.sparsify(ca.DM(link.axis))
        if link.kind == "slide":
            b += axis * a[link.coordinate] + 2.0 * ca.cross(w, axis * v[link.coordinate])
        elif link.kind == "hinge":
            dw = dw + axis * a[link.coordinate] + ca.cross(w, axis * v[link.coordinate])
            w = w + axis * v[link.coordinate]
        spin.append(w)
        turning.append(dw)
        moving.append(b)
        load, moment = _needed(link, b, w, dw) if link.mass > 0.0 else (still, still)
        loads.append(load)
        moments.append(moment)
    for point, size, direction in acting:
        at = links[1][figure.joint(point.joint)]
        force = size * ca.mtimes(_world(links[0], frames, at)[0].T, ca.sparsify(ca.DM(direction)))
        loads[at] = loads[at] - force
        moments[at] = moments[at] - ca.cross(ca.DM(point.place), force)
    return _gather(links[0], frames, loads, moments, len(figure.coordinates))


def _needed(link: LinkFrame, b: Any, w: Any, dw: Any) -> tuple[Any, Any]:
    """Force and moment about its origin that a body's acceleration needs, gravity being one of the ground."""
    centre, inertia = ca.sparsify(ca.DM(link.centre)), ca.sparsify(ca.DM(link.inertia))
    load = link.mass * (b + ca.cross(dw, centre) + ca.cross(w, ca.cross(w, centre)))
    return load, ca.mtimes(inertia, dw) + ca.cross(w, ca.mtimes(inertia, w)) + ca.cross(centre, load)


def _gather(links: list[LinkFrame], frames: list[Any], loads: list[Any], moments: list[Any], n: int) -> list[Any]:
    """Go inward with forces and moments."""
    tau: list[Any] = [ca.SX(0.0)] * n
    for k in reversed(range(len(links))):
        link, (turn, offset) = links[k], frames[k]
        if link.kind != "none":
            tau[link.coordinate] = ca.dot(ca.DM(link.axis), loads[k] if link.kind == "slide" else moments[k])
        if link.before >= 0:
            load = ca.mtimes(turn, loads[k])
            loads[link.before] = loads[link.before] + load
            moments[link.before] = moments[link.before] + ca.mtimes(turn, moments[k]) + ca.cross(offset, load)
    return tau


def _world(links: list[LinkFrame], frames: list[Any], at: int) -> tuple[Any, Any]:
    """Rotation and origin of a link's frame in the world."""
    turn, origin = frames[at]
    while (at := links[at].before) >= 0:
        origin = frames[at][1] + ca.mtimes(frames[at][0], origin)
        turn = ca.mtimes(frames[at][0], turn)
    return turn, origin


def express_places(
    figure: SpatialFigure, links: tuple[list[LinkFrame], list[int]], q: Any, points: tuple[BodyPoint, ...]
) -> list[Any]:
    """Where points are in the world."""
    frames, found = [_frame(link, q) for link in links[0]], []
    for point in points:
        turn, origin = _world(links[0], frames, links[1][figure.joint(point.joint)])
        found.append(ca.densify(origin + ca.mtimes(turn, ca.DM(point.place))))
    return found

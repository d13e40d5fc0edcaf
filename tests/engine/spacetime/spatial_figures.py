"""A small figure in space with a free root and a branch, none of it straight."""

from __future__ import annotations

from dataclasses import replace

from engine.document.figure import Body, Dof, Figure, Joint
from engine.document.values import Vector3

X: Vector3 = (1.0, 0.0, 0.0)
Y: Vector3 = (0.0, 1.0, 0.0)
Z: Vector3 = (0.0, 0.0, 1.0)
FREE = ("root.x", "root.y", "root.z", "root.turn", "root.tilt", "root.roll")


def slide(id: str, axis: Vector3) -> Dof:
    return Dof(id=id, name=id, kind="slide", axis=axis)


def hinge(id: str, axis: Vector3, reach: float | None = None) -> Dof:
    return Dof(id=id, name=id, axis=axis, lower=None if reach is None else -reach, upper=reach)


def body(mass: float, centre: Vector3, size: float) -> Body:
    inertia = (
        mass * size**2,
        1.3 * mass * size**2,
        0.7 * mass * size**2,
        0.1 * mass * size**2,
        0.0,
        0.05 * mass * size**2,
    )
    return Body(mass=mass, centre=centre, inertia=inertia)


def branched(reach: float | None = None) -> Figure:
    """A trunk that flies, an arm of two, and a tail."""
    root = (*(slide(name, axis) for name, axis in zip(FREE[:3], (X, Y, Z), strict=True)), hinge("root.turn", Y))
    return Figure(
        name="Branched",
        joints=(
            Joint(
                id="root",
                name="Root",
                dofs=(*root, hinge("root.tilt", X), hinge("root.roll", Z)),
                body=body(3.0, (0.0, 0.1, 0.02), 0.2),
            ),
            Joint(
                id="arm",
                name="Arm",
                parent="root",
                offset=(0.1, 0.3, 0.0),
                dofs=(hinge("arm.swing", Z, reach), hinge("arm.twist", (0.6, 0.0, 0.8), reach)),
                body=body(1.0, (0.2, 0.0, 0.0), 0.1),
            ),
            Joint(
                id="hand",
                name="Hand",
                parent="arm",
                offset=(0.4, 0.0, 0.05),
                dofs=(hinge("hand.bend", Y, reach),),
                body=body(0.5, (0.1, 0.0, 0.0), 0.08),
            ),
            Joint(
                id="tail",
                name="Tail",
                parent="root",
                offset=(0.0, -0.1, -0.1),
                dofs=(hinge("tail.bend", X, reach),),
                body=body(0.8, (0.0, -0.05, -0.2), 0.1),
            ),
        ),
    )


def sprung(figure: Figure) -> Figure:
    """The figure with springs on a joint that has a muscle and on the tail."""
    springs = {"arm.swing": (6.0, 0.4), "tail.bend": (9.0, -0.3)}
    joints = []
    for joint in figure.joints:
        dofs = tuple(
            replace(dof, spring=springs[dof.id][0], neutral=springs[dof.id][1]) if dof.id in springs else dof
            for dof in joint.dofs
        )
        joints.append(replace(joint, dofs=dofs))
    return replace(figure, joints=tuple(joints))

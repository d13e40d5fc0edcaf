"""Figures for tests of inverse kinematics."""

from __future__ import annotations

import numpy as np

from engine.document import Body, Dof, Figure, Joint
from engine.maths.arrays import Array
from engine.model.compile import compile_model


def branching() -> Figure:
    """A free root with a ball, a slide, hinges about any axis, rest orientations, two limbs; 12 degrees of freedom."""

    def hinge(id: str, axis: tuple[float, float, float]) -> Dof:
        return Dof(id=id, name=id, axis=axis, lower=-2.0, upper=2.2)

    turned = (0.8, 0.4, -0.4, 0.2)
    axes = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
    root = tuple(Dof(id=f"move_{name}", name=name, kind="slide", axis=axis) for name, axis in axes.items())
    body = Body(mass=2.0, centre=(0.02, 0.1, -0.03))
    joints = [Joint(id="root", name="Root", dofs=(*root, Dof(id="ball", name="Ball", kind="ball")), body=body)]
    joints.append(
        Joint(
            id="trunk",
            name="Trunk",
            parent="root",
            offset=(0.0, 0.3, 0.1),
            rest=turned,
            dofs=(
                hinge("bend", (1.0, 0.0, 0.0)),
                Dof(id="stretch", name="Stretch", kind="slide", axis=(0.0, 1.0, 0.2)),
            ),
            body=body,
        )
    )
    for side, x in (("left", 0.2), ("right", -0.2)):
        dofs = (hinge(f"{side}_swing", (0.3, 1.0, 0.2)), hinge(f"{side}_lift", (0.0, 0.0, 1.0)))
        joints.append(Joint(id=f"{side}_arm", name=side, parent="trunk", offset=(x, 0.2, 0.0), dofs=dofs, body=body))
        elbow = hinge(f"{side}_elbow", (0.0, 1.0, 0.0))
        joints.append(
            Joint(id=f"{side}_tip", name=side, parent=f"{side}_arm", offset=(2 * x, 0.0, 0.1), dofs=(elbow,), body=body)
        )
    return Figure(name="Branching", joints=tuple(joints))


def random_pose(figure: Figure, seed: int) -> Array:
    """A pose within the limits, its ball's quaternion of length one."""
    model = compile_model(figure)
    rng = np.random.default_rng(seed)
    q = rng.uniform(np.maximum(model.lower, -1.0), np.minimum(model.upper, 1.0))
    for dof in figure.dofs:
        if dof.kind == "ball":
            place = [figure.coordinate_index[name] for name in dof.coordinates]
            q[place] /= np.linalg.norm(q[place])
    return np.asarray(q)


def arm(limit: float | None = None) -> Figure:
    """Two links of one metre in a plane, turning about z; `a`, then `b`."""
    dofs = [
        Dof(id=id, name=id, axis=(0.0, 0.0, 1.0), lower=None if limit is None else -limit, upper=limit) for id in "ab"
    ]
    first = Joint(id="a", name="a", dofs=(dofs[0],))
    second = Joint(id="b", name="b", parent="a", offset=(1.0, 0.0, 0.0), dofs=(dofs[1],))
    return Figure(name="Arm", joints=(first, second))

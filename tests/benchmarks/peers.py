"""Our figures as models of Pinocchio and MuJoCo, to check against and to be measured against."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from engine.document import Body, Figure, Joint
from engine.dynamics.mechanics import GRAVITY
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import rotation_matrix
from engine.model.inertia import body_of
from engine.muscles.parts import Muscles


def pinocchio_model(figure: Figure, *, merged: bool = False) -> tuple[Any, list[int]]:
    """A model of one-degree joints, and the Pinocchio joint that carries each of ours.

    `merged` packs three slides, and three hinges in the order z, y, x, into one joint each, Pinocchio's fastest form.
    A joint of ours without freedom is folded into the placement of its children.
    """
    import pinocchio

    model = pinocchio.Model()
    carriers: dict[str, tuple[int, Any]] = {}
    order: list[int] = []
    for joint in figure.joints:
        carrier, base = carriers[joint.parent] if joint.parent is not None else (0, pinocchio.SE3.Identity())
        place = base * pinocchio.SE3(rotation_matrix(joint.rest), np.array(joint.offset))
        for name, made in _pinocchio_joints(joint, merged=merged):
            carrier = model.addJoint(carrier, made, place, name)
            place = pinocchio.SE3.Identity()
        if joint.body is not None:
            inertia = pinocchio.Inertia(joint.body.mass, np.array(joint.body.centre), inertia_matrix(joint.body))
            model.appendBodyToJoint(carrier, inertia, place)
        carriers[joint.id] = (carrier, place)
        order.append(carrier)
    return model, order


def pinocchio_dynamics(figure: Figure) -> Any:
    """A model of the same masses under the usual gravity. Its `crba` asks for joints branch by branch."""
    model, _ = pinocchio_model(figure)
    model.gravity.linear = np.array(GRAVITY)
    return model


def inertia_matrix(body: Body) -> Array:
    """Its inertia about its centre [kg m2], shape [3, 3]."""
    xx, yy, zz, xy, xz, yz = body.inertia
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def weighed(figure: Figure) -> Figure:
    """The figure with a body on each joint, as its shapes give it."""
    return replace(figure, joints=tuple(replace(joint, body=body_of(joint)) for joint in figure.joints))


def pinocchio_coordinates(figure: Figure, q: Array) -> Array:
    """Our coordinates as Pinocchio's: a ball's scalar part stands last there."""
    turned = q.copy()
    for dof in figure.dofs:
        if dof.kind == "ball":
            at = figure.coordinate_index[dof.coordinates[0]]
            turned[at : at + 4] = np.roll(q[at : at + 4], -1)
    return turned


def _pinocchio_joints(joint: Joint, *, merged: bool) -> list[tuple[str, Any]]:
    import pinocchio

    made: list[tuple[str, Any]] = []
    dofs = list(joint.dofs)
    main = {(1.0, 0.0, 0.0): "X", (0.0, 1.0, 0.0): "Y", (0.0, 0.0, 1.0): "Z"}
    while dofs:
        axes = "".join(main.get(dof.axis, "?") for dof in dofs[:3])
        kinds = {dof.kind for dof in dofs[:3]}
        if dofs[0].kind == "ball":
            made.append((dofs.pop(0).id, pinocchio.JointModelSpherical()))
        elif merged and axes == "XYZ" and kinds == {"slide"}:
            made.append((dofs[0].id, pinocchio.JointModelTranslation()))
            dofs = dofs[3:]
        elif merged and axes == "ZYX" and kinds == {"hinge"}:
            made.append((dofs[0].id, pinocchio.JointModelSphericalZYX()))
            dofs = dofs[3:]
        else:
            dof = dofs.pop(0)
            letter = main.get(dof.axis)
            prefix = "JointModelP" if dof.kind == "slide" else "JointModelR"
            skew = "JointModelPrismaticUnaligned" if dof.kind == "slide" else "JointModelRevoluteUnaligned"
            made.append(
                (
                    dof.id,
                    getattr(pinocchio, prefix + letter)() if letter else getattr(pinocchio, skew)(np.array(dof.axis)),
                )
            )
    return made


def mujoco_model(figure: Figure) -> Any:
    """A model with the same joints and bodies; one without mass properties weighs a kilogram."""
    return mujoco_spec(figure).compile()


def mujoco_spec(figure: Figure) -> Any:
    """What such a model is compiled from."""
    import mujoco

    spec = mujoco.MjSpec()
    bodies: dict[str, Any] = {}
    kinds = {
        "hinge": mujoco.mjtJoint.mjJNT_HINGE,
        "slide": mujoco.mjtJoint.mjJNT_SLIDE,
        "ball": mujoco.mjtJoint.mjJNT_BALL,
    }
    for joint in figure.joints:
        parent = spec.worldbody if joint.parent is None else bodies[joint.parent]
        body = parent.add_body(name=joint.id, pos=joint.offset, quat=joint.rest, inertia=(1.0, 1.0, 1.0))
        body.mass, body.ipos = (1.0, (0.0, 0.0, 0.0)) if joint.body is None else (joint.body.mass, joint.body.centre)
        body.explicitinertial = True
        for dof in joint.dofs:
            body.add_joint(name=dof.id, type=kinds[dof.kind], axis=dof.axis, armature=1.0)
        bodies[joint.id] = body
    return spec


def mujoco_tendons(figure: Figure, muscles: Muscles) -> Any:
    """A model of the joints and, as tendons, of muscles with fixed points, spheres and cylinders."""
    import mujoco

    spec, kinds = mujoco_spec(figure), mujoco.mjtGeom
    shapes = {"sphere": kinds.mjGEOM_SPHERE, "cylinder": kinds.mjGEOM_CYLINDER}
    wraps = {each.id: each for each in muscles.wraps}
    for wrap in muscles.wraps:
        body = spec.body(wrap.joint)
        geom = body.add_geom(name=wrap.id, type=shapes[wrap.shape], size=(wrap.radii[0], 1.0, 0.0), pos=wrap.centre)
        geom.quat, geom.contype, geom.conaffinity = wrap.rotation, 0, 0
        if wrap.side is not None:
            beyond = np.array(wrap.centre) + rotation_matrix(wrap.rotation) @ np.array(wrap.side)
            body.add_site(name=f"side of {wrap.id}", pos=beyond)
    for muscle in muscles.muscles:
        tendon = spec.add_tendon(name=muscle.id)
        for place, point in enumerate(muscle.points):
            spec.body(point.joint).add_site(name=f"{muscle.id} {place}", pos=point.point)
            for each in muscle.wraps:
                if each.first == place - 1:
                    tendon.wrap_geom(each.wrap, "" if wraps[each.wrap].side is None else f"side of {each.wrap}")
            tendon.wrap_site(f"{muscle.id} {place}")
    return spec.compile()


def mujoco_dynamics(figure: Figure) -> Any:
    """A model of the same inertias under the usual gravity alone. Each body has to weigh something."""
    import mujoco

    spec = mujoco_spec(figure)
    for joint in figure.joints:
        body = spec.body(joint.id)
        assert joint.body is not None
        body.inertia, body.fullinertia = (0.0, 0.0, 0.0), joint.body.inertia
        for each in body.joints:
            each.armature = 0.0
    spec.option.gravity = GRAVITY
    spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    spec.compiler.inertiafromgeom = mujoco.mjtInertiaFromGeom.mjINERTIAFROMGEOM_FALSE
    return spec.compile()


def mujoco_places(figure: Figure, model: Any) -> tuple[list[int], list[int], list[int]]:
    """MuJoCo's numbers of our joints' bodies, of our coordinates and of our rates: it goes branch by branch."""
    bodies = [model.body(joint.id).id for joint in figure.joints]
    coordinates: list[int] = []
    rates: list[int] = []
    for dof in figure.dofs:
        theirs = model.joint(dof.id)
        coordinates += range(theirs.qposadr[0], theirs.qposadr[0] + len(dof.coordinates))
        rates += range(theirs.dofadr[0], theirs.dofadr[0] + (3 if dof.kind == "ball" else 1))
    return bodies, coordinates, rates

"""Kinematics, Jacobians and masses against Pinocchio and MuJoCo on random figures, and on those that ship.

Asked are 1e-12 [m, rad]; the largest difference found was 8e-15 in kinematics and Jacobians and 6e-14 in masses, the
rounding of both sides. MuJoCo keeps meshes in single precision, so for those trimesh is the peer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.document import Body, Box, Capsule, Dof, Ellipsoid, Figure, Joint, Loft, Section, Shape
from engine.document.figure import DofKind
from engine.document.values import Quaternion, Vector3
from engine.formats.figure_toml import figure_names, load_figure
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import rotation_matrix
from engine.maths.rotations import ORDERS
from engine.model.compile import compile_model
from engine.model.inertia import body_of
from engine.model.jacobian import compute_jacobian, locate_handle
from engine.model.kinematics import compute_forward_kinematics
from engine.model.solids import surface_of
from tests.benchmarks.peers import mujoco_model, mujoco_places, pinocchio_coordinates, pinocchio_model

TOLERANCE = 1e-12
LOCAL = np.array([0.2, -0.4, 0.6])
AXES: dict[str, Vector3] = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 1.0, 0.0), "Z": (0.0, 0.0, 1.0)}
ROOTS = ("fixed", "planar", "hinges", "ball", "random")
SHIPPED = figure_names()
FIGURES = (*(f"{order} {ROOTS[place % 5]}" for place, order in enumerate(ORDERS * 2)), *SHIPPED)


def vector(rng: np.random.Generator) -> Vector3:
    x, y, z = rng.normal(size=3).tolist()
    return (x, y, z)


def rotation(rng: np.random.Generator) -> Quaternion:
    numbers = rng.normal(size=4)
    w, x, y, z = (numbers / np.linalg.norm(numbers)).tolist()
    return (w, x, y, z)


def chain(id: str, *parts: tuple[DofKind, Vector3]) -> tuple[Dof, ...]:
    return tuple(Dof(id=f"{id}.{n}", name=str(n), kind=kind, axis=axis) for n, (kind, axis) in enumerate(parts))


def root_dofs(kind: str, order: str, rng: np.random.Generator) -> tuple[Dof, ...]:
    slides: list[tuple[DofKind, Vector3]] = [("slide", axis) for axis in AXES.values()]
    hinges: list[tuple[DofKind, Vector3]] = [("hinge", AXES[letter]) for letter in order]
    return {
        "fixed": (),
        "planar": chain("root", *slides[:2], ("hinge", AXES["Z"])),
        "hinges": chain("root", *slides, *hinges),
        "ball": (*chain("root", *slides), Dof(id="root.turn", name="Turn", kind="ball")),
        "random": any_dofs("root", rng),
    }[kind]


def any_dofs(id: str, rng: np.random.Generator) -> tuple[Dof, ...]:
    """Up to five hinges and slides, about main and skew axes, in any order."""
    kinds: tuple[DofKind, DofKind] = ("hinge", "slide")
    parts: list[tuple[DofKind, Vector3]] = []
    for _ in range(int(rng.integers(0, 6))):
        axis = AXES["XYZ"[int(rng.integers(3))]] if rng.random() < 0.5 else vector(rng)
        parts.append((kinds[int(rng.integers(2))], axis))
    return chain(id, *parts)


def random_tree(name: str) -> Figure:
    """Twelve joints, each with a rest orientation, an offset and a body; every third one a ball joint in one order."""
    order, kind = name.split()
    rng = np.random.default_rng(FIGURES.index(name))
    joints: list[Joint] = []
    for index in range(12):
        id = f"j{index}"
        dofs = any_dofs(id, rng) if index % 3 else chain(id, *(("hinge", AXES[letter]) for letter in order))
        joints.append(
            Joint(
                id=id,
                name=id,
                parent=joints[int(rng.integers(0, index))].id if index else None,
                offset=vector(rng),
                rest=rotation(rng),
                dofs=dofs if index else root_dofs(kind, order, rng),
                body=Body(mass=float(rng.uniform(0.1, 2.0)), centre=vector(rng)),
            )
        )
    return Figure(name=name, joints=tuple(joints))


def figure_of(name: str) -> Figure:
    figure = load_figure(name) if name in SHIPPED else random_tree(name)
    joints = tuple(replace(joint, body=weighed(joint)) for joint in figure.joints)
    return replace(figure, joints=joints)


def weighed(joint: Joint) -> Body:
    """The joint's body; MuJoCo takes none that weighs nothing."""
    body = body_of(joint)
    return body if body.mass > 0.0 else Body(mass=0.1)


def poses(figure: Figure) -> list[Array]:
    rng = np.random.default_rng(7)
    found = []
    for _ in range(4):
        q = rng.uniform(-3.0, 3.0, len(figure.coordinates))
        for dof in figure.dofs:
            if dof.kind == "ball":
                at = figure.coordinate_index[dof.coordinates[0]]
                q[at : at + 4] /= np.linalg.norm(q[at : at + 4])
        found.append(q)
    return found


class Ours:
    """What the engine says of one pose."""

    def __init__(self, figure: Figure, q: Array) -> None:
        self.model = compile_model(figure)
        self.state = self.model.new_state()
        compute_forward_kinematics(self.model.ints, self.model.floats, q, self.state)
        rows = self.model.transforms(self.state)
        self.rotations, self.positions = rows[:, :9].reshape(-1, 3, 3), rows[:, 9:]

    def jacobian(self, joint: int) -> tuple[Array, Array]:
        """A point of a joint and its Jacobian."""
        point, jacobian = np.empty(3), np.empty((6, self.model.rate_count))
        locate_handle(self.state, joint, LOCAL, 0, point)
        compute_jacobian(self.model.ints, self.state, joint, point, jacobian)
        return point, jacobian


def close(found: Array, wanted: Array) -> None:
    np.testing.assert_allclose(found, wanted, rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("name", FIGURES)
def test_pinocchio_agrees(name: str) -> None:
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is not installed; it has no wheels for Windows")
    figure = figure_of(name)
    model, order = pinocchio_model(figure)
    moving = tuple(
        joint if carrier else replace(joint, body=Body(mass=0.0))  # what hangs on its world it leaves out of the centre
        for joint, carrier in zip(figure.joints, order, strict=True)
    )
    figure = replace(figure, joints=moving)
    last = [model.frames[model.addFrame(frame)] for frame in frames(pin, figure, order)]
    ids = {frame.name: model.getFrameId(frame.name) for frame in last}
    data = model.createData()
    for q in poses(figure):
        ours = Ours(figure, q)
        theirs = pinocchio_coordinates(figure, q)
        pin.computeJointJacobians(model, data, theirs)
        pin.updateFramePlacements(model, data)
        for joint, each in enumerate(figure.joints):
            point, jacobian = ours.jacobian(joint)
            frame = data.oMf[ids[each.id]]
            close(ours.rotations[joint], frame.rotation)
            close(point, frame.translation)
            close(jacobian, pin.getFrameJacobian(model, data, ids[each.id], pin.LOCAL_WORLD_ALIGNED))


def frames(pin: Any, figure: Figure, order: list[int]) -> Iterator[Any]:
    """Of each joint the point."""
    carried: dict[str, Any] = {}
    for joint, carrier in zip(figure.joints, order, strict=True):
        placement = pin.SE3(rotation_matrix(joint.rest), np.array(joint.offset))
        fixed = pin.SE3.Identity() if joint.dofs else carried.get(joint.parent or "", pin.SE3.Identity()) * placement
        carried[joint.id] = fixed
        yield pin.Frame(joint.id, carrier, fixed * pin.SE3(np.eye(3), LOCAL), pin.FrameType.OP_FRAME)


@pytest.mark.parametrize("name", FIGURES)
def test_mujoco_agrees(name: str) -> None:
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed")
    figure = figure_of(name)
    model = mujoco_model(figure)
    bodies, coordinates, rates = mujoco_places(figure, model)
    data = mujoco.MjData(model)
    jacobian = np.zeros((6, model.nv))
    for q in poses(figure):
        ours = Ours(figure, q)
        data.qpos[coordinates] = q
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        close(ours.positions, data.xpos[bodies])
        close(ours.rotations, data.xmat[bodies].reshape(-1, 3, 3))
        for joint, body in enumerate(bodies):
            point, found = ours.jacobian(joint)
            mujoco.mj_jac(model, data, jacobian[:3], jacobian[3:], point, body)
            close(found, jacobian[:, rates])


def tensor(body: Body) -> Array:
    xx, yy, zz, xy, xz, yz = body.inertia
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def lofts() -> list[Shape]:
    sections = (
        Section(along=0.0, width=0.05, depth=0.08, squareness=0.3),
        Section(along=0.2, width=0.09, depth=0.06, depth_back=0.1, shift_side=0.02, shift_front=-0.03),
        Section(along=0.5, width=0.04, depth=0.04),
    )
    return [
        Loft(sections=sections, axis=(0.3, 1.0, -0.2), side=(1.0, 0.1, 0.0), origin=(0.1, 0.2, 0.3)),
        Box(half=(0.2, 0.1, 0.3), centre=(0.1, 0.0, -0.2), rounding=0.05),
    ]


def primitives() -> list[Shape]:
    rng = np.random.default_rng(3)
    shapes: list[Shape] = []
    for _ in range(6):
        half, start, end = (rng.uniform(0.05, 0.4, 3).tolist() for _ in range(3))
        shapes += [
            Box(half=(half[0], half[1], half[2]), centre=(start[0], start[1], start[2])),
            Ellipsoid(radii=(half[0], half[1], half[2]), centre=(start[0], start[1], start[2])),
            Capsule(start=(start[0], start[1], start[2]), end=(-end[0], end[1], end[2]), radius=half[0]),
        ]
    return shapes


@pytest.mark.parametrize("shape", primitives(), ids=lambda shape: type(shape).__name__)
def test_masses_of_primitives_are_mujocos(shape: Shape) -> None:
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed")
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body()
    kinds = mujoco.mjtGeom
    if isinstance(shape, Box):
        body.add_geom(type=kinds.mjGEOM_BOX, size=shape.half, pos=shape.centre, density=700.0)
    elif isinstance(shape, Ellipsoid):
        body.add_geom(type=kinds.mjGEOM_ELLIPSOID, size=shape.radii, pos=shape.centre, density=700.0)
    else:
        assert isinstance(shape, Capsule)
        ends = (*shape.start, *shape.end)
        body.add_geom(type=kinds.mjGEOM_CAPSULE, size=(shape.radius, 0.0, 0.0), fromto=ends, density=700.0)
    model = spec.compile()
    found = body_of(Joint(id="a", name="A", shapes=(shape,), density=700.0))
    turn = np.empty(9)
    mujoco.mju_quat2Mat(turn, model.body_iquat[1])
    turned = turn.reshape(3, 3)
    close(np.array([found.mass, *found.centre]), np.array([model.body_mass[1], *model.body_ipos[1]]))
    close(tensor(found), turned @ np.diag(model.body_inertia[1]) @ turned.T)


@pytest.mark.parametrize("shape", lofts(), ids=lambda shape: type(shape).__name__)
def test_masses_of_meshes_are_trimeshs(shape: Shape) -> None:
    trimesh = pytest.importorskip("trimesh", reason="trimesh is not installed")
    surface = surface_of(shape)
    mesh = trimesh.Trimesh(surface.positions, surface.triangles, process=False)
    mesh.density = 700.0
    found = body_of(Joint(id="a", name="A", shapes=(shape,), density=700.0))
    properties = mesh.mass_properties
    close(np.array([found.mass, *found.centre]), np.array([properties.mass, *properties.center_mass]))
    close(tensor(found), properties.inertia)

"""MuJoCo's models against MuJoCo: where bodies, centres of mass and sites are, how heavy, and lengths of tendons."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

from engine.document import Figure
from engine.formats import mjcf
from engine.formats.format import Contents, Options
from engine.maths.arrays import Array
from engine.muscles.parts import Muscles
from engine.runtime.errors import UnreadableFile
from tests.engine.formats.worlds import figure_in, transforms
from tests.engine.muscles.muscled import Measured
from tests.engine.shared_data import shared

UPRIGHT = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])  # from MuJoCo's axes, z up, to ours
MODELS = ("arm26.xml", "humanoid.xml", "tendon_wrap.xml", "tendon_wrap_cylinder.xml", "tendon_wrap_sphere.xml")
EVERYTHING = """<mujoco model="everything">
<compiler angle="radian" eulerseq="XYZ"/>
<default>
<geom density="500"/>
<joint damping="0.3"/>
<default class="thick"><geom size="0.1"/><joint axis="0 1 0" range="-1 1"/></default>
</default>
<worldbody>
<site name="peg" pos="0.2 0.1 1.4"/>
<frame pos="0 0 1" euler="0.1 0.2 0.3">
<body name="base" pos="0.1 0.2 0.3" axisangle="0 0 1 0.4">
<joint name="swing" pos="0.05 0 0.1" axis="1 1 0" ref="0.3"/>
<joint name="lift" type="slide" axis="0 0 2" range="-0.2 0.3"/>
<joint name="twist" pos="0 0.1 0" axis="0 0 1"/>
<geom name="brick" type="box" size="0.1 0.2 0.3" pos="0.01 0.02 0.03" quat="0.9 0.1 0.2 0.3"/>
<geom name="pill" type="capsule" fromto="0 0 0 0.3 0.1 0" size="0.05" mass="2"/>
<body name="arm" pos="0.4 0 0" xyaxes="0 1 0 -1 0 0" childclass="thick">
<joint name="bend" stiffness="4" springref="0.2"/>
<joint name="slip" type="slide" axis="1 0 0" ref="0.05"/>
<joint name="roll" axis="1 0 0"/>
<geom type="sphere" name="knob"/>
<geom type="ellipsoid" size="0.1 0.2 0.05" zaxis="1 0 1"/>
<geom type="cylinder" size="0.05 0.2" class="main"/>
<site name="tip" pos="0.1 0.2 0.3"/>
<body name="hand" pos="0 0 0.3">
<inertial pos="0.01 0.02 0.03" mass="1.5" fullinertia="0.02 0.03 0.04 0.001 0.002 0.003"/>
<joint name="wrist" type="ball" class="main"/>
</body>
</body>
</body>
</frame>
</worldbody>
</mujoco>
"""


def test_springs_of_joints_are_read(tmp_path: Path) -> None:
    figure = figure_in(mjcf.read(source("everything", tmp_path), Options()))
    assert {dof.id: (dof.spring, dof.neutral) for dof in figure.dofs if dof.spring} == {"bend": (4.0, 0.2)}


def source(name: str, folder: Path) -> Path:
    if name != "everything":
        return shared("musculoskeletal", "mjcf", "mujoco_models", name)
    path = folder / "everything.xml"
    path.write_text(EVERYTHING)
    return path


def read(path: Path) -> Contents:
    return mjcf.read(path, Options())


class Both:
    """One model, here and in MuJoCo, in the same poses."""

    def __init__(self, path: Path) -> None:
        self.contents = read(path)
        self.figure: Figure = figure_in(self.contents)
        spec = mujoco.MjSpec.from_file(str(path))
        spec.compiler.LRopt.mode = mujoco.mjtLRMode.mjLRMODE_NONE  # its search for lengths does not end for the arm
        self.peer = spec.compile()
        self.data = mujoco.MjData(self.peer)

    def pose(self, random: np.random.Generator) -> Array:
        """Draw a pose, put MuJoCo into it, and return our coordinates."""
        values: dict[str, float] = {}
        for number in range(self.peer.njnt):
            joint = self.peer.joint(number)
            name, at = joint.name, int(joint.qposadr[0])
            kind = int(joint.type[0])
            if kind in (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE):
                self.data.qpos[at] = random.uniform(-0.3, 0.3)
                values[name or self._unnamed(joint, kind)] = self.data.qpos[at]
                continue
            turn = random.normal(size=4)
            turn *= np.copysign(1.0, turn[0]) / np.linalg.norm(turn)
            if kind == mujoco.mjtJoint.mjJNT_FREE:
                name = name or f"{self._body(joint)}_free"
                self.data.qpos[at : at + 3] = random.normal(size=3)
                values.update(zip((f"{name}.move_{each}" for each in "xyz"), self.data.qpos[at : at + 3], strict=True))
                self.data.qpos[at + 3 : at + 7] = turn
                values.update(zip((f"{name}.turn.{each}" for each in "wxyz"), turn, strict=True))
            else:
                angles = random.uniform(-1.0, 1.0, 3)
                values.update(zip((f"{name}.{each}" for each in "xyz"), angles, strict=True))
                mujoco.mju_euler2Quat(self.data.qpos[at : at + 4], angles, "xyz")
        mujoco.mj_forward(self.peer, self.data)
        return np.array([values[each] for each in self.figure.coordinates])

    def _body(self, joint: object) -> str:
        return self._joint_of(int(self.peer.joint(joint.id).bodyid[0]))  # type: ignore[attr-defined]

    def _joint_of(self, body: int) -> str:
        """The id of the joint here that is a body there: bodies without a name are numbered as they come."""
        name = self.peer.body(body).name
        unnamed = [each for each in range(1, body + 1) if not self.peer.body(each).name]
        return name or ("body" if len(unnamed) == 1 else f"body_{len(unnamed)}")

    def _unnamed(self, joint: object, kind: int) -> str:
        return f"{self._body(joint)}_{'hinge' if kind == mujoco.mjtJoint.mjJNT_HINGE else 'slide'}"

    def bodies(self) -> list[tuple[int, str]]:
        return [(each, self._joint_of(each)) for each in range(1, self.peer.nbody)]


@pytest.mark.parametrize("name", ["everything", *MODELS])
def test_bodies_weigh_and_stand_as_in_mujoco(name: str, tmp_path: Path) -> None:
    both, random = Both(source(name, tmp_path)), np.random.default_rng(4)
    for _ in range(4):
        worlds = transforms(both.figure, both.pose(random))
        for number, id in both.bodies():
            world, body = worlds[both.figure.joint_index[id]], both.figure.joint(id).body
            assert body is not None
            assert body.mass == pytest.approx(both.peer.body_mass[number], rel=1e-9)
            centre = world[:, :3] @ body.centre + world[:, 3]
            np.testing.assert_allclose(centre, UPRIGHT @ both.data.xipos[number], rtol=0, atol=1e-9)
            xx, yy, zz, xy, xz, yz = body.inertia
            ours = world[:, :3] @ [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]] @ world[:, :3].T
            turn = UPRIGHT @ both.data.ximat[number].reshape(3, 3)
            wanted = turn @ np.diag(both.peer.body_inertia[number]) @ turn.T
            np.testing.assert_allclose(ours, wanted, rtol=0, atol=1e-9)
        for handle in both.figure.handles:
            world = worlds[both.figure.joint_index[handle.joint]]
            place = world[:, :3] @ np.array(handle.point) + world[:, 3]
            np.testing.assert_allclose(place, UPRIGHT @ both.data.site(handle.name).xpos, rtol=0, atol=1e-9)


def test_tendons_of_an_arm_are_as_long_as_in_mujoco() -> None:
    """Also around the shoulder, whose side stands in the world; farther on MuJoCo takes the other side of it."""
    both, random = Both(source("arm26.xml", Path())), np.random.default_rng(2)
    (muscles,) = both.contents.parts
    assert isinstance(muscles, Muscles)
    measured = Measured(both.figure, muscles.muscles, muscles.wraps)
    for _ in range(50):
        q = both.pose(random) * 0.0
        both.data.qpos[:] = random.uniform(0.0, 0.8, 2)
        mujoco.mj_forward(both.peer, both.data)
        q[[both.figure.coordinate_index[name] for name in ("shoulder", "elbow")]] = both.data.qpos
        lengths = {each.id: length for each, length in zip(muscles.muscles, measured(q)[0], strict=True)}
        for name, length in lengths.items():
            assert length == pytest.approx(both.data.tendon(name).length[0], abs=1e-6), name


def test_fibres_are_as_long_as_the_ranges_of_tendons_and_fibres_say(tmp_path: Path) -> None:
    """From 0.75 to 1.05 times their best over the range of the tendon's length; without a tendon where that would be
    shorter than nothing."""
    text = source("arm26.xml", tmp_path).read_text()
    path = tmp_path / "arm.xml"
    path.write_text(text.replace('tendon="EF"/>', 'tendon="EF" lengthrange="0.2 0.26" force="300"/>'))
    (muscles,) = read(path).parts
    assert isinstance(muscles, Muscles)
    flexor, extensor = muscles.muscle("EF"), muscles.muscle("EE")
    assert flexor is not None
    assert extensor is not None
    assert (flexor.force, flexor.fibre, flexor.tendon) == pytest.approx((300.0, 0.2, 0.05))
    assert (extensor.force, extensor.tendon) == (200.0, 0.0)


def test_a_model_stands_where_its_free_body_does(tmp_path: Path) -> None:
    (layer,) = read(source("humanoid.xml", tmp_path)).layers
    assert layer.by_coordinate["root.move_z"] == 1.282
    assert layer.by_coordinate["root.turn.w"] == 1.0


BODY = '<mujoco><worldbody><body name="b">{}<geom name="g" size="0.1"/></body></worldbody>{}</mujoco>'
TENDON = '<tendon><spatial name="t">{}</spatial></tendon><actuator><muscle name="m" tendon="t"/></actuator>'
ODD = {
    "a plane": (BODY.format('<geom type="plane" name="p"/>', ""), "left out: 1 geom of type plane"),
    "no size": (BODY.format('<geom type="box" name="p"/>', ""), "geom p of type box has the size ''; left out"),
    "a ball": (
        BODY.format('<body name="c"><joint name="j" type="ball"/><geom size="0.1"/></body>', ""),
        "ball joint j is read as three hinges",
    ),
    "a spring of a ball": (
        BODY.format('<joint name="j" type="ball" stiffness="3"/>', ""),
        "the spring of ball joint j of a root is left out",
    ),
    "a range turned around": (BODY.format('<joint name="j" range="2 1"/>', ""), "of joint j is turned around"),
    "a tendon of nothing": (BODY.format("", TENDON.format("")), "tendon t has fewer than two sites; left out"),
    "a site that is not there": (BODY.format("", TENDON.format('<site site="x"/>')), "a site that is not there"),
    "a pulley": (BODY.format("", TENDON.format('<pulley divisor="2"/>')), "tendon t has a pulley; left out"),
    "a motor": (BODY.format("", '<actuator><motor name="m"/></actuator>'), "left out: 1 motor of actuators"),
    "an equality": (BODY.format("", '<equality><weld name="w"/></equality>'), "left out: 1 weld of equality"),
    "no mass": (BODY.format('<inertial mass="1" diaginertia="1 0 0"/>', ""), "no sound inertia"),
}  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_what_is_odd_is_noted_and_the_rest_is_read(name: str, tmp_path: Path) -> None:
    text, wanted = ODD[name]
    path = tmp_path / "odd.xml"
    path.write_text(text)
    found = read(path)
    assert any(wanted in each and "line" in each for each in found.notes), found.notes
    assert "b" in figure_in(found).joint_index


BAD: dict[str, tuple[str, str]] = {
    "another root": ("<robot/>", "<robot> where <mujoco> is meant"),
    "no bodies": ("<mujoco/>", "a model without bodies"),
    "an include": ('<mujoco><include file="x.xml"/></mujoco>', "an <include> of another file"),
    "a class that is not there": (BODY.format('<joint class="x"/>', ""), "a class 'x' that is not there"),
    "a kind that is not there": (BODY.format('<joint name="j" type="x"/>', ""), "joint j has the type 'x'"),
    "a word for a number": (BODY.format('<joint name="j" pos="a b c"/>', ""), "pos of joint j is 'a'"),
    "two numbers for three": (BODY.format('<joint name="j" pos="0 0"/>', ""), "pos of joint j is '0 0'"),
    "no number": (BODY.format('<joint name="j" damping=""/>', ""), "damping of joint j is ''"),
    "damping below 0": (BODY.format('<joint name="j" damping="-1"/>', ""), "the damping of j is -1.0"),
    "no direction": (BODY.format('<joint name="j" axis="0 0 0"/>', ""), "the axis of joint j has no length"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_model_is_refused_with_its_line(name: str, tmp_path: Path) -> None:
    text, wanted = BAD[name]
    path = tmp_path / "bad.xml"
    path.write_text(text)
    with pytest.raises(UnreadableFile) as caught:
        read(path)
    assert wanted in caught.value.found
    assert caught.value.line == 1

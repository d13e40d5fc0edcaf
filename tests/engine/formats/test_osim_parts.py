"""What OpenSim's documents may say, in small models: versions, kinds of joints, functions, what is wrong in them."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from engine.bushings.parts import Bushings
from engine.document import Figure
from engine.document.shapes import TriangleMesh
from engine.formats import osim
from engine.formats.format import Contents, Options
from engine.maths.arrays import Array
from engine.runtime.errors import UnreadableFile
from tests.engine.formats.osim_models import (
    ARM,
    BODIES,
    ELBOW,
    OLD_ARM,
    SHOULDER,
    UPPER,
    VTP,
    axis,
    body,
    coordinate,
    frame,
    held,
    joint,
    model,
    transform,
)
from tests.engine.formats.osim_peer import about, at, moved, spline
from tests.engine.formats.test_osim import AHEAD, placed
from tests.engine.formats.worlds import figure_in, transforms

X, Y, Z = np.eye(3)
LINE = "<LinearFunction><coefficients>{} {}</coefficients></LinearFunction>"


def contents(folder: Path, text: str) -> Contents:
    path = folder / "model.osim"
    path.write_text(text, encoding="utf-8")
    return osim.read(path, Options())


def figure(folder: Path, text: str) -> Figure:
    return figure_in(contents(folder, text))


def notes(folder: Path, text: str) -> str:
    return "\n".join(contents(folder, text).notes)


def world(found: Figure, name: str, **values: float) -> Array:
    """The transform of a body's joint in OpenSim's axes, shape [4, 4]."""
    rows = transforms(found, placed(found, values))[found.joint_index[name]]
    whole = np.eye(4)
    whole[:3] = AHEAD.T @ rows
    return whole


def near(found: Array, wanted: Array) -> None:
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-12)


def test_an_arm_of_version_4_bends_as_it_says(tmp_path: Path) -> None:
    found = figure(tmp_path, ARM)
    assert [each.id for each in found.joints] == ["upper", "lower"]
    assert [each.id for each in found.dofs] == ["lift", "elbow.translation1", "bend"]
    assert (found.dofs[0].lower, found.dofs[0].upper) == (-1.5, 2.0)
    for lift, bend in ((0.3, 0.7), (-1.0, 2.5), (0.0, -1.5)):
        upper = moved(-0.3 * Y) @ about(Z, lift)
        way = spline(np.array([-1.0, 0, 1, 2]), np.array([0.002, 0, 0.004, 0.001]), bend)
        lower = upper @ moved(-0.3 * Y) @ moved(way * X) @ about(Z, bend)
        near(world(found, "upper", lift=lift, bend=bend), upper)
        near(world(found, "lower", lift=lift, bend=bend), lower)
    (wrist,) = found.handles
    assert (wrist.id, wrist.joint, wrist.point) == ("wrist", "lower", (0.0, -0.25, 0.0))


def test_a_model_stands_as_its_coordinates_do_by_default(tmp_path: Path) -> None:
    (layer,) = contents(tmp_path, ARM).layers
    assert layer.values == (("lift", 0.1), ("bend", 0.1))


def test_an_arm_of_version_3_has_its_joint_in_its_body(tmp_path: Path) -> None:
    """Turns by a constant between others, a coordinate that turns backwards, and one that turns twice."""
    found = figure(tmp_path, OLD_ARM)
    assert [each.id for each in found.joints] == ["ground", "upper"]
    assert [each.id for each in found.dofs] == ["slip", "lift", "shoulder.rotation3"]
    assert (found.dofs[0].lower, found.dofs[0].upper) == (0.0, 0.0), "it is locked"
    handles = {each.id: each for each in found.handles}
    assert (handles["acromion"].joint, handles["acromion"].point) == ("ground", (0.1, 1.2, 0.3))
    for lift, slip in ((0.4, 0.0), (-0.9, 0.03)):
        stand = moved(Y) @ about(Y, 0.5) @ moved(slip * Y + 0.05 * Z)
        turn = about(Z, 0.2 - lift) @ about(X, 0.3) @ about(Y, lift)
        upper = stand @ turn @ moved(-0.02 * Y)
        ours = world(found, "upper", lift=lift, slip=slip)
        elbow = np.append(handles["elbow"].point, 1.0)
        near((ours @ elbow)[:3], at(upper, -0.3 * Y))
        inertia = found.joint("upper").body
        assert inertia is not None
        near((ours @ np.append(inertia.centre, 1.0))[:3], at(upper, -0.15 * Y))


@pytest.mark.parametrize(
    ("kind", "names", "move"),
    [
        ("WeldJoint", "", lambda: np.eye(4)),
        ("PinJoint", "a", lambda a: about(Z, a)),
        ("SliderJoint", "a", lambda a: moved(a * X)),
        ("UniversalJoint", "ab", lambda a, b: about(X, a) @ about(Y, b)),
        ("BallJoint", "abc", lambda a, b, c: about(X, a) @ about(Y, b) @ about(Z, c)),
        ("GimbalJoint", "abc", lambda a, b, c: about(X, a) @ about(Y, b) @ about(Z, c)),
        ("PlanarJoint", "abc", lambda a, b, c: moved(b * X + c * Y) @ about(Z, a)),
        (
            "FreeJoint",
            "abcdef",
            lambda a, b, c, d, e, f: moved(d * X + e * Y + f * Z) @ about(X, a) @ about(Y, b) @ about(Z, c),
        ),
        (
            "EllipsoidJoint",
            "abc",
            lambda a, b, c: about(X, a) @ about(Y, b) @ about(Z, c) @ moved(0.2 * Z),
        ),
    ],
)
@pytest.mark.parametrize("backwards", [False, True], ids=["forwards", "backwards"])
def test_every_kind_of_joint_moves_as_it_does_in_opensim(
    kind: str, names: str, move: object, backwards: bool, tmp_path: Path
) -> None:
    """Also where the joint is met from its child, which hangs on the ground."""
    ends = ("/bodyset/thing", "/ground") if backwards else ("/ground", "/bodyset/thing")
    radii = "<radii_x_y_z>0.2 0.2 0.2</radii_x_y_z>" if kind == "EllipsoidJoint" else ""
    coordinates = "".join(coordinate(name, "") for name in names)
    text = model(held("BodySet", body("thing")), held("JointSet", joint(kind, "held", *ends, coordinates, radii)))
    found, random = figure(tmp_path, text), np.random.default_rng(3)
    for _ in range(3):
        values = dict(zip(names, random.uniform(-1.0, 1.0, len(names)).tolist(), strict=True))
        assert callable(move)
        whole = moved(-0.3 * Y) @ move(**values)
        centre = found.joints[0].body
        assert centre is not None
        ours = world(found, "thing", **values)
        wanted = np.linalg.inv(whole) if backwards else whole
        near((ours @ np.append(centre.centre, 1.0))[:3], at(wanted, -0.1 * Y))
        xx, yy, zz, xy, xz, yz = centre.inertia
        tensor = ours[:3, :3] @ [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]] @ ours[:3, :3].T
        near(tensor, wanted[:3, :3] @ np.diag([0.01, 0.002, 0.01]) @ wanted[:3, :3].T)


def moving(function: str, *, names: str = "bend", bodies: str = BODIES, constraint: str = "") -> str:
    """An elbow with a slide that a function moves."""
    elbow = transform(
        axis("rotation1", "bend", "0 0 1", LINE.format(1, 0)), axis("translation1", names, "1 0 0", function)
    )
    made = joint("CustomJoint", "elbow", "/bodyset/upper", "/bodyset/lower", coordinate("bend"), elbow)
    sets = (held("ConstraintSet", constraint),) if constraint else ()
    return model(bodies, held("JointSet", SHOULDER, made), *sets)


@pytest.mark.parametrize(
    ("function", "wanted", "close"),
    [
        ("<Constant><value>0.25</value></Constant>", lambda q: 0.25, 1e-12),
        (LINE.format(0.5, 0.1), lambda q: 0.5 * q + 0.1, 1e-12),
        (
            "<PolynomialFunction><coefficients>0.1 -0.2 0.3 0.4</coefficients></PolynomialFunction>",
            lambda q: 0.1 * q**3 - 0.2 * q**2 + 0.3 * q + 0.4,
            1e-12,
        ),
        (
            "<PolynomialFunction><coefficients>0.02 0 0 0 0 1</coefficients></PolynomialFunction>",
            lambda q: 0.02 * q**5 + 1.0,
            1e-5,
        ),
        (
            "<Sine><amplitude>0.1</amplitude><omega>2</omega><phase>0.3</phase><offset>1</offset></Sine>",
            lambda q: 0.1 * math.sin(2.0 * q + 0.3) + 1.0,
            1e-5,
        ),
        (
            "<PiecewiseLinearFunction><x>-1 0 1</x><y>0.1 0 0.3</y></PiecewiseLinearFunction>",
            lambda q: max(-0.1 * q, 0.3 * q),
            5e-3,
        ),
        (
            f"<MultiplierFunction><function>{LINE.format(1, 2)}</function><scale>0.5</scale></MultiplierFunction>",
            lambda q: 1.0 + 0.5 * q,
            1e-12,
        ),
    ],
)
def test_functions_drive_what_they_move(function: str, wanted: object, close: float, tmp_path: Path) -> None:
    found = figure(tmp_path, moving(function))
    assert callable(wanted)
    for bend in (-1.4, -0.3, 0.0, 0.6, 1.9):
        ours = np.linalg.inv(world(found, "upper", lift=0.0, bend=bend)) @ world(found, "lower", lift=0.0, bend=bend)
        assert ours[0, 3] == pytest.approx(wanted(bend), abs=close)


def test_a_coordinate_that_is_coupled_is_driven(tmp_path: Path) -> None:
    """By a curve; and what follows it is driven by what drives it."""
    curve = "<SimmSpline><x>-1 0 1</x><y>0 0.2 0.1</y></SimmSpline>"
    constraint = f"""<CoordinateCouplerConstraint name="rhythm"><isEnforced>true</isEnforced>
<coupled_coordinates_function>{curve}</coupled_coordinates_function>
<independent_coordinate_names>lift</independent_coordinate_names>
<dependent_coordinate_name>bend</dependent_coordinate_name></CoordinateCouplerConstraint>"""
    found = figure(tmp_path, moving(LINE.format(0.3, 0), constraint=constraint))
    driven = {each.id: each for each in found.driven}
    assert set(driven) == {"bend", "elbow.translation1"}
    assert all(each.driven[0].dof == "lift" for each in driven.values())
    for lift in (-0.8, 0.0, 0.5):
        bend = spline(np.array([-1.0, 0, 1]), np.array([0.0, 0.2, 0.1]), lift)
        upper = moved(-0.3 * Y) @ about(Z, lift)
        near(world(found, "lower", lift=lift), upper @ moved(-0.3 * Y) @ moved(0.3 * bend * X) @ about(Z, bend))


def test_a_coordinate_that_moves_by_functions_alone_stands_beside_the_joint(tmp_path: Path) -> None:
    elbow = transform(axis("rotation1", "bend", "0 0 1", LINE.format(0.5, 0)))
    made = joint("CustomJoint", "elbow", "/bodyset/upper", "/bodyset/lower", coordinate("bend"), elbow)
    found = figure(tmp_path, model(BODIES, held("JointSet", SHOULDER, made)))
    assert [each.id for each in found.joints] == ["upper", "bend_alone", "lower"]
    near(world(found, "lower", lift=0.0, bend=0.8), moved(-0.6 * Y) @ about(Z, 0.4))


def test_a_joint_without_coordinates_gets_ones_of_its_own_name(tmp_path: Path) -> None:
    shoulder = joint("UniversalJoint", "shoulder", "/ground", "/bodyset/upper", coordinate("lift"))
    found = figure(tmp_path, model(held("BodySet", body("upper")), held("JointSet", shoulder)))
    assert [each.id for each in found.dofs] == ["lift", "shoulder_coord_1"]


def test_a_model_with_z_up_is_set_upright(tmp_path: Path) -> None:
    found = figure(tmp_path, model(BODIES, held("JointSet", SHOULDER, ELBOW), inside="<gravity>0 0 -9.8</gravity>"))
    up, ahead = transforms(found, placed(found, {"lift": 0.0, "bend": 0.0}))[0, :, :3].T[[2, 0]]
    near(up, Y)
    near(ahead, Z)


def test_bones_that_lie_beside_the_model_are_its_shapes(tmp_path: Path) -> None:
    mesh = '<attached_geometry><Mesh name="m"><socket_frame>..</socket_frame><scale_factors>1 2 -1</scale_factors>'
    mesh += "<mesh_file>../elsewhere/bone.vtp</mesh_file></Mesh></attached_geometry>"
    text = model(held("BodySet", body("upper", mesh), body("lower")), held("JointSet", SHOULDER, ELBOW))
    assert "bone.vtp" in notes(tmp_path, text)
    (tmp_path / "Geometry").mkdir()
    (tmp_path / "Geometry" / "bone.vtp").write_text(VTP)
    found = contents(tmp_path, text)
    (shape,) = figure_in(found).joint("upper").shapes
    assert isinstance(shape, TriangleMesh)
    assert shape.positions.array.min(axis=0) == pytest.approx([0.0, 0.0, -0.5])
    assert shape.positions.array.max(axis=0) == pytest.approx([1.0, 2.0, 0.0])
    assert not any("bone.vtp" in each for each in found.notes)
    (tmp_path / "Geometry" / "bone.vtp").write_text("<VTKFile/>")
    assert "the surface bone.vtp" in notes(tmp_path, text)


WELD = joint("WeldJoint", "shut", "/bodyset/lower", "/ground")
MARKER_OFF = ARM.replace('wrist">\n<socket_parent_frame>/bodyset/lower', 'wrist">\n<socket_parent_frame>/x')
ODD = {
    "a loop": (model(BODIES, held("JointSet", SHOULDER, ELBOW, WELD)), "joint shut closes a loop of bodies; left out"),
    "a body that hangs on nothing": (model(BODIES, held("JointSet", SHOULDER)), "body lower hangs on nothing"),
    "an unknown joint": (
        model(BODIES, held("JointSet", SHOULDER, ELBOW.replace("CustomJoint", "BananaJoint"))),
        "joint elbow is a BananaJoint, which Sinew does not know; taken as fixed",
    ),
    "a joint to nowhere": (
        model(BODIES, held("JointSet", SHOULDER, ELBOW.replace("/bodyset/lower", "/bodyset/tail"))),
        "joint elbow stands in a frame 'in_child' that is not there; left out",
    ),
    "an unknown function": (moving("<StepFunction/>"), "is a StepFunction, which Sinew does not know; taken as 0"),
    "a function of two": (
        moving("<SimmSpline><x>0 1</x><y>0 1</y></SimmSpline>", names="bend lift"),
        "is a SimmSpline of 2 coordinates",
    ),
    "places that do not rise": (moving("<SimmSpline><x>0 0 1</x><y>0 1 2</y></SimmSpline>"), "places that do not rise"),
    "a range that is turned around": (ARM.replace("-1.5 2", "2 -1.5", 1), "goes from 2 to -1.5; taken as none"),
    "no inertia": (ARM.replace("0.01 0.002 0.01 0 0 0", "1 0 0 0 0 0", 1), "of body upper is that of no body"),
    "a mass below 0": (model(held("BodySet", body("upper", mass="-1")), held("JointSet", SHOULDER)), "is -1 kg"),
    "a marker in the air": (MARKER_OFF,
                            "marker wrist is on a body '/x' that is not there; left out"),
    "other forces": (ARM.replace("<ForceSet><objects>", '<ForceSet><objects><BushingForce name="b"/>'),
                     "left out: 1 BushingForce (line"),
    "a second body of a name": (model(held("BodySet", body("upper"), body("upper")), held("JointSet", SHOULDER)),
                                "a second Body 'upper'; left out"),
    "coupled in a circle": (
        moving(LINE.format(1, 0), constraint="""<CoordinateCouplerConstraint name="c">
<coupled_coordinates_function>""" + LINE.format(1, 0) + """</coupled_coordinates_function>
<independent_coordinate_names>bend</independent_coordinate_names>
<dependent_coordinate_name>bend</dependent_coordinate_name></CoordinateCouplerConstraint>"""),
        "coordinate bend is coupled with itself in a circle",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_what_is_odd_is_noted_with_its_line_and_the_rest_is_read(name: str, tmp_path: Path) -> None:
    text, wanted = ODD[name]
    found = contents(tmp_path, text)
    said = [each for each in found.notes if wanted in each]
    assert said, found.notes
    assert "upper" in figure_in(found).joint_index
    assert "line" in said[0] or "circle" in wanted


BAD = {
    "another root": ("<Model2/>", "<Model2> without a model", 1),
    "an old version": (ARM.replace("40000", "10905"), "a document of version '10905'", 2),
    "no version": (ARM.replace(' Version="40000"', ""), "without a version", 2),
    "no bodies": (model(), "a model without bodies", 3),
    "a type of document": ('<!DOCTYPE a [<!ENTITY b "c">]>\n' + ARM[39:], "a document type", 1),
    "cut off": (ARM[: len(ARM) // 2], "no sound XML", None),
    "a word for a number": (ARM.replace("<mass>1.5", "<mass>heavy", 1), "the mass of body upper is 'heavy'", 7),
    "two numbers for three": (ARM.replace("0 -0.1 0", "0 -0.1", 1), "the centre of mass of body upper is '0 -0.1'", 7),
    "elements in elements": ("<a>" * 200, "elements more than 100 deep", 1),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_model_is_refused_with_its_line(name: str, tmp_path: Path) -> None:
    text, wanted, line = BAD[name]
    with pytest.raises(UnreadableFile) as caught:
        contents(tmp_path, text)
    assert wanted in caught.value.found
    assert caught.value.remedy
    assert line is None or caught.value.line == line


BUSHING = """<BushingForce name="disc">
<socket_frame1>/bodyset/upper/{}</socket_frame1><socket_frame2>/bodyset/lower</socket_frame2>
<rotational_stiffness>10 20 30</rotational_stiffness><translational_stiffness>1 2 3</translational_stiffness>
<rotational_damping>0.1 0.2 0.3</rotational_damping><translational_damping>0 0 0</translational_damping>
</BushingForce>"""


@pytest.mark.parametrize(("turn", "spring", "damping"), [("0 0 0", 30.0, 0.3), ("0 1.5707963267948966 0", 10.0, 0.1)])
def test_a_bushing_within_a_joint_is_its_spring(tmp_path: Path, turn: str, spring: float, damping: float) -> None:
    on = UPPER.replace("</Body>", frame("seat", "..", "0 -0.3 0", turn) + "\n</Body>")
    text = model(
        held("BodySet", on, body("lower")), held("JointSet", SHOULDER, ELBOW), held("ForceSet", BUSHING.format("seat"))
    )
    found = contents(tmp_path, text)
    bend = figure_in(found).coordinate_dof["bend"]
    assert (bend.spring, bend.neutral, bend.damping) == (pytest.approx(spring), 0.0, pytest.approx(damping))
    assert figure_in(found).coordinate_dof["lift"].spring == 0.0
    assert "BushingForce" not in "\n".join(found.notes)


def test_a_spring_of_a_coordinate_stays_one_and_a_bushing_to_the_ground_is_one(tmp_path: Path) -> None:
    spring = """<SpringGeneralizedForce name="s"><coordinate>lift</coordinate><stiffness>12</stiffness>
<rest_length>0.4</rest_length><viscosity>0.7</viscosity></SpringGeneralizedForce>"""
    loose = BUSHING.format("").replace("/bodyset/upper/", "/ground")
    text = model(BODIES, held("JointSet", SHOULDER, ELBOW), held("ForceSet", spring, loose))
    found = contents(tmp_path, text)
    lift = figure_in(found).coordinate_dof["lift"]
    assert (lift.spring, lift.neutral, lift.damping) == (12.0, 0.4, 0.7)
    (part,) = (each for each in found.parts if isinstance(each, Bushings))
    (disc,) = part.bushings
    assert (disc.first, disc.joints) == (None, (joint_named(found, "Lower"),))
    assert "BushingForce" not in "\n".join(found.notes)
    assert figure_in(found).coordinate_dof["bend"].spring == 0.0


def joint_named(found: Contents, name: str) -> str:
    return next(joint.id for joint in figure_in(found).joints if joint.name == name)


def test_a_bushing_between_bodies_that_no_joint_joins_is_one(tmp_path: Path) -> None:
    on = UPPER.replace("</Body>", frame("seat", "..", "0 -0.3 0.1", "0 0 1.5707963267948966") + "\n</Body>")
    far = BUSHING.replace("/bodyset/lower", "/bodyset/hand").format("seat")
    wrist = ELBOW.replace("elbow", "wrist").replace("bend", "turn").replace("lower", "hand").replace("upper", "lower")
    text = model(
        held("BodySet", on, body("lower"), body("hand")),
        held("JointSet", SHOULDER, ELBOW, wrist),
        held("ForceSet", far),
    )
    found = contents(tmp_path, text)
    (part,) = (each for each in found.parts if isinstance(each, Bushings))
    (disc,) = part.bushings
    joints = {joint.name: joint.id for joint in figure_in(found).joints}
    assert (disc.name, disc.first, disc.second) == ("Disc", joints["Upper"], joints["Hand"])
    assert disc.first_position == pytest.approx((0.0, -0.3, 0.1))
    assert disc.first_rotation == pytest.approx((0.5**0.5, 0.0, 0.0, 0.5**0.5))
    assert (disc.turning, disc.sliding) == ((10.0, 20.0, 30.0), (1.0, 2.0, 3.0))
    assert (disc.turning_damping, disc.sliding_damping) == ((0.1, 0.2, 0.3), (0.0, 0.0, 0.0))
    assert "BushingForce" not in "\n".join(found.notes)


def test_springs_of_one_coordinate_rest_where_they_balance(tmp_path: Path) -> None:
    spring = """<SpringGeneralizedForce name="s"><coordinate>bend</coordinate><stiffness>{}</stiffness>
<rest_length>{}</rest_length></SpringGeneralizedForce>"""
    disc = BUSHING.replace("{}", "seat")
    on = UPPER.replace("</Body>", frame("seat", "..", "0 -0.3 0", "0 0 0") + "\n</Body>")
    for forces in ((spring.format(10, 0.8), disc), (disc, spring.format(10, 0.8)),
                   (spring.format(8, 0.25), spring.format(2, 3.0), disc)):  # fmt: skip
        text = model(held("BodySet", on, body("lower")), held("JointSet", SHOULDER, ELBOW), held("ForceSet", *forces))
        bend = figure(tmp_path, text).coordinate_dof["bend"]
        assert (bend.spring, bend.neutral) == (pytest.approx(40.0), pytest.approx(0.2))
    negative = held("ForceSet", spring.format(-1, 0.0))
    with pytest.raises(UnreadableFile, match="spring of bend"):
        contents(tmp_path, model(BODIES, held("JointSet", SHOULDER, ELBOW), negative))

"""Muscles and wraps of OpenSim's models: where wraps stand, between which points they are minded, and what is wrong."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from engine.formats import osim
from engine.formats.format import Options
from engine.maths.rotation_arrays import rotation_matrix
from engine.muscles.parts import Muscle, Muscles, MuscleWrap, PathWrap
from tests.engine.formats.osim_models import (
    ARM,
    BICEPS,
    BODIES,
    ELBOW,
    OLD_ARM,
    SHOULDER,
    around,
    body,
    held,
    model,
    muscle,
    point,
    wrap,
)
from tests.engine.formats.osim_peer import about, at, numbers, text
from tests.engine.formats.test_osim import (
    AHEAD,
    contents,
    drawn,
    figure_in,
    muscles_in,
    peer,
    placed,
    transforms,
    where,
)
from tests.engine.muscles.muscled import Measured

X, Y, Z = np.eye(3)
WRAPPED = ("osim/arm26.osim", "osim/Rajagopal2016.osim")
SIDES = {"x": X, "+x": X, "-x": -X, "y": Y, "-y": -Y, "z": Z, "-z": -Z}


def read(folder: Path, words: str) -> tuple[Muscles, str]:
    """The muscles of a model, and all that is noted."""
    path = folder / "model.osim"
    path.write_text(words, encoding="utf-8")
    found = osim.read(path, Options())
    return muscles_in(found), "\n".join(found.notes)


def arm(*muscles: str, upper: str = "", lower: str = "") -> str:
    """An arm with other muscles, and wraps on its bodies."""
    bodies = held("BodySet", body("upper", upper), body("lower", lower))
    return model(bodies, held("JointSet", SHOULDER, ELBOW), held("ForceSet", *muscles))


def straight(name: str, wraps: str = "", **others: str) -> str:
    """A muscle from one body to the other."""
    points = point("a", "upper", "0.05 0 0") + point("b", "lower", "0.05 -0.2 0")
    return muscle(name, points, wraps, **others)


def only(found: Muscles) -> Muscle:
    (one,) = found.muscles
    return one


@pytest.mark.parametrize("name", WRAPPED)
def test_wraps_stand_where_the_model_puts_them(name: str) -> None:
    path, random = where(name), np.random.default_rng(8)
    figure, muscles, theirs = figure_in(contents(path)), muscles_in(contents(path)), peer(path)
    coordinates = drawn(figure, random)
    worlds, ours = theirs.worlds(coordinates), transforms(figure, placed(figure, coordinates))
    for each in theirs.root.findall("BodySet/objects/Body"):
        for element in each.findall("WrapObjectSet/objects/*"):
            found = muscles.wrap(str(element.get("name")))
            assert found is not None
            assert found.joint is not None
            x, y, z = numbers(element, "xyz_body_rotation")
            turn = worlds[str(each.get("name"))][:3, :3] @ (about(X, x) @ about(Y, y) @ about(Z, z))[:3, :3]
            world = ours[figure.joint_index[found.joint]]
            np.testing.assert_allclose(world[:, :3] @ rotation_matrix(found.rotation), AHEAD @ turn, rtol=0, atol=1e-10)
            centre = at(worlds[str(each.get("name"))], numbers(element, "translation"))
            np.testing.assert_allclose(world[:, :3] @ found.centre + world[:, 3], AHEAD @ centre, rtol=0, atol=1e-10)
            sizes = numbers(element, "dimensions" if element.tag == "WrapEllipsoid" else "radius")
            assert found.radii == tuple(sizes)
            wanted = SIDES.get(text(element, "quadrant"))
            assert (found.side is None) == (wanted is None)
            assert wanted is None or found.side == tuple(wanted)


def test_paths_of_the_legs_never_leap_around_a_wrap() -> None:
    """OpenSim bends one stretch around a wrap; led around it from afar, glmax1 would be 23 cm longer from one degree of
    the hip to the next."""
    path = where("osim/Rajagopal2016.osim")
    figure, muscles = figure_in(contents(path)), muscles_in(contents(path))
    measured = Measured(figure, muscles.muscles, muscles.wraps)
    rest = {dof.id: 0.0 for dof in figure.dofs if not dof.driven}
    for name in ("hip_flexion_r", "hip_adduction_r", "hip_rotation_r", "knee_angle_r", "ankle_angle_r"):
        dof = figure.coordinate_dof[name]
        assert dof.lower is not None
        assert dof.upper is not None
        angles = np.arange(dof.lower, dof.upper, math.radians(1.0))
        lengths = np.array([measured(placed(figure, {**rest, name: angle}))[0] for angle in angles.tolist()])
        assert np.abs(np.diff(lengths, axis=0)).max() < 0.1 * math.radians(1.0), name


def test_fibres_are_as_long_as_they_work_at_where_the_leg_stands() -> None:
    path = where("osim/Rajagopal2016.osim")
    figure, muscles = figure_in(contents(path)), muscles_in(contents(path))
    rest = {dof.id: 0.0 for dof in figure.dofs if not dof.driven}
    lengths, _ = Measured(figure, muscles.muscles, muscles.wraps)(placed(figure, rest))
    for each, length in zip(muscles.muscles, lengths.tolist(), strict=True):
        assert 0.7 < (length - each.tendon) / (each.fibre * math.cos(each.pennation)) < 1.3, each.id


def test_wraps_are_met_in_the_order_in_which_the_path_comes_to_them() -> None:
    found = muscles_in(contents(where("osim/Rajagopal2016.osim"))).muscle("gaslat_r")
    assert found is not None
    assert [each.wrap for each in found.wraps] == ["Gastroc_at_condyles_r", "GasLat_at_shank_r"]


def test_a_muscle_is_what_the_model_says(tmp_path: Path) -> None:
    found, _ = read(tmp_path, ARM)
    biceps = only(found)
    assert (biceps.force, biceps.fibre, biceps.tendon, biceps.pennation, biceps.fastest) == (700, 0.12, 0.2, 0.1, 10)
    via = biceps.points[1]
    assert (via.dof, via.lower, via.upper, via.joint) == ("bend", -0.5, 1.0, "upper")
    assert found.wraps == (
        MuscleWrap(
            id="elbow_wrap",
            name="Elbow wrap",
            joint="upper",
            shape="cylinder",
            radii=(0.03,),
            centre=(0.0, -0.3, 0.0),
            length=0.1,
            side=(1.0, 0.0, 0.0),
        ),
    )
    assert biceps.wraps == (PathWrap(wrap="elbow_wrap", first=1, last=2),)
    assert found.model == "thelen"


def test_an_old_model_says_it_in_other_places(tmp_path: Path) -> None:
    """Its body turns at a place of its own; forces stand in its defaults, wraps on its ground, which is a joint."""
    found, said = read(tmp_path, OLD_ARM)
    deltoid = only(found)
    assert (deltoid.force, deltoid.fibre, deltoid.tendon, deltoid.pennation) == (450, 0.1, 0.05, 0.2)
    start, end = deltoid.points
    assert (start.joint, start.point) == ("ground", (0.1, 1.1, 0.0))
    assert end.joint == "upper"
    assert {each.dof for each in end.curves} == {"lift"}
    (ball,) = found.wraps
    assert (ball.shape, ball.joint, ball.centre, ball.side) == ("sphere", "ground", (0.1, 0.2, 0.3), (0.0, -1.0, 0.0))
    assert "z of point b of muscle deltoid is a polyline; its corners are rounded" in said
    figure = figure_in(osim.read(tmp_path / "model.osim", Options()))
    for lift in (-0.5, 0.0, 0.75):
        rows = transforms(figure, placed(figure, {"lift": lift, "slip": 0.0}))
        turn = (about(Z, 0.2 - lift) @ about(X, 0.3) @ about(Y, lift))[:3, :3]
        place = np.array([0.03 + 0.01 * lift, -0.1, 0.01 * min(1.0, 1.0 + lift)]) - 0.02 * Y
        place = Y + about(Y, 0.5)[:3, :3] @ (0.05 * Z + turn @ place)
        measured = Measured(figure, (deltoid,))(placed(figure, {"lift": lift, "slip": 0.0}))[0]
        assert measured[0] == pytest.approx(np.linalg.norm(place - [0.1, 1.1, 0.0]), abs=2e-4)
        assert rows.shape == (2, 3, 4)


def test_a_point_that_moves_with_what_does_not_move_stands(tmp_path: Path) -> None:
    """Its coordinate is that of a joint whose axes do not follow it."""
    still = OLD_ARM.replace("<coordinates>lift</coordinates>", "<coordinates></coordinates>")
    found, said = read(tmp_path, still)
    assert "coordinate lift of joint shoulder moves nothing; left out" in said
    assert only(found).points[1].curves == ()


def test_a_wrap_is_not_minded_beside_points_that_stand_inside_of_it(tmp_path: Path) -> None:
    size = "<radius>0.06</radius>"
    points = "".join(point(f"p{y}", "upper", f"0.05 {y} 0") for y in (0.1, 0.2, 0.3)) + point("e", "lower", "0 -0.2 0")
    found, said = read(
        tmp_path, arm(muscle("long", points, around("ball")), upper=wrap("WrapSphere", "ball", size, "0.05 0.1 0"))
    )
    assert "muscle long has point 1 inside wrap Ball; it is not minded beside it" in said
    assert only(found).wraps == (PathWrap(wrap="ball", first=2, last=3),)


def test_a_range_of_points_counts_from_one(tmp_path: Path) -> None:
    points = point("a", "upper", "0.05 0 0") + point("b", "lower", "0.05 -0.2 0") + point("c", "upper", "0.06 -0.2 0")
    ball = wrap("WrapSphere", "ball", "<radius>0.02</radius>")
    for ends, wanted in (("-1 -1", (0, 2)), ("1 2", (0, 1)), ("2 3", (1, 2)), ("2 -1", (1, 2))):
        found, _ = read(tmp_path, arm(muscle("long", points, around("ball", ends)), upper=ball))
        assert [(each.first, each.last) for each in only(found).wraps] == [wanted], ends


def test_tori_have_the_radius_of_their_tube_inside(tmp_path: Path) -> None:
    size = "<inner_radius>0.01</inner_radius><outer_radius>0.05</outer_radius>"
    found, _ = read(tmp_path, arm(straight("long", around("ring")), upper=wrap("WrapTorus", "ring", size)))
    assert [(each.shape, each.radii) for each in found.wraps] == [("torus", (0.05, 0.01))]


def test_groups_are_sets_and_sides_are_mirrors(tmp_path: Path) -> None:
    group = '<ObjectGroup name="flexors"><members> long_r long_l gone</members></ObjectGroup>'
    forces = held("ForceSet", straight("long_r"), straight("long_l"))
    forces = forces.replace("</objects></ForceSet>", f"</objects><groups>{group}</groups></ForceSet>")
    found, _ = read(tmp_path, model(BODIES, held("JointSet", SHOULDER, ELBOW), forces))
    assert [(each.id, each.muscles) for each in found.sets] == [("flexors", ("long_r", "long_l"))]
    assert {each.id: each.mirror for each in found.muscles} == {"long_r": "long_l", "long_l": "long_r"}


BALL = wrap("WrapSphere", "ball", "<radius>0.02</radius>")
NO_COORDINATE = "<socket_coordinate>x</socket_coordinate><range>0 1</range>"
ODD = {
    "one point": (muscle("short", point("a", "upper", "0 0 0")), "", "muscle short has one point on bodies; left out"),
    "no such body": (
        muscle("lost", point("a", "upper", "0 0 0") + point("b", "tail", "0 0 0")),
        "",
        "point b of lost is on a body '/bodyset/tail' that is not there; left out",
    ),
    "a negative tendon": (straight("odd", lengths="0.1 -0.2"), "", "the tendon of muscle odd is -0.2"),
    "no fibres": (straight("odd", lengths="0 0.2"), "", "the fibre of muscle odd is 0.0"),
    "a wrap that is not there": (
        straight("long", around("hole")),
        "",
        "muscle long bends around 'hole', which is not there or is off; it passes freely",
    ),
    "a wrap that is off": (
        straight("long", around("ball")),
        BALL.replace("<quadrant>", "<active>false</active><quadrant>"),
        "left out: 1 WrapSphere that is off",
    ),
    "a wrap without a size": (straight("long"), wrap("WrapSphere", "ball", "<radius>0</radius>"), "radii of wrap ball"),
    "a quadrant along a cylinder": (
        straight("long"),
        wrap("WrapCylinder", "ball", "<radius>1</radius><length>1</length>", quadrant="-z"),
        "the quadrant of wrap ball is '-z'; taken as all",
    ),
    "a muscle that is off": (
        straight("off").replace("<GeometryPath>", "<appliesForce>false</appliesForce><GeometryPath>"),
        "",
        "left out: 1 Thelen2003Muscle that is off",
    ),
    "a range of no coordinate": (
        muscle(
            "long",
            point("a", "upper", "0 0 0", "ConditionalPathPoint", NO_COORDINATE) + point("b", "lower", "0 0 0"),
        ),
        "",
        "is none of a coordinate that is there; the point is there always",
    ),
    "other curves": (
        straight("long", kind="Millard2012EquilibriumMuscle"),
        "",
        "Millard2012EquilibriumMuscle pull by the curves of De Groote 2016",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_what_is_odd_is_noted_and_other_muscles_are_read(name: str, tmp_path: Path) -> None:
    odd, upper, wanted = ODD[name]
    found, said = read(tmp_path, arm(odd, straight("sound", kind="Millard2012EquilibriumMuscle"), upper=upper))
    assert wanted in said
    assert found.muscles[-1].id == "sound"


def test_a_model_of_bodies_alone_has_no_muscles(tmp_path: Path) -> None:
    assert BICEPS in ARM
    (tmp_path / "bones.osim").write_text(ARM.replace(BICEPS, ""), encoding="utf-8")
    assert osim.read(tmp_path / "bones.osim", Options()).parts == ()

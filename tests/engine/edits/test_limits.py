"""Edits of joint limits, and what edits of a figure's tree leave of them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal

import numpy as np
import pytest

from engine.document import Actor, Blob, Document, Dof, Figure, Joint, Layer, Limit, validate
from engine.document.limit import BoxRange, ConeRange, Grid, GridRange, MeshRange, PolygonRange, SampledRange, Stroke
from engine.document.mirrored_limit import mapped_limit
from engine.edits import edit
from engine.limits.cones import measure_pointing, pointing
from engine.limits.field import compile_field
from engine.limits.ranges import grid_for
from engine.maths.arrays import Array
from engine.motion.mirror import mirror_pose
from engine.motion.mirror_map import compile_mirror
from engine.runtime.errors import EngineError, InvalidDocument, UnknownPart

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def grid(size: int, counts: int = 5) -> Grid:
    spacing = (4.0 / (counts - 1),) * size
    return Grid(counts=(counts,) * size, lower=(-2.0,) * size, spacing=spacing, periodic=(False,) * size)


def box(id: str, *dofs: str, lower: float = -0.5, upper: float = 1.0, on: bool = True) -> Limit:
    size = len(dofs)
    ends = BoxRange(lower=(lower,) * size, upper=(upper,) * size)
    return Limit(id=id, name=id.title(), dofs=dofs, range=ends, grid=grid(size), on=on)


def figure(*limits: Limit) -> Figure:
    """Hips, and on each side a hip of three turns and a knee; turns about the same world axes on both sides."""
    joints = [Joint(id="root", name="Root", dofs=(Dof(id="root.y", name="Y", axis=Y),))]
    sides: tuple[tuple[Literal["left", "right"], float, str], ...] = (("left", 0.1, "right"), ("right", -0.1, "left"))
    for side, x, other in sides:
        turns = tuple(
            Dof(id=f"{side}.hip.{name}", name=name, axis=axis) for name, axis in zip("zxy", (Z, X, Y), strict=True)
        )
        knee = (Dof(id=f"{side}.knee", name="Bend", axis=X),)
        hip = Joint(id=f"{side}_hip", name=f"{side} hip", parent="root", offset=(x, 0.0, 0.0), dofs=turns)
        shin = Joint(id=f"{side}_shin", name=f"{side} shin", parent=hip.id, offset=(0.0, -0.4, 0.0), dofs=knee)
        joints.append(replace(hip, mirror=f"{other}_hip", side=side))
        joints.append(replace(shin, mirror=f"{other}_shin", side=side))
    return Figure(name="Legs", joints=tuple(joints), limits=limits)


def document(*limits: Limit) -> Document:
    found = Document(actors=(Actor(id="me", name="Me", figure=figure(*limits), layers=(Layer(id="pose"),)),))
    validate(found)
    return found


def limits(found: Document) -> tuple[Limit, ...]:
    return found.actors[0].figure.limits


HIP = ("left.hip.z", "left.hip.x", "left.hip.y")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((box("a", "left.wing"),), "left.wing"),
        ((box("a", "left.knee"), box("a", "right.knee")), "limit ids"),
        ((box("a", "left.knee"), box("b", "left.knee")), "one that is on"),
        ((box("a", *HIP), box("b", "left.hip.x")), "one that is on"),
    ],
)
def test_limits_that_do_not_fit_their_figure_are_refused(given: tuple[Limit, ...], message: str) -> None:
    with pytest.raises(InvalidDocument, match=message):
        document(*given)


def test_a_cone_over_the_hinges_of_several_joints_is_refused() -> None:
    cone = replace(box("a", "left.hip.z", "left.hip.x", "left.knee"), range=ConeRange())
    with pytest.raises(InvalidDocument, match="three hinges of one joint"):
        document(cone)


def test_two_limits_share_a_hinge_where_one_is_off_or_over_several_joints() -> None:
    document(box("a", "left.knee"), box("b", "left.knee", on=False))
    document(box("a", *HIP), box("b", "left.knee"), box("c", "left.hip.x", "left.knee"))


def test_a_slide_has_no_limit_over_angles() -> None:
    slide = Joint(id="root", name="Root", dofs=(Dof(id="up", name="Up", kind="slide"),))
    sliding = Actor(id="me", name="Me", figure=Figure(name="F", joints=(slide,), limits=(box("a", "up"),)))
    with pytest.raises(InvalidDocument, match="a hinge of F"):
        validate(Document(actors=(sliding,)))


def test_a_limit_is_added_replaced_turned_off_and_removed() -> None:
    start = document()
    one = edit("set_limit", actor="me", limit=box("a", "left.knee")).apply(start)
    two = edit("set_limit", actor="me", limit=box("a", "left.knee", upper=1.5)).apply(one)
    assert [each.range for each in limits(two)] == [box("a", "left.knee", upper=1.5).range]
    assert edit("set_limit", actor="me", limit=box("a", "left.knee", upper=1.5)).apply(two) is two
    off = edit("set_limit_on", actor="me", limit="a", on=False).apply(two)
    assert off.actors[0].figure.limited == frozenset()
    assert two.actors[0].figure.limited == {"left.knee"}
    assert edit("remove_limit", actor="me", limit="a").apply(off).digest == start.digest
    with pytest.raises(UnknownPart, match="'a'"):
        edit("set_limit_on", actor="me", limit="b", on=True).apply(two)


def test_the_history_names_the_limit() -> None:
    assert edit("remove_limit", actor="me", limit="a").label(document(box("a", "left.knee"))) == "Remove joint limit A"


def test_another_resolution_covers_the_same_angles() -> None:
    around = Grid(counts=(4, 5), lower=(0.0, -2.0), spacing=(math.tau / 4, 1.0), periodic=(True, False))
    old = replace(box("a", "left.hip.x", "left.hip.y"), grid=around)
    found = edit("set_limit_grid", actor="me", limit="a", counts=(8, 9)).apply(document(old))
    assert limits(found)[0].grid == Grid(
        counts=(8, 9), lower=(0.0, -2.0), spacing=(math.tau / 8, 0.5), periodic=(True, False)
    )


def test_a_grid_too_large_and_one_that_came_as_numbers_are_refused() -> None:
    given = replace(box("a", "left.knee"), range=GridRange(distances=Blob(np.zeros(5))))
    with pytest.raises(InvalidDocument, match="its distances came"):
        edit("set_limit_grid", actor="me", limit="a", counts=(9,)).apply(document(given))
    with pytest.raises(InvalidDocument, match="512000 MB"):
        edit("set_limit_grid", actor="me", limit="a", counts=(4000,) * 3).apply(document(box("a", *HIP)))
    with pytest.raises(InvalidDocument, match="one for each hinge"):
        edit("set_limit_grid", actor="me", limit="a", counts=(9, 9)).apply(document(box("a", *HIP)))


def test_strokes_are_added_and_taken_off_by_their_places() -> None:
    strokes = [Stroke(kind="push", points=((0.1 * each,),), radius=0.2) for each in range(3)]
    found = document(box("a", "left.knee"))
    for stroke in strokes:
        found = edit("add_stroke", actor="me", limit="a", stroke=stroke).apply(found)
    assert limits(found)[0].strokes == tuple(strokes)
    fewer = edit("remove_strokes", actor="me", limit="a", strokes=(1,)).apply(found)
    assert limits(fewer)[0].strokes == (strokes[0], strokes[2])
    assert limits(edit("remove_strokes", actor="me", limit="a").apply(found))[0].strokes == ()
    with pytest.raises(InvalidDocument, match="0 to 2"):
        edit("remove_strokes", actor="me", limit="a", strokes=(3,)).apply(found)
    wide = Stroke(kind="push", points=((0.1, 0.2),), radius=0.2)
    with pytest.raises(EngineError, match="angles"):
        edit("add_stroke", actor="me", limit="a", stroke=wide).apply(found)


@pytest.mark.parametrize(("dofs", "counts"), [(("left.knee",), 24), (HIP, 13), (HIP, 6)])
def test_the_grid_makes_room_for_another_margin_and_takes_it_back(dofs: tuple[str, ...], counts: int) -> None:
    size = len(dofs)
    ends = BoxRange(lower=(-0.5,) * size, upper=(1.0,) * size)
    old = replace(box("a", *dofs), range=ends, margin=0.1, grid=grid_for(ends, (counts,) * size, 0.1))
    start = document(old)
    wide = edit("set_limit_margin", actor="me", limit="a", margin=0.6).apply(start)
    _same_grid(limits(wide)[0].grid, grid_for(ends, (counts,) * size, 0.6))
    _same_grid(limits(edit("set_limit_margin", actor="me", limit="a", margin=0.1).apply(wide))[0].grid, old.grid)
    round_ = edit("set_limit_margin", actor="me", limit="a", margin=3.0).apply(start)
    assert limits(round_)[0].grid.periodic == (True,) * size
    _same_grid(limits(edit("set_limit_margin", actor="me", limit="a", margin=0.1).apply(round_))[0].grid, old.grid)
    tight = document(replace(old, grid=grid_for(ends, (counts,) * size, 0.0)))
    less = edit("set_limit_margin", actor="me", limit="a", margin=0.0).apply(tight)
    assert limits(less)[0].grid == limits(tight)[0].grid or limits(less)[0].grid.lower[0] <= -0.5


def test_an_axis_that_is_round_whatever_the_margin_stays_so() -> None:
    around = Grid(counts=(24,), lower=(-math.pi,), spacing=(math.tau / 24,), periodic=(True,))
    old = replace(box("a", "left.knee"), margin=0.3, grid=around)
    less = edit("set_limit_margin", actor="me", limit="a", margin=0.1).apply(document(old))
    assert limits(less)[0].grid == around


@pytest.mark.parametrize("counts", [32, 12])
def test_the_grid_of_a_cone_goes_with_its_margin_there_and_back_and_never_cuts_it(counts: int) -> None:
    cone = ConeRange(swing=(0.6, 0.4), twist=(-0.3, 0.3))
    axes = np.array([Z, X, Y])
    made = replace(box("a", *HIP), range=cone, margin=0.5, grid=grid_for(cone, (32,) * 3, 0.5, axes))
    start = edit("set_limit_grid", actor="me", limit="a", counts=(counts,) * 3).apply(document(made))
    found = start
    for margin in (0.9, 0.0, 0.7, 0.5):
        found = edit("set_limit_margin", actor="me", limit="a", margin=margin).apply(found)
        own, wanted = limits(found)[0].grid, grid_for(cone, (7,) * 3, margin, axes)
        ends = zip(own.lower, own.spacing, wanted.lower, wanted.spacing, strict=True)
        assert all(a <= low and low + 6 * step <= a + (counts - 1) * s for a, s, low, step in ends)
    _same_grid(limits(found)[0].grid, limits(start)[0].grid)


def test_a_cone_whose_hinges_turn_about_other_axes_has_a_grid_all_the_way_round() -> None:
    start = document(replace(box("a", *HIP), range=ConeRange()))
    dofs = figure().joint("left_hip").dofs
    named = tuple(replace(dof, name=dof.name.upper()) for dof in dofs)
    found = edit("set_dofs", actor="me", joint="left_hip", dofs=named).apply(start)
    assert limits(found) == limits(start)
    turned = (dofs[0], replace(dofs[1], axis=Y), replace(dofs[2], axis=X))
    found = edit("set_dofs", actor="me", joint="left_hip", dofs=turned).apply(start)
    assert limits(found)[0].range == ConeRange()
    assert limits(found)[0].grid.periodic == (True, True, True)


def _same_grid(found: Grid, wanted: Grid) -> None:
    assert found.periodic == wanted.periodic
    assert found.counts == wanted.counts
    assert found.lower == pytest.approx(wanted.lower, abs=1e-12)
    assert found.spacing == pytest.approx(wanted.spacing, abs=1e-12)


def test_the_grid_of_numbers_stays_as_it_came() -> None:
    given = replace(box("a", "left.knee"), range=GridRange(distances=Blob(np.zeros(5))))
    found = edit("set_limit_margin", actor="me", limit="a", margin=0.5).apply(document(given))
    assert limits(found)[0].grid == given.grid


def test_no_nodes_along_an_axis_are_refused() -> None:
    with pytest.raises(InvalidDocument, match="2 and more"):
        edit("set_limit_grid", actor="me", limit="a", counts=(0,)).apply(document(box("a", "left.knee")))


def test_a_cone_whose_hinges_are_not_in_the_joint_s_order_is_refused() -> None:
    with pytest.raises(InvalidDocument, match="in its order"):
        document(replace(box("a", *HIP[::-1]), range=ConeRange()))


def test_another_order_of_a_joint_keeps_samples_by_hinge_and_cones_as_they_are() -> None:
    samples = SampledRange(angles=Blob(np.arange(6.0).reshape(2, 3) / 10.0), clips=(2,))
    stroke = Stroke(kind="pull", points=((0.1, 0.2, 0.3),), radius=0.2)
    cone = ConeRange(swing=(0.9, 0.5), twist=(-0.2, 0.7))
    others = tuple(dof.replace("left", "right") for dof in HIP)
    made = (replace(box("a", *HIP), range=samples, strokes=(stroke,)), replace(box("b", *others), range=cone))
    found = document(*made)
    for side in ("left", "right"):
        turns = figure().joint(f"{side}_hip").dofs
        found = edit("set_dofs", actor="me", joint=f"{side}_hip", dofs=turns[::-1]).apply(found)
    validate(found)
    hip, other = limits(found)
    assert (hip.dofs, other.dofs) == (HIP[::-1], others[::-1])
    assert isinstance(hip.range, SampledRange)
    assert np.array_equal(hip.range.angles.array, samples.angles.array[:, ::-1])
    assert hip.strokes[0].points == ((0.3, 0.2, 0.1),)
    assert other.range == cone
    assert other.grid.periodic == (True, True, True)


def test_the_swings_of_a_cone_go_with_their_directions_to_the_other_side() -> None:
    cone = ConeRange(swing=(0.9, 0.5), twist=(-0.2, 0.7))
    axes = (Z, X, Y)
    quarter = 0.5**0.5
    turned = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])  # a quarter about y
    one = figure(replace(box("a", *HIP), range=cone))
    own = tuple(
        replace(dof, axis=tuple((turned.T @ axis + 0.0).tolist()))
        for dof, axis in zip(one.joint("right_hip").dofs, axes, strict=True)
    )
    joints = tuple(
        replace(each, rest=(quarter, 0.0, quarter, 0.0), dofs=own) if each.id == "right_hip" else each
        for each in one.joints
    )
    start = Document(actors=(Actor(id="me", name="Me", figure=replace(one, joints=joints), layers=(Layer(id="p"),)),))
    validate(start)
    found = edit("mirror_limit", actor="me", limit="a", id="c", name="Right").apply(start)
    image = limits(found)[1]
    assert isinstance(image.range, ConeRange)
    assert image.range.swing == (0.5, 0.9)
    signs = compile_mirror(start.actors[0].figure)
    points = np.random.default_rng(4).uniform(-1.0, 1.0, (400, 3))
    mirrored = points * [signs.copied[dof].sign for dof in image.dofs]
    before = measures(cone, np.array(axes), points)
    after = measures(image.range, np.array([dof.axis for dof in own]), mirrored)
    assert np.abs(before - after).max() < 1e-9
    assert (before < 0.0).any()
    plain = edit("mirror_limit", actor="me", limit="a", id="c", name="Right").apply(document(*one.limits))
    kept = limits(plain)[1].range
    assert isinstance(kept, ConeRange)
    assert kept.swing == (0.9, 0.5)


def measures(cone: ConeRange, axes: Array, points: Array) -> Array:
    """What swing or twist has beyond its range."""
    region = pointing(cone, axes)
    return np.array([measure_pointing(*region, point) for point in points])


def test_swings_about_directions_that_the_other_side_has_not_are_refused() -> None:
    slanted = ConeRange(axis=(0.5, -(0.5**0.5), 0.5), swing=(0.9, 0.5))
    swap = ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0))
    limit = replace(box("a", *HIP), range=slanted)
    with pytest.raises(InvalidDocument, match="swings of a cone"):
        mapped_limit(limit, HIP, (1.0, 1.0, 1.0), reflection=swap)
    alike = replace(limit, range=replace(slanted, swing=(0.6, 0.6)))
    image = mapped_limit(alike, HIP, (1.0, 1.0, 1.0), reflection=swap).range
    assert isinstance(image, ConeRange)
    assert image.swing == (0.6, 0.6)


def test_the_other_side_gets_the_mirror_image_of_the_same_poses() -> None:
    angles = np.random.default_rng(1).uniform(-1.0, 1.0, (6, 3))
    sampled = SampledRange(angles=Blob(angles), clips=(6,))
    stroke = Stroke(kind="pull", points=((0.1, 0.2, 0.3),), radius=0.2)
    old = replace(box("a", *HIP), range=sampled, strokes=(stroke,))
    start = document(old, box("b", "right.hip.z", "right.hip.x", "right.hip.y"))
    found = edit("mirror_limit", actor="me", limit="a", id="c", name="Right").apply(start)
    validate(found)
    image = limits(found)[1]
    assert [each.id for each in limits(found)] == ["a", "c"]
    assert set(image.dofs) == {"right.hip.z", "right.hip.x", "right.hip.y"}
    assert isinstance(image.range, SampledRange)
    for row, mirrored in zip(angles, image.range.angles.array, strict=True):
        pose = tuple(zip(HIP, row.tolist(), strict=True))
        expected = dict(mirror_pose(start.actors[0].figure, pose))
        assert dict(zip(image.dofs, mirrored.tolist(), strict=True)) == pytest.approx(
            {name: expected[name] for name in image.dofs}
        )
    again = edit("mirror_limit", actor="me", limit="c", id="d", name="A").apply(found)
    back = limits(again)[1]
    assert replace(back, id="a") == old


def test_nodes_faces_and_corners_are_mirrored_with_their_region() -> None:
    values = np.arange(125.0).reshape(5, 5, 5)
    field = replace(box("a", *HIP), range=GridRange(distances=Blob(values)))
    image = limits(edit("mirror_limit", actor="me", limit="a", id="c", name="R").apply(document(field)))[1]
    signs = [1.0 if name.endswith(".x") else -1.0 for name in image.dofs]
    assert signs == [-1.0, 1.0, -1.0]
    assert isinstance(image.range, GridRange)
    assert np.array_equal(image.range.distances.array, values[::-1, :, ::-1])
    assert image.grid.lower == (-2.0, -2.0, -2.0)
    corners = ((0.3, -1.0, 0.0), (0.0, -1.0, 0.4), (-0.1, -1.0, -0.2))
    cone = replace(box("a", *HIP), range=PolygonRange(axis=(0.0, -1.0, 0.0), corners=corners, twist=(-0.1, 0.4)))
    polygon = limits(edit("mirror_limit", actor="me", limit="a", id="c", name="R").apply(document(cone)))[1].range
    assert isinstance(polygon, PolygonRange)
    assert polygon.twist == (-0.4, 0.1)
    assert polygon.corners[2][0] < 0.0 < polygon.corners[0][0]
    positions = Blob(np.vstack((np.zeros(3), np.eye(3))))
    faces = Blob(np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]], dtype="<i4"))
    mesh = replace(box("a", *HIP), range=MeshRange(positions=positions, faces=faces))
    turned = limits(edit("mirror_limit", actor="me", limit="a", id="c", name="R").apply(document(mesh)))[1].range
    assert isinstance(turned, MeshRange)
    assert _volume(turned) == pytest.approx(_volume(mesh.range))


def _volume(mesh: object) -> float:
    assert isinstance(mesh, MeshRange)
    corners = mesh.positions.array[mesh.faces.array]
    return float(np.linalg.det(corners).sum() / 6.0)


def test_what_has_no_other_side_is_not_mirrored() -> None:
    with pytest.raises(InvalidDocument, match="another side"):
        edit("mirror_limit", actor="me", limit="a", id="c", name="R").apply(document(box("a", "root.y")))


def test_a_limit_goes_with_its_hinge_and_stays_with_a_joint_that_is_hung_elsewhere() -> None:
    start = document(box("a", "left.knee"), box("b", "left.hip.x", "left.knee"), box("c", *HIP))
    moved = edit("reparent_joint", actor="me", joint="left_shin", parent="root").apply(start)
    assert limits(moved) == limits(start)
    gone = edit("remove_joint", actor="me", joint="left_shin").apply(start)
    validate(gone)
    assert [each.id for each in limits(gone)] == ["c"]
    other = (Dof(id="left.knee", name="Slide", kind="slide"),)
    slides = edit("set_dofs", actor="me", joint="left_shin", dofs=other).apply(start)
    validate(slides)
    assert [each.id for each in limits(slides)] == ["c"]
    halves = edit("split_joint", actor="me", joint="left_hip", share=0.5, id="half", name="Half").apply(start)
    assert limits(halves) == limits(start)
    assert limits(edit("rename_joint", actor="me", joint="left_hip", name="Hip").apply(start)) == limits(start)


def test_a_rerooted_figure_keeps_the_same_angles_and_drops_those_of_the_old_root() -> None:
    samples = SampledRange(angles=Blob(np.arange(6.0).reshape(2, 3) / 10.0), clips=(2,))
    start = document(replace(box("a", *HIP), range=samples), box("b", "left.knee"), box("c", "root.y"))
    found = edit("reroot_figure", actor="me", joint="left_shin", layer="path").apply(start)
    validate(found)
    hip, knee = limits(found)
    assert knee == limits(start)[1]
    assert hip.dofs == HIP[::-1]
    assert isinstance(hip.range, SampledRange)
    assert np.array_equal(hip.range.angles.array, samples.angles.array[:, ::-1])


def test_a_cone_of_a_joint_that_is_turned_round_allows_the_same_angles() -> None:
    cone = replace(box("a", *HIP), range=ConeRange(swing=(0.9, 0.5), twist=(-0.2, 0.7)), margin=0.05, grid=grid(3, 13))
    start = document(cone)
    found = edit("reroot_figure", actor="me", joint="left_shin", layer="path").apply(start)
    (image,) = limits(found)
    axes = [np.array([dof.axis for dof in one.actors[0].figure.dofs if dof.id in HIP]) for one in (start, found)]
    assert not np.array_equal(axes[0], axes[1])
    assert np.allclose(compile_field(image, axes[1]).values, compile_field(cone, axes[0]).values, atol=1e-12)


def test_the_other_side_of_a_branch_has_its_limits() -> None:
    one = figure(box("a", "left.hip.x", "left.knee"), box("b", *HIP))
    names = [joint for joint in one.joints if joint.side != "right"]
    left = Figure(name="One", joints=tuple(replace(joint, mirror=None) for joint in names), limits=one.limits)
    start = Document(actors=(Actor(id="me", name="Me", figure=left, layers=(Layer(id="pose"),)),))
    dofs = tuple((dof, dof.replace("left", "right")) for dof in (*HIP, "left.knee"))
    joints = (("left_hip", "right_hip"), ("left_shin", "right_shin"))
    sides = edit("mirror_branch", actor="me", joint="left_hip", joints=joints, dofs=dofs, limits=(("a", "c"),))
    found = sides.apply(start)
    validate(found)
    image = limits(found)[2]
    assert (image.id, image.dofs, image.range) == ("c", ("right.hip.x", "right.knee"), one.limits[0].range)

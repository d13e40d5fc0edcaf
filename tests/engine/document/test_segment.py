"""The middle of a segment, where a body part is taken hold of."""

from __future__ import annotations

import numpy as np
import pytest

from engine.document import (
    Blob,
    Box,
    Capsule,
    Ellipsoid,
    Figure,
    Handle,
    Joint,
    Loft,
    Section,
    Shape,
    TriangleMesh,
    prop,
)
from engine.document.segment import middle_of_segment
from engine.formats.figure_toml import load_figure
from engine.runtime.errors import UnknownPart

HUMAN = load_figure("human")


def ending(*shapes: Shape) -> Figure:
    """A figure whose second joint is the last."""
    return Figure(name="it", joints=(Joint(id="a", name="a"), Joint(id="b", name="b", parent="a", shapes=shapes)))


def test_upper_arm_is_held_halfway_to_the_elbow() -> None:
    elbow = HUMAN.joint("elbow_left").offset
    assert middle_of_segment(HUMAN, "shoulder_left") == pytest.approx([0.5 * each for each in elbow])


def test_joint_from_which_limbs_leave_is_held_halfway_to_their_mean() -> None:
    following = [each.offset for each in HUMAN.joints if each.parent == "pelvis"]
    assert len(following) == 3
    assert middle_of_segment(HUMAN, "pelvis") == pytest.approx(0.5 * np.mean(following, axis=0))


def test_last_joint_is_held_halfway_to_its_farthest_handle() -> None:
    head = next(each.point for each in HUMAN.handles if each.joint == "head")
    assert middle_of_segment(HUMAN, "head") == pytest.approx([0.5 * each for each in head])
    near = Handle(id="near", name="near", joint="head", point=(0.0, 0.01, 0.0))
    more = Figure(name="more", joints=HUMAN.joints, handles=(near, *HUMAN.handles))
    assert middle_of_segment(more, "head") == middle_of_segment(HUMAN, "head")


def test_last_joint_without_handles_is_held_amid_its_shapes() -> None:
    sections = (Section(along=0.1, width=0.02, depth=0.02), Section(along=0.3, width=0.01, depth=0.01))
    assert middle_of_segment(ending(Capsule(start=(0, 0, 0), end=(0, -0.2, 0.02), radius=0.01)), "b") == (0, -0.1, 0.01)
    loft = Loft(sections=sections, axis=(0.0, 0.0, 2.0), side=(1.0, 0.0, 0.0), origin=(0.0, 0.5, 0.0))
    assert middle_of_segment(ending(loft), "b") == pytest.approx((0.0, 0.5, 0.2))
    two = ending(
        Box(half=(0.1, 0.1, 0.1), centre=(0.0, 0.1, 0.0)), Ellipsoid(radii=(0.1, 0.1, 0.1), centre=(0, 0.9, 0))
    )
    assert middle_of_segment(two, "b") == pytest.approx((0.0, 0.5, 0.0))


def test_what_has_nothing_is_held_at_its_joint() -> None:
    assert middle_of_segment(ending(), "b") == (0.0, 0.0, 0.0)


def test_a_joint_in_the_place_of_the_one_before_counts_for_nothing() -> None:
    inner = Joint(id="b", name="b", parent="a", shapes=(Capsule(start=(0, 0, 0), end=(0, 0.4, 0), radius=0.01),))
    figure = Figure(name="it", joints=(Joint(id="a", name="a", shapes=inner.shapes), inner))
    assert middle_of_segment(figure, "a") == pytest.approx((0.0, 0.2, 0.0))


def test_a_prop_is_held_amid_its_shapes_whatever_handles_it_has() -> None:
    stick = prop("stick", (Capsule(start=(0, 0, -0.5), end=(0, 0, 0.5), radius=0.02),))
    handled = Figure(
        name="it",
        joints=stick.joints,
        handles=(Handle(id="end", name="end", joint=stick.joints[0].id, point=(0.0, 0.0, 0.5)),),
    )
    assert middle_of_segment(handled, stick.joints[0].id) == (0.0, 0.0, 0.0)


def test_mesh_is_held_amid_its_corners() -> None:
    positions = np.array([[0, 0.2, 0], [0.1, 0.2, 0], [0, 0.6, -0.4]], dtype=np.float32)
    normals = np.tile(np.array([0, 0, 1], dtype=np.float32), (3, 1))
    triangles = np.array([[0, 1, 2]], dtype=np.int32)
    mesh = TriangleMesh(positions=Blob(positions), normals=Blob(normals), triangles=Blob(triangles))
    assert middle_of_segment(ending(mesh), "b") == pytest.approx((0.05, 0.4, -0.2))


def test_unknown_joint_is_told() -> None:
    with pytest.raises(UnknownPart, match="tail"):
        middle_of_segment(HUMAN, "tail")

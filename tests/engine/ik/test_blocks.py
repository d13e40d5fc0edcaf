"""Goals as blocks: weights, axes, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.ik.blocks import blocks_of
from engine.ik.goals import (
    CentreGoal,
    Goal,
    LineGoal,
    LookAtGoal,
    OrientationGoal,
    PlaneGoal,
    PoseGoal,
    PositionGoal,
    Spot,
)
from engine.runtime.errors import InvalidArguments

SPOT = Spot(actor="one", joint="tip")
W = ((2.0, 0.3, 0.0), (0.3, 1.0, -0.2), (0.0, -0.2, 0.5))


def test_matrix_weight_is_the_square_of_the_rows() -> None:
    (block,) = blocks_of(PositionGoal(spot=SPOT, target=(0.0, 0.0, 0.0), weight=W))
    assert block.shape.T @ block.shape == pytest.approx(np.array(W), abs=1e-12)
    assert block.scale == pytest.approx(math.sqrt(np.linalg.eigvalsh(np.array(W))[-1]))


def test_number_as_weight_is_that_times_the_unit_matrix() -> None:
    (block,) = blocks_of(PositionGoal(spot=SPOT, target=(0.0, 0.0, 0.0), weight=4.0))
    assert block.shape == pytest.approx(2.0 * np.eye(3))


def test_line_has_two_rows_across_it_and_plane_one_along_its_normal() -> None:
    direction = np.array([1.0, 2.0, -2.0]) / 3.0
    (line,) = blocks_of(LineGoal(spot=SPOT, point=(0.0, 0.0, 0.0), direction=(1.0, 2.0, -2.0)))
    (plane,) = blocks_of(PlaneGoal(spot=SPOT, point=(0.0, 0.0, 0.0), normal=(1.0, 2.0, -2.0)))
    assert (line.height, plane.height) == (2, 1)
    assert np.abs(line.shape @ direction).max() < 1e-15
    assert line.shape.T @ line.shape == pytest.approx(np.eye(3) - np.outer(direction, direction))
    assert plane.shape[0] == pytest.approx(direction)


def test_orientation_is_the_columns_of_the_rotation_and_a_pose_adds_a_point() -> None:
    half = math.sqrt(0.5)
    quarter = (half, 0.0, 0.0, half)
    i, k = blocks_of(OrientationGoal(spot=SPOT, target=(2.0 * half, 0.0, 0.0, 2.0 * half), axes=("i", "k")))
    assert i.target == pytest.approx((0.0, 1.0, 0.0))
    assert k.target == pytest.approx((0.0, 0.0, 1.0))
    assert len(blocks_of(PoseGoal(spot=SPOT, position=(0.0, 0.0, 0.0), rotation=quarter))) == 3


def test_centre_of_mass_keeps_the_axes_that_are_asked_for() -> None:
    (block,) = blocks_of(CentreGoal(actor="one", target=(0.0, 0.0, 0.0), axes=("z", "x")))
    assert block.height == 2
    assert block.shape[:2] == pytest.approx(np.eye(3)[[0, 2]])


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        (PositionGoal(spot=SPOT, target=(math.nan, 0.0, 0.0)), "the target.*nan.*finite"),
        (PositionGoal(spot=SPOT, target=(0.0, math.inf, 0.0)), "the target.*inf.*finite"),
        (PositionGoal(spot=SPOT, target=(0.0, 0.0, 0.0), weight=-1.0), "the weight of a goal.*-1"),
        (PositionGoal(spot=SPOT, target=(0.0, 0.0, 0.0), weight=math.nan), "the weight of a goal.*nan"),
        (
            PositionGoal(spot=SPOT, target=(0.0, 0.0, 0.0), weight=((1.0, 2.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))),
            "the weight of a goal.*symmetric",
        ),
        (
            PositionGoal(
                spot=SPOT, target=(0.0, 0.0, 0.0), weight=((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0))
            ),
            "without negative directions",
        ),
        (PlaneGoal(spot=SPOT, point=(0.0, 0.0, 0.0), normal=(0.0, 0.0, 0.0)), "the normal of a plane.*not zero"),
        (LineGoal(spot=SPOT, point=(0.0, 0.0, 0.0), direction=(0.0, 0.0, 0.0)), "the direction of a line.*not zero"),
        (
            LookAtGoal(spot=SPOT, target=(0.0, 0.0, 0.0), direction=(0.0, 0.0, 0.0)),
            "the direction that looks.*not zero",
        ),
        (OrientationGoal(spot=SPOT, target=(0.0, 0.0, 0.0, 0.0)), "the target orientation.*not zero"),
        (OrientationGoal(spot=SPOT, target=(1.0, 0.0, 0.0, 0.0), axes=()), "the axes of an orientation"),
        (OrientationGoal(spot=SPOT, target=(1.0, 0.0, 0.0, 0.0), axes=("i", "i")), "the axes of an orientation"),
        (CentreGoal(actor="one", target=(0.0, 0.0, 0.0), axes=()), "the axes of a centre of mass"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(goal: Goal, words: str) -> None:
    with pytest.raises(InvalidArguments, match=words):
        blocks_of(goal)

"""Joint limits in a figure's text: every kind comes back equal, both sides from one table, mistakes named."""

from __future__ import annotations

import math
import random
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.document import Blob, Dof, Figure, Joint
from engine.document.limit import BoxRange, ConeRange, Grid, Limit
from engine.formats import limit_arrays
from engine.formats.figure_toml import read, write
from engine.runtime.errors import UnreadableFile
from tests.engine.edits.limit_examples import limit_over

GRID = "counts = [8], first = [-180], periodic = [true]"
AXES = ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0))
KINDS = ("sampled", "box", "grid", "mesh", "cone", "polygon")
SIDED = """
name = "Arms"
angles = "degrees"

[[joint]]
id = "chest"

[[joint]]
id = "shoulder"
parent = "chest"
sides = "both"
order = "ZYX"
offset = [0.2, 0, 0]

[[limit]]
id = "reach"
hinges = ["shoulder.z", "shoulder.y", "shoulder.x"]
kind = "cone"
swing = [60, 45]
axis = [0.6, -0.8, 0]
sides = "both"
grid = { counts = [8, 8, 8], first = [-180, -180, -180], periodic = [true, true, true] }
"""


def ball(*limits: Limit) -> Figure:
    """One joint of three hinges."""
    dofs = tuple(Dof(id=f"ball.{name}", name=name, axis=axis) for name, axis in zip("zyx", AXES, strict=True))
    joint = Joint(id="ball", name="Ball", dofs=dofs)
    return Figure(name="Ball", joints=(joint,), limits=limits)


def again(folder: Path, figure: Figure) -> Figure:
    path = folder / "again.figure.toml"
    write(path, figure)
    return read(path)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_a_limit_of_every_kind_comes_back_equal(tmp_path: Path, kind: str, seed: int) -> None:
    limit = limit_over(random.Random(seed), ("ball.z", "ball.y", "ball.x"), on=seed != 1, kind=kind)
    limit = replace(limit, margin=0.1 * seed, resistance=3.5, onset=0.3)
    figure = ball(limit)
    found = again(tmp_path, figure)
    assert found.limits == figure.limits
    assert found.digest == figure.digest


def test_a_limit_of_whole_degrees_is_written_in_degrees(tmp_path: Path) -> None:
    degree = math.pi / 180.0
    grid = Grid(counts=(7,), lower=(-90.0 * degree,), spacing=(30.0 * degree,), periodic=(False,))
    range = BoxRange(lower=(-60.0 * degree,), upper=(45.0 * degree,))
    limit = Limit(id="bend", name="Bend", dofs=("ball.z",), range=range, grid=grid, onset=10.0 * degree)
    assert again(tmp_path, ball(limit)).limits == (limit,)
    text = (tmp_path / "again.figure.toml").read_text()
    assert "lower = [-60]" in text
    assert "radians" not in text


def test_one_table_for_both_sides_means_one_movement_on_both(tmp_path: Path) -> None:
    path = tmp_path / "arms.figure.toml"
    path.write_text(SIDED)
    left, right = read(path).limits
    assert (left.id, right.id) == ("reach_left", "reach_right")
    assert (left.name, right.name) == ("Left reach", "Right reach")
    assert right.dofs == ("shoulder_right.z", "shoulder_right.y", "shoulder_right.x")
    assert isinstance(left.range, ConeRange)
    assert isinstance(right.range, ConeRange)
    assert left.range.axis == pytest.approx((0.6, -0.8, 0.0))
    assert right.range.axis == pytest.approx((-0.6, -0.8, 0.0))
    assert left.range.swing == right.range.swing == pytest.approx((math.pi / 3, math.pi / 4))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"shoulder.x"]', '"shoulder.w"]', "'shoulder.w'"),
        ('kind = "cone"', 'kind = "egg"', "cone"),
        ("swing = [60, 45]", "swing = [60]", "2 numbers"),
        ("swing = [60, 45]", "swing = [60, 0]", "above 0"),
        ("swing = [60, 45]", "swing = [60, nan]", "swing"),
        ("swing = [60, 45]", "swing = [60, 45]\nlower = [1]", "unknown key"),
        ("counts = [8, 8, 8]", "counts = [8, 8]", "each axis"),
        ("counts = [8, 8, 8]", "counts = [0, 8, 8]", "2 and more"),
        ("counts = [8, 8, 8]", "counts = [4000, 4000, 4000]", "512000 MB"),
        ('sides = "both"\ngrid', 'sides = "all"\ngrid', "both"),
        ('sides = "both"\ngrid', "grid", "shoulder.z"),
    ],
)
def test_mistakes_in_a_limit_are_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in SIDED
    path = tmp_path / "arms.figure.toml"
    path.write_text(SIDED.replace(old, new))
    with pytest.raises(UnreadableFile, match=message):
        read(path)


@pytest.mark.parametrize("damage", ["gone", "cut", "flipped", "shape", "nan", "pickle", "path"])
def test_arrays_that_are_not_sound_are_refused_by_name(tmp_path: Path, damage: str) -> None:
    figure = ball(limit_over(random.Random(1), ("ball.z", "ball.y", "ball.x"), kind="grid"))
    path = tmp_path / "again.figure.toml"
    write(path, figure)
    (arrays,) = tmp_path.glob("*.limit.npz")
    if damage == "gone":
        arrays.unlink()
    elif damage == "cut":
        arrays.write_bytes(arrays.read_bytes()[:-40])
    elif damage == "flipped":
        content = bytearray(arrays.read_bytes())
        content[len(content) // 3] ^= 0x55
        arrays.write_bytes(bytes(content))
    elif damage == "path":
        path.write_text(path.read_text().replace('file = "', 'file = "../'))
    else:
        bad = {"shape": np.zeros((2, 2)), "nan": np.full(figure.limits[0].grid.counts, np.nan)}
        np.savez(arrays, distances=bad.get(damage, np.array([{}], dtype=object)))
    with pytest.raises(UnreadableFile, match=r"limit|field|file"):
        read(path)


@pytest.mark.parametrize("at", range(0, 400, 7))
def test_no_byte_of_an_archive_can_be_turned_into_an_error_without_a_name(tmp_path: Path, at: int) -> None:
    path = tmp_path / "one.limit.npz"
    limit_arrays.write(path, {"distances": Blob(np.linspace(-1.0, 1.0, 60).reshape(3, 4, 5))})
    content = bytearray(path.read_bytes())
    content[at % len(content)] ^= 0x5A
    path.write_bytes(bytes(content))
    with suppress(UnreadableFile):
        limit_arrays.read(path, {"distances": "<f8"})


def test_a_hinge_with_an_id_of_its_own_has_both_sides(tmp_path: Path) -> None:
    text = SIDED.replace(
        'order = "ZYX"', 'dofs = [{ whole_id = "a", name = "A", axis = "x" }, { name = "B", axis = "y" }]'
    )
    text = text.replace('["shoulder.z", "shoulder.y", "shoulder.x"]', '["a"]').replace("axis = [0.6, -0.8, 0]\n", "")
    text = text.replace('kind = "cone"\nswing = [60, 45]', 'kind = "box"\nlower = [-10]\nupper = [20]')
    text = text.replace("counts = [8, 8, 8], first = [-180, -180, -180], periodic = [true, true, true]", GRID)
    path = tmp_path / "arms.figure.toml"
    path.write_text(text)
    figure = read(path)
    assert [limit.dofs for limit in figure.limits] == [("a_left",), ("a_right",)]


def test_a_cone_points_down_where_no_axis_is_said(tmp_path: Path) -> None:
    path = tmp_path / "arms.figure.toml"
    path.write_text(SIDED.replace("axis = [0.6, -0.8, 0]\n", ""))
    cone = read(path).limits[0].range
    assert isinstance(cone, ConeRange)
    assert cone.axis == (0.0, -1.0, 0.0)

"""Driven coordinates in a `.figure.toml`."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from engine.formats.figure_toml import read, write
from engine.runtime.errors import UnreadableFile

LEG = """
name = "Leg"
angles = "degrees"

[[joint]]
id = "patella"
sides = "both"
dofs = [
  { name = "Slide", kind = "slide", axis = "y", driven = [{ by = "knee.flex", at = [0, 30, 90], values = [0.1, 0.2, 0] }] },
  { name = "Turn", driven = [{ by = "knee.flex", at = [0, 90], values = [5, -40] }, { by = "lean", at = [0, 1], values = [0, 9] }] },
]

[[joint]]
id = "knee"
sides = "both"
dofs = [{ name = "Flex", limits = [0, 120] }]

[[joint]]
id = "trunk"
dofs = [{ name = "Lean", whole_id = "lean", kind = "slide" }]
"""  # noqa: E501


def test_is_read_for_both_sides_and_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "leg.figure.toml"
    path.write_text(LEG)
    figure = read(path)
    slide, turn = (figure.coordinate_dof[f"patella_right.{name}"].driven for name in ("slide", "turn"))
    assert [each.dof for each in (*slide, *turn)] == ["knee_right.flex", "knee_right.flex", "lean"]
    assert slide[0].at == pytest.approx((0.0, math.pi / 6, math.pi / 2))
    assert slide[0].values == (0.1, 0.2, 0.0)
    assert turn[0].values == pytest.approx((math.radians(5), math.radians(-40)))
    assert turn[1].at == (0.0, 1.0)
    assert turn[1].values == pytest.approx((0.0, math.radians(9)))
    again = tmp_path / "again.figure.toml"
    write(again, figure)
    assert "values = [5, -40]" in again.read_text()
    assert read(again) == figure


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('by = "lean"', 'by = "leam"', "unknown degree of freedom 'leam'"),
        ("at = [0, 90]", 'at = [0, "90"]', "numbers in square brackets"),
        ("at = [0, 90]", "at = [90, 0]", "line 5.*each above the one before"),
        ('by = "lean", ', "", "has no 'by'"),
        (
            '{ name = "Lean"',
            '{ name = "Lean", driven = [{ by = "knee.flex", at = [0, 1], values = [0, 1] }]',
            "knee.flex",
        ),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, says: str) -> None:
    path = tmp_path / "leg.figure.toml"
    path.write_text(LEG.replace(old, new, 1))
    with pytest.raises(UnreadableFile, match=says):
        read(path)

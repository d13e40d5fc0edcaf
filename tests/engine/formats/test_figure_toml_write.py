"""Figures written as text come back equal, whatever they hold."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from engine.document import Body, Box, Capsule, Dof, Ellipsoid, Figure, Handle, Joint, Layer, Loft, Section
from engine.formats.figure_toml import FORMAT, figure_names, load_figure, read, write
from engine.formats.figure_toml_write import figure_text, omits
from engine.formats.format import Contents, Options
from engine.runtime.errors import UnwritableFile
from tests.engine.figures import random_figure

LOFT = Loft(
    sections=(
        Section(along=0.0, width=0.1, depth=0.2),
        Section(along=0.5, width=0.1, depth=0.2, depth_back=0.3, shift_side=0.01, squareness=0.1),
    ),
    axis=(0.0, 0.0, -1.0),
)
EVERYTHING = Figure(
    name='A "figure" # of\\all \t sorts é',
    joints=(
        Joint(
            id="root",
            name="Root",
            dofs=(
                Dof(id="root.x", name="X", kind="slide", lower=-1.0 / 3.0),
                Dof(id="elsewhere", name="Turn", kind="ball"),
            ),
            shapes=(
                LOFT,
                Capsule(start=(0.0, 0.0, 0.0), end=(0.0, 1e-7, -0.0), radius=0.1, tone=0.3),
                Ellipsoid(radii=(0.1, 0.2, 0.3)),
                Box(half=(1.0, 2.0, 3.0), rounding=0.5, centre=(1e15, 0.0, 0.0)),
            ),
            density=250.5,
            group="Middle",
        ),
        Joint(
            id="a",
            name="Other name",
            parent="root",
            rest=(0.5, 0.5, -0.5, 0.5),
            offset=(0.1, 0.2, 0.3),
            dofs=(
                Dof(
                    id="a.q1",
                    name="Up",
                    axis=(0.6, 0.0, 0.8),
                    lower=-0.123,
                    upper=1.0,
                    stiffness=0.0,
                    damping=2.5,
                    spring=3.25,
                    neutral=0.0625,
                ),
            ),
            side="left",
            mirror="b",
            body=Body(mass=2.0, centre=(0.0, 0.1, 0.0), inertia=(0.3, 0.3, 0.3, 0.01, 0.0, -0.01)),
        ),
        Joint(id="b", name="B", parent="root", side="right", mirror="a", body=Body(mass=0.0)),
    ),
    handles=(Handle(id="tip", name="Tip", joint="a", point=(0.0, 0.0, 0.1)), Handle(id="h", name="Two", joint="b")),
)


def again(folder: Path, figure: Figure) -> Figure:
    path = folder / "again.figure.toml"
    write(path, figure)
    return read(path)


def test_a_figure_with_everything_comes_back_equal(tmp_path: Path) -> None:
    found = again(tmp_path, EVERYTHING)
    assert found == EVERYTHING
    assert found.digest == EVERYTHING.digest


@pytest.mark.parametrize("seed", range(6))
def test_random_figures_come_back_equal(tmp_path: Path, seed: int) -> None:
    figure = random_figure(seed, ball_root=seed % 2 == 0)
    assert again(tmp_path, figure).digest == figure.digest


@pytest.mark.parametrize("name", figure_names())
def test_figures_that_ship_come_back_equal(tmp_path: Path, name: str) -> None:
    figure = load_figure(name)
    assert again(tmp_path, figure).digest == figure.digest


def test_whole_degrees_are_written_as_such() -> None:
    dof = Dof(id="a.z", name="Z", lower=math.radians(-37.5), upper=math.radians(140.0))
    text = figure_text(Figure(name="F", joints=(Joint(id="a", name="A", dofs=(dof,)),)))
    assert 'angles = "degrees"' in text
    assert "limits = [-37.5, 140]" in text


def test_angles_that_no_degrees_give_are_written_as_radians(tmp_path: Path) -> None:
    odd = next(
        value
        for value in (0.95 + step * 2.0**-53 for step in range(99))
        if all((value / (math.pi / 180.0) + ulps * 7.1e-15) * (math.pi / 180.0) != value for ulps in (-2, -1, 0, 1, 2))
    )
    figure = Figure(name="F", joints=(Joint(id="a", name="A", dofs=(Dof(id="a.z", name="Z", upper=odd),)),))
    assert 'angles = "radians"' in figure_text(figure)
    assert again(tmp_path, figure) == figure


def test_what_is_left_out_is_said_before() -> None:
    assert omits(Contents(figure=EVERYTHING)) == ()
    unnamed = replace(EVERYTHING, joints=(Joint(id="a", name=" "),), handles=())
    said = omits(Contents(figure=unnamed, layers=(Layer(id="l"),)))
    assert said == ("motion", "blank names, written as the ids")


def test_nothing_to_write_is_refused(tmp_path: Path) -> None:
    assert FORMAT.write is not None
    with pytest.raises(UnwritableFile, match="no figure to write"):
        FORMAT.write(tmp_path / "a.figure.toml", Contents(), Options())
    assert list(tmp_path.iterdir()) == []

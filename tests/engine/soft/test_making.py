"""Soft bodies made of shapes, of files and of the skin of a figure."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.__main__ import main
from engine.command import Gradual
from engine.document import Box, Document
from engine.evaluate.evaluator import Evaluator
from engine.formats import obj, sinew
from engine.formats.format import Contents, FileMesh, Options
from engine.maths.arrays import Array
from engine.model.inertia import is_closed
from engine.model.solids import surface_of
from engine.queries.examples import example
from engine.runtime.errors import EngineError
from engine.runtime.progress import finish
from engine.soft.commands.make_soft import MakeSoftBox, MakeSoftCylinder, MakeSoftMesh, MakeSoftSkin
from engine.soft.making import soft_box, soft_cylinder
from engine.soft.parts import SoftBody, SoftWorld
from engine.soft.uses import soft_body
from tests.engine.soft.test_simulation import SECOND, simulation


def made(command: Gradual, document: Document | None = None) -> Document:
    found = finish(command.work_through(Evaluator(), document or Document()))
    return found.apply(document or Document())  # type: ignore[union-attr]


def body_of(document: Document, id: str = "new") -> SoftBody:
    found = soft_body(document.actor(id))
    assert found is not None
    return found


def enclosed(positions: Array, triangles: Array) -> float:
    """The volume within a surface, above zero where its triangles are seen from outside."""
    a, b, c = (positions[triangles[:, each]].astype(float) for each in range(3))
    return float(np.einsum("nx,nx->n", a, np.cross(b, c)).sum() / 6.0)


@pytest.fixture
def brick(tmp_path: Path) -> Path:
    shape = surface_of(Box(half=(0.2, 0.1, 0.1)))
    mesh = FileMesh(name="Brick", positions=shape.positions, triangles=shape.triangles.astype(np.int32))
    obj.write(tmp_path / "brick.obj", Contents(surfaces=(mesh,)), Options(unit=1.0))
    return tmp_path / "brick.obj"


@pytest.mark.parametrize(
    ("body", "volume"),
    [
        (soft_box((0.2, 0.3, 0.4), (2, 3, 4)), 0.024),
        (soft_box((0.2, 0.3, 0.4), (2, 3, 4), cells="hexahedra"), 0.024),
        (soft_box((0.4, 0.2, 0.1), (4, 2, 1), cells="squares"), 0.008),
        (soft_cylinder(0.1, 0.4, rings=2, layers=4), 6 * 0.1**2 * np.sin(np.pi / 6) * 0.4),
    ],
)
def test_the_surface_of_a_shape_is_closed_and_seen_from_outside(body: SoftBody, volume: float) -> None:
    positions, triangles = body.positions.array, body.triangles.array
    _, same = np.unique(positions.round(6), axis=0, return_inverse=True)
    assert is_closed(same.ravel()[triangles])
    assert enclosed(positions, triangles) == pytest.approx(volume, rel=0.05)


def test_commands_make_boxes_and_cylinders() -> None:
    options = (("young", 1e4), ("density", 500.0))
    box = body_of(made(MakeSoftBox(id="new", size=(0.2, 0.2, 0.2), counts=(2, 2, 2), options=options)))
    assert (box.young, box.density, box.shape) == (1e4, 500.0, "tetrahedra")
    plate = body_of(made(MakeSoftBox(id="new", counts=(2, 2, 1), cells="squares")))
    assert plate.planar
    assert body_of(made(MakeSoftCylinder(id="new", axis=0))).cell_count == 18 * 4 * 8


def test_a_mesh_file_is_filled_with_cells_and_stands_on_the_floor(brick: Path) -> None:
    document = made(MakeSoftMesh(id="new", name="Brick", path=str(brick), along=4, unit=1.0))
    body = body_of(document)
    assert document.actor("new").placement.position == pytest.approx((0.0, 0.1, 0.0))
    assert body.positions.array.min(axis=0) == pytest.approx((-0.2, -0.1, -0.1), abs=1e-6)
    assert body.cell_count == 5 * 4 * 2 * 2
    cubes = made(MakeSoftMesh(id="new", name="Brick", path=str(brick), along=4, unit=1.0, cells="hexahedra"))
    assert body_of(cubes).cell_count == 4 * 2 * 2


def test_an_open_surface_is_refused_unless_it_is_mended(brick: Path) -> None:
    lines = brick.read_text().splitlines()
    faces = [line for line in lines if line.startswith("f ")]
    brick.write_text("\n".join(line for line in lines if line not in faces[:1]) + "\n")
    with pytest.raises(EngineError, match=r"brick\.obj cannot be a soft body"):
        made(MakeSoftMesh(id="new", name="Brick", path=str(brick), unit=1.0))
    mended = made(MakeSoftMesh(id="new", name="Brick", path=str(brick), along=4, unit=1.0, mend=True))
    assert body_of(mended).cell_count == 80
    with pytest.raises(EngineError, match="no format that Sinew reads"):
        made(MakeSoftMesh(id="new", name="Brick", path="brick.txt"))


def test_the_command_line_makes_a_project_of_a_mesh_file(brick: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = brick.parent / "brick.sinew"
    assert main(["soften", str(brick), str(out), "--along", "4", "--young", "5000", "--unit", "1"]) == 0
    assert "80 tetrahedra" in capsys.readouterr().err
    body = body_of(sinew.read(out), "soft")
    assert (body.young, body.touches_by_surface, body.touches_itself) == (5e3, False, False)
    assert main(["soften", str(brick), str(out), "--along", "4", "--unit", "1", "--by-surface", "--itself"]) == 0
    body = body_of(sinew.read(out), "soft")
    assert (body.touches_by_surface, body.touches_itself) == (True, True)


def test_the_flesh_of_a_figure_goes_with_its_joints() -> None:
    walk = replace(example("walk").build(), parts=(SoftWorld(step=1.0 / 30.0, tolerance=1e-2, iterations=8),))
    options = (("young", 2e4), ("touches", False))
    command = MakeSoftSkin(id="new", name="Flesh", actor="human", along=12, factor=50.0, options=options)
    document = made(command, walk)
    body = body_of(document)
    assert body.factors is not None
    assert {1.0, 50.0} == set(np.unique(body.factors.array).tolist())
    assert len(body.attachments) > 10
    found = simulation(document)
    for time in (0, SECOND // 10):
        frames = Evaluator().joint_transforms(document, "human", time)
        points = found.points(time)
        for each in body.attachments:
            frame = frames[document.actor("human").figure.joint_index[each.joint]]
            assert points[each.points.array] == pytest.approx(
                each.places.array @ frame[:, :3].T + frame[:, 3], abs=1e-5
            )

"""What a limit looks like: boundary, slices, strokes not kept, the pose beside it, and where a bone points."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.commands.build_limits import BuildLimits
from engine.commands.make_limit import ImportLimit, MakeLimit, new_limit, write_limit
from engine.document import Document
from engine.document.limit import BoxRange, ConeRange, Grid, MeshRange, Stroke
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.queries.limit_pictures import LimitPicture, LimitPictures, LimitWanted
from engine.runtime.errors import EngineError
from engine.runtime.progress import finish
from tests.engine.queries.limit_figures import SHOULDER, moving


def made(kind: str, joint: str = "shoulder", document: Document | None = None) -> Document:
    document = document or moving()
    wish = MakeLimit(actor="arm", joint=joint, kind=kind, id="limit", nodes=20)  # type: ignore[arg-type]
    return wish.work_out(Evaluator(), document).apply(document)


def picture(document: Document, **wished: object) -> LimitPicture:
    wanted = LimitWanted(actor="arm", limit="limit", **wished)  # type: ignore[arg-type]
    *_, found = (each for each in LimitPictures().answer(document, wanted) if each is not None)
    return found


def test_a_box_is_as_wide_as_the_hinges_limits_and_named_by_them() -> None:
    found = picture(made("box"))
    assert isinstance(found.limit.range, BoxRange)
    assert found.hinges == ("Z", "X", "Y")
    assert np.allclose(found.positions.min(axis=0), -2.0, atol=0.02)
    assert np.allclose(found.positions.max(axis=0), 1.5, atol=0.02)


def test_normals_look_outwards() -> None:
    found = picture(made("cone"))
    assert isinstance(found.limit.range, ConeRange)
    a, b, c = (found.positions[found.faces[:, corner]] for corner in range(3))
    flat = np.cross(b - a, c - a)
    assert (np.einsum("fi,fi->f", flat, found.normals[found.faces[:, 0]]) > 0.0).mean() > 0.99
    assert np.allclose(np.linalg.norm(found.normals, axis=1), 1.0)


def test_a_slice_stands_where_it_is_wished_and_is_negative_inside() -> None:
    (cut,) = picture(made("box"), cuts=((1, 0.3),)).slices
    assert cut.axes == (0, 2)
    assert cut.place[1] == pytest.approx(0.3)
    assert cut.values[48, 48] < 0.0 < cut.values[0, 0]


def test_a_stroke_that_is_not_kept_changes_the_picture_and_not_the_limit() -> None:
    document = made("box")
    stroke = Stroke(kind="pull", points=((1.5, 0.0, 0.0),), radius=0.5)
    pictures, wanted = LimitPictures(), LimitWanted(actor="arm", limit="limit")
    *_, plain = pictures.answer(document, wanted)
    *_, pulled = pictures.answer(document, LimitWanted(actor="arm", limit="limit", strokes=(stroke,)))
    *_, after = pictures.answer(document, wanted)
    assert plain is not None
    assert pulled is not None
    assert after is not None
    assert pulled.positions[:, 0].max() > plain.positions[:, 0].max() + 0.1
    assert np.array_equal(after.positions, plain.positions)


def test_a_region_over_the_seam_of_a_turn_is_seen_whole_with_its_slices_and_poses() -> None:
    turn, middle = (-math.pi, math.tau / 24), math.radians(180.0)
    content = BoxRange(lower=(middle - 0.5, -0.5, -0.5), upper=(middle + 0.5, 0.5, 0.5))
    lower, spacing = (turn[0], -1.0, -1.0), (turn[1], 0.1, 0.1)
    grid = Grid(counts=(24, 21, 21), lower=lower, spacing=spacing, periodic=(True, False, False))
    figure = moving().actor("arm").figure
    limit = new_limit(figure, SHOULDER, content, grid, id="limit", margin=0.0)
    found = picture(edit("set_limit", actor="arm", limit=limit).apply(moving()), cuts=((2, 0.0), (0, -math.pi)))
    low, high = found.lower[0], found.upper[0]
    assert high - low == pytest.approx(math.tau)
    assert low <= found.positions[:, 0].min() < found.positions[:, 0].max() <= high
    assert np.ptp(found.positions[:, 0]) == pytest.approx(1.0, abs=0.05)
    cut, across = found.slices
    rows = np.linspace(low, high, len(cut.values))[cut.values[:, 48] < 0.0]
    assert rows.min() >= found.positions[:, 0].min() - 0.1
    assert rows.max() <= found.positions[:, 0].max() + 0.1
    assert across.values.min() < 0.0
    pose = found.seen((math.radians(-170.0), 0.0, 0.0))
    assert low <= pose[0] <= high
    assert abs(pose[0] - found.positions[:, 0].mean()) < 0.3
    assert found.seen((pose[0] + 6.0, 0.0, 0.0), near=pose)[0] == pytest.approx(pose[0] + 6.0 - math.tau)


def test_samples_are_the_same_array_while_a_stroke_is_drawn() -> None:
    document = moving()
    wish = BuildLimits(actor="arm", actors=("arm",), joints=("shoulder",), ids=("limit",), nodes=16)
    document = finish(wish.work_through(Evaluator(), document)).apply(document)
    pictures, wanted = LimitPictures(), LimitWanted(actor="arm", limit="limit")
    *_, plain = pictures.answer(document, wanted)
    assert plain is not None
    assert len(plain.samples) > 10
    stroke = Stroke(kind="pull", points=(tuple(plain.positions[0].tolist()),), radius=0.3)
    *_, pulled = pictures.answer(document, replace(wanted, strokes=(stroke,)))
    assert pulled is not None
    assert pulled.samples is plain.samples


@pytest.mark.parametrize(("joint", "count"), [("elbow", 1), ("wrist", 2)])
def test_fewer_angles_are_a_line_or_a_slice(joint: str, count: int) -> None:
    found = picture(made("box", joint))
    assert len(found.hinges) == count
    assert found.positions.shape[1] == count
    assert (len(found.line), len(found.slices)) == ((20, 0) if count == 1 else (0, 1))


def test_a_pose_outside_is_told_with_the_nearest_that_is_allowed() -> None:
    pictures, wanted = LimitPictures(), LimitWanted(actor="arm", limit="limit")
    *_, outside = pictures.standing(made("box"), wanted, (2.0, 0.0, 0.0))
    *_, inside = pictures.standing(made("box"), wanted, (0.0, 0.0, 0.0))
    assert outside is not None
    assert inside is not None
    assert outside.value == pytest.approx(0.5, abs=0.05)
    assert outside.nearest[0] == pytest.approx(1.5, abs=0.05)
    assert inside.value < 0.0
    assert inside.nearest == (0.0, 0.0, 0.0)


def test_a_bone_points_where_its_cone_lets_it() -> None:
    found = picture(made("cone"), reach=True).reach
    assert found is not None
    assert found.parent == "base"
    inside = found.positions[found.beyond <= 0.0]
    assert np.allclose(np.linalg.norm(inside, axis=1), 0.3, atol=1e-6)
    angles = np.degrees(np.arccos(np.clip(-inside[:, 1] / 0.3, -1.0, 1.0)))
    assert 58.0 < angles.max() < 75.0
    assert angles.min() < 5.0


def test_a_patch_that_is_known_is_there_at_once() -> None:
    pictures, document = LimitPictures(), made("cone")
    wanted = LimitWanted(actor="arm", limit="limit", reach=True)
    told = [[each.reach is not None for each in pictures.answer(document, wanted) if each is not None] for _ in "ab"]
    assert told == [[False, True], [True]]


def test_a_wrapped_limit_is_a_mesh_of_about_the_same_size() -> None:
    box = made("box")
    before, after = picture(box), picture(made("wrap", document=box))
    assert np.allclose(after.positions.max(axis=0), before.positions.max(axis=0), atol=0.2)


def test_the_limit_that_is_told_is_wrapped_also_where_it_is_over_some_hinges_of_a_joint() -> None:
    content = BoxRange(lower=(-0.5, -0.4), upper=(0.5, 0.4))
    grid = Grid(counts=(16, 16), lower=(-1.0, -1.0), spacing=(2 / 15, 2 / 15), periodic=(False, False))
    figure = moving().actor("arm").figure
    some = new_limit(figure, SHOULDER[:2], content, grid, id="some", margin=0.0)
    document = edit("set_limit", actor="arm", limit=some).apply(moving())
    wish = MakeLimit(actor="arm", joint="shoulder", kind="wrap", id="other", old="some")
    (wrapped,) = wish.work_out(Evaluator(), document).apply(document).actor("arm").figure.limits
    assert isinstance(wrapped.range, MeshRange)
    assert (wrapped.id, wrapped.dofs) == ("some", SHOULDER[:2])


def test_a_box_in_place_of_a_limit_keeps_its_margin() -> None:
    document = edit("set_limit_margin", actor="arm", limit="limit", margin=0.2).apply(made("cone"))
    assert made("box", document=document).actor("arm").figure.limit("limit").margin == 0.2


@pytest.mark.parametrize("ending", [".obj", ".npz"])
def test_what_is_written_is_read_as_the_same_region(tmp_path: Path, ending: str) -> None:
    box = made("box")
    path = tmp_path / f"limit{ending}"
    write_limit(path, box, "arm", "limit")
    read = ImportLimit(actor="arm", joint="shoulder", path=path, id="other", nodes=20).work_out(Evaluator(), moving())
    document = read.apply(moving())
    assert document.actor("arm").figure.limits[0].dofs == SHOULDER
    wanted = LimitWanted(actor="arm", limit="other")
    *_, found = LimitPictures().answer(document, wanted)
    assert found is not None
    assert np.allclose(found.positions.max(axis=0), picture(box).positions.max(axis=0), atol=0.1)


@pytest.mark.parametrize(
    ("joint", "kind"), [("elbow", "cone"), ("wrist", "cone"), ("base", "box"), ("shoulder", "wrap")]
)
def test_what_a_joint_cannot_have_is_refused_by_name(joint: str, kind: str) -> None:
    with pytest.raises(EngineError):
        made(kind, joint)


def test_a_field_of_other_angles_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "limit.npz"
    write_limit(path, made("box"), "arm", "limit")
    with pytest.raises(EngineError, match=r"angles of limit\.npz"):
        ImportLimit(actor="arm", joint="elbow", path=path, id="other").work_out(Evaluator(), moving())

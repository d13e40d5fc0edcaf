"""The table of joint limits of a figure of 31 joints: each line true, and worked out in steps."""

from __future__ import annotations

import math
from dataclasses import replace
from time import thread_time

import numpy as np
import pytest

from engine.commands.build_limits import BuildLimits
from engine.document import Actor, Blob, Document, Figure, Layer, Limit, Samples
from engine.document.limit import BoxRange, ConeRange, Grid, Stroke
from engine.evaluate.evaluator import Evaluator
from engine.limits.field import compile_field
from engine.queries.limit_table import LimitRow, limit_rows
from engine.runtime.progress import finish
from tests.benchmarks.motion import AXES, capture_figure

FRAMES, JOINTS, NODES, FINE = 240, 30, 12, 33
KINDS = ("box", "cone", "clips")


def dofs_of(joint: int) -> tuple[str, ...]:
    return tuple(f"j{joint}.{axis}" for axis in AXES)


def moving(figure: Figure) -> Actor:
    """All hinges wave, each in its own way."""
    names, time = figure.coordinates, np.arange(FRAMES)[:, None] / 30.0
    values = 0.5 * np.sin(time * np.linspace(0.3, 3.0, len(names)))
    take = Samples(coordinates=names, values=Blob(values), rate=(30, 1))
    return Actor(id="one", name="One", figure=figure, layers=(Layer(id="take", samples=take),))


def limit(joint: int) -> Limit:
    """A box or a cone, every other one brushed."""
    dofs, half = dofs_of(joint), 0.2 + 0.01 * joint
    grid = Grid(counts=(FINE,) * 3, lower=(-1.5,) * 3, spacing=(3.0 / (FINE - 1),) * 3, periodic=(False,) * 3)
    box = BoxRange(lower=(-half, -0.4, -0.6), upper=(half, 0.4, 0.6))
    strokes = (Stroke(kind="pull", points=((half, 0.0, 0.0),), radius=0.3),) if joint % 2 else ()
    content = ConeRange() if KINDS[joint % 3] == "cone" else box
    return Limit(id=f"l{joint}", name=f"J{joint}", dofs=dofs, range=content, grid=grid, strokes=strokes)


@pytest.fixture(scope="module")
def document() -> Document:
    """Thirty limits: ten of clips, the others boxes and cones."""
    figure = capture_figure()
    document = Document(actors=(moving(figure),), rate=(30, 1))
    of_clips = [each for each in range(1, JOINTS + 1) if KINDS[each % 3] == "clips"]
    wish = BuildLimits(
        actor="one", actors=("one",), joints=tuple(f"j{each}" for each in of_clips),
        ids=tuple(f"l{each}" for each in of_clips), nodes=NODES, margin=0.1,
    )  # fmt: skip
    document = finish(wish.work_through(Evaluator(), document)).apply(document)
    actor = document.actors[0]
    others = tuple(limit(each) for each in range(1, JOINTS + 1) if each not in of_clips)
    return document.with_actor(replace(actor, figure=replace(actor.figure, limits=(*actor.figure.limits, *others))))


@pytest.fixture(scope="module")
def rows(document: Document) -> dict[str, LimitRow]:
    *_, found = (each for each in limit_rows(Evaluator(), document, "one") if each is not None)
    return {row.limit: row for row in found}


def test_every_limit_has_its_line_of_its_kind_and_memory(document: Document, rows: dict[str, LimitRow]) -> None:
    limits = document.actors[0].figure.limits
    assert list(rows) == [each.id for each in limits]
    assert len(rows) == JOINTS
    for joint in range(1, JOINTS + 1):
        brushed = joint % 2 and KINDS[joint % 3] != "clips"
        assert rows[f"l{joint}"].kind == KINDS[joint % 3] + (" brushed" if brushed else "")
    for each in limits:
        field = compile_field(each, np.eye(3))
        assert rows[each.id].bytes == field.values.nbytes + field.anchors.nbytes + field.nearest.nbytes
        assert rows[each.id].nodes == each.grid.counts
        assert rows[each.id].problem == ""


def test_boxes_have_their_volume_and_the_share_of_the_poses_between_their_ends(
    document: Document, rows: dict[str, LimitRow]
) -> None:
    actor = document.actors[0]
    assert actor.layers[0].samples is not None
    poses, columns = actor.layers[0].samples.values.array, actor.figure.coordinate_index
    plain = [each for each in actor.figure.limits if isinstance(each.range, BoxRange) and not each.strokes]
    assert len(plain) == 5
    for each in plain:
        assert isinstance(each.range, BoxRange)
        lower, upper = np.array(each.range.lower), np.array(each.range.upper)
        assert rows[each.id].volume == pytest.approx(math.prod(upper - lower), rel=0.2)
        angles = poses[:, [columns[dof] for dof in each.dofs]]
        inside = ((angles >= lower) & (angles <= upper)).all(axis=1).mean()
        assert rows[each.id].inside == pytest.approx(inside, abs=0.03)


def test_limits_of_the_clip_hold_all_of_it(rows: dict[str, LimitRow]) -> None:
    shares = [row.inside for row in rows.values() if row.kind == "clips"]
    assert len(shares) == JOINTS // 3
    assert all(share is not None and share > 0.99 for share in shares), "what is between its frames, too, but for a few"


def test_it_comes_in_steps_none_of_which_is_much_of_the_whole(document: Document) -> None:
    evaluator, times = Evaluator(), []
    finish(limit_rows(evaluator, document, "one"))
    steps = limit_rows(evaluator, document, "one")
    while True:
        start = thread_time()
        try:
            next(steps)
        except StopIteration:
            break
        times.append(thread_time() - start)
    assert len(times) > 2 * JOINTS
    assert sorted(times)[-2] < 0.2 * sum(times)

"""What a session shows on the sphere of a limit: samples are those of its own actor."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from app.features.limits.current_limit import CurrentLimit
from app.features.limits.pointing import POINTING
from app.session.selection import Item
from engine.document import Actor, Blob, Document, Dof, Figure, Joint, Limit
from engine.document.limit import BoxRange, Grid, Range, SampledRange
from engine.evaluate.evaluator import Evaluator
from tests.app.session.held import Held, hold

AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def actor(id: str, content: Range) -> Actor:
    """A ball joint with a limit; those of all have the same id."""
    dofs = tuple(Dof(id=f"hip.{at}", name=str(at), axis=axis) for at, axis in enumerate(AXES))
    grid = Grid(counts=(8,) * 3, lower=(-1.5,) * 3, spacing=(0.4,) * 3, periodic=(False,) * 3)
    limit = Limit(id="limit", name="Hip", dofs=tuple(dof.id for dof in dofs), range=content, grid=grid)
    joint = Joint(id="hip", name="Hip", dofs=dofs)
    return Actor(id=id, name=id, figure=Figure(name="Hip", joints=(joint,), limits=(limit,)))


@pytest.fixture
def balls(qapp: QApplication) -> Iterator[Held]:
    angles = Blob([[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [0.5, 0.5, 0.0], [0.5, 0.5, 0.5]])
    sampled = actor("sampled", SampledRange(angles=angles, clips=(4,)))
    boxed = actor("boxed", BoxRange(lower=(-0.5,) * 3, upper=(0.5,) * 3))
    made = hold(Document(actors=(sampled, boxed)))
    made.session.engine.evaluator = Evaluator()
    made.session.of(CurrentLimit).watch(True)
    yield made
    made.session.close()
    made.session.deleteLater()


def test_a_limit_has_the_samples_of_its_own_actor(balls: Held) -> None:
    pointing, dots = balls.session.of(CurrentLimit).pointing, []
    pointing.show(True)
    for id in ("sampled", "boxed"):
        balls.session.select([Item(id, "hip")])
        balls.worker.answer(POINTING, newest=True)
        assert pointing.picture is not None
        assert pointing.picture.wanted.actor == id
        dots.append(len(pointing.picture.map.dots))
    assert dots == [4, 0]

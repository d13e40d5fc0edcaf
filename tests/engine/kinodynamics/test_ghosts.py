"""The keyed figure behind the one that swings: where it would be without secondary motion, and only then."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.document import Attachment, Document, Draft, Placement
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.resting import at_rest
from engine.document.secondary import Gains, Secondary
from engine.evaluate.evaluator import Evaluator
from engine.kinodynamics.ghosts import with_ghosts
from engine.model.snapshot import Snapshot
from tests.engine.evaluate.locked import planted
from tests.engine.kinodynamics.test_secondary import pendulum, with_secondary

LOOSE = Secondary(gains=Gains(tension=1.5, damping=0.3))


def keyed(document: Document) -> Document:
    return replace(document, actors=tuple(replace(each, secondary=None) for each in document.actors))


def pictures(document: Document, time: int) -> tuple[Snapshot, Snapshot]:
    """With ghosts, and as it would be without secondary motion."""
    evaluator = Evaluator()
    return with_ghosts(evaluator, evaluator.snapshot(document, time)), Evaluator().snapshot(keyed(document), time)


def test_a_ghost_stands_where_the_keys_are() -> None:
    placed = replace(pendulum(), placement=Placement(position=(0.5, 0.2, 0.0)))
    found, without = pictures(Document(actors=(with_secondary(placed),)), SECOND // 2)
    (ghost,) = found.ghosts
    assert (ghost.role, ghost.owner, ghost.frozen) == ("keyed", "one", False)
    assert np.array_equal(ghost.transforms, without.bodies[0].transforms)
    assert np.abs(found.bodies[0].transforms - ghost.transforms).max() > 0.05


def test_a_ghost_keeps_its_locks() -> None:
    document = planted()
    swinging = replace(document, actors=(replace(document.actors[0], secondary=LOOSE),))
    found, without = pictures(swinging, 2 * SECOND)
    assert np.allclose(found.ghosts[0].transforms, without.bodies[0].transforms, rtol=0.0, atol=1e-6)


def test_the_ghost_of_what_is_carried_hangs_where_that_is_seen() -> None:
    carrier = pendulum()
    hung = replace(
        with_secondary(pendulum("two")),
        attachments=(Attachment(id="on", joint="base", target="one", target_joint="rod"),),
    )
    document = Document(actors=(carrier, hung))
    found, without = pictures(document, SECOND // 2)
    assert [each.owner for each in found.ghosts] == ["two"]
    assert np.allclose(found.ghosts[0].transforms, without.bodies[1].transforms, rtol=0.0, atol=1e-6)


def test_nothing_has_a_ghost_that_does_not_swing_is_hidden_at_rest_or_tried_out() -> None:
    actor = with_secondary(pendulum())
    still = [
        keyed(Document(actors=(actor,))),
        Document(actors=(replace(actor, visible=False),)),
        Document(actors=(replace(actor, secondary=replace(actor.secondary, on=False)),)),  # type: ignore[type-var]
        at_rest(Document(actors=(actor,)), "one"),
        Document(
            actors=(
                replace(actor, layers=(replace(actor.layers[0], drafts=(Draft(time=0, values=(("swing", 0.2),)),)),)),
            )
        ),
    ]
    for document in still:
        evaluator = Evaluator()
        snapshot = evaluator.snapshot(document, 0)
        assert with_ghosts(evaluator, snapshot) is snapshot
    evaluator = Evaluator()
    snapshot = evaluator.snapshot(Document(actors=(actor,)), SECOND // 2)
    assert with_ghosts(evaluator, snapshot, "one") is snapshot


def test_a_figure_that_is_edited_stands_at_rest_and_does_not_sag() -> None:
    document = Document(actors=(with_secondary(replace(pendulum(), layers=())),))
    pose = Evaluator().snapshot(at_rest(document, "one"), SECOND).bodies[0].pose
    assert pose is not None
    assert np.array_equal(pose, np.zeros(2))

"""Which times an edit touched, by brute force over every edit of the table, those of figures and attachments too."""

from __future__ import annotations

import math
from random import Random

import pytest

from engine.document import Document
from engine.document.motion import TICKS_PER_SECOND
from engine.edits import EDITS, edit
from engine.evaluate.evaluator import Evaluator
from engine.motion.changed import changed_span
from engine.runtime.errors import Diverged
from engine.soft.uses import is_soft
from engine.water.uses import is_water
from tests.conformance.test_edits import random_edit
from tests.engine.figures import scene

SECOND = TICKS_PER_SECOND
DIVERGED = b"diverged: "
SOON = SECOND // 24  # up to which soft bodies and water are stepped, which each picture asks for anew


def picture(evaluator: Evaluator, document: Document, time: int) -> dict[str, tuple[bytes, bytes, bool]]:
    """Of each actor: coordinates, rates and accelerations; the transforms of its bodies; whether it is shown."""
    return {
        actor.id: (
            evaluator.motion(actor).at(float(time)).tobytes(),
            bodies(evaluator, document, actor.id, time),
            actor.visible,
        )
        for actor in document.actors
    }


def bodies(evaluator: Evaluator, document: Document, actor: str, time: int) -> bytes:
    """The transforms of an actor's bodies, or what is said where its secondary motion, of random gains, diverges."""
    try:
        return evaluator.joint_transforms(document, actor, time).tobytes()
    except Diverged as error:
        return DIVERGED + str(error).encode()


def moments(random: Random, edges: list[int]) -> list[int]:
    """Some times, and those just beside the edges of what is said to have changed."""
    beside = [edge + step for edge in random.sample(edges, k=min(4, len(edges))) for step in (-1, 1)]
    return [random.randint(-5 * SECOND, 8 * SECOND) for _ in range(5)] + beside


def is_stepped(document: Document) -> bool:
    """Tell whether there are soft bodies or water."""
    return any(is_soft(actor) or is_water(actor) for actor in document.actors)


def compare(random: Random, old: Document, new: Document) -> int:
    """Outside of what is said to have changed every byte is the same; returns how many pictures were compared."""
    changes = changed_span(old, new)
    edges = [edge for _, *ends in changes for edge in ends if edge is not None]
    compared, before, after = 0, Evaluator(), Evaluator()
    latest = SOON if is_stepped(old) or is_stepped(new) else math.inf
    for time in (each for each in moments(random, edges) if each <= latest):
        touched = {
            id for id, start, end in changes if (start is None or start <= time) and (end is None or time <= end)
        }
        left = {actor.id for actor in new.actors} - touched
        if not left:
            continue
        ours, theirs = picture(before, old, time), picture(after, new, time)
        for id in left:
            if len(new.with_all_that_hold(id).actors) > 1 and DIVERGED in (ours[id][1][:10], theirs[id][1][:10]):
                continue  # there is no picture of what hangs on an actor that diverges, be it at another time
            assert ours[id] == theirs[id], f"{id} at {time}, outside of {changes}"
            compared += 1
    return compared


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scenes", "share"),
    [(5, 0.4), pytest.param(30, 0.9, marks=pytest.mark.deep)],
    ids=["five scenes", "thirty scenes"],
)
def test_outside_of_what_an_edit_touched_every_byte_is_the_same(scenes: int, share: float) -> None:
    """`share` of all edits leave something untouched to compare."""
    chance, compared = Random(23), dict.fromkeys(EDITS, 0)
    for seed in range(scenes):
        document = scene(seed)
        for _ in range(50):  # more of them pile up keys by the thousand
            change = random_edit(chance, document)
            new = change.apply(document)
            compared[change.name] += compare(chance, document, new)
            document = new
    assert sum(count > 0 for count in compared.values()) > share * len(EDITS)


def test_the_comparison_sees_a_change_that_was_not_named(monkeypatch: pytest.MonkeyPatch) -> None:
    old = scene()
    new = edit("place_actor", actor="one", position=(1.0, 0.0, 0.0), rotation=(1.0, 0.0, 0.0, 0.0)).apply(old)
    assert compare(Random(0), old, new) > 0
    monkeypatch.setitem(globals(), "changed_span", lambda old, new: ())
    with pytest.raises(AssertionError, match="one at"):
        compare(Random(0), old, new)

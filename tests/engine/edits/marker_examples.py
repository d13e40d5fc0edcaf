"""A random example of the edit that scales a figure, and a log of it over a capture with gaps."""

from __future__ import annotations

from random import Random

from engine.document import Actor, Document
from engine.document.capture import MarkerGap, MarkerGaps
from engine.edits import Edit, edit
from engine.markers.system import SYSTEM
from tests.engine.edits.examples import SECOND
from tests.engine.muscles.arms import bent_arm

MARKER_EDITS = tuple(name for _, name, _ in SYSTEM.edits)


def marker_edit(random: Random, name: str, document: Document) -> Edit:
    """Make an edit of that name."""
    actor = random.choice(document.actors)
    joints = random.sample(actor.figure.joints, min(3, len(actor.figure.joints)))
    handles = actor.figure.handles[:1]
    return edit(
        name,
        actor=actor.id,
        factors=tuple((each.id, random.uniform(0.8, 1.25)) for each in joints),
        heavier=random.choice((1.0, 1.1)),
        points=tuple((each.id, (random.random(), 0.1, 0.2)) for each in handles),
    )


def capture() -> Actor:
    """An arm that stands for a capture: one of its joints was not seen for a second."""
    arm = bent_arm()
    gap = MarkerGap(joint=arm.figure.joints[0].id, start=SECOND, end=2 * SECOND)
    return arm.with_part(MarkerGaps(gaps=(gap,)))


def every_edit() -> tuple[Document, list[Edit]]:
    """The edit in all its arguments, and time that is inserted into a gap."""
    start, chance = Document(actors=(capture(),)), Random(11)
    first = marker_edit(chance, "scale_figure", start)
    scaled = first.apply(start)
    return start, [first, marker_edit(chance, "scale_figure", scaled)]

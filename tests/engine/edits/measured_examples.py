"""Random examples of edits of measured forces, and a log of all of them."""

from __future__ import annotations

from random import Random

from engine.document import Blob, Document
from engine.document.measured_forces import MeasuredForce
from engine.edits import Edit, edit
from engine.measured_forces.system import SYSTEM
from engine.measured_forces.uses import forces_of
from tests.engine.edits.examples import SECOND
from tests.engine.figures import scene

MEASURED_EDITS = tuple(name for _, name, _ in SYSTEM.edits)


def measured_force(random: Random, document: Document, actor: str) -> MeasuredForce:
    """Make a force on some body of an actor."""
    joints = [each.id for each in document.actor(actor).figure.joints]
    rows = [[random.uniform(-1.0, 1.0) for _ in range(9)] for _ in range(random.randint(1, 4))]
    return MeasuredForce(
        id=random.choice(("left", "right")),
        name=random.choice(("Plate 1", "Plate 2")),
        joint=random.choice(joints),
        values=Blob(rows),
        rate=random.choice(((100, 1), (2, 1))),
        start=random.choice((0, SECOND)),
        frame=random.choice((None, joints[0])),
    )


def measured_edit(random: Random, name: str, document: Document) -> Edit:
    """Make an edit of that name that fits the document."""
    actor = random.choice(document.actors)
    found = forces_of(actor)
    if name == "put_measured_forces" or found is None:
        return edit("put_measured_forces", actor=actor.id, forces=(measured_force(random, document, actor.id),))
    if name == "set_measured_forces":
        return edit(name, actor=actor.id, felt=random.choice((True, False)))
    force = random.choice(found.forces).id
    if name == "remove_measured_forces":
        return edit(name, actor=actor.id, forces=random.choice(((force,), None)))
    return edit(
        name,
        actor=actor.id,
        force=force,
        name=random.choice((None, "Treadmill")),
        joint=random.choice((None, random.choice(actor.figure.joints).id)),
        start=random.choice((None, 2 * SECOND)),
        frame=random.choice((None, actor.figure.joints[0].id)),
        in_world=random.random() < 0.3,
        mute=random.choice((None, True, False)),
    )


def felt_edits() -> tuple[Document, list[Edit]]:
    """Forces that are felt, which stay so as they change and their time moves."""
    start, chance = scene(5), Random(8)
    actor = start.actors[0]
    force = measured_force(chance, start, actor.id)
    return start, [
        edit("put_measured_forces", actor=actor.id, forces=(force,)),
        edit("set_measured_forces", actor=actor.id, felt=True),
        edit("set_measured_force", actor=actor.id, force=force.id, mute=True),
        edit("insert_everywhere", actors=(actor.id,), time=-SECOND, length=SECOND),
        edit("set_measured_forces", actor=actor.id, felt=False),
    ]


def every_edit() -> tuple[Document, list[Edit]]:
    """All edits, and time that is inserted into a force."""
    start, chance = scene(5), Random(7)
    actor = start.actors[0]
    joints = [each.id for each in actor.figure.joints]
    force = MeasuredForce(
        id="left", name="Plate 1", joint=joints[-1], values=Blob([[0.0, 700.0, 0.0, 0.1, 0.0, 0.2, 0.0, 1.0, 0.0]] * 5),
        rate=(2, 1),
    )  # fmt: skip
    other = measured_force(chance, start, actor.id)
    right = MeasuredForce(
        id="right", name="Plate 2", joint=joints[0], values=other.values, rate=(100, 1), start=SECOND, frame=joints[0]
    )  # fmt: skip
    return start, [
        edit("put_measured_forces", actor=actor.id, forces=(force,)),
        edit("put_measured_forces", actor=actor.id, forces=(right,)),
        edit("set_measured_force", actor=actor.id, force="right", name="Treadmill", start=2 * SECOND, in_world=True),
        edit("set_measured_force", actor=actor.id, force="left", joint=joints[0], mute=True),
        edit("insert_everywhere", actors=(actor.id,), time=SECOND, length=SECOND),
        edit("remove_measured_forces", actor=actor.id, forces=("right",)),
        edit("remove_measured_forces", actor=actor.id),
    ]

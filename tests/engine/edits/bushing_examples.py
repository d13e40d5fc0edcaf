"""Random examples of edits of bushings, and a log of all of them."""

from __future__ import annotations

from random import Random

from engine.bushings.parts import Bushing
from engine.bushings.system import SYSTEM
from engine.bushings.uses import bushings_of
from engine.document import Document
from engine.document.values import Vector3
from engine.edits import Edit, edit
from tests.engine.figures import scene

BUSHING_EDITS = tuple(name for _, name, _ in SYSTEM.edits)


def bushing(random: Random, document: Document, actor: str) -> Bushing:
    """Make a bushing between some bodies of an actor; in place of a root, the ground."""
    first, second = random.sample([each.id for each in document.actor(actor).figure.joints], 2)
    return Bushing(
        id=random.choice(("left", "right")),
        name=random.choice(("Cartilage 1", "Cartilage 2")),
        first=None if first == document.actor(actor).figure.joints[0].id else first,  # without a draw of its own
        second=second,
        first_position=_three(random),
        second_rotation=random.choice(((1.0, 0.0, 0.0, 0.0), (0.6, 0.0, 0.8, 0.0))),
        turning=_three(random),
        sliding=_three(random),
    )


def bushing_edit(random: Random, name: str, document: Document) -> Edit:
    """Make an edit of that name that fits the document; one that bends nothing, where no figure has two joints."""
    actors = [each for each in document.actors if len(each.figure.joints) > 1]
    if not actors:
        return edit("remove_bushings", actor=random.choice(document.actors).id)
    actor = random.choice(actors)
    found = bushings_of(actor)
    if name == "put_bushings" or not found:
        return edit("put_bushings", actor=actor.id, bushings=(bushing(random, document, actor.id),))
    id = random.choice(found).id
    if name == "remove_bushings":
        return edit(name, actor=actor.id, bushings=random.choice(((id,), None)))
    return edit(
        name,
        actor=actor.id,
        bushing=id,
        name=random.choice((None, "Ligament")),
        turning=random.choice((None, _three(random))),
        sliding=random.choice((None, _three(random))),
        turning_damping=random.choice((None, _three(random))),
        sliding_damping=random.choice((None, _three(random))),
        mute=random.choice((None, True, False)),
    )


def every_edit() -> tuple[Document, list[Edit]]:
    """All edits, and a joint that takes its bushing along."""
    start, chance = scene(5), Random(7)
    actor = start.actors[0]
    ids = [each.id for each in actor.figure.joints]
    left = Bushing(id="left", name="Cartilage", first=ids[0], second=ids[-1], turning=(1.0, 2.0, 3.0))
    return start, [
        edit(
            "put_bushings", actor=actor.id, bushings=(left, Bushing(id="right", name="R", first=ids[1], second=ids[2]))
        ),
        edit("set_bushing", actor=actor.id, bushing="left", name="Ligament", sliding=_three(chance), mute=True),
        edit("set_bushing", actor=actor.id, bushing="left", turning_damping=(0.1, 0.0, 0.0), mute=False),
        edit("remove_bushings", actor=actor.id, bushings=("right",)),
        edit("remove_joint", actor=actor.id, joint=ids[-1]),
        edit("put_bushings", actor=actor.id, bushings=(Bushing(id="right", name="R", first=ids[1], second=ids[0]),)),
        edit("remove_bushings", actor=actor.id),
    ]


def _three(random: Random) -> Vector3:
    return (random.uniform(0.0, 9.0), random.uniform(0.0, 9.0), random.choice((0.0, 5.0)))

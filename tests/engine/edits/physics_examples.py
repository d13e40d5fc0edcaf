"""A random example of each edit of physics."""

from __future__ import annotations

from random import Random

from engine.document import Blob, Document, Samples
from engine.edits import Edit, edit
from engine.physics.parts import ROLES
from tests.engine.edits.examples import SECOND, new_id

PHYSICS_EDITS = ("set_physics", "remove_physics", "set_physics_world", "bake_physics")


def physics_edit(random: Random, name: str, document: Document) -> Edit:
    """Make an edit of that name."""
    if name == "set_physics_world":
        ground, step = random.random() < 0.5, random.choice((0.002, 0.005, 0.01))
        return edit(name, gravity=random.uniform(0.0, 20.0), ground=ground, step=step, friction=random.random())
    actor = random.choice([each for each in document.actors if each.figure.dofs])
    if name == "set_physics":
        start = random.randint(-2, 2) * SECOND
        return edit(name, actor=actor.id, role=random.choice(ROLES), start=start, follow=random.uniform(0.0, 8.0))
    if name == "remove_physics":
        return edit(name, actor=actor.id)
    names = actor.figure.coordinates
    count = random.randint(1, 4)
    values = Blob([[float(each.endswith(".w")) for each in names] for _ in range(count)])
    samples = Samples(coordinates=names, values=values, rate=(30, 1), start=random.randint(-2, 2) * SECOND)
    return edit(name, actor=actor.id, id=new_id(random), samples=samples)

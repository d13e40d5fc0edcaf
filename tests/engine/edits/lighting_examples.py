"""A random example of each edit of light."""

from __future__ import annotations

from random import Random

from engine.document import Actor, Document, Ellipsoid, prop
from engine.edits import Edit, edit
from engine.lighting.system import SYSTEM

LIGHTING_EDITS = tuple(name for _, name, _ in SYSTEM.edits)
COLOURS = ("", "#101820", "#5b6f86", "#f0ece4")


def lighting_edit(random: Random, name: str, document: Document) -> Edit:
    """Make an edit of that name."""
    if name == "set_lighting":
        return edit(
            name, azimuth=random.uniform(-3.0, 3.0), elevation=random.uniform(0.1, 1.5), key=random.uniform(0.0, 2.0),
            with_view=random.choice((None, True, False)), size=random.choice((None, 0.1)), rim=2.0, sky=0.8,
            fill=random.uniform(0.0, 1.0), background=random.choice(COLOURS), floor=random.choice(COLOURS),
            horizon=random.random() < 0.5,
        )  # fmt: skip
    if name == "remove_lighting":
        return edit(name)
    actor = random.choice(document.actors).id
    return edit(name, actor=actor, colour=random.choice(COLOURS), roughness=random.uniform(0.05, 1.0))


def every_edit() -> tuple[Document, list[Edit]]:
    """Every edit of light, of a scene with a ball."""
    start = Document(actors=(Actor(id="ball", name="Ball", figure=prop("Ball", (Ellipsoid(radii=(0.1, 0.1, 0.1)),))),))
    return start, [
        edit("set_lighting", azimuth=0.5, elevation=0.8, floor="#8a8f98", background="#c9ced6", horizon=False),
        edit("set_lighting", with_view=True, key=1.2, size=0.1, fill=0.2, rim=0.5, sky=0.9),
        edit("set_finish", actor="ball", colour="#b8482f", roughness=0.3),
        edit("remove_lighting"),
        edit("set_lighting", floor="#202224"),
    ]

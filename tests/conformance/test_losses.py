"""What a format is said to lose is lost, and what is not said comes back: each thing by itself, written and read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.commands.bring_in import read_contents
from engine.document import (
    Actor,
    Attachment,
    Blob,
    Body,
    Box,
    Document,
    Draft,
    Figure,
    Joint,
    Key,
    Layer,
    Lock,
    Placement,
    Track,
)
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.references import Reference
from engine.document.selection_sets import SelectionSet
from engine.document.sound import Sound
from engine.formats.format import Contents, Format, Options
from engine.formats.skins import skin_of
from engine.formats.table import by_suffix, readers, writers
from engine.long.export import export, left_out
from tests.conformance.test_formats import biped, walking
from tests.engine.formats.test_gltf_write import sleeve

KEPT = tuple(each for each in writers() if each in readers() and each.kind in ("figure", "motion", "curves"))
WHOLE = by_suffix("a.sinew")
ITS_OWN = {("TRC markers", "shapes"), ("C3D markers", "shapes")}  # what a reader makes anew: balls that show markers
BYTES = Blob(np.arange(64, dtype=np.uint8))


def plain() -> Document:
    """A biped that is keyed from 0 on."""
    tracks = tuple(
        Track(coordinate=each, keys=(Key(0, 0.1), Key(SECOND, 0.6), Key(2 * SECOND, -0.2)))
        for each in biped().coordinates[3:9]
    )
    actor = Actor(id="one", name="One", figure=biped(), layers=(Layer(id="base", name="Base", tracks=tracks),))
    return Document(actors=(actor,))


def changed(**fields: object) -> Document:
    document = plain()
    return document.with_actor(replace(document.actors[0], **fields))  # type: ignore[arg-type]


def with_joint(change: Callable[[Joint], Joint], *, root: bool = False) -> Document:
    """The root or all others changed."""
    figure = biped()
    joints = tuple(change(each) if (each.parent is None) == root else each for each in figure.joints)
    return changed(figure=replace(figure, joints=joints))


def with_layer(**fields: object) -> Document:
    more = Layer(id="more", name="More", **{"values": (("trunk.rz", 0.4),), **fields})  # type: ignore[arg-type]
    return changed(layers=(*plain().actors[0].layers, more))


def hanging() -> Document:
    document = changed(attachments=(Attachment(id="hold", joint="root", target="two", target_joint="trunk"),))
    return replace(document, actors=(*document.actors, replace(plain().actors[0], id="two", name="Two")))


def figure_of(back: Contents) -> Figure | None:
    return back.document.actors[0].figure if back.document is not None else back.figure


def any_joint(what: Callable[[Joint], bool]) -> Callable[[Contents], bool]:
    def look(back: Contents) -> bool:
        figure = figure_of(back)
        return figure is not None and any(map(what, figure.joints))

    return look


def any_actor(what: Callable[[Actor], bool]) -> Callable[[Contents], bool]:
    return lambda back: back.document is not None and any(map(what, back.document.actors))


def in_scene(what: Callable[[Document], bool]) -> Callable[[Contents], bool]:
    return lambda back: back.document is not None and what(back.document)


def limited(joint: Joint) -> Joint:
    return replace(joint, dofs=tuple(replace(dof, lower=-2.0, upper=2.5) for dof in joint.dofs))


def stiff(joint: Joint) -> Joint:
    return replace(joint, dofs=tuple(replace(dof, stiffness=0.3, damping=2.0) for dof in joint.dofs))


SOUND = Sound(name="Steps", data=BYTES, seconds=1.0)
PICTURE = Reference(id="front", name="Front", image=BYTES, width=8, height=2)
SET = SelectionSet(id="legs", name="Legs", items=(("one", "hip_left"), ("one", "hip_right")))
THINGS: dict[str, tuple[Callable[[], Document], str, Callable[[Contents], bool]]] = {
    "limits": (lambda: with_joint(limited), "limits", any_joint(lambda each: any(dof.lower for dof in each.dofs))),
    "stiffness": (
        lambda: with_joint(stiff), "stiffness",
        any_joint(lambda each: any(dof.stiffness != 1.0 or dof.damping != 0.0 for dof in each.dofs)),
    ),
    "masses": (
        lambda: with_joint(lambda each: replace(each, body=Body(mass=3.0))), "mass",
        any_joint(lambda each: each.body is not None and each.body.mass == pytest.approx(3.0)),
    ),
    "sides": (
        lambda: with_joint(lambda each: replace(each, group="Limbs")), "sides",
        any_joint(lambda each: each.group == "Limbs"),
    ),
    "skins": (
        lambda: changed(figure=replace(biped(), skins=(skin_of(sleeve(biped(), ("root", "trunk", "hip_left"))),))),
        "skin",
        lambda back: bool(back.surfaces) or bool((figure := figure_of(back)) and figure.skins),
    ),
    "shapes": (
        lambda: with_joint(lambda each: replace(each, shapes=(Box(half=(0.1, 0.1, 0.1)),))), "shapes of bodies",
        any_joint(lambda each: bool(each.shapes)),
    ),
    "layers": (with_layer, "layers", any_actor(lambda each: len(each.layers) == 2)),
    "muted layers": (
        lambda: with_layer(mute=True), "muted layers|layers beside the first",
        any_actor(lambda each: any(layer.mute for layer in each.layers)),
    ),
    "keys": (
        plain, "keys",
        lambda back: any(layer.tracks for layer in (back.document.actors[0].layers if back.document else back.layers)),
    ),
    "drafts": (
        lambda: with_layer(drafts=(Draft(time=0, values=(("trunk.rz", 0.7),)),)), "working poses",
        any_actor(lambda each: any(layer.drafts for layer in each.layers)),
    ),
    "locks": (
        lambda: changed(locks=(Lock(id="foot", name="Foot", joint="knee_left"),)), "pins",
        any_actor(lambda each: bool(each.locks)),
    ),
    "attachments": (hanging, "hangs on", any_actor(lambda each: bool(each.attachments))),
    "sound": (lambda: replace(plain(), sound=SOUND), "sound", in_scene(lambda each: each.sound == SOUND)),
    "pictures": (
        lambda: replace(plain(), references=(PICTURE,)), "pictures and videos",
        in_scene(lambda each: each.references == (PICTURE,)),
    ),
    "selection sets": (
        lambda: replace(plain(), selection_sets=(SET,)), "selection sets",
        in_scene(lambda each: each.selection_sets == (SET,)),
    ),
    "begin": (
        lambda: changed(layers=(replace(walking(biped()), samples=replace(
            walking(biped()).samples, start=SECOND)),)),  # type: ignore[type-var]
        "begins",
        lambda back: any(
            (layer.samples.start if layer.samples is not None else layer.tracks[0].keys[0].time) == SECOND
            for layer in (back.document.actors[0].layers if back.document else back.layers)
        ),
    ),
}  # fmt: skip
OF_THE_FIGURE = {"limits", "stiffness", "masses", "sides", "skins", "shapes"}
"""What goes with the figure itself, where a format says that this is lost."""
OF_THE_MOTION = {"layers", "muted layers", "keys", "begin"}


def said(format: Format, thing: str, lines: tuple[str, ...]) -> bool:
    """Whether the list names a thing, or the whole that it is a part of."""
    words = THINGS[thing][1].split("|")
    whole = (thing in OF_THE_FIGURE and any(line.startswith("the figure itself") for line in lines)) or (
        thing in OF_THE_MOTION and any(line.split(":")[0] == "motion" for line in lines)
    )
    return whole or any(word in line for line in lines for word in words)


@pytest.mark.parametrize("thing", THINGS)
@pytest.mark.parametrize("format", KEPT, ids=lambda format: format.name)
def test_what_is_listed_is_lost_and_nothing_else(format: Format, thing: str, tmp_path: Path) -> None:
    build, _, look = THINGS[thing]
    document, path = build(), tmp_path / f"a{format.suffixes[0]}"
    lines = left_out(format, document, ["one"])
    export(path, document, ["one"], Options())
    came_back = look(read_contents(path)) and (format.name, thing) not in ITS_OWN
    assert came_back != said(format, thing, lines), (thing, came_back, lines)


@pytest.mark.parametrize("thing", THINGS)
def test_a_project_loses_none_of_it(thing: str, tmp_path: Path) -> None:
    assert WHOLE is not None
    build, _, look = THINGS[thing]
    document = build()
    everyone = [actor.id for actor in document.actors]
    assert left_out(WHOLE, document, everyone) == ()
    export(tmp_path / "a.sinew", document, everyone, Options())
    assert look(read_contents(tmp_path / "a.sinew"))


@pytest.mark.parametrize("format", KEPT, ids=lambda format: format.name)
def test_nothing_is_said_of_what_is_not_there(format: Format) -> None:
    lines = left_out(format, plain(), ["one"])
    absent = [each for each in THINGS if each not in ("keys", "layers", *OF_THE_FIGURE, *OF_THE_MOTION)]
    for thing in absent:
        assert not said(format, thing, lines), (thing, lines)


def test_actors_that_stay_behind_take_their_sets_with_them(tmp_path: Path) -> None:
    both = replace(SET, items=(("one", "hip_left"), ("two", None)))
    alone = SelectionSet(id="two", name="Two", items=(("two", None),))
    document = replace(hanging(), selection_sets=(both, alone))
    export(tmp_path / "a.sinew", document, ["one"], Options())
    back = read_contents(tmp_path / "a.sinew").document
    assert back is not None
    assert [each.items for each in back.selection_sets] == [(("one", "hip_left"),)]
    assert back.actors[0].placement == Placement()

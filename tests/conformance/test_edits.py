"""Over every edit: pure, exact to undo, the same digest when replayed, and refused whole when its arguments are bad."""

from __future__ import annotations

import inspect
import json
import random
import subprocess
import sys
from dataclasses import replace

import pytest

from engine.document import Actor, Document, SelectionSet, validate
from engine.edits import EDIT_LABELS, EDITS, Edit, edit, from_record
from engine.edits.selection_sets import drop_missing
from engine.runtime.errors import EngineError, InvalidDocument, UnknownPart
from tests.engine.edits.bushing_examples import BUSHING_EDITS, bushing_edit
from tests.engine.edits.camera_examples import CAMERA_EDITS, camera_edit
from tests.engine.edits.examples import attachment_edit, example
from tests.engine.edits.lighting_examples import LIGHTING_EDITS, lighting_edit
from tests.engine.edits.limit_examples import LIMIT_EDITS, limit_edit, limit_owner
from tests.engine.edits.lock_examples import LOCK_EDITS, lock_edit
from tests.engine.edits.marker_examples import MARKER_EDITS, marker_edit
from tests.engine.edits.measured_examples import MEASURED_EDITS, measured_edit
from tests.engine.edits.muscles_examples import MUSCLES_EDITS, muscles_edit
from tests.engine.edits.physics_examples import PHYSICS_EDITS, physics_edit
from tests.engine.edits.scenery_examples import SCENERY_EDITS, scenery_edit
from tests.engine.edits.secondary_examples import SECONDARY_EDITS, secondary_edit
from tests.engine.edits.shapes_examples import SHAPES_EDITS, shapes_edit
from tests.engine.edits.soft_examples import SOFT_EDITS, soft_edit
from tests.engine.edits.spacetime_examples import SPACETIME_EDITS, spacetime_edit
from tests.engine.edits.water_examples import WATER_EDITS, water_edit
from tests.engine.figures import scene


def random_edit(random: random.Random, document: Document) -> Edit:
    """One edit of any kind that fits the document."""
    name = random.choice(tuple(EDITS))
    actor = random.choice(document.actors)
    figures = [each for each in document.actors if each.figure is not None and each.layers]
    number = random.uniform(-2.0, 2.0)
    if name == "add_actor" or not figures or len(document.actors) < 3:
        return edit("add_actor", actor=replace(actor, id=f"{random.getrandbits(64):x}"))
    if name == "set_rate":
        return edit(name, frames=random.choice((24, 25, 30)))
    if name in ("set_play_range", "set_scene_range"):
        return random.choice((edit(name), edit(name, start=0, end=random.randint(1, 9))))
    if name == "snap_keys":
        return edit(name)
    if name == "remove_actor" and figures != [actor]:  # the last with layers stays, or nothing else could follow
        return edit(name, actor=actor.id)
    if name in ("remove_actor", "rename_actor"):
        name = "rename_actor"
        return edit(name, actor=actor.id, name=random.choice(("Ann", "Ben", "Élan")))
    if name == "place_actor":
        return edit(name, actor=actor.id, position=(number, 0.5, -number), rotation=(0.6, 0.0, 0.8, 0.0))
    if name == "show_actor":
        return edit(name, actor=actor.id, visible=random.random() < 0.5)
    if name in ("attach_actor", "detach_actor", "move_attachment", "place_attachment"):
        return attachment_edit(random, name, document)
    if name in SCENERY_EDITS:
        return scenery_edit(random, name, document)
    if name in LIMIT_EDITS:
        return limit_edit(random, name, limit_owner(random, name, figures))
    if name in LOCK_EDITS:
        return lock_edit(random, name, document)
    if name in PHYSICS_EDITS:
        return physics_edit(random, name, document)
    if name in SECONDARY_EDITS:
        return secondary_edit(random, name, document)
    if name in SOFT_EDITS:
        return soft_edit(random, name, document)
    if name in SPACETIME_EDITS:
        return spacetime_edit(random, name, document)
    if name in WATER_EDITS:
        return water_edit(random, name, document)
    if name in CAMERA_EDITS:
        return camera_edit(random, name, document)
    if name in LIGHTING_EDITS:
        return lighting_edit(random, name, document)
    for names, make in (
        (SHAPES_EDITS, shapes_edit), (MARKER_EDITS, marker_edit), (MEASURED_EDITS, measured_edit),
        (BUSHING_EDITS, bushing_edit),
        (MUSCLES_EDITS, muscles_edit),
    ):  # fmt: skip
        if name in names:
            return make(random, name, document)
    if name == "set_comfort":
        return edit(name, actor=actor.id, comfort=random.random())
    if name == "set_floor":
        return edit(name, actor=actor.id, floor=random.random() < 0.5)
    if name == "set_natural":
        return edit(name, actor=actor.id, natural=random.random())
    if name == "set_lock_solver":
        return edit(name, solver=random.choice(("levenberg", "multipliers")))
    if name == "set_lock_iterations":
        return edit(name, iterations=random.randint(1, 1000))
    return example(random, name, random.choice(figures)) or _pose_edit(random, name, random.choice(figures), number)


def unnoted(document: Document) -> Document:
    """The same document, its parts without what was noted of them as they were found sound."""
    actors = (replace(actor, layers=tuple(map(replace, actor.layers))) for actor in document.actors)
    return replace(document, actors=tuple(actors))


def _pose_edit(random: random.Random, name: str, actor: Actor, number: float) -> Edit:
    figure = actor.figure
    assert figure is not None
    place = {"actor": actor.id, "layer": actor.layers[0].id}
    coordinate = random.choice(figure.coordinates)
    if name == "set_value":
        return edit(name, **place, coordinate=coordinate, value=number)
    if name == "set_pose":
        chosen = random.sample(figure.coordinates, k=min(3, len(figure.coordinates)))
        return edit(name, **place, values=tuple((each, number + 0.1) for each in chosen))
    if name == "pose_actors":
        values = tuple((each, number) for each in random.sample(figure.coordinates, k=1))
        return edit(name, time=random.choice((0, 5)), poses=((actor.id, values), (actor.id, ())), auto_key=True)
    assert name == "reset_pose", f"give {name} an example here"
    return edit(name, **place, coordinates=random.choice((None, (coordinate,))))


REFUSED = ("in a ring", "it follows", "nothing drives")
"""What edits that are drawn may do: close a ring of drivers, set what another coordinate drives, or limit it."""


@pytest.mark.parametrize("seed", [*range(10), *(pytest.param(each, marks=pytest.mark.deep) for each in range(10, 20))])
def test_random_edits_are_pure_valid_and_replay_to_the_same_digest(seed: int) -> None:
    chance = random.Random(seed)
    start = scene(seed)
    document, records = start, []
    for _ in range(60):
        change = random_edit(chance, document)
        before = document.digest
        after = change.apply(document)
        assert document.digest == before
        validate(unnoted(after))
        records.append(json.loads(json.dumps(change.record())))
        document = after
    again = start
    for record in records:
        again = from_record(record).apply(again)
    assert again.digest == document.digest


@pytest.mark.parametrize("seed", range(4))
def test_no_edit_leaves_a_selection_set_that_names_what_has_gone(seed: int) -> None:
    chance, document = random.Random(seed), scene(seed)
    for _ in range(150):
        items = [(actor.id, joint) for actor in document.actors for joint in (None, *actor.figure.joint_index)]
        every = SelectionSet(id="every", name="Every", items=tuple(items))
        document = replace(document, selection_sets=(every,))
        document = random_edit(chance, document).apply(document)
        validate(document)
        assert drop_missing(document) is document


def test_every_edit_occurs_among_the_random_ones() -> None:
    chance, document = random.Random(7), scene(7)
    seen, count = set[str](), 0
    while seen != set(EDITS) and count < 10_000:
        change = random_edit(chance, document)
        seen.add(change.name)
        count += 1
        try:
            document = change.apply(document)
        except InvalidDocument as problem:
            if not any(words in str(problem) for words in REFUSED):
                raise
    assert seen == set(EDITS)


def test_replay_in_another_process_gives_the_same_digest() -> None:
    chance, document = random.Random(7), scene(7)
    records = []
    for _ in range(30):
        change = random_edit(chance, document)
        records.append(change.record())
        document = change.apply(document)
    code = (
        "import json, sys; from engine.edits import from_record; from tests.engine.figures import scene\n"
        "document = scene(7)\n"
        "for record in json.load(sys.stdin): document = from_record(record).apply(document)\n"
        "print(document.digest)"
    )
    printed = subprocess.run(
        [sys.executable, "-c", code], input=json.dumps(records), check=True, capture_output=True, text=True
    ).stdout
    assert printed.strip() == document.digest


@pytest.mark.parametrize("name", EDITS)
def test_every_edit_is_named_documented_and_keyword_only(name: str) -> None:
    function = EDITS[name]
    parameters = list(inspect.signature(function).parameters.values())
    assert parameters[0].name == "document"
    assert all(each.kind is inspect.Parameter.KEYWORD_ONLY for each in parameters[1:])
    assert function.__doc__
    assert EDIT_LABELS[name]
    assert function.__name__ == name


def test_an_edit_that_changes_nothing_gives_the_identical_document() -> None:
    document = scene()
    figure = document.actors[0].figure
    assert figure is not None
    coordinate = figure.coordinates[0]
    place = {"actor": "one", "layer": "pose"}
    turned = edit("set_value", **place, coordinate=coordinate, value=0.25).apply(document)
    assert turned is not document
    for change in (
        edit("set_value", **place, coordinate=coordinate, value=0.25),
        edit("reset_pose", **place, coordinates=()),
        edit("rename_actor", actor="one", name="One"),
        edit("show_actor", actor="one", visible=True),
    ):
        assert change.apply(turned) is turned


def test_unchanged_parts_stay_the_identical_objects() -> None:
    document = scene()
    figure = document.actors[0].figure
    assert figure is not None
    place = {"actor": "one", "layer": "pose"}
    turned = edit("set_value", **place, coordinate=figure.coordinates[0], value=0.25).apply(document)
    assert turned.actors[0] is not document.actors[0]
    assert turned.actors[0].figure is document.actors[0].figure
    assert all(new is old for new, old in zip(turned.actors[1:], document.actors[1:], strict=True))


def test_bad_arguments_are_refused_by_name() -> None:
    document = scene()
    place = {"actor": "one", "layer": "pose"}
    bad = [
        edit("remove_actor", actor="nobody"),
        edit("add_actor", actor=document.actors[0]),
        edit("rename_actor", actor="one", name="  "),
        edit("place_actor", actor="one", position=(0.0, float("nan"), 0.0), rotation=(1.0, 0.0, 0.0, 0.0)),
        edit("place_actor", actor="one", position=(0.0, 0.0, 0.0), rotation=(0.0, 0.0, 0.0, 0.0)),
        edit("set_value", **place, coordinate="wing", value=1.0),
        edit("set_value", actor="one", layer="other", coordinate="j0.0", value=1.0),
        edit("set_value", actor="ball", layer="pose", coordinate="j0.0", value=1.0),
        edit("set_pose", actor="three", layer="pose", values=tuple((f"j0.turn.{each}", 0.0) for each in "wxyz")),
        edit("reset_pose", **place, coordinates=("wing",)),
    ]
    for change in bad:
        with pytest.raises(EngineError):
            change.apply(document)
    with pytest.raises(UnknownPart, match="set_value"):
        edit("set_valu", actor="one")


def test_values_stop_at_their_limits() -> None:
    document = scene()
    figure = document.actors[0].figure
    assert figure is not None
    limited = next(dof for dof in figure.dofs if dof.upper is not None)
    turned = edit("set_value", actor="one", layer="pose", coordinate=limited.id, value=99.0).apply(document)
    assert turned.actors[0].layers[0].by_coordinate[limited.id] == limited.upper


def test_a_ball_stays_a_unit_quaternion() -> None:
    change = edit("set_pose", actor="three", layer="pose", values=(("j0.turn.w", 3.0), ("j0.turn.y", 4.0)))
    values = change.apply(scene()).actors[2].layers[0].by_coordinate
    assert [values[f"j0.turn.{each}"] for each in "wxyz"] == [0.6, 0.0, 0.8, 0.0]


def test_lines_are_readable_and_short() -> None:
    actor = scene().actors[0]
    line = edit("add_actor", actor=actor).line
    assert actor.digest[:12] in line
    long = edit("set_pose", actor="one", layer="pose", values=tuple((f"j{each}", 0.1) for each in range(500))).line
    assert len(long) < 300


def test_the_history_names_who_and_what_was_changed() -> None:
    document = scene()
    joint = document.actors[0].figure.joints[1]
    coordinate = next(
        name for each in document.actors[0].figure.joints for dof in each.dofs for name in dof.coordinates
    )
    turned = next(
        each.name
        for each in document.actors[0].figure.joints
        if any(coordinate in dof.coordinates for dof in each.dofs)
    )
    assert edit("add_actor", actor=replace(document.actors[0], id="x", name="Box 2")).label(document) == "Add Box 2"
    assert edit("rename_actor", actor="one", name="{joint}").label(document) == "Rename One"
    assert edit("rename_joint", actor="one", joint=joint.id, name="Hip").label(document) == f"Rename {joint.name}"
    set_value = edit("set_value", actor="one", layer="pose", coordinate=coordinate, value=0.1)
    assert set_value.label(document) == f"Turn {turned}"
    assert edit("remove_actor", actor="nobody").label(document) == "Remove actor"

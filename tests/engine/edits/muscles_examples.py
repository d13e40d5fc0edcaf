"""A random example of each edit of muscles and their activations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from engine.document import Actor, Document, Key
from engine.document.motion import Extrapolation
from engine.edits import Edit, edit
from engine.muscles.parts import (
    FORCE_MODELS,
    Muscle,
    Muscles,
    MuscleSet,
    MuscleWrap,
    PathPoint,
    PathWrap,
    PointCurve,
)
from engine.muscles.system import SYSTEM
from engine.muscles.uses import activations_of, muscles_of
from tests.engine.edits.examples import SECOND, new_id
from tests.engine.muscles.arms import bent_arm

MUSCLES_EDITS = tuple(name for _, name, _ in SYSTEM.edits)
EXTRAPOLATIONS: tuple[Extrapolation, ...] = ("hold", "linear", "cycle")
KEYED = (
    "set_muscle_keys", "move_muscle_keys", "move_keys_of_muscles", "remove_muscle_keys", "extend_muscle_activation",
)  # fmt: skip
EXPRESSIONS = ("0.5 + 0.5*sin(2*pi*t)", "ramp(t, 0, 1)", "")

Example = Callable[[Random, Actor, Muscles], dict[str, Any]]


def muscles_edit(random: Random, name: str, document: Document) -> Edit:
    """Make an edit of that name, or one that has to come before it."""
    having = [actor for actor in document.actors if muscles_of(actor) is not None]
    actor = random.choice(having or document.actors)
    muscles = muscles_of(actor)
    if name == "put_muscles" or muscles is None or not muscles.muscles:
        made = Muscles(muscles=(a_muscle(random, actor), a_muscle(random, actor)), wraps=(a_wrap(random, actor),))
        return edit("put_muscles", actor=actor.id, muscles=made)
    if name in ("set_muscle_wrap", "remove_muscle_wrap", "set_path_wraps") and not muscles.wraps:
        name = "add_muscle_wrap"
    if name == "remove_muscle_set" and not muscles.sets:
        name = "put_muscle_set"
    if name == "remove_path_point" and all(len(each.points) == 2 for each in muscles.muscles):
        name = "add_path_point"
    if name in KEYED[1:] and all(each.track is None for each in activations_of(actor).activations):
        name = "set_muscle_keys"
    return edit(name, actor=actor.id, **_EXAMPLES[name](random, actor, muscles))


def every_edit() -> tuple[Document, list[Edit]]:
    """Every edit of muscles, of an arm."""
    start, chance = Document(actors=(bent_arm(),)), Random(25)
    arm = start.actors[0]
    muscles = muscles_of(arm)
    assert muscles is not None, "the arm has muscles"
    changes, document = [edit("put_muscles", actor=arm.id, muscles=muscles)], start
    start = document = start.with_actor(arm.without_part(Muscles))
    document = changes[0].apply(document)
    order = [name for name in MUSCLES_EDITS if name != "put_muscles"]
    order.sort(key=lambda name: (name == "remove_muscles", name.startswith("remove")))
    for name in order:
        for _ in range(30):
            change = muscles_edit(chance, name, document)
            after = change.apply(document)
            if change.name == name and after is not document:
                break
        else:
            raise AssertionError(f"chance never makes {name} change anything")
        changes.append(change)
        document = after
    return start, changes


def a_point(random: Random, actor: Actor) -> PathPoint:
    """A point on some joint, here and there with a range or a curve."""
    figure = actor.figure
    joint = random.choice((*figure.joint_index, None))
    place = tuple(random.uniform(0.3, 0.5) for _ in range(3))
    dofs = [each.id for each in figure.dofs if each.kind != "ball"]
    point = PathPoint(joint=joint, point=place)  # type: ignore[arg-type]
    if dofs and random.random() < 0.3:
        point = replace(point, dof=random.choice(dofs), lower=-0.5, upper=random.choice((None, 0.7)))
    if dofs and random.random() < 0.2:
        point = replace(point, curves=(PointCurve(axis=1, dof=random.choice(dofs), knots=((-1.0, 0.3), (1.0, 0.4))),))
    return point


def a_muscle(random: Random, actor: Actor) -> Muscle:
    """A muscle of three points."""
    points = tuple(a_point(random, actor) for _ in range(3))
    return Muscle(
        id=new_id(random), name="Biceps", points=points, force=random.uniform(100.0, 900.0), fibre=0.1, tendon=0.2,
        pennation=random.uniform(0.0, 0.4), region=random.choice(("Arm", "")),
    )  # fmt: skip


def a_wrap(random: Random, actor: Actor) -> MuscleWrap:
    """A wrap that is farther in than points are."""
    joint = random.choice(tuple(actor.figure.joint_index))
    return MuscleWrap(id=new_id(random), name="Bone", joint=joint, shape="sphere", radii=(random.uniform(0.05, 0.1),))


def _keys(random: Random) -> tuple[Key, ...]:
    return tuple(Key(time * SECOND, random.uniform(0.0, 1.0)) for time in sorted(random.sample(range(9), k=3)))


def _times(random: Random) -> tuple[int, ...]:
    return tuple(time * SECOND for time in random.sample(range(9), k=5))


def _one(random: Random, muscles: Muscles) -> Muscle:
    return random.choice(muscles.muscles)


def _long(random: Random, muscles: Muscles) -> Muscle:
    return random.choice([each for each in muscles.muscles if len(each.points) > 2])


def _place(random: Random, muscle: Muscle, more: int = 0) -> dict[str, Any]:
    return {"muscle": muscle.id, "place": random.randrange(len(muscle.points) + more)}


def _keyed(random: Random, actor: Actor) -> str:
    return random.choice([each.muscle for each in activations_of(actor).activations if each.track is not None])


_EXAMPLES: dict[str, Example] = {
    "remove_muscles": lambda random, actor, muscles: {},
    "set_muscle_model": lambda random, actor, muscles: {"model": random.choice(FORCE_MODELS)},
    "add_muscle": lambda random, actor, muscles: {"muscle": a_muscle(random, actor)},
    "remove_muscle": lambda random, actor, muscles: {"muscle": _one(random, muscles).id},
    "set_muscle": lambda random, actor, muscles: {
        "muscle": _one(random, muscles).id, "name": random.choice(("Brachialis", "Triceps")),
        "force": random.uniform(1.0, 1000.0), "tendon": random.random(), "fastest": random.choice((8, 10.5)),
    },
    "add_path_point": lambda random, actor, muscles: {
        **_place(random, _one(random, muscles), 1), "point": a_point(random, actor),
    },
    "set_path_point": lambda random, actor, muscles: {
        **_place(random, _one(random, muscles)), "point": a_point(random, actor),
    },
    "remove_path_point": lambda random, actor, muscles: _place(random, _long(random, muscles)),
    "set_path_wraps": lambda random, actor, muscles: {
        "muscle": _one(random, muscles).id,
        "wraps": random.choice(((), (PathWrap(wrap=random.choice(muscles.wraps).id, last=1),))),
    },
    "add_muscle_wrap": lambda random, actor, muscles: {"wrap": a_wrap(random, actor)},
    "set_muscle_wrap": lambda random, actor, muscles: {
        "wrap": replace(random.choice(muscles.wraps), radii=(random.uniform(0.05, 0.1),), shape="sphere", length=None)
    },
    "remove_muscle_wrap": lambda random, actor, muscles: {"wrap": random.choice(muscles.wraps).id},
    "put_muscle_set": lambda random, actor, muscles: {
        "set": MuscleSet(
            id=random.choice(("one", "two")), name="Set", muscles=tuple(each.id for each in muscles.muscles[:2])
        )
    },
    "remove_muscle_set": lambda random, actor, muscles: {"set": random.choice(muscles.sets).id},
    "set_muscle_activation": lambda random, actor, muscles: {
        "muscle": _one(random, muscles).id, "value": random.random(),
    },
    "set_muscle_keys": lambda random, actor, muscles: {"muscle": _one(random, muscles).id, "keys": _keys(random)},
    "draw_muscle_activation": lambda random, actor, muscles: {
        "muscle": _one(random, muscles).id, "start": 0, "end": 9 * SECOND, "keys": _keys(random),
    },
    "key_muscles": lambda random, actor, muscles: {
        "keys": tuple((each.id, Key(random.randint(0, 9) * SECOND, random.random())) for each in muscles.muscles[:3])
    },
    "put_muscle_activations": lambda random, actor, muscles: {
        "start": 0, "end": 9 * SECOND,
        "keys": tuple((each.id, random.choice((_keys(random), ()))) for each in muscles.muscles[:3]),
    },
    "set_muscle_expression": lambda random, actor, muscles: {
        "muscles": tuple(each.id for each in muscles.muscles[: random.randint(1, 3)]),
        "expression": random.choice(EXPRESSIONS),
    },
    "move_keys_of_muscles": lambda random, actor, muscles: {
        "times": ((_keyed(random, actor), _times(random)),), "ticks": random.randint(-9, 9) * SECOND,
        "value": random.uniform(-0.5, 0.5),
    },
    "move_muscle_keys": lambda random, actor, muscles: {
        "muscle": _keyed(random, actor), "times": _times(random), "ticks": random.randint(-9, 9) * SECOND,
        "value": random.uniform(-0.5, 0.5),
    },
    "remove_muscle_keys": lambda random, actor, muscles: {
        "muscle": _keyed(random, actor), "times": random.choice((None, _times(random))),
    },
    "extend_muscle_activation": lambda random, actor, muscles: {
        "muscle": _keyed(random, actor), "after": random.choice(EXTRAPOLATIONS),
    },
    "set_excitation_keys": lambda random, actor, muscles: {"excited": not activations_of(actor).excited},
}  # fmt: skip


def expression_edits() -> tuple[Document, list[Edit]]:
    """An expression for two muscles, keys of which then move together."""
    wave = {"muscles": ("biceps", "triceps"), "expression": EXPRESSIONS[0]}
    keys = (Key(0, 0.2), Key(SECOND, 0.7))
    times = (("biceps", (0, SECOND)), ("triceps", (SECOND,)))
    return Document(actors=(bent_arm(),)), [
        edit("set_muscle_expression", actor="arm", **wave),
        edit("set_muscle_keys", actor="arm", muscle="biceps", keys=keys),
        edit("set_muscle_expression", actor="arm", **(wave | {"expression": ""})),
        edit("set_muscle_keys", actor="arm", muscle="triceps", keys=keys),
        edit("move_keys_of_muscles", actor="arm", times=times, ticks=SECOND, value=0.1),
    ]
